//! Owns the verb `status`: how a queue is.

use std::io::{self, IsTerminal};

use super::{console::Console, print, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::StatusArgs, runs, runs::RunEnding};

/// What clears a terminal and goes to its first line.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// Tells how the queue is that `args` name.
pub fn run(args: &StatusArgs) -> Result<RunEnding, VerbError> {
    let mut console = Console::of(&args.console);
    let head = if io::stdout().is_terminal() { CLEAR } else { "" };
    // Whoever reads may be gone: then the next line says so to nobody.
    let mut again = |told: &str| _ = print(&format!("{head}{told}"));
    show(runs::queue_status::run(&args.plan(), &mut again, &mut console)?)
}
