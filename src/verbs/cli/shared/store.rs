//! Owns the options of where searched evaluations are kept.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::verbs::app::plan::StorePlan;

/// Where searched evaluations are kept.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Store")]
pub struct StoreArgs {
    /// SQLite file of evaluations, or postgres://USER@HOST/DATABASE [default: evaluations.sqlite in the user's cache
    /// directory].
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub store: Option<PathBuf>,
    /// Neither read nor keep evaluations.
    #[arg(long, conflicts_with = "store")]
    pub no_store: bool,
}

impl StoreArgs {
    /// Returns where searched evaluations are kept.
    pub fn plan(&self) -> StorePlan {
        match &self.store {
            _ if self.no_store => StorePlan::Nowhere,
            Some(path) => StorePlan::At(path.clone()),
            None => StorePlan::Usual,
        }
    }
}
