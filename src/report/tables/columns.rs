//! Owns the columns that several tables have: each is named, measured and explained once.

use crate::{
    report::table::{Quantity, Rows},
    stats::estimate::Estimate,
    tournament::Method,
};

impl<'a, R> Rows<'a, R> {
    /// Adds the expected score against the engine.
    pub fn expected_score<T: Into<Option<Estimate>>>(self, of: impl Fn(&'a R) -> T) -> Self {
        self.estimate(EXPECTED_SCORE.0, Quantity::Score, EXPECTED_SCORE.1, of)
    }

    /// Adds the Elo difference to the engine.
    pub fn elo_difference<T: Into<Option<Estimate>>>(self, of: impl Fn(&'a R) -> T) -> Self {
        self.estimate(ELO_DIFFERENCE.0, Quantity::Elo, ELO_DIFFERENCE.1, of)
    }

    /// Adds the score kept.
    pub fn score_kept<T: Into<Option<Estimate>>>(self, of: impl Fn(&'a R) -> T) -> Self {
        let meaning =
            "Mean over games of what the moves leave of an even game against an opponent who never errs.";
        self.estimate("score_kept", Quantity::Score, meaning, of)
    }

    /// Adds the moves whose gain is above, at and below 0.
    pub fn moves_by_sign(self, of: impl Fn(&'a R) -> [u64; 3]) -> Self {
        self.count("positive", "Moves whose gain is in a bin above 0.", |row| of(row)[0])
            .count("zero", "Moves whose gain is in the bin of 0.", |row| of(row)[1])
            .count("negative", "Moves whose gain is in a bin below 0.", |row| of(row)[2])
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
        self.text("filter", FILTER, |_| names.clone())
    }
}

/// The expected score: its name in files, and what it means.
pub const EXPECTED_SCORE: (&str, &str) = (
    "expected_score",
    "Expected score against the engine: the chance that a move gains more than one of the engine's, ties counting half.",
);

/// The Elo difference: its name in files, and what it means.
pub const ELO_DIFFERENCE: (&str, &str) = (
    "elo_difference",
    "Difference in Elo points that the expected score stands for; negative where the engine is stronger.",
);

/// What a column of filters means.
pub const FILTER: &str =
    "Which moves were left out, by the names of the filters in force; empty where all count.";

/// What stands above the ends of an interval.
pub const INTERVAL: &str = "95 %\ninterval";

/// What the share of a bin means.
pub const BIN_SHARE: &str = "Share of the moves that the bin holds.";
