//! Owns [`RunError`]: why a run failed.

use std::path::PathBuf;

use crate::chess::text::{counted, full_path};
use crate::chess::{ReadError, Refusal};
use crate::engine::EngineError;
use crate::files::{AnchorError, FileError, PartError, RereadError};
use crate::lab::{
    BoardGameError, ConfigError, ExperimentError, GameLogError, GrowthError, ResultsError, RoundRobinError,
};
use crate::measure::{CalibrationDataError, DesignError, PlayerNameError};
use crate::report::ReportError;
use crate::store::StoreError;
use crate::verbs::app::AppError;

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No move of an archive counts.
    #[error("{told}")]
    NoneCounted {
        /// What became of the games, in words.
        told: String,
        /// What most of those that were not wanted were refused for.
        refusal: Option<Refusal>,
    },
    /// What was asked for cannot be done.
    #[error(transparent)]
    App(#[from] AppError),
    /// The annotated games would take the place of games that are read.
    #[error("{} is one of the files that are read, and the games left out would be lost", full_path(path))]
    OverInput {
        /// The file.
        path: PathBuf,
    },
    /// A game that is to be drawn is not there.
    #[error("game {game} cannot be drawn: {why}")]
    NotDrawn {
        /// Its number among all games read.
        game: usize,
        /// Why, and which ones are there.
        why: String,
    },
    /// No position has a choice of moves.
    #[error(
        "no position{after} has a choice of moves ({forced} with one legal move), so there is nothing to search"
    )]
    NothingToSearch {
        /// Which moves are left out, in words.
        after: String,
        /// Positions with one legal move.
        forced: usize,
    },
    /// A file that is there already, and may be dear to somebody.
    #[error("{} is there already", full_path(path))]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A game at the board cannot be gone on with.
    #[error("{}", full_path(path))]
    BoardGame {
        /// The file that it is in.
        path: PathBuf,
        /// Why not.
        source: BoardGameError,
    },
    /// A file of other games in the place of the one at the board.
    #[error("{}: it holds other games than one of a person at the board", full_path(path))]
    SeveralGames {
        /// The file.
        path: PathBuf,
    },
    /// The player names no move where there is one.
    #[error("the player has no answer")]
    NoAnswer,
    /// A path that leads nowhere.
    #[error("{path}: no such file or folder")]
    NoSuchPath {
        /// The path as it is shown.
        path: String,
    },
    /// A folder whose games are to be taken has none.
    #[error("{folder} holds no games that selfplay has played")]
    NoGamesThere {
        /// The folder.
        folder: String,
    },
    /// Two folders have played one game otherwise.
    #[error(
        "{folder}: game {game} is another one than that of the folders before, so one of them has played with other programs"
    )]
    GamesDiffer {
        /// The later folder.
        folder: String,
        /// Its number in the schedule, from 0.
        game: u32,
    },
    /// Some games are in none of the folders.
    #[error("{} in none of the folders, the first of them being game {first}", is_or_are(*games))]
    GamesMissing {
        /// How many.
        games: u64,
        /// The number of the first in the schedule, from 0.
        first: u32,
    },
    /// A folder whose weights are to be taken has none.
    #[error("{folder} holds no weights that learn has left")]
    NoWeightsThere {
        /// The folder.
        folder: String,
    },
    /// Two folders have other weights for one model.
    #[error("{folder}: {file} is another one than that of the folders before")]
    WeightsDiffer {
        /// The later folder.
        folder: String,
        /// The file of weights.
        file: String,
    },
    /// Some weights are in none of the folders.
    #[error(
        "none of the folders has these weights, learned from the same games by the same options and version: {}",
        models.join("; ")
    )]
    WeightsMissing {
        /// The models.
        models: Vec<String>,
    },
    /// What another run found is nothing to compare with.
    #[error("{0}")]
    OtherRun(String),
    /// Something else than a store of evaluations.
    #[error("{path}: is neither the folder of a report nor the SQLite file of a store")]
    NotAStore {
        /// The path as it is shown.
        path: String,
    },
    /// A store alone, without the games that its evaluations are of.
    #[error("{path}: a store holds evaluations and no games")]
    StoreWithoutGames {
        /// The path of the store as it is shown.
        path: String,
    },
    /// Several evaluations of the same games.
    #[error("{store}: several evaluations cover games:\n{found}")]
    SeveralEvaluations {
        /// The store.
        store: String,
        /// One line for each of them.
        found: String,
    },
    /// A report of some players in the place of that of all.
    #[error(
        "{folder}: the report there would keep the moves of the players shown only, and could not be made again"
    )]
    PlayersAlone {
        /// The folder as it is shown.
        folder: String,
    },
    /// The evaluations wanted are not there, and nothing is to be searched.
    #[error("{0}")]
    NotStored(String),
    /// Another run's report cannot be read back.
    #[error(transparent)]
    Reread(#[from] RereadError),
    /// A part of an archive's counts cannot be used.
    #[error(transparent)]
    Part(#[from] PartError),
    /// A calibration cannot be made.
    #[error(transparent)]
    Calibration(#[from] DesignError),
    /// The file that a calibration would be made from cannot be read.
    #[error("{path}: it cannot be read")]
    SumsFile {
        /// The file as it is shown.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// What a calibration would be made from is something else.
    #[error("{path}")]
    Sums {
        /// The file as it is shown.
        path: String,
        /// What is wrong with it.
        source: CalibrationDataError,
    },
    /// A tournament's report gives no anchor.
    #[error(transparent)]
    Anchor(#[from] AnchorError),
    /// Entrants cannot be rated.
    #[error(transparent)]
    RoundRobin(#[from] RoundRobinError),
    /// A file of results cannot be read.
    #[error("{path}: it cannot be read")]
    ResultsFile {
        /// The file as it is shown.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file is no results of entrants.
    #[error("{path}: it is no results.csv of a round robin")]
    Results {
        /// The file as it is shown.
        path: String,
        /// What is wrong with it.
        source: ResultsError,
    },
    /// The games do not hold what is to be computed of them.
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    /// A folder is another experiment's.
    #[error(transparent)]
    Design(#[from] ConfigError),
    /// Nothing can be written.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// A folder or a file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// No calibration tells what is usual at a rating.
    #[error("nothing is known of what is usual at {elo}{}", known(ranges))]
    NothingExpected {
        /// The rating.
        elo: f64,
        /// From where to where each calibration at hand tells it.
        ranges: Vec<String>,
    },
    /// A band of ratings with too few games to learn from.
    #[error(
        "the band {band} ± {tolerance} has {}, and {} are the least to learn from and to test by; found were {all}",
        crate::chess::text::counted(*games as u64, "game"),
        least
    )]
    FewGames {
        /// The band.
        band: String,
        /// Its tolerance.
        tolerance: u32,
        /// Its games.
        games: usize,
        /// The least.
        least: usize,
        /// The games of all bands, in words.
        all: String,
    },
    /// What a deep analysis is to be of is no position to search.
    #[error("{0}")]
    Root(String),
    /// A tree cannot grow.
    #[error(transparent)]
    Deep(#[from] GrowthError),
    /// No position is left to count.
    #[error("no position could be searched: there is nothing to count")]
    NoneSearched,
}

/// Returns where something is known.
fn known(ranges: &[String]) -> String {
    match ranges {
        [] => ": no calibration is at hand".to_owned(),
        ranges => format!("; calibrated are {}", ranges.join(", ")),
    }
}

/// Errors of what a plan asks for, which `?` finds in runs too.
macro_rules! by_way_of_app {
    ($($error:ty),*) => {
        $(impl From<$error> for RunError {
            fn from(error: $error) -> RunError {
                AppError::from(error).into()
            }
        })*
    };
}

by_way_of_app!(EngineError, GameLogError, PlayerNameError, ReadError, StoreError);

fn is_or_are(games: u64) -> String {
    format!("{} {}", counted(games, "game"), if games == 1 { "is" } else { "are" })
}
