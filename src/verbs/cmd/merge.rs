//! Owns the verb `merge`: the counts of several parts of an archive as one.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::MergeArgs, runs, runs::RunEnding};

/// Adds up the parts that `args` names.
pub fn run(args: &MergeArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let console = Console::of(&args.console);
    show(runs::archive::merge(&plan, &console)?)
}
