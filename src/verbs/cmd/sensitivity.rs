//! Owns the verb `sensitivity`: from stored evaluations to how far each choice of method moves the tables.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::SensitivityArgs, runs, runs::RunEnding};

/// Studies the tournament that `args` names.
pub fn run(args: &SensitivityArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::of(&args.console);
    show(runs::sensitivity::run(&plan, &mut console)?)
}
