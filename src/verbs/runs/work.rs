//! Owns the run of one worker of a queue.

use super::{Finished, RunEnding, Viewer};
use crate::verbs::error::VerbError;
use crate::verbs::{app::working, app::working::WorkPlan};

/// Searches what a queue gives out.
///
/// # Errors
///
/// If the engine or the queue cannot be used, no run of it is for this engine, or the engine fails on everything.
pub fn run(plan: &WorkPlan, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let done = working::work(plan, viewer)?;
    let ending = if done.interrupted { RunEnding::Interrupted } else { RunEnding::Complete };
    Ok(Finished::new(format!("{}.\n", done.in_words()), ending))
}
