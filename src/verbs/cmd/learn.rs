//! Owns the verb `learn`: from players' moves to weights of the linear evaluation.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::LearnArgs, runs, runs::RunEnding};

/// Learns from the games that `args` name.
pub fn run(args: &LearnArgs) -> Result<RunEnding, VerbError> {
    let plan = args.plan()?;
    let mut console = Console::of(&args.console);
    show(runs::learn::run(&plan, &mut console)?)
}
