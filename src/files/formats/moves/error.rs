//! Owns [`RereadError`]: why a report cannot be read back.

use std::path::PathBuf;

use polars::prelude::PolarsError;
use thiserror::Error;

use crate::chess::{Score, text::full_path};
use crate::files::output::recorded::NotAsWritten;

/// Why a report cannot be read back. Rows and games have numbers from 1, and ply 0 is the start position.
#[derive(Debug, Error)]
pub enum RereadError {
    #[error("{}: is not the folder of a report: it has no moves.csv, moves.parquet or moves.json", full_path(.0))]
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
    #[error("{}, row {row}: {column} is {found}, and by the other columns it is {expected}", full_path(path))]
    Contradiction { path: PathBuf, row: usize, column: String, found: String, expected: String },
    /// The score before a move is not the one after the move before it, in the `previous` row.
    #[error(
        "{}, row {row}: the score before the move is {before}, and row {previous} has {after} after the move before it",
        full_path(path)
    )]
    Scores { path: PathBuf, row: usize, previous: usize, before: Score, after: Score },
    #[error(transparent)]
    NotAsWritten(#[from] NotAsWritten),
    #[error(
        "{}: game {game} has no row of ply {ply}; a report of some players holds their moves only, so make it \
         again for all players",
        full_path(path)
    )]
    Ply { path: PathBuf, game: usize, ply: usize },
    #[error("{}: game {game}, ply {ply}: {uci:?} is no legal move there", full_path(path))]
    Move { path: PathBuf, game: usize, ply: usize, uci: String },
    #[error("{}: game {game}: {fen:?} is no start position of chess", full_path(path))]
    Start { path: PathBuf, game: usize, fen: String },
    #[error(
        "{}: has no game {game}, which the table of moves has: they are not of one report",
        full_path(path)
    )]
    Game { path: PathBuf, game: usize },
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
