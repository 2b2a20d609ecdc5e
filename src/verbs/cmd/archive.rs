//! Owns the verb `archive`: from files of any size to counts by group.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::ArchiveArgs, runs, runs::RunEnding};

/// Counts the archive that `args` names by group.
pub fn run(args: &ArchiveArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::of(&args.console);
    show(runs::archive::run(&plan, &mut console)?)
}
