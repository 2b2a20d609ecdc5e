//! [`RereadError`]: reasons why a report cannot be read back.

use std::path::PathBuf;

use polars::prelude::PolarsError;
use thiserror::Error;

use crate::base::output::RecordedFileError;
use crate::base::text::full_path;
use crate::chess::Score;

/// The reason why a report cannot be read back. Rows and games count from 1, and ply 0 is the start position.
#[derive(Debug, Error)]
pub enum RereadError {
    #[error("{}: not the folder of a report: it has no moves.csv, moves.parquet or moves.json", full_path(.0))]
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
    Cell { path: PathBuf, row: usize, column: &'static str, found: String, expected: &'static str },
    #[error("{}, row {row}: {column} is {found}, but the other columns give {expected}", full_path(path))]
    Contradiction { path: PathBuf, row: usize, column: String, found: String, expected: String },
    /// The score before a move differs from the score after the preceding move in the `previous` row.
    #[error(
        "{}, row {row}: the score before the move is {before}, but row {previous} has {after} for the same \
         position",
        full_path(path)
    )]
    Scores { path: PathBuf, row: usize, previous: usize, before: Score, after: Score },
    #[error(transparent)]
    RecordedFileError(#[from] RecordedFileError),
    #[error("{}: game {game} has no row for ply {ply}", full_path(path))]
    Ply { path: PathBuf, game: usize, ply: usize },
    #[error("{}: game {game}, ply {ply}: {uci:?} is not a legal move", full_path(path))]
    Move { path: PathBuf, game: usize, ply: usize, uci: String },
    #[error("{}: game {game}: {fen:?} is not a valid start position", full_path(path))]
    Start { path: PathBuf, game: usize, fen: String },
    #[error(
        "{}: game {game} is missing, but the table of moves has it; they are from different reports",
        full_path(path)
    )]
    Game { path: PathBuf, game: usize },
    #[error("{}: has {held} of the {analysed} analyzed games", full_path(folder))]
    Games { folder: PathBuf, held: usize, analysed: u64 },
    /// A file next to the tables is not a valid part of a report.
    #[error("{}: not a valid file of a report", full_path(.0))]
    Facts(PathBuf, #[source] serde_json::Error),
    #[error("{}: not the folder of a report: it has no {what}", full_path(folder))]
    Missing { folder: PathBuf, what: &'static str },
}
