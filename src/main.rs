//! Entry point of the program.

use std::process::ExitCode;

use mimalloc::MiMalloc;

// Workers on an archive often free memory that another worker allocated. mimalloc does this quickly.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    gainalyze::verbs::main()
}
