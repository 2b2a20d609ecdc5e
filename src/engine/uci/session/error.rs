//! Owns [`SessionError`]: what can go wrong in a dialogue with an engine.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::HANDSHAKE;
use crate::chess::SignedScore;
use crate::engine::uci::options::SettingError;

/// What went wrong in a dialogue. A `ply` counts from the start position, which is 0.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("it did not say \"uciok\" within {} s: not a UCI engine", HANDSHAKE.as_secs())]
    NotUci,
    #[error("the engine stopped{0}")]
    Exited(String),
    /// More than a greeting can be.
    #[error("it said more than {} kB before \"uciok\": not a UCI engine", .0 / 1000)]
    Flood(usize),
    /// Silence where `readyok` was asked for, or nobody who reads.
    #[error("the engine gave no sign of life for {} s", .0.as_secs())]
    NotReady(Duration),
    /// A search that gets nowhere.
    #[error("the engine came to no new depth for {} s", .0.as_secs())]
    Stalled(Duration),
    /// A search that gets on and has no end.
    #[error("the engine did not end its search for {} s", .0.as_secs())]
    Endless(Duration),
    #[error("the engine answered one search twice")]
    SecondAnswer,
    /// A `bestmove` before any exact score.
    #[error("the engine gave no score for the position after {ply} plies")]
    NoScore { ply: usize },
    /// A score that no search can come to.
    #[error("the engine's score {score} for the position after {ply} plies is none that can be")]
    ImpossibleScore { ply: usize, score: SignedScore },
    /// A depth that no search has.
    #[error("the engine's depth {0} is none that can be")]
    ImpossibleDepth(String),
    /// No move in a position that has moves, where the engine names moves in its lines.
    #[error("the engine gave no move in the position after {ply} plies")]
    NoMove { ply: usize },
    /// Something that is no move.
    #[error("the engine's move is {0:?}, which is none")]
    Nonsense(String),
    /// A search that ended too early.
    #[error(
        "the engine searched the position after {ply} plies to depth {depth}, less than the {asked} asked for"
    )]
    Shallow { ply: usize, depth: u32, asked: u32 },
    /// A best move that the position does not have: the engine answers something else.
    #[error("the engine's move {best} is illegal in the position after {ply} plies")]
    IllegalMove { ply: usize, best: UciMove },
    /// A game that the engine cannot be told of.
    #[error("the engine has no option UCI_Chess960, which the game needs")]
    NoChess960,
    /// More lines than it tells of a search.
    #[error(
        "the engine cannot tell the {asked} best moves of a position: {}",
        most.map_or("it has no option MultiPV".to_owned(), |most| format!("its MultiPV is {most} at most"))
    )]
    TooManyLines {
        asked: u32,
        /// How many it can tell, where it can tell several at all.
        most: Option<i64>,
    },
    /// A best move that is none of those that it was told to search.
    #[error("the engine's move {best} in the position after {ply} plies is none of those asked for")]
    OtherMove { ply: usize, best: UciMove },
    /// A setting that the engine would not take.
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error("the dialogue with the engine broke off")]
    Io(#[from] std::io::Error),
}
