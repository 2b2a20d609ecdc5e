//! [`GameRecord`]: the record of a finished game of an experiment.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::{Ending, GameResult, Limit, MoveLimit};

/// A player: one of the two engines of an experiment, at a fixed depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Contender {
    /// The player's engine. If an engine plays against itself, both players have [`Side::Engine`].
    pub side: Side,
    pub depth: u32,
}

impl Contender {
    pub fn limit(self) -> MoveLimit {
        MoveLimit::Search(Limit::Depth(self.depth))
    }
}

/// One of the two engines of an experiment. They may differ only in their options.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Engine,
    Opponent,
}

/// A finished game of two contenders. By default, a contender is an engine at a fixed depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRecord<C = Contender> {
    /// The game's index in the schedule, from 0.
    pub game: u32,
    pub white: C,
    pub black: C,
    /// Index of the opening, from 0; `None` for the initial position. Two games of the same contenders with
    /// one opening and reversed colors are a game pair.
    pub opening: Option<u32>,
    /// Never [`GameResult::Unknown`].
    pub result: GameResult,
    pub ending: Ending,
    /// Half-moves played, including the opening.
    pub plies: u32,
    /// Digest of the start position and the moves: equal digests mean equal games.
    pub line: u64,
}

impl fmt::Display for Contender {
    /// Formats as `8`, or `opponent 8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Side::Engine => write!(f, "{}", self.depth),
            Side::Opponent => write!(f, "opponent {}", self.depth),
        }
    }
}
