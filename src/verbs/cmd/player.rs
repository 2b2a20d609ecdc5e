//! Owns the verb `player`: from the games of one player to a profile.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::ProfileArgs, runs, runs::RunEnding};

/// Tells how the player whom `args` name plays.
pub fn run(args: &ProfileArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::of(&args.console);
    show(runs::profile::run(&plan, &mut console)?)
}
