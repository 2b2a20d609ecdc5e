//! Owns where tables are written, and what of a tournament.

use std::{collections::BTreeSet, path::PathBuf};

use clap::ValueEnum;

use crate::chess::NameMatcher;
use crate::files::{FileError, Format, OutputFolder, Overwrite, PictureFormat, RunKind};
use crate::measure::{RankedFrom, Split};

/// Where tables are written, and as what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TablePlan {
    /// The folder; `None` for the one that has the name of the input.
    pub output: Option<PathBuf>,
    /// Formats of the tables; none writes no tables.
    pub formats: BTreeSet<Format>,
    /// Which files may be overwritten.
    pub overwrite: Overwrite,
}

impl TablePlan {
    /// Returns the folder that was named, else the `usual` one.
    pub fn folder(&self, usual: impl FnOnce() -> PathBuf) -> PathBuf {
        self.output.clone().unwrap_or_else(usual)
    }

    /// Claims the folder at `path` for a run of that `kind`, which may write files of these `names`.
    ///
    /// # Errors
    ///
    /// As [`OutputFolder::claim`].
    pub fn claim(
        &self,
        path: PathBuf,
        kind: RunKind,
        names: impl IntoIterator<Item = String>,
    ) -> Result<OutputFolder, FileError> {
        OutputFolder::claim(path, kind, self.overwrite, names)
    }
}

impl Default for TablePlan {
    /// Asks for CSV in the folder that has the name of the input.
    fn default() -> TablePlan {
        TablePlan { output: None, formats: BTreeSet::from([Format::Csv]), overwrite: Overwrite::Ours }
    }
}

/// What of a tournament is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportPlan {
    /// Its tables.
    pub tables: TablePlan,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
    /// The games that are drawn move by move, by their numbers among all games read.
    pub games: Vec<usize>,
    /// Whether there is a page.
    pub page: bool,
    /// After how many seconds the page reloads itself, where it is written again and again.
    pub reload: Option<u32>,
    /// The players that are shown; none for all.
    pub players: Vec<NameMatcher>,
    /// Classes of moves that have tables of their own.
    pub splits: BTreeSet<Split>,
    /// Where the games are written back with their evaluations.
    pub annotated: Option<PathBuf>,
    /// What a terminal shows of it.
    pub shown: TerminalTables,
    /// From how many games on a player has a rank.
    pub ranked_from: RankedFrom,
}

/// Which tables a terminal shows of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum TerminalTables {
    /// Three sentences and one table of the players
    #[default]
    Summary,
    /// Ferreira's Tables 5, 6 and 7
    Paper,
    /// Every table
    All,
    /// Nothing
    None,
}

impl TerminalTables {
    /// Tells whether the paper's tables are among them.
    pub fn has_paper(self) -> bool {
        matches!(self, TerminalTables::Paper | TerminalTables::All)
    }
}

impl Default for ReportPlan {
    /// Asks for all of it for all players: tables as CSV, pictures as PNG, and the page.
    fn default() -> ReportPlan {
        ReportPlan {
            tables: TablePlan::default(),
            pictures: BTreeSet::from([PictureFormat::Png]),
            games: Vec::new(),
            page: true,
            reload: None,
            players: Vec::new(),
            splits: BTreeSet::new(),
            annotated: None,
            shown: TerminalTables::default(),
            ranked_from: RankedFrom::default(),
        }
    }
}
