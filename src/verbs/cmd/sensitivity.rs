//! Owns the verb `sensitivity`: from stored evaluations to how far each choice of method moves the tables.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::SensitivityArgs, runs, runs::RunEnding};

/// Studies the tournament that `args` names.
pub fn run(args: &SensitivityArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    show(runs::sensitivity::run(&plan, &mut console)?)
}
