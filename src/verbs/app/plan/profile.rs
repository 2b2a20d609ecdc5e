//! Owns what the profile of a player is to be.

use super::Plan;
use crate::chess::NameMatcher;
use crate::measure::PlayGrouping;

/// What is to be told of one player.
#[derive(Debug, Clone, PartialEq)]
pub struct ProfilePlan {
    /// The player, who must be the only one that it means.
    pub player: NameMatcher,
    /// By what the moves are divided.
    pub by: Vec<PlayGrouping>,
    /// Whose games are read, where their evaluations come from, which moves count, and what is written.
    pub plan: Plan,
}
