//! Entry point of the program.

use std::process::ExitCode;

use mimalloc::MiMalloc;

// Memory allocated by one worker on an archive is often freed by another.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    gainalyze::verbs::main()
}
