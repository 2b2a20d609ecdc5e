//! Owns the papers' tables recomputed from their own numbers, cell by cell beside the print.

pub mod cell;
pub mod ferreira;
pub mod heinz;
pub mod kennedy;
pub mod paulsen;
pub mod printed_table;

pub use self::cell::{CellLayout, CellVerdict, PaperCell, PaperColumn, PaperTable, VerdictCounts};

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Paper {
    /// D. R. Ferreira, "The Impact of Search Depth on Chess Playing Strength", ICGA Journal 36(2), 2013.
    #[value(name = "ferreira-2013")]
    Ferreira2013,
    /// E. A. Heinz, "A New Self-Play Experiment in Computer Chess", MIT LCS Technical Memo 608, 2000.
    #[value(name = "heinz-2000")]
    Heinz2000,
    /// P. Paulsen and J. Fürnkranz, "A Moderately Successful Attempt to Train Chess Evaluation Functions of Different
    /// Strengths", TU Darmstadt, 2010.
    #[value(name = "paulsen-2010")]
    Paulsen2010,
    /// S. Kennedy, "ChallengeMate: A Self-Adjusting Dynamic Difficulty Chess Computer", CS238, 2018.
    #[value(name = "kennedy-2018")]
    Kennedy2018,
}

impl Paper {
    pub fn tables(self) -> Vec<PaperTable> {
        match self {
            Paper::Ferreira2013 => ferreira::tables(&ferreira::FerreiraData::shipped()),
            Paper::Heinz2000 => heinz::tables(&heinz::HeinzData::shipped()),
            Paper::Paulsen2010 => paulsen::tables(&paulsen::PaulsenData::shipped()),
            Paper::Kennedy2018 => kennedy::tables(&kennedy::KennedyData::shipped()),
        }
    }
}

/// Returns the cells of all `tables` by their verdict.
pub fn tally(tables: &[PaperTable]) -> VerdictCounts {
    tables.iter().flat_map(PaperTable::cells).collect()
}
