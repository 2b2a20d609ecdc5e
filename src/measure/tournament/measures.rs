//! [`Measures`]: statistics of one player or part of play, and [`StatisticRow`], the statistics of all
//! players.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{Method, MoveSample, statistics::Statistic};
use crate::numbers::{Estimate, Welch};

/// Requested statistics of a player, or of a part of play; `None` if there is no number.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Measures(BTreeMap<Statistic, Option<Estimate>>);

impl Measures {
    /// Returns a statistic; `None` if it is unknown.
    pub fn get(&self, statistic: Statistic) -> Option<Estimate> {
        self.0.get(&statistic).copied().flatten()
    }

    /// Returns the value of a statistic, or 0.
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
    /// The value with its interval clustered by game. `None` if it is unavailable; first choices, for example,
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

/// Tests, for each known measure, whether all players have equal values. Measures without a result are left
/// out.
pub fn homogeneity(rows: &[StatisticRow]) -> Vec<(Statistic, Welch)> {
    let of = |statistic: Statistic| {
        let estimates = rows.iter().filter(|row| row.statistic == statistic).filter_map(|row| row.estimate);
        Some((statistic, Welch::of(estimates)?))
    };
    Statistic::KNOWN.into_iter().filter_map(of).collect()
}
