//! Owns the options of `go-deep`.

use std::{num::NonZeroUsize, path::PathBuf, time::Duration};

use clap::{Args, ValueHint};

use super::{Plots, TableArgs};
use crate::{
    engine::{
        options::Setting,
        session::{Purpose, Setup},
        uci::MAX_DEPTH,
    },
    go_deep::Choice,
};

/// Options of `go-deep`.
#[derive(Debug, Clone, Args)]
pub struct GoDeepArgs {
    /// PGN files with the positions; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Search every position to this depth in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_DEPTH)))]
    pub depth: u32,
    /// Leave out moves 1 to N of each side (the opening).
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub skip_moves: u32,
    /// Take one of K positions.
    #[arg(long, value_name = "K", default_value = "1")]
    pub every: NonZeroUsize,
    /// No progress and no remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub process: ProcessArgs,
    #[command(flatten)]
    pub table: TableArgs,
    /// File formats of the picture, separated by commas; or none.
    #[arg(long, value_enum, value_name = "FORMAT", value_delimiter = ',', default_value = "png")]
    pub plots: Vec<Plots>,
}

/// Which engine searches.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct ProcessArgs {
    /// The UCI engine [default: $GAINALYZE_ENGINE, else stockfish on PATH or where package managers put
    /// it].
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath)]
    pub engine: Option<PathBuf>,
    /// Set an option of the engine; may be given several times.
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<Setting>,
    /// Hash table of each engine process in megabytes [default: 64].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Engine processes [default: the cores].
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub jobs: Option<u32>,
    /// Seconds that an engine may tell nothing of its search.
    #[arg(long, value_name = "SECONDS", default_value_t = Setup::TIMEOUT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub engine_timeout: u64,
}

impl GoDeepArgs {
    /// The positions that are searched.
    pub fn choice(&self) -> Choice {
        Choice { skip_moves: self.skip_moves, every: self.every }
    }
}

impl ProcessArgs {
    /// How an engine is set up.
    pub fn setup(&self) -> Setup {
        Setup {
            purpose: Purpose::Analysis,
            hash: self.hash,
            settings: self.engine_options.clone(),
            timeout: Duration::from_secs(self.engine_timeout),
        }
    }

    /// Engine processes.
    pub fn jobs(&self) -> usize {
        match self.jobs {
            Some(jobs) => jobs as usize,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}
