//! Owns the verb `completions`: what makes a shell complete the command line, and the answer to a shell that asks.

use std::io;

use clap_complete::env::{CompleteEnv, Shells};

use super::print;
use crate::verbs::cli::{COMPLETE, CompletionsArgs, completed};
use crate::verbs::error::VerbError;
use crate::verbs::runs::RunEnding;

/// The program as shells find it.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Answers a shell that asks what may come next, and ends the process; returns where none does.
pub fn answer() {
    CompleteEnv::with_factory(completed).var(COMPLETE).complete();
}

/// Prints the script for the shell that `args` names.
pub fn run(args: &CompletionsArgs) -> Result<RunEnding, VerbError> {
    let name = args.shell.to_string();
    let shells = Shells::builtins();
    let shell = shells.completer(&name).ok_or_else(|| VerbError::new(format!("no script for {name}")))?;
    let mut script = Vec::new();
    shell.write_registration(COMPLETE, PROGRAM, PROGRAM, PROGRAM, &mut script).map_err(unwritten)?;
    let script = String::from_utf8_lossy(&script);
    print(&if name == "zsh" { in_a_folder_of_functions(&script) } else { script.into_owned() })?;
    Ok(RunEnding::Complete)
}

/// Returns a script of zsh that completes the first time too where zsh has loaded it as a function of its own.
fn in_a_folder_of_functions(script: &str) -> String {
    format!(
        "{script}\nif [[ $funcstack[1] = _{PROGRAM} ]]; then _clap_dynamic_completer_{PROGRAM} \"$@\"; fi\n"
    )
}

fn unwritten(error: io::Error) -> VerbError {
    VerbError::system("write the script", error)
}
