//! Owns the verb `go-deep`: from positions of games to how often the best move changes with depth.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::GoDeepArgs, runs, runs::RunEnding};

/// Searches the positions that `args` name.
pub fn run(args: &GoDeepArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    show(runs::go_deep::run(&plan, &mut console)?)
}
