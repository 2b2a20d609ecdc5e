//! Owns the verb `calibrate`: from the games of rated players to what moves are worth in Elo points.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::CalibrateArgs, runs, runs::RunEnding};

/// Calibrates ratings of play.
pub fn run(args: &CalibrateArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::of(&args.console);
    show(runs::calibrate::run(&plan, &mut console)?)
}
