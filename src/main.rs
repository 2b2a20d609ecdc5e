//! Owns the program's entry.

use std::process::ExitCode;

use mimalloc::MiMalloc;

// What one worker makes of an archive's games another may count, and give its memory back.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    gainalyze::verbs::main()
}
