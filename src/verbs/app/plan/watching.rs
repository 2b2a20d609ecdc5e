//! Owns how a tournament is watched that is still being played.

use std::time::Duration;

use super::Plan;

/// What the watching of files that are still being written is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct WatchPlan {
    /// What is done each time that the files have changed.
    pub plan: Plan,
    /// How often they are looked at.
    pub interval: Duration,
    /// Whether it ends once every game has a result.
    pub until_done: bool,
}
