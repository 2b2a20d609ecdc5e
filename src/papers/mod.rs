//! Owns the papers' tables recomputed from their own numbers, cell by cell beside the print.

pub mod cell;
pub mod ferreira;
pub mod heinz;
pub mod printed_table;

pub use self::cell::{CellLayout, CellVerdict, PaperCell, PaperColumn, PaperTable, Printed, VerdictCounts};

/// A paper whose numbers come with the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Paper {
    /// D. R. Ferreira, "The Impact of Search Depth on Chess Playing Strength", ICGA Journal 36(2), 2013.
    #[cfg_attr(feature = "program", value(name = "ferreira-2013"))]
    Ferreira2013,
    /// E. A. Heinz, "A New Self-Play Experiment in Computer Chess", MIT LCS Technical Memo 608, 2000.
    #[cfg_attr(feature = "program", value(name = "heinz-2000"))]
    Heinz2000,
}

impl Paper {
    /// Returns all its tables from the numbers that come with the program.
    pub fn tables(self) -> Vec<PaperTable> {
        match self {
            Paper::Ferreira2013 => ferreira::tables(&ferreira::FerreiraData::shipped()),
            Paper::Heinz2000 => heinz::tables(&heinz::HeinzData::shipped()),
        }
    }
}

/// Returns the cells of all `tables` by their verdict.
pub fn tally(tables: &[PaperTable]) -> VerdictCounts {
    tables.iter().flat_map(PaperTable::cells).collect()
}
