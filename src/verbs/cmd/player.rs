//! Owns the verb `player`: from the games of one player to a profile.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::ProfileArgs, runs, runs::RunEnding};

/// Tells how the player whom `args` name plays.
pub fn run(args: &ProfileArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    show(runs::profile::run(&plan, &mut console)?)
}
