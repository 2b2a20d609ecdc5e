//! Owns [`RereadError`]: why a report cannot be read back.

use std::path::PathBuf;

use crate::chess::{Score, text::full_path};
use crate::files::output::NotAsWritten;

use polars::prelude::PolarsError;
use thiserror::Error;

/// Why a report's moves cannot be read back.
#[derive(Debug, Error)]
pub enum RereadError {
    /// There is no table of moves.
    #[error(
        "{}: is not the folder of a report: it has no moves.csv, moves.parquet or moves.json",
        full_path(.0)
    )]
    NoMoves(PathBuf),
    /// The file cannot be read.
    #[error("{}: cannot be read", full_path(.0))]
    Io(PathBuf, #[source] std::io::Error),
    /// It is no table.
    #[error("{}: is not a table that can be read", full_path(.0))]
    Table(PathBuf, #[source] PolarsError),
    /// It is no array of rows.
    #[error("{}: is not a table that can be read", full_path(.0))]
    Json(PathBuf, #[source] serde_json::Error),
    /// A column is missing.
    #[error("{}: has no column {column:?}, so it is not a report's table of {what}", full_path(path))]
    Column {
        /// The file.
        path: PathBuf,
        /// The column.
        column: &'static str,
        /// What the column must hold.
        what: &'static str,
    },
    /// A cell holds what its column cannot.
    #[error("{}, row {row}: {column} is {found}, expected {expected}", full_path(path))]
    Cell {
        /// The file.
        path: PathBuf,
        /// The row, the first being 1.
        row: usize,
        /// The column.
        column: &'static str,
        /// What stands there.
        found: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// Cells of one row contradict each other.
    #[error("{}, row {row}: {column} is {found}, and by the other columns it is {expected}", full_path(path))]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// The row, the first being 1.
        row: usize,
        /// The column.
        column: String,
        /// What stands there.
        found: String,
        /// What follows from the rest.
        expected: String,
    },
    /// The scores of one position contradict each other.
    #[error(
        "{}, row {row}: the score before the move is {before}, and row {previous} has {after} after the move before it",
        full_path(path)
    )]
    Scores {
        /// The file.
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
    /// A file is not what its run has written.
    #[error(transparent)]
    NotAsWritten(#[from] NotAsWritten),
    /// Moves of a game are missing.
    #[error(
        "{}: game {game} has no row of ply {ply}; a report of some players holds their moves only, so make it \
         again for all players",
        full_path(path)
    )]
    Ply {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        game: usize,
        /// The ply, 0 being the start position.
        ply: usize,
    },
    /// A move that cannot be played.
    #[error("{}: game {game}, ply {ply}: {uci:?} is no legal move there", full_path(path))]
    Move {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        game: usize,
        /// The ply, 0 being the start position.
        ply: usize,
        /// The move written.
        uci: String,
    },
    /// A start position that there is not.
    #[error("{}: game {game}: {fen:?} is no start position of chess", full_path(path))]
    Start {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        game: usize,
        /// The position written.
        fen: String,
    },
    /// A game that one table has and another has not.
    #[error(
        "{}: has no game {game}, which the table of moves has: they are not of one report",
        full_path(path)
    )]
    Game {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        game: usize,
    },
    /// Games of the report are missing.
    #[error(
        "{}: holds {held} of the {analysed} games analysed; a report of some players holds their games only, so \
         make it again for all players",
        full_path(folder)
    )]
    Games {
        /// The folder of the report.
        folder: PathBuf,
        /// Games in its table.
        held: usize,
        /// Games that its summary counts.
        analysed: u64,
    },
    /// A file beside the tables is not what a report has.
    #[error("{}: is not what a report has there", full_path(.0))]
    Facts(PathBuf, #[source] serde_json::Error),
    /// A file that a report has is missing.
    #[error("{}: is not the folder of a report: it has no {what}", full_path(folder))]
    Missing {
        /// The folder of the report.
        folder: PathBuf,
        /// What the column must hold.
        what: &'static str,
    },
}
