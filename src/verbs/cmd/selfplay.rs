//! Owns the verb `selfplay`: engines play each other, and who scored what is told.

use super::{console::Console, show};
use crate::verbs::cli::{SelfplayArgs, SelfplayTask};
use crate::verbs::error::VerbError;
use crate::verbs::{runs, runs::RunEnding};

/// Plays what `args` describe, or goes on with it, or rates what was played.
pub fn run(args: &SelfplayArgs) -> Result<RunEnding, VerbError> {
    let task = args.task()?;
    let mut console = Console::of(&args.console);
    show(match task {
        SelfplayTask::Depths(plan) => runs::selfplay::run(&plan, &mut console),
        SelfplayTask::Entrants(plan) => runs::round_robin::run(&plan, &mut console),
        SelfplayTask::Recorded(plan) => runs::round_robin::rate_recorded(&plan, &mut console),
    }?)
}
