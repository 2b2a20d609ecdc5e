//! Owns the options of where evaluations come from.

use clap::{Args, ValueEnum};

/// Where evaluations come from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Evaluations")]
pub struct SourceArgs {
    /// Take evaluations from the PGN's [%eval] comments, from the engine, or (auto) from the PGN
    /// for each game in which every position has one deep enough, else from the engine.
    #[arg(long, value_enum, default_value_t)]
    pub evals: Evals,
}

/// Where evaluations come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Evals {
    /// Recorded where complete, else the engine's.
    #[default]
    Auto,
    /// Only recorded ones.
    Pgn,
    /// Only the engine's.
    Engine,
}
