//! Owns the verb `engine`: our own engine on standard input and output.

use std::io;

use super::print;
use crate::engine::server::{Bench, serve};
use crate::verbs::cli::{EngineJob, ServerArgs};
use crate::verbs::error::VerbError;
use crate::verbs::runs::RunEnding;

/// Speaks UCI until the input ends, or runs the bench.
pub fn run(args: &ServerArgs) -> Result<RunEnding, VerbError> {
    let weights = args.weights()?;
    match args.job {
        Some(EngineJob::Bench) => print(&format!("{}\n", Bench::run(&weights, args.depth)))?,
        None => serve(io::stdin().lock(), io::stdout(), weights)
            .map_err(|error| VerbError::system("talk to the user interface", error))?,
    }
    Ok(RunEnding::Complete)
}
