//! Owns what a game of a person at the board is to be, as values.

use std::path::PathBuf;

use shakmaty::Color;

use super::EnginePlan;
use crate::lab::{SkillFunction, SparSettings};

/// A game of a person against the player.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardGamePlan {
    /// The person's colour.
    pub person: Color,
    /// The person's name.
    pub name: String,
    /// Where the game is written, and gone on with where it is not over; without one, into a new file here.
    pub file: Option<PathBuf>,
    /// How well the player plays.
    pub skill: SkillFunction,
    /// The rest of what it is set to.
    pub settings: SparSettings,
    /// The engine that it plays over, which is asked about the game at its end too.
    pub engine: EnginePlan,
    /// Whether that was named: no other takes its place at the end.
    pub is_engine_named: bool,
}
