//! The papers' tables, recomputed from the papers' own numbers and compared with the printed numbers.

pub mod cell;
pub mod ferreira;
pub mod heinz;
pub mod kennedy;
pub mod paulsen;
pub mod printed_table;

pub use self::cell::{CellLayout, CellVerdict, PaperCell, PaperColumn, PaperTable, VerdictCounts};
use self::printed_table::{PaperData, PrintedTable, shipped};

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Paper {
    /// D. R. Ferreira, "The Impact of Search Depth on Chess Playing Strength", ICGA Journal 36(2), 2013.
    #[value(name = "ferreira-2013")]
    Ferreira2013,
    /// E. A. Heinz, "A New Self-Play Experiment in Computer Chess", MIT LCS Technical Memo 608, 2000.
    #[value(name = "heinz-2000")]
    Heinz2000,
    /// P. Paulsen and J. Fürnkranz, "A Moderately Successful Attempt to Train Chess Evaluation Functions of
    /// Different Strengths", TU Darmstadt, 2010.
    #[value(name = "paulsen-2010")]
    Paulsen2010,
    /// S. Kennedy, "ChallengeMate: A Self-Adjusting Dynamic Difficulty Chess Computer", CS238, 2018.
    #[value(name = "kennedy-2018")]
    Kennedy2018,
}

impl Paper {
    pub fn tables(self) -> Vec<PaperTable> {
        self.tables_of(&self.data())
    }

    /// Returns the tables computed from `data`.
    pub fn tables_of(self, data: &PaperData) -> Vec<PaperTable> {
        match self {
            Paper::Ferreira2013 => ferreira::tables(data),
            Paper::Heinz2000 => heinz::tables(data),
            Paper::Paulsen2010 => paulsen::tables(data),
            Paper::Kennedy2018 => kennedy::tables(data),
        }
    }

    /// Returns the numbers printed in the paper. For Ferreira's paper, it also returns reconstructed numbers:
    /// `table3_reconstructed_x400` has the half-points of 200 games for each pair of depths, and
    /// `table5_exact_counts` has the counts of moves and half-points behind Table 5.
    pub fn data(self) -> PaperData {
        match self {
            Paper::Ferreira2013 => shipped!(
                "ferreira": "table2_white_scores", "table3_scores", "table3_reconstructed_x400", "table4_fit",
                "table5_candidates2013", "table5_exact_counts", "table6_engine_strength", "table7_performance",
                "table8_depth_strength", "text"
            ),
            Paper::Heinz2000 => shipped!(
                "heinz": "table3_calibration", "table4_calibration_stats", "table5_matches", "table6_stats",
                "table6_intersections"
            ),
            Paper::Paulsen2010 => {
                shipped!("paulsen": "table2_data", "table3_xialpha", "table4_matches", "table5_fics")
            }
            Paper::Kennedy2018 => shipped!("kennedy": "text"),
        }
    }
}

/// Counts the cells of all `tables` by verdict.
pub fn tally(tables: &[PaperTable]) -> VerdictCounts {
    tables.iter().flat_map(PaperTable::cells).collect()
}
