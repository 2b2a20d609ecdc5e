//! The verb `engine`: the built-in engine as a program, on standard input and output.

use std::io;

use clap::{Args, ValueEnum, ValueHint};

use crate::base::text::path_text;
use crate::engine::{
    builtin::bench::BENCH_DEPTH, builtin::bench::Bench, builtin::read_weights, chess_engine::EngineWeights,
    server::serve,
};
use crate::verbs::{error::Result, error::VerbError, runs::Finished};

#[derive(Debug, Clone, Args)]
pub struct ServerArgs {
    /// Job to run instead of the UCI loop.
    #[arg(value_enum)]
    pub job: Option<EngineJob>,
    /// Depth of the bench, in plies.
    #[arg(requires = "job", default_value_t = BENCH_DEPTH, value_parser = clap::value_parser!(u32).range(1..=119))]
    pub depth: u32,
    /// File of weights, of the engine's own terms (perhaps with a network) or of 332 features (`gainalyze
    /// learn` writes such files); `handmade` names the feature weights that come with the program.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub weights: Option<String>,
}

impl ServerArgs {
    /// Returns the weights of `--weights`, or else the default weights. An error names the option, its file
    /// and the fault.
    pub fn weights(&self) -> Result<EngineWeights, String> {
        let Some(path) = &self.weights else { return Ok(EngineWeights::default()) };
        read_weights(path).map_err(|problem| format!("--weights {}: {problem}", path_text(path)))
    }
}

/// Jobs of the engine outside the UCI loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineJob {
    /// Search 50 positions to a fixed depth; print nodes, time and nodes per second.
    Bench,
}

pub fn run(args: &ServerArgs) -> Result<Finished> {
    let weights = args.weights()?;
    if args.job == Some(EngineJob::Bench) {
        return Ok(Finished::complete(format!("{}\n", Bench::run(&weights, args.depth))));
    }
    serve(io::stdin().lock(), io::stdout(), weights)
        .map_err(|error| VerbError::system("talk to the user interface", error))?;
    Ok(Finished::complete(String::new()))
}
