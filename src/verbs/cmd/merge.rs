//! Owns the verb `merge`: the counts of several parts of an archive as one.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::MergeArgs, runs, runs::RunEnding};

/// Adds up the parts that `args` names.
pub fn run(args: &MergeArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let console = Console::of(&args.console);
    show(runs::archive::merge(&plan, &console)?)
}
