//! Owns the verb `work`: one machine of those that search for a queue.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::WorkArgs, runs, runs::RunEnding};

/// Searches for the queue that `args` name.
pub fn run(args: &WorkArgs) -> Result<RunEnding, CmdError> {
    let mut console = Console::of(&args.console);
    show(runs::work::run(&args.plan(), &mut console)?)
}
