//! Owns the default verb: from PGN files to the tables, files and plots of a tournament.

use super::{console::Console, show_report};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::AnalyzeArgs, runs, runs::RunEnding};

/// Analyses the files that `args` names.
pub fn run(args: &AnalyzeArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    let finished = runs::tournament::run(&plan, &mut console)?;
    show_report(finished, &console)
}
