//! Owns `archive.json`: what an archive was and what its counts say.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    archive::{ArchiveCounts, CountKey, Survey},
    choice::Refusal,
    stats::estimate::Estimate,
};

/// What stands in `archive.json`.
#[derive(Debug, Clone, Serialize)]
pub struct ArchiveSummary {
    /// The program's version.
    version: &'static str,
    /// By what the moves are divided, and what every number depends on.
    method: CountKey,
    games: Games,
    moves: Moves,
    /// How many groups there are.
    groups: usize,
    /// Mean over the rated players of Elo − difference.
    engine_strength: Option<Strength>,
}

#[derive(Debug, Clone, Serialize)]
struct Games {
    read: u64,
    counted: u64,
    /// Copies, which are counted once.
    duplicates: u64,
    /// Games that were not wanted, by the first thing that speaks against them.
    not_chosen: BTreeMap<Refusal, u64>,
    /// Games that were wanted and are not counted, by reason.
    left_out: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, Serialize)]
struct Moves {
    counted: u64,
    /// First moves, before which no position has an evaluation.
    without_gain: u64,
    /// `[%eval]` commands in no known form.
    evaluations_in_no_known_form: u64,
    clocks_backwards: u64,
}

#[derive(Debug, Clone, Serialize)]
struct Strength {
    value: f64,
    players: usize,
    low: Option<f64>,
    high: Option<f64>,
}

impl ArchiveSummary {
    /// That of the counts and what they say.
    pub fn of(tally: &ArchiveCounts, survey: &Survey, identity: &CountKey) -> ArchiveSummary {
        ArchiveSummary {
            version: env!("CARGO_PKG_VERSION"),
            method: identity.clone(),
            games: Games {
                read: tally.read(),
                counted: tally.games.chosen,
                duplicates: tally.games.duplicates,
                not_chosen: tally.games.refused.clone(),
                left_out: named(&tally.left_out),
            },
            moves: Moves {
                counted: survey.groups.iter().map(|row| row.moves).sum(),
                without_gain: tally.without_gain,
                evaluations_in_no_known_form: tally.odd_evals,
                clocks_backwards: tally.clocks_backwards,
            },
            groups: survey.groups.len(),
            engine_strength: survey.engine_strength.map(Strength::of),
        }
    }
}

impl Strength {
    fn of(estimate: Estimate) -> Strength {
        Strength {
            value: estimate.value,
            players: estimate.observations,
            low: estimate.interval.map(|interval| interval.low),
            high: estimate.interval.map(|interval| interval.high),
        }
    }
}

fn named<K: ToString>(games: &BTreeMap<K, u64>) -> BTreeMap<String, u64> {
    games.iter().map(|(name, &games)| (name.to_string(), games)).collect()
}
