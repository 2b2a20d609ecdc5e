//! Owns the verb `work`: one machine of those that search for a queue.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::WorkArgs, runs, runs::RunEnding};

/// Searches for the queue that `args` name.
pub fn run(args: &WorkArgs) -> Result<RunEnding, VerbError> {
    let mut console = Console::of(&args.console);
    show(runs::work::run(&args.plan(), &mut console)?)
}
