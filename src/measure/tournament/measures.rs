//! [`Measures`]: statistics of one player or part of play; and [`StatisticRow`] and [`SplitRow`], the
//! statistics and the scores by class of move of all players.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    Method, MoveSample, filter::Split, statistics::Statistic, uncertainty::PlayerSamples,
    uncertainty::SideScore,
};
use crate::numbers::{Estimate, Welch};

/// Requested statistics of a player, or of a part of play; `None` if there is no number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measures(BTreeMap<Statistic, Option<Estimate>>);

impl Measures {
    /// Returns a statistic; `None` if it is unknown.
    pub fn get(&self, statistic: Statistic) -> Option<Estimate> {
        self.0.get(&statistic).copied().flatten()
    }

    /// Returns the value of a statistic; 0 if it is unknown.
    pub fn value_or_0(&self, statistic: Statistic) -> f64 {
        self.get(statistic).map_or(0.0, |estimate| estimate.value)
    }
}

impl FromIterator<(Statistic, Option<Estimate>)> for Measures {
    fn from_iter<I: IntoIterator<Item = (Statistic, Option<Estimate>)>>(measures: I) -> Measures {
        Measures(measures.into_iter().collect())
    }
}

impl Serialize for Measures {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (statistic, estimate) in &self.0 {
            map.serialize_entry(statistic.json_key(), estimate)?;
        }
        map.end()
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatisticRow {
    pub player: String,
    pub statistic: Statistic,
    /// The value with its interval clustered by game. `None` if it is unavailable; top moves, for example,
    /// are unavailable if only scores are recorded.
    pub estimate: Option<Estimate>,
}

pub fn rows(sample: &MoveSample, names: &[&str], method: &Method) -> Vec<StatisticRow> {
    let columns = Statistic::KNOWN.map(|statistic| (statistic, statistic.of(sample, method)));
    let rows = names.iter().flat_map(|&name| {
        let place = sample.place(name);
        columns.iter().map(move |(statistic, estimates)| StatisticRow {
            player: name.to_owned(),
            statistic: *statistic,
            estimate: estimates[place],
        })
    });
    rows.collect()
}

pub fn by_player(rows: &[StatisticRow]) -> BTreeMap<&str, Measures> {
    let mut players: BTreeMap<&str, Measures> = BTreeMap::new();
    for row in rows {
        players.entry(&row.player).or_default().0.insert(row.statistic, row.estimate);
    }
    players
}

/// Tests for each known measure if all players have equal values. Measures without a result are left out.
pub fn homogeneity(rows: &[StatisticRow]) -> Vec<(Statistic, Welch)> {
    let of = |statistic: Statistic| {
        let estimates = rows.iter().filter(|row| row.statistic == statistic).filter_map(|row| row.estimate);
        Some((statistic, Welch::of(estimates)?))
    };
    Statistic::KNOWN.into_iter().filter_map(of).collect()
}

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
pub fn split_rows(sample: &MoveSample, names: &[&str], method: &Method, split: Split) -> Vec<SplitRow> {
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
