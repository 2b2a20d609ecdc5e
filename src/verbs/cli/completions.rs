//! Owns the options of `completions`, and the command line as shells ask about it.

use clap::{Arg, ArgAction, Args, Command};
use clap_complete::Shell;

/// Options of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that reads the script.
    pub shell: Shell,
}

/// The variable by which a shell asks what may come next; its value is the name of the shell.
pub const COMPLETE: &str = "GAINALYZE_COMPLETE";

/// Returns the command line as shells complete it: an empty word with verbs, files and values alone, options once a hyphen
/// is typed.
pub fn completed() -> Command {
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
    with_options_behind(super::command())
}
