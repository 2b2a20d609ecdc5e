//! Owns the verb `selfplay`: an engine plays itself at fixed depths, and who scored what is told.

use super::{CmdError, console::Console, show};
use crate::{
    cli::SelfplayArgs,
    runs::{self, RunEnding},
};

/// Plays the experiment that `args` describe, or goes on with it.
pub fn run(args: &SelfplayArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::new(args.console.quiet);
    show(runs::selfplay::run(&plan, &mut console)?)
}
