//! Owns the verb `completions`: what makes a shell complete the command line, and the answer to a shell that asks.

use std::io;

use clap::{Arg, ArgAction, Args, Command};
use clap_complete::{Shell, env::CompleteEnv, env::Shells};

use crate::verbs::{error::VerbError, runs::Finished};

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell to complete for.
    pub shell: Shell,
}

/// The variable by which a shell asks what may come next; its value is the name of the shell.
const COMPLETE: &str = "GAINALYZE_COMPLETE";

/// Returns the command line as shells complete it: an empty word with verbs, files and values alone, options once a hyphen
/// is typed.
fn completed(program: Command) -> Command {
    // What is hidden is offered where nothing else can stand. The help that clap adds of itself cannot be hidden.
    fn with_options_behind(command: Command) -> Command {
        let behind = |option: Arg| {
            let is_positional = option.is_positional();
            option.hide(!is_positional)
        };
        let help =
            Arg::new("help").long("help").short('h').action(ArgAction::Help).help("Print help").hide(true);
        let command = command.disable_help_flag(true).disable_version_flag(true).arg(help);
        command.mut_args(behind).mut_subcommands(with_options_behind)
    }
    with_options_behind(program)
}

/// The program as shells find it.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Answers a shell that asks what may come next, and ends the process; returns where none does.
pub fn answer(program: fn() -> Command) {
    CompleteEnv::with_factory(move || completed(program())).var(COMPLETE).complete();
}

pub fn run(args: &CompletionsArgs) -> Result<Finished, VerbError> {
    let name = args.shell.to_string();
    let shells = Shells::builtins();
    let shell = shells.completer(&name).ok_or_else(|| VerbError::new(format!("no script for {name}")))?;
    let mut script = Vec::new();
    shell.write_registration(COMPLETE, PROGRAM, PROGRAM, PROGRAM, &mut script).map_err(unwritten)?;
    let script = String::from_utf8_lossy(&script);
    let is_zsh = name == "zsh";
    Ok(Finished::complete(if is_zsh { in_a_folder_of_functions(&script) } else { script.into_owned() }))
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
