//! Owns the numbers that Ferreira's paper prints, and what was found of those behind them.

use crate::lab::selfplay::{Contender, Side};
use crate::lab::{experiment::ScoreMatrix, papers::ferreira::GAMES, papers::printed_table::PrintedTable};

/// The printed tables, and what was found of the numbers behind them.
#[derive(Debug, Clone)]
pub struct FerreiraData {
    /// Table 2: White's score by depths, two decimals.
    pub white_scores: PrintedTable,
    /// Table 3: the score irrespective of colours, two decimals.
    pub scores: PrintedTable,
    /// Table 3 in 400ths of a point: half-points of 200 games.
    pub exact_scores: PrintedTable,
    /// Table 4: σ and η of each column of Table 3.
    pub fits: PrintedTable,
    /// Table 5: expected scores of the players.
    pub players: PrintedTable,
    /// The moves behind Table 5.
    pub counts: PrintedTable,
    /// Table 6: strength of the engine.
    pub engine: PrintedTable,
    /// Table 7: performance of the players.
    pub performances: PrintedTable,
    /// Table 8: strength by depth.
    pub strengths: PrintedTable,
    /// Numbers in the text.
    pub text: PrintedTable,
}

macro_rules! shipped {
    ($name:literal) => {
        PrintedTable::parse(include_str!(concat!("../../../../data/papers/ferreira_", $name, ".csv")))
    };
}

impl FerreiraData {
    pub fn shipped() -> FerreiraData {
        FerreiraData {
            white_scores: shipped!("table2_white_scores"),
            scores: shipped!("table3_scores"),
            exact_scores: shipped!("table3_reconstructed_x400"),
            fits: shipped!("table4_fit"),
            players: shipped!("table5_candidates2013"),
            counts: shipped!("table5_exact_counts"),
            engine: shipped!("table6_engine_strength"),
            performances: shipped!("table7_performance"),
            strengths: shipped!("table8_depth_strength"),
            text: shipped!("text"),
        }
    }

    /// Returns Table 3 at full precision, one list a column.
    pub(super) fn exact(&self) -> Vec<Vec<f64>> {
        let points = self.exact_scores.matrix();
        points.into_iter().map(|column| column.into_iter().map(|x| x / 400.0).collect()).collect()
    }

    /// Returns half-points and games of each pair of depths.
    pub(super) fn games(&self) -> ScoreMatrix {
        let sheet = &self.exact_scores;
        let columns: Vec<Vec<u32>> = sheet.columns().iter().map(|name| sheet.counts(name)).collect();
        let contender = |depth: u32| Contender { side: Side::Engine, depth };
        let contenders = sheet.counts("depth").into_iter().map(contender).collect();
        ScoreMatrix::new(contenders, |row, column| (columns[column][row], GAMES))
    }

    pub(super) fn depths(&self) -> Vec<f64> {
        self.exact_scores.numbers("depth")
    }
}
