//! [`GameRecord`]: the record of a finished game of an experiment.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::{GameResult, Limit, MoveLimit, named::named};

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
    /// The engine given as the opponent.
    Opponent,
}

/// A finished game of two contenders. By default, a contender is an engine at a fixed depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameRecord<C = Contender> {
    /// The game's index in the schedule, from 0.
    pub game: u32,
    pub white: C,
    pub black: C,
    /// Index of the opening, from 0; `None` for the usual start. Two games of the same contenders with one
    /// opening and reversed colors are a game pair.
    pub opening: Option<u32>,
    /// Never [`GameResult::Unknown`].
    pub result: GameResult,
    pub ending: Ending,
    /// Half-moves played, including the opening.
    pub plies: u32,
    /// Digest of the start position and the moves: equal digests mean equal games.
    pub line: u64,
}

named! {
    /// The ending of a game, with its name in files.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Ending: name {
        Checkmate => "checkmate",
        Stalemate => "stalemate",
        /// The third occurrence of a position.
        Repetition => "repetition",
        /// Fifty moves of each side without a capture or pawn move.
        FiftyMoves => "fifty-moves",
        /// Neither side has enough material to mate by any legal moves.
        InsufficientMaterial => "insufficient-material",
        ResignationRule => "resignation-rule",
        DrawRule => "draw-rule",
        /// Drawn by the limit on the number of moves.
        MoveLimit => "move-limit",
        /// Lost by an illegal move.
        IllegalMove => "illegal-move",
        /// Lost because the engine failed, for example because its process ended.
        Crash => "crash",
        /// Lost because the engine did not answer in time.
        Stall => "stall",
    }
}

impl Ending {
    /// Returns whether the game was lost by a fault of the player, not on the board. Such games are counted
    /// separately.
    pub fn is_forfeit(self) -> bool {
        matches!(self, Ending::IllegalMove | Ending::Crash | Ending::Stall)
    }

    /// Returns whether a game that the rules of chess have not ended may have this ending with `result`.
    pub fn may_end_unfinished(self, result: GameResult) -> bool {
        match self {
            Ending::DrawRule | Ending::MoveLimit => result == GameResult::Draw,
            ending if ending == Ending::ResignationRule || ending.is_forfeit() => {
                [GameResult::WhiteWins, GameResult::BlackWins].contains(&result)
            }
            _ => false,
        }
    }

    /// Returns the ending's name in messages and tables.
    pub fn words(self) -> String {
        self.name().replace('-', " ")
    }

    /// Returns the value of the PGN tag `Termination`.
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
    /// Formats as `8`, or `opponent 8`.
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
