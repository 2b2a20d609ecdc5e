//! Owns the default verb: from PGN files to the tables, files and plots of a tournament.

use super::{CmdError, console::Console, show_report};
use crate::verbs::{cli::AnalyzeArgs, runs, runs::RunEnding};

/// Analyses the files that `args` names.
pub fn run(args: &AnalyzeArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::of(&args.console);
    let finished = runs::tournament::run(&plan, &mut console)?;
    show_report(finished, &console)
}
