//! Owns the verb `completions`: what makes a shell complete the command line.

use clap::CommandFactory;

use super::{CmdError, print};
use crate::{
    cli::{Cli, CompletionsArgs},
    runs::RunEnding,
};

/// Prints the script for the shell that `args` names.
pub fn run(args: &CompletionsArgs) -> Result<RunEnding, CmdError> {
    let mut command = Cli::command();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(RunEnding::Complete)
}
