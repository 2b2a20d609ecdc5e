//! Owns the options of `completions`.

use clap::Args;
use clap_complete::Shell;

/// Options of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell that reads the script.
    pub shell: Shell,
}
