//! Owns the verb `learn`: from players' moves to weights of the linear evaluation.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::LearnArgs, runs, runs::RunEnding};

/// Learns from the games that `args` name.
pub fn run(args: &LearnArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::of(&args.console);
    show(runs::learn::run(&plan, &mut console)?)
}
