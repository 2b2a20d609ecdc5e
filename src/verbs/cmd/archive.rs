//! Owns the verb `archive`: from files of any size to counts by group.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::ArchiveArgs, runs, runs::RunEnding};

/// Counts the archive that `args` names by group.
pub fn run(args: &ArchiveArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    show(runs::archive::run(&plan, &mut console)?)
}
