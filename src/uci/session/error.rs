//! Owns [`SessionError`]: what can go wrong in a dialogue with an engine.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::HANDSHAKE;
use crate::uci::options::SettingError;

/// What went wrong in a dialogue.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No `uciok` in time.
    #[error("it did not say \"uciok\" within {} s: not a UCI engine", HANDSHAKE.as_secs())]
    NotUci,
    /// The streams ended.
    #[error("the engine stopped{0}")]
    Exited(String),
    /// Silence.
    #[error("the engine told nothing of its search for {} s", .0.as_secs())]
    Stalled(Duration),
    /// A `bestmove` before any exact score.
    #[error("the engine gave no score for the position after {ply} plies")]
    NoScore {
        /// The ply, 0 being the start position.
        ply: usize,
    },
    /// A best move that the position does not have: the engine answers something else.
    #[error("the engine's move {best} is illegal in the position after {ply} plies")]
    IllegalMove {
        /// The ply, 0 being the start position.
        ply: usize,
        /// The move that the engine named.
        best: UciMove,
    },
    /// A game that the engine cannot be told of.
    #[error("the engine has no option UCI_Chess960, which the game needs")]
    NoChess960,
    /// More lines than it tells of a search.
    #[error(
        "the engine cannot tell the {asked} best moves of a position: {}",
        most.map_or("it has no option MultiPV".to_owned(), |most| format!("its MultiPV is {most} at most"))
    )]
    TooManyLines {
        /// How many were asked for.
        asked: u32,
        /// How many it can tell, where it can tell several at all.
        most: Option<i64>,
    },
    /// A best move that is none of those that it was told to search.
    #[error("the engine's move {best} in the position after {ply} plies is none of those asked for")]
    OtherMove {
        /// The ply, 0 being the start position.
        ply: usize,
        /// The move that the engine named.
        best: UciMove,
    },
    /// A setting that the engine would not take.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// Reading or writing failed.
    #[error("the dialogue with the engine broke off")]
    Io(#[from] std::io::Error),
}
