//! Owns the verb `tune`: the weights of our own engine, fitted to what another says of positions.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::TuneArgs, runs, runs::RunEnding};

/// Makes positions, has them labelled, and fits weights to them.
pub fn run(args: &TuneArgs) -> Result<RunEnding, CmdError> {
    let mut console = Console::of(&args.console);
    show(runs::tune::run(&args.plan(), &mut console)?)
}
