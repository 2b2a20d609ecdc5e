//! Owns the options of how games are read, whatever is done with them.

use clap::Args;

use super::or_cores;
use crate::chess::Selection;
use crate::verbs::app::plan::ReadingPlan;

/// How games are read.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Reading games")]
pub struct ReadingArgs {
    /// Stop at the first game or file that cannot be read.
    #[arg(long)]
    pub strict: bool,
}

impl ReadingArgs {
    /// Returns the games of `selection`, read on all cores.
    pub fn plan(&self, selection: Selection) -> ReadingPlan {
        ReadingPlan { selection, strict: self.strict, jobs: or_cores(None) }
    }
}
