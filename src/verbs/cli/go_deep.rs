//! Owns the options of `go-deep`.

use std::{num::NonZeroUsize, path::PathBuf};

use clap::{Args, ValueHint};

use crate::chess::Selection;
use crate::engine::uci::engine_line::MAX_DEPTH;
use crate::lab::PositionFilter;
use crate::verbs::app::plan::GoDeepPlan;
use crate::verbs::args::{ConsoleArgs, OneEngineArgs, PictureArgs, ReadingArgs, TableArgs};

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
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// How games are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Who searches.
    #[command(flatten)]
    pub engine: OneEngineArgs,
    /// Where tables go, and as what.
    #[command(flatten)]
    pub table: TableArgs,
    /// What is drawn.
    #[command(flatten)]
    pub pictures: PictureArgs,
}

impl GoDeepArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<GoDeepPlan, String> {
        self.pictures.check()?;
        Ok(GoDeepPlan {
            files: self.pgn.clone(),
            reading: self.reading.plan(Selection::default()),
            depth: self.depth,
            positions: PositionFilter { skip_moves: self.skip_moves, every: self.every },
            engine: self.engine.plan(),
            tables: self.table.clone(),
            pictures: self.pictures.pictures(),
        })
    }
}
