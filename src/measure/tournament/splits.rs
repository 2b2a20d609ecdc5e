//! Each player's expected score by class of move.

use serde::Serialize;

use super::{
    Method, MoveSample,
    filter::Split,
    uncertainty::{PlayerSamples, SideScore},
};
use crate::numbers::Estimate;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SplitRow {
    pub split: Split,
    pub class: String,
    pub player: String,
    /// Counted moves of the class.
    pub moves: u64,
    /// The expected score against the engine, with its interval by cluster; `None` without moves.
    pub expected_score: Option<Estimate>,
    pub elo_difference: Option<Estimate>,
}

/// Returns the rows of `split`, class by class, the players in the order of `names`. If players are compared
/// with the engine's own gains, those gains are of the same class.
pub fn rows(sample: &MoveSample, names: &[&str], method: &Method, split: Split) -> Vec<SplitRow> {
    let mut rows = Vec::new();
    for (place, class) in split.classes().into_iter().enumerate() {
        let sides = PlayerSamples::new(sample, method, |facts| split.class(facts) == place);
        rows.extend(names.iter().map(|&name| {
            let score = sides.score(sample.place(name));
            let estimate = score.map(|SideScore { estimate, .. }| estimate);
            SplitRow {
                split,
                class: class.clone(),
                player: name.to_owned(),
                moves: estimate.map_or(0, |estimate| estimate.observations as u64),
                expected_score: estimate,
                elo_difference: estimate.map(|score| sides.difference(score)),
            }
        }));
    }
    rows
}
