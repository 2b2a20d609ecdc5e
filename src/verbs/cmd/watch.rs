//! Owns the verb `watch`: from files that are still being written to a page that follows them.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::WatchArgs, runs, runs::RunEnding};

/// Watches the files that `args` name.
pub fn run(args: &WatchArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::of(&args.analyze.console);
    show(runs::watch::run(&plan, &mut console)?)
}
