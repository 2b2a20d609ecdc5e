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
    /// Number of the player's counted moves in this class.
    pub moves: u64,
    /// The player's expected score against the engine, with an interval clustered by game; `None` if the
    /// player has no counted moves in this class, or if the engine's own gains are requested and unknown.
    pub expected_score: Option<Estimate>,
    pub elo_difference: Option<Estimate>,
}

/// Returns a row for each class of `split` and each player, grouped by class. Within a class, players are in
/// the order of `names`. If the method compares players with the engine's own gains, only the engine's gains
/// in the same class count.
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
