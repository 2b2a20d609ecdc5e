//! Owns the options of the default verb, `analyze`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::{
    ArchiveArgs,
    shared::{
        BootstrapArgs, ChoiceArgs, EngineArgs, FilterArgs, MethodArgs, ReportArgs, SourceArgs, StoreArgs,
    },
};

/// Options of `analyze`.
#[derive(Debug, Clone, Args)]
pub struct AnalyzeArgs {
    /// PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Report each file on its own, and the engine's strength over all of them.
    #[arg(long)]
    pub separately: bool,
    /// No progress and no remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    #[command(flatten)]
    pub choice: ChoiceArgs,
    #[command(flatten)]
    pub source: SourceArgs,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub store: StoreArgs,
    #[command(flatten)]
    pub method: MethodArgs,
    #[command(flatten)]
    pub bootstrap: BootstrapArgs,
    #[command(flatten)]
    pub filter: FilterArgs,
    #[command(flatten)]
    pub report: ReportArgs,
    #[command(flatten)]
    pub archive: ArchiveArgs,
}
