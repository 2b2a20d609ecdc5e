//! Owns [`RunError`]: why a run failed.

use crate::{
    app::AppError,
    engine::EngineError,
    experiment::ExperimentError,
    formats::{anchor::AnchorError, moves::RereadError, part::PartError},
    output::FileError,
    pgn::ReadError,
    report::ReportError,
    selfplay::{config::ConfigError, game_log::GameLogError},
    store::StoreError,
};

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file without games.
    #[error("{0}")]
    NoGames(String),
    /// What was asked for cannot be done.
    #[error(transparent)]
    App(#[from] AppError),
    /// Two wishes that do not go together, or one that fits nothing in the games.
    #[error("{0}")]
    Usage(String),
    /// The evaluations wanted are not there, and nothing is to be searched.
    #[error("{0}")]
    NotStored(String),
    /// Another run's report cannot be read back.
    #[error(transparent)]
    Reread(#[from] RereadError),
    /// A part of an archive's counts cannot be used.
    #[error(transparent)]
    Part(#[from] PartError),
    /// A tournament's report gives no anchor.
    #[error(transparent)]
    Anchor(#[from] AnchorError),
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
    /// No position is left to count.
    #[error("no position could be searched: there is nothing to count")]
    NoneSearched,
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

by_way_of_app!(EngineError, GameLogError, ReadError, StoreError);
