//! Owns the options of `store`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::report::StoredArgs;
use crate::store::{OriginFilter, Pruning};
use crate::verbs::args::ExportArgs;

/// Options of `store`.
#[derive(Debug, Args)]
pub struct UpkeepArgs {
    /// What is done with a store.
    #[command(subcommand)]
    pub action: UpkeepAction,
}

/// What is done with a store.
#[derive(Debug, Subcommand)]
pub enum UpkeepAction {
    /// Read all of a store, and name what is damaged; nothing is changed. Ends with 1 if anything is.
    Check {
        /// The SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        store: PathBuf,
    },
    /// Tell whose evaluations a store has, how they were asked for, and how many.
    Stats {
        /// The SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        store: PathBuf,
        /// How the table is printed.
        #[command(flatten)]
        export: ExportArgs,
    },
    /// Remove the evaluations of an engine, of a limit, of a build, or what was put aside; all that is asked for or nothing.
    Prune(PruneArgs),
    /// Write every line of every whole segment as a row of CSV.
    Export {
        /// The SQLite file, or postgres://USER@HOST/DATABASE.
        #[arg(value_hint = ValueHint::FilePath)]
        store: PathBuf,
        /// The file that is written.
        #[arg(value_name = "FILE.csv", value_hint = ValueHint::FilePath)]
        to: PathBuf,
        /// Overwrite it if it is there.
        #[arg(long)]
        force: bool,
    },
    /// Add all that some stores know to another, which is made where there is none; of a store that contradicts it, nothing.
    Merge {
        /// The SQLite file, or the server, that searches are added to.
        #[arg(value_hint = ValueHint::FilePath)]
        into: PathBuf,
        /// The SQLite files, or servers, that they are read from, which stay as they are.
        #[arg(value_hint = ValueHint::FilePath, required = true)]
        from: Vec<PathBuf>,
    },
}

/// Options of `store prune`.
#[derive(Debug, Args)]
pub struct PruneArgs {
    /// The SQLite file, or postgres://USER@HOST/DATABASE.
    #[arg(value_hint = ValueHint::FilePath)]
    pub store: PathBuf,
    /// What was damaged and put aside.
    #[arg(long)]
    pub set_aside: bool,
    /// Tell how much it would be, and remove nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Whose evaluations are removed.
    #[command(flatten)]
    pub stored: StoredArgs,
}

impl PruneArgs {
    /// Returns what is to be removed; says so where nothing is asked for.
    pub fn plan(&self) -> Result<Pruning, String> {
        let origins = Some(self.stored.filter()).filter(|filter| *filter != OriginFilter::default());
        if origins.is_none() && !self.set_aside {
            return Err(
                "nothing is asked for: --engine-name, --engine-option, --depth, --nodes, --segment, --order or --build \
                 says whose evaluations are removed, --set-aside removes what was damaged"
                    .to_owned(),
            );
        }
        Ok(Pruning { origins, set_aside: self.set_aside, is_rehearsal: self.dry_run })
    }
}
