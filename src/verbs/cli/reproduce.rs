//! Owns the options of `reproduce`.

use clap::Args;

use crate::lab::Paper;
use crate::verbs::args::ExportArgs;

/// Options of `reproduce`.
#[derive(Debug, Args)]
pub struct ReproduceArgs {
    /// The paper.
    #[arg(value_enum)]
    pub paper: Paper,
    /// How tables are printed.
    #[command(flatten)]
    pub export: ExportArgs,
}
