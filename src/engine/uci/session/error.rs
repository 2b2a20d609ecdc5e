//! [`SessionError`]: faults in a dialogue with an engine.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::HANDSHAKE;
use crate::chess::SignedScore;
use crate::engine::uci::options::SettingError;

/// A fault in a dialogue. A `ply` counts from the start position, which is 0.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("no \"uciok\" within {} s: not a UCI engine", HANDSHAKE.as_secs())]
    NotUci,
    #[error("the engine stopped{0}")]
    Exited(String),
    /// Too much output for a greeting.
    #[error("more than {} kB before \"uciok\": not a UCI engine", .0 / 1000)]
    Flood(usize),
    /// No `readyok`, or an engine that does not read its input.
    #[error("the engine did not respond for {} s", .0.as_secs())]
    NotReady(Duration),
    /// A search that makes no progress.
    #[error("the engine reached no new depth for {} s", .0.as_secs())]
    Stalled(Duration),
    /// A search that makes progress but does not end.
    #[error("the engine did not end its search within {} s", .0.as_secs())]
    Endless(Duration),
    #[error("the engine answered one search twice")]
    SecondAnswer,
    /// A `bestmove` before any exact score of the first variation.
    #[error("the engine gave no score for the position after {ply} plies")]
    NoScore { ply: usize },
    /// An impossible score.
    #[error("the engine's score {score} for the position after {ply} plies is impossible")]
    ImpossibleScore { ply: usize, score: SignedScore },
    /// An impossible depth.
    #[error("the engine's depth {0} is impossible")]
    ImpossibleDepth(String),
    /// No best move, although the engine's first line has moves.
    #[error("the engine gave no move in the position after {ply} plies")]
    NoMove { ply: usize },
    /// An answer that is not a move.
    #[error("the engine answered {0:?} instead of a move")]
    Nonsense(String),
    /// A search that ended too early.
    #[error("the engine searched the position after {ply} plies to depth {depth} instead of {asked}")]
    Shallow { ply: usize, depth: u32, asked: u32 },
    /// An illegal move, either the best move or the first move of another line.
    #[error("the engine's move {best} is illegal in the position after {ply} plies")]
    IllegalMove { ply: usize, best: UciMove },
    /// A game that cannot be sent to the engine.
    #[error("the engine has no option UCI_Chess960, which the game needs")]
    NoChess960,
    /// More lines than the engine can report.
    #[error(
        "the engine cannot report {asked} lines of a position: {}",
        most.map_or("it has no option MultiPV".to_owned(), |most| format!("its MultiPV is {most} at most"))
    )]
    TooManyLines {
        asked: u32,
        /// The engine's maximum, if it supports several lines.
        most: Option<i64>,
    },
    /// A move outside the moves to search, either the best move or the first move of another line.
    #[error("the engine's move {best} in the position after {ply} plies is not one of the moves to search")]
    OtherMove { ply: usize, best: UciMove },
    /// A setting that the engine does not accept.
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("the dialogue with the engine broke off")]
    Io(#[from] std::io::Error),
}
