//! The verb `completions`: a shell's completion script, and the answers to the shell's queries.

use std::io;

use clap::{Arg, ArgAction, Args, Command};
use clap_complete::{Shell, env::CompleteEnv, env::Shells};

use crate::verbs::{error::Result, error::VerbError, runs::Finished};

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell to complete for.
    pub shell: Shell,
}

/// The environment variable with which a shell asks for completions. Its value is the name of the shell.
const COMPLETE: &str = "GAINALYZE_COMPLETE";

/// Returns `program`, prepared for completion. An empty word is completed to verbs, files and values. Options
/// are offered only after a hyphen.
fn completed(program: Command) -> Command {
    // Hidden options are offered only if nothing else fits. The help option that clap itself adds cannot be
    // hidden.
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

/// The name of the program on a shell's path.
const PROGRAM: &str = env!("CARGO_PKG_NAME");

/// Answers a shell's query and ends the process. Returns if there is no query.
pub fn answer(program: fn() -> Command) {
    CompleteEnv::with_factory(move || completed(program())).var(COMPLETE).complete();
}

pub fn run(args: &CompletionsArgs) -> Result<Finished> {
    let name = args.shell.to_string();
    let shells = Shells::builtins();
    let shell =
        shells.completer(&name).ok_or_else(|| VerbError::new(format!("no completion script for {name}")))?;
    let mut script = Vec::new();
    shell.write_registration(COMPLETE, PROGRAM, PROGRAM, PROGRAM, &mut script).map_err(unwritten)?;
    let script = String::from_utf8_lossy(&script);
    let is_zsh = name == "zsh";
    Ok(Finished::complete(if is_zsh { in_a_folder_of_functions(&script) } else { script.into_owned() }))
}

/// Returns the zsh script in a form that completes even when zsh has just loaded it as an autoloaded
/// function.
fn in_a_folder_of_functions(script: &str) -> String {
    format!(
        "{script}\nif [[ $funcstack[1] = _{PROGRAM} ]]; then _clap_dynamic_completer_{PROGRAM} \"$@\"; fi\n"
    )
}

fn unwritten(error: io::Error) -> VerbError {
    VerbError::system("write the script", error)
}
