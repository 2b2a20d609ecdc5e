//! Owns the verb `rate`: from PGN files to the ratings of their players by their play.

use super::{console::Console, show_report};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::RateArgs, runs, runs::RunEnding};

/// Rates the players that `args` names.
pub fn run(args: &RateArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    let finished = runs::rate::run(&plan, &mut console)?;
    show_report(finished, &console)
}
