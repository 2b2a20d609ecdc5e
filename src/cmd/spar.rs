//! Owns the verb `spar`: an opponent that keeps the game even, on standard input and output, and how even its games are.

use std::io;

use super::{CmdError, console::Console, show};
use crate::{
    cli::SparArgs,
    runs::{self, RunEnding},
    spar,
};

/// Speaks UCI until the input ends, or plays the experiment.
pub fn run(args: &SparArgs) -> Result<RunEnding, CmdError> {
    if args.evaluate {
        let plan = args.evaluation_plan().map_err(CmdError::Usage)?;
        let mut console = Console::new(args.evaluation.console.quiet);
        return show(runs::sparring::run(&plan, &mut console)?);
    }
    let command = args.command().map_err(CmdError::Usage)?;
    let (log, memory) = (args.log().map_err(CmdError::Usage)?, args.memory().map_err(CmdError::Usage)?);
    spar::serve(
        io::stdin().lock(),
        io::stdout(),
        command,
        args.options().map_err(CmdError::Usage)?,
        log,
        memory,
    )
    .map_err(|error| CmdError::System("talk to the user interface", error))?;
    Ok(RunEnding::Complete)
}
