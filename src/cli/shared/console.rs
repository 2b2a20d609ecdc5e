//! Owns the options of what is told on standard error.

use clap::Args;

/// What is told on standard error.
#[derive(Debug, Clone, Args)]
pub struct ConsoleArgs {
    /// No progress and no remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
}
