//! Owns the verb `watch`: from files that are still being written to a page that follows them.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::WatchArgs, runs, runs::RunEnding};

/// Watches the files that `args` name.
pub fn run(args: &WatchArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.analyze.console);
    show(runs::watch::run(&plan, &mut console)?)
}
