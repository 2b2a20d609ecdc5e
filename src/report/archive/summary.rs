//! Owns `archive.json`: what an archive was and what its counts say.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::measure::{ArchiveCounts, CountKey, Survey};
use crate::numbers::Estimate;

/// What stands in `archive.json`.
#[derive(Debug, Clone, Copy)]
pub struct ArchiveSummary<'a> {
    /// What became of the games.
    pub counts: &'a ArchiveCounts,
    /// What the counts say.
    pub survey: &'a Survey,
    /// By what the moves are divided, and what every number depends on.
    pub key: &'a CountKey,
}

impl Serialize for ArchiveSummary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ArchiveSummary { survey, key, .. } = *self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("method", key)?;
        map.serialize_entry("games", &GamesEntry(self.counts))?;
        map.serialize_entry("moves", &MovesEntry(*self))?;
        map.serialize_entry("groups", &survey.groups.len())?;
        map.serialize_entry("engine_strength", &survey.engine_strength.map(MeanStrength))?;
        map.end()
    }
}

/// Games read, counted, met again, not wanted (by the first thing that speaks against them), and wanted but not counted.
struct GamesEntry<'a>(&'a ArchiveCounts);

impl Serialize for GamesEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let GamesEntry(counts) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("read", &counts.read())?;
        map.serialize_entry("counted", &counts.games.chosen)?;
        map.serialize_entry("duplicates", &counts.games.duplicates)?;
        map.serialize_entry("not_chosen", &counts.games.refused)?;
        map.serialize_entry("left_out", &named(&counts.left_out))?;
        map.end()
    }
}

/// Moves counted, and what stood in the way of others.
struct MovesEntry<'a>(ArchiveSummary<'a>);

impl Serialize for MovesEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ArchiveSummary { counts, survey, .. } = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("counted", &survey.groups.iter().map(|row| row.moves).sum::<u64>())?;
        map.serialize_entry("without_gain", &counts.without_gain)?;
        map.serialize_entry("evaluations_in_no_known_form", &counts.odd_evals)?;
        map.serialize_entry("clocks_backwards", &counts.clocks_backwards)?;
        map.end()
    }
}

/// The mean over the rated players of Elo − difference.
struct MeanStrength(Estimate);

impl Serialize for MeanStrength {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let MeanStrength(estimate) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("value", &estimate.value)?;
        map.serialize_entry("players", &estimate.observations)?;
        map.serialize_entry("low", &estimate.interval.map(|interval| interval.low))?;
        map.serialize_entry("high", &estimate.interval.map(|interval| interval.high))?;
        map.end()
    }
}

fn named<K: ToString>(games: &BTreeMap<K, u64>) -> BTreeMap<String, u64> {
    games.iter().map(|(name, &games)| (name.to_string(), games)).collect()
}
