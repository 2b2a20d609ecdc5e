//! Owns the verb `engine`: our own engine as a program, on standard input and output.

use std::io;

use clap::{Args, ValueEnum, ValueHint};

use crate::chess::text::path_text;
use crate::engine::{
    bench::BENCH_DEPTH, bench::Bench, chess_engine::EngineWeights, server::serve, weights::read_weights,
};
use crate::verbs::{error::VerbError, runs::Finished};

const EXAMPLES: &str = "\
Examples:
  gainalyze engine                     for a user interface: command gainalyze, argument engine
  gainalyze engine bench               nodes, time and nodes a second on this machine
  printf 'position startpos moves e2e4\\neval\\n' | gainalyze engine
                                       the evaluation of a position, term by term
  gainalyze engine --weights handmade  an evaluation that is linear in 332 features

";

#[derive(Debug, Clone, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct ServerArgs {
    /// What to do instead of speaking UCI.
    #[arg(value_enum)]
    pub job: Option<EngineJob>,
    /// The depth of the bench, in plies.
    #[arg(requires = "job", default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=119))]
    pub depth: u32,
    /// Evaluate by the weights of this file, of its own terms (examples/tune) or of 332 features (verb learn); handmade is the
    /// one of features that comes with the program.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub weights: Option<String>,
}

impl ServerArgs {
    /// Returns the weights to begin with; says what is wrong with their file.
    pub fn weights(&self) -> Result<EngineWeights, String> {
        let Some(path) = &self.weights else { return Ok(EngineWeights::default()) };
        read_weights(path).map_err(|problem| format!("--weights {}: {problem}", path_text(path)))
    }
}

/// Work of the engine that is no dialogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineJob {
    /// Search 50 positions to a fixed depth, and print their nodes and the time that they took.
    Bench,
}

pub fn run(args: &ServerArgs) -> Result<Finished, VerbError> {
    let weights = args.weights()?;
    if args.job == Some(EngineJob::Bench) {
        return Ok(Finished::complete(format!("{}\n", Bench::run(&weights, args.depth))));
    }
    serve(io::stdin().lock(), io::stdout(), weights)
        .map_err(|error| VerbError::system("talk to the user interface", error))?;
    Ok(Finished::complete(String::new()))
}
