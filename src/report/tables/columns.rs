//! Owns the columns that several tables have: each is named, measured and explained once.

use crate::{
    report::table::{ColumnPart, EndColumns, NumberCell, Quantity, Rows},
    stats::histogram::Signs,
    tournament::Method,
};

impl<'a, R> Rows<'a, R> {
    /// Adds the expected score against the engine.
    pub fn expected_score<T: NumberCell>(self, ends: EndColumns, of: impl Fn(&'a R) -> T) -> Self {
        let meaning = "Expected score against the engine: the chance that a move gains more than one of the engine's, ties \
            counting half.";
        self.number_in("expected_score", Quantity::Score, ends, meaning, of)
    }

    /// Adds the Elo difference to the engine.
    pub fn elo_difference<T: NumberCell>(self, ends: EndColumns, of: impl Fn(&'a R) -> T) -> Self {
        let meaning = "Difference in Elo points that the expected score stands for; negative where the engine is stronger.";
        self.number_in("elo_difference", Quantity::Elo, ends, meaning, of)
    }

    /// Adds the score kept.
    pub fn score_kept<T: NumberCell>(self, of: impl Fn(&'a R) -> T) -> Self {
        let meaning =
            "Mean over games of what the moves leave of an even game against an opponent who never errs.";
        self.number("score_kept", Quantity::Score, meaning, of)
    }

    /// Shows the intervals of the last column where there are any.
    pub fn intervals(self, decimals: usize) -> Self {
        match self.has_intervals() {
            true => self.part(INTERVAL, ColumnPart::Range).decimals(decimals).gives_way(1),
            false => self,
        }
    }

    /// Adds the moves whose gain is above, at and below 0.
    pub fn moves_by_sign(self, of: impl Fn(&'a R) -> Signs) -> Self {
        self.column("positive", "Moves whose gain is in a bin above 0.", |row| of(row).positive)
            .column("zero", "Moves whose gain is in the bin of 0.", |row| of(row).zero)
            .column("negative", "Moves whose gain is in a bin below 0.", |row| of(row).negative)
    }

    /// Adds Spearman's rank correlation.
    pub fn spearman(self, of: impl Fn(&'a R) -> Option<f64>) -> Self {
        let meaning = "Spearman's rank correlation ρ; empty where there is none.";
        self.number("spearman", Quantity::Coefficient, meaning, of)
    }

    /// Adds Kendall's rank correlation.
    pub fn kendall(self, of: impl Fn(&'a R) -> Option<f64>) -> Self {
        let meaning = "Kendall's rank correlation τ-b; empty where there is none.";
        self.number("kendall", Quantity::Coefficient, meaning, of)
    }

    /// Adds the filters in force.
    pub fn filter(self, method: &Method) -> Self {
        let names = method.filter.names().join("; ");
        self.column("filter", FILTER, |_| names.clone())
    }
}

/// What a column of filters means.
pub const FILTER: &str =
    "Which moves were left out, by the names of the filters in force; empty where all count.";

/// What stands above the ends of an interval.
pub const INTERVAL: &str = "95 %\ninterval";

/// What the share of a bin means.
pub const BIN_SHARE: &str = "Share of the moves that the bin holds.";
