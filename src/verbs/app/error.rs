//! Owns [`AppError`]: why a run cannot be made.

use std::{io, path::PathBuf};

use thiserror::Error;

use super::{Advice, plan::Reach, rated::NoRating};
use crate::chess::text::{counted, shown_path, with_causes};
use crate::chess::{Protocol, ReadError, Refusal};
use crate::engine::{EngineError, Purpose};
use crate::lab::{EntrantError, GameLogError};
use crate::measure::{CalibrationError, players::PlayerNameError};
use crate::store::StoreError;
#[cfg(feature = "postgres")]
use crate::store::server::PostgresError;

/// Why a run cannot be made.
#[derive(Debug, Error)]
pub enum AppError {
    /// No file is named.
    #[error("no PGN was given")]
    NoInput,
    /// Standard input is named twice.
    #[error("standard input (-) can be read only once")]
    StandardInputTwice,
    /// A file cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What cannot be read, where the first such thing ends the reading.
    #[error("{0}")]
    Strict(String),
    /// Filters that no move passes.
    #[error("no move counts: {filters}")]
    NothingCounts {
        /// The filters in force, in words.
        filters: String,
    },
    /// The engine cannot be used.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The file of a calibration cannot be read.
    #[error(
        "calibration {}: it is no file that can be read, and none of those within the program, {}",
        shown_path(path),
        crate::measure::calibration::shipped_names().collect::<Vec<_>>().join(", ")
    )]
    CalibrationFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It holds no calibration that can be used.
    #[error("{}", shown_path(path))]
    Calibration {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: CalibrationError,
    },
    /// Nobody can be rated by his play.
    #[error("no rating of play: {}", .0.in_full())]
    NoRating(NoRating),
    /// An engine that does not know the rules of some games.
    #[error("{engine} has no option {option}, which some of the {} need", in_need(*purpose))]
    Variant {
        /// The engine's name.
        engine: String,
        /// The option that engines have which know the rules.
        option: &'static str,
        /// What the engine is wanted for: games need the option, or openings.
        purpose: Purpose,
    },
    /// The evaluations wanted are not there, and nothing is to be searched.
    #[error(
        "{} of {} have no stored evaluation by {engine}, {protocol}{}",
        counted(*positions, "position"),
        counted(*games, "game"),
        if *has_store { ": nothing is searched here" } else { ": nothing is searched here, and there is no store" }
    )]
    NotStored {
        /// Positions without an evaluation.
        positions: u64,
        /// Games that have one of them.
        games: u64,
        /// Whose evaluations are wanted.
        engine: String,
        /// How positions are put to it.
        protocol: Protocol,
        /// Whether the engine's own moves are wanted.
        own_moves: bool,
        /// Whether there is a store.
        has_store: bool,
        /// How far one goes for them.
        reach: Reach,
    },
    /// Recorded evaluations alone, and what they do not tell.
    #[error("[%eval] comments do not tell what the engine's own moves lead to")]
    OwnMovesNotRecorded,
    /// Recorded evaluations alone, and no game has any.
    #[error("{0}")]
    Unrecorded(String),
    /// The only game left, or the first one, and why it is left out.
    #[error("{0}")]
    NoGames(String),
    /// No game is among those wanted.
    #[error("{told}")]
    NoneChosen {
        /// What the games have, in words.
        told: String,
        /// What most of them were refused for.
        refusal: Refusal,
    },
    /// The engine failed on every game.
    #[error("no game could be evaluated: there is nothing to report")]
    NothingLeft,
    /// A name that means no player, or too many.
    #[error(transparent)]
    Player(#[from] PlayerNameError),
    /// Nobody meets anybody.
    #[error("{0}")]
    NoPairs(String),
    /// Entrants that make no match.
    #[error("{0}")]
    Entrants(String),
    /// One of several entrants cannot play.
    #[error("entrant {name}")]
    Entrant {
        /// Its name.
        name: String,
        /// Why.
        source: Box<AppError>,
    },
    /// More games than any machine plays.
    #[error("{pairs} pairs of {each} games are {games}, and at most {most} can be played")]
    TooManyGames {
        /// Pairs of depths.
        pairs: usize,
        /// Games of each.
        each: u32,
        /// Games of all.
        games: u64,
        /// As many as can be played.
        most: u64,
    },
    /// Games are forfeited without end.
    #[error("{0}")]
    Unfit(String),
    /// Games cannot be added to those that are there.
    #[error(transparent)]
    GameLog(#[from] GameLogError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A queue is asked for, and the store is no server.
    #[error("a queue is in PostgreSQL, and this store is not")]
    NoServer,
    /// An engine that no run of the queue is for.
    #[error("{queue}: no run is for this engine: {wanted}")]
    Unwanted {
        /// The queue.
        queue: String,
        /// What is wanted instead.
        wanted: String,
    },
    /// A run that the queue does not have.
    #[error("{queue}: it has no run {run}")]
    NoSuchRun {
        /// The run.
        run: i64,
        /// The queue.
        queue: String,
    },
    /// What workers have finished is not there.
    #[error("{segments} left the queue and are not in the store {store}: somebody may be removing from it")]
    Vanished {
        /// How many.
        segments: String,
        /// The store.
        store: String,
    },
    /// No folder for the store.
    #[error("the user's cache directory is unknown")]
    NoCacheFolder,
    /// The operating system refused something that every run needs.
    #[error("cannot {0}")]
    System(&'static str, #[source] io::Error),
}

#[cfg(feature = "postgres")]
impl From<PostgresError> for AppError {
    fn from(error: PostgresError) -> AppError {
        AppError::Store(error.into())
    }
}

/// Names what an engine may lack an option for, by what it is wanted for.
fn in_need(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Analysis => "games",
        Purpose::Play => "openings",
    }
}

impl From<EntrantError> for AppError {
    fn from(error: EntrantError) -> AppError {
        match error {
            EntrantError::Engine(error) => AppError::Engine(error),
            EntrantError::Tree(error) => AppError::Unfit(with_causes(&error)),
            EntrantError::Spar(problem) => AppError::Unfit(problem),
        }
    }
}

impl From<io::Error> for AppError {
    /// Names what failed: of the few things that fail without a name only threads and event loops are left.
    fn from(error: io::Error) -> AppError {
        AppError::System("start the threads that play", error)
    }
}

impl AppError {
    /// Returns what could be asked for otherwise.
    pub fn advice(&self) -> Option<Advice> {
        match self {
            AppError::NoInput => Some(Advice::NameFiles),
            AppError::Strict(_) => Some(Advice::ReadOn),
            AppError::NoPairs(_) => Some(Advice::ChoosePairs),
            AppError::TooManyGames { .. } => Some(Advice::PlayFewerGames),
            AppError::Variant { purpose: Purpose::Play, .. } => Some(Advice::ChooseOpenings),
            AppError::Variant { .. } => Some(Advice::ChooseAnEngine),
            AppError::NotStored { has_store: false, .. } => Some(Advice::KeepAStore),
            AppError::NotStored { reach: Reach::Stored, .. } => Some(Advice::AllowTheSearch),
            AppError::NotStored { protocol, own_moves, .. } => {
                Some(Advice::Search { protocol: *protocol, own_moves: *own_moves })
            }
            AppError::NoneChosen { refusal, .. } => Some(Advice::WidenChoice(*refusal)),
            AppError::Unrecorded(_) => Some(Advice::LetAnEngineSearch),
            AppError::NoRating(none) => Some(none.advice()),
            AppError::OwnMovesNotRecorded => Some(Advice::SearchOrTakeDelta),
            AppError::Player(PlayerNameError::Ambiguous { .. } | PlayerNameError::AmbiguousRating { .. }) => {
                Some(Advice::WriteTheWholeName)
            }
            AppError::Store(error) if error.is_of_the_store() => Some(Advice::ChooseAStore),
            AppError::NoServer => Some(Advice::NameAServer),
            AppError::NoCacheFolder => Some(Advice::NameAStore),
            _ => None,
        }
    }
}
