//! Owns the verb `expect`: what is usual of the play of a player of a given rating.

use super::{console::Console, show};
use crate::verbs::error::VerbError;
use crate::verbs::{cli::ExpectArgs, runs, runs::RunEnding};

/// Tells what is usual at the rating that `args` name.
pub fn run(args: &ExpectArgs) -> Result<RunEnding, VerbError> {
    let console = Console::new(args.export.form());
    show(runs::expect::run(&args.plan(), &console)?)
}
