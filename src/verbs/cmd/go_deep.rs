//! Owns the verb `go-deep`: from positions of games to how often the best move changes with depth.

use super::{CmdError, console::Console, show};
use crate::verbs::{cli::GoDeepArgs, runs, runs::RunEnding};

/// Searches the positions that `args` name.
pub fn run(args: &GoDeepArgs) -> Result<RunEnding, CmdError> {
    let plan = args.plan().map_err(CmdError::Usage)?;
    let mut console = Console::of(&args.console);
    show(runs::go_deep::run(&plan, &mut console)?)
}
