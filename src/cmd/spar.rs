//! Owns the verb `spar`: an opponent that keeps the game even, on standard input and output.

use std::io;

use super::CmdError;
use crate::{cli::SparArgs, runs::RunEnding, spar};

/// Speaks UCI until the input ends.
pub fn run(args: &SparArgs) -> Result<RunEnding, CmdError> {
    let command = args.command().map_err(CmdError::Usage)?;
    let (log, memory) = (args.log().map_err(CmdError::Usage)?, args.memory().map_err(CmdError::Usage)?);
    spar::serve(io::stdin().lock(), io::stdout(), command, args.options(), log, memory)
        .map_err(|error| CmdError::System("talk to the user interface", error))?;
    Ok(RunEnding::Complete)
}
