//! Owns [`RereadError`]: why a report cannot be read back.

use std::path::PathBuf;

use crate::chess::{Score, text::full_path};
use crate::files::output::recorded::NotAsWritten;

use polars::prelude::PolarsError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum RereadError {
    /// There is no table of moves.
    #[error(
        "{}: is not the folder of a report: it has no moves.csv, moves.parquet or moves.json",
        full_path(.0)
    )]
    NoMoves(PathBuf),
    #[error("{}: cannot be read", full_path(.0))]
    Io(PathBuf, #[source] std::io::Error),
    #[error("{}: is not a table that can be read", full_path(.0))]
    Table(PathBuf, #[source] PolarsError),
    #[error("{}: is not a table that can be read", full_path(.0))]
    Json(PathBuf, #[source] serde_json::Error),
    #[error("{}: has no column {column:?}, so it is not a report's table of {what}", full_path(path))]
    Column { path: PathBuf, column: &'static str, what: &'static str },
    #[error("{}, row {row}: {column} is {found}, expected {expected}", full_path(path))]
    Cell {
        path: PathBuf,
        /// The row, the first being 1.
        row: usize,
        column: &'static str,
        found: String,
        expected: &'static str,
    },
    #[error("{}, row {row}: {column} is {found}, and by the other columns it is {expected}", full_path(path))]
    Contradiction {
        path: PathBuf,
        /// The row, the first being 1.
        row: usize,
        column: String,
        found: String,
        expected: String,
    },
    /// The scores of one position contradict each other.
    #[error(
        "{}, row {row}: the score before the move is {before}, and row {previous} has {after} after the move before it",
        full_path(path)
    )]
    Scores {
        path: PathBuf,
        /// The row, the first being 1.
        row: usize,
        /// The row of the move before.
        previous: usize,
        /// What was said before the move.
        before: Score,
        /// What was said after the one before it.
        after: Score,
    },
    #[error(transparent)]
    NotAsWritten(#[from] NotAsWritten),
    /// Moves of a game are missing.
    #[error(
        "{}: game {game} has no row of ply {ply}; a report of some players holds their moves only, so make it \
         again for all players",
        full_path(path)
    )]
    Ply {
        path: PathBuf,
        game: usize,
        /// The ply, 0 being the start position.
        ply: usize,
    },
    #[error("{}: game {game}, ply {ply}: {uci:?} is no legal move there", full_path(path))]
    Move {
        path: PathBuf,
        game: usize,
        /// The ply, 0 being the start position.
        ply: usize,
        uci: String,
    },
    #[error("{}: game {game}: {fen:?} is no start position of chess", full_path(path))]
    Start { path: PathBuf, game: usize, fen: String },
    /// A game that one table has and another has not.
    #[error(
        "{}: has no game {game}, which the table of moves has: they are not of one report",
        full_path(path)
    )]
    Game { path: PathBuf, game: usize },
    /// Games of the report are missing.
    #[error(
        "{}: holds {held} of the {analysed} games analysed; a report of some players holds their games only, so \
         make it again for all players",
        full_path(folder)
    )]
    Games { folder: PathBuf, held: usize, analysed: u64 },
    /// A file beside the tables is not what a report has.
    #[error("{}: is not what a report has there", full_path(.0))]
    Facts(PathBuf, #[source] serde_json::Error),
    #[error("{}: is not the folder of a report: it has no {what}", full_path(folder))]
    Missing { folder: PathBuf, what: &'static str },
}
