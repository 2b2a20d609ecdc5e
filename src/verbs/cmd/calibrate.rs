//! Owns the verb `calibrate`: from the games of rated players to what moves are worth in Elo points.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::CalibrateArgs, runs, runs::RunEnding};

/// Calibrates ratings of play.
pub fn run(args: &CalibrateArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    show(runs::calibrate::run(&plan, &mut console)?)
}
