//! Owns the options of `engine`: our own engine as a program.

use clap::{Args, ValueEnum};

use crate::chess_engine::BENCH_DEPTH;

const EXAMPLES: &str = "\
Examples:
  gainalyze engine                     for a user interface: command gainalyze, argument engine
  gainalyze engine bench               nodes, time and nodes a second on this machine
  printf 'position startpos moves e2e4\\neval\\n' | gainalyze engine
                                       the evaluation of a position, term by term

";

/// Options of `engine`.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ServerArgs {
    /// What to do instead of speaking UCI.
    #[arg(value_enum)]
    pub job: Option<EngineJob>,
    /// The depth of the bench, in plies.
    #[arg(requires = "job", default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=119))]
    pub depth: u32,
}

/// Work of the engine that is no dialogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineJob {
    /// Search 50 positions to a fixed depth, and print their nodes and the time that they took.
    Bench,
}
