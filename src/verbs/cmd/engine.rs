//! Owns the verb `engine`: our own engine on standard input and output.

use std::io;

use super::{CmdError, print};
use crate::engine::server::{Bench, serve};
use crate::verbs::cli::{EngineJob, ServerArgs};
use crate::verbs::runs::RunEnding;

/// Speaks UCI until the input ends, or runs the bench.
pub fn run(args: &ServerArgs) -> Result<RunEnding, CmdError> {
    let weights = args.weights().map_err(CmdError::Usage)?;
    match args.job {
        Some(EngineJob::Bench) => print(&format!("{}\n", Bench::run(&weights, args.depth)))?,
        None => serve(io::stdin().lock(), io::stdout(), weights)
            .map_err(|error| CmdError::System("talk to the user interface", error))?,
    }
    Ok(RunEnding::Complete)
}
