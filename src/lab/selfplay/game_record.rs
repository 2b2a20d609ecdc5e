//! Owns [`GameRecord`]: what is remembered of a finished game of an experiment.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::{GameResult, Limit, MoveLimit, named::named};

/// Who plays: one of the two engines of an experiment, to a fixed depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Contender {
    /// Which engine; with a single one both sides are [`Side::Engine`].
    pub side: Side,
    pub depth: u32,
}

impl Contender {
    pub fn limit(self) -> MoveLimit {
        MoveLimit::Search(Limit::Depth(self.depth))
    }
}

/// One of the two engines, or sets of options, of an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Engine,
    /// The one given as its opponent.
    Opponent,
}

/// A finished game of two contenders, who are depths of an engine where nothing else is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRecord<C = Contender> {
    /// Its place in the schedule, from 0.
    pub game: u32,
    pub white: C,
    pub black: C,
    /// The opening's place among the openings, from 0; `None` where the game began at the start. Two
    /// games of one pair with one opening and colours reversed are a game pair.
    pub opening: Option<u32>,
    /// Never [`GameResult::Unknown`].
    pub result: GameResult,
    pub ending: Ending,
    /// Half-moves played, those of the opening included.
    pub plies: u32,
    /// Digest of the start position and the moves: two games with the same one are the same game.
    pub line: u64,
}

named! {
    /// By its name in files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Ending: name {
        Checkmate => "checkmate",
        Stalemate => "stalemate",
        /// A position for the third time.
        Repetition => "repetition",
        /// Fifty moves of each side without a capture or a pawn's move.
        FiftyMoves => "fifty-moves",
        /// Neither side can mate by any sequence of legal moves that the material allows.
        InsufficientMaterial => "insufficient-material",
        ResignationRule => "resignation-rule",
        DrawRule => "draw-rule",
        /// Drawn at the greatest number of moves allowed.
        MoveLimit => "move-limit",
        /// Lost by a move that is not legal.
        IllegalMove => "illegal-move",
        /// Lost since the engine's process ended.
        Crash => "crash",
        /// Lost since the engine did not answer in time.
        Stall => "stall",
    }
}

impl Ending {
    /// Returns whether the loser lost without being beaten on the board: counted apart.
    pub fn is_forfeit(self) -> bool {
        matches!(self, Ending::IllegalMove | Ending::Crash | Ending::Stall)
    }

    /// Tells whether a game that goes on by the rules of chess may end so with that result.
    pub fn may_end_unfinished(self, result: GameResult) -> bool {
        match self {
            Ending::DrawRule | Ending::MoveLimit => result == GameResult::Draw,
            ending if ending == Ending::ResignationRule || ending.is_forfeit() => {
                [GameResult::WhiteWins, GameResult::BlackWins].contains(&result)
            }
            _ => false,
        }
    }

    /// Returns how messages and tables name it.
    pub fn words(self) -> String {
        self.name().replace('-', " ")
    }

    /// Returns the words that the standard of PGN has for `Termination`.
    pub fn termination(self) -> &'static str {
        match self {
            Ending::ResignationRule | Ending::DrawRule | Ending::MoveLimit => "adjudication",
            Ending::IllegalMove => "rules infraction",
            Ending::Crash => "abandoned",
            Ending::Stall => "time forfeit",
            _ => "normal",
        }
    }
}

impl fmt::Display for Contender {
    /// `8`, or `opponent 8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Side::Engine => write!(f, "{}", self.depth),
            Side::Opponent => write!(f, "opponent {}", self.depth),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_has_one_name_in_all_files() {
        for ending in Ending::ALL {
            let json = serde_json::to_value(ending).expect("JSON");
            assert_eq!(json, ending.to_string());
        }
    }
}
