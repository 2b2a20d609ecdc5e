//! JSON form of a tournament's numbers: their keys, in the order of `summary.json`.

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{EloOrigin, Intervals, Measured, Method, PlayerElo, PlayerResult};
use crate::numbers::{Histogram, Signs};

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("clip_cp", &self.clip.cp())?;
        map.serialize_entry("metric", self.metric.name())?;
        map.serialize_entry("unit", self.metric.unit())?;
        map.serialize_entry("bin", &self.band.width().get())?;
        map.serialize_entry("tie", &self.band.tie())?;
        map.serialize_entry("engine_histogram", self.engine_histogram.name())?;
        map.serialize_entry("curve", self.curve.name())?;
        map.serialize_entry("bootstrap_samples", &self.bootstrap.samples)?;
        map.serialize_entry("seed", &self.bootstrap.seed)?;
        map.end()
    }
}

impl Serialize for PlayerResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |measured: Option<Measured>| measured.map(|measured| measured.value);
        let intervals =
            |measured: Option<Measured>| measured.map_or_else(Intervals::default, |one| one.intervals);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("player", &self.name)?;
        map.serialize_entry("elo", &self.elo.map(|elo| elo.value))?;
        map.serialize_entry("elo_origin", &self.elo.map(PlayerElo::origin_name))?;
        map.serialize_entry("elo_tags", &self.elo.and_then(PlayerElo::differing_tags))?;
        map.serialize_entry("games", &self.results.games)?;
        if self.results.unplayed > 0 {
            map.serialize_entry("unplayed", &self.results.unplayed)?;
        }
        map.serialize_entry("points", &self.results.points())?;
        serialize_signs(&mut map, &self.histogram)?;
        map.serialize_entry("expected_score", &value(self.expected_score))?;
        map.serialize_entry("elo_difference", &value(self.elo_difference))?;
        let is_bound = self.elo_difference.is_some_and(|difference| difference.bound.is_some());
        map.serialize_entry("unbounded", &is_bound)?;
        map.serialize_entry("engine_strength", &value(self.engine_strength))?;
        map.serialize_entry("performance", &value(self.performance))?;
        map.serialize_entry("expected_score_interval", &intervals(self.expected_score))?;
        map.serialize_entry("elo_difference_interval", &intervals(self.elo_difference))?;
        map.serialize_entry("performance_interval", &intervals(self.performance))?;
        map.serialize_entry("against_zero", &self.against_zero)?;
        map.serialize_entry("score_first", &self.ranks.map(|ranks| ranks.first))?;
        map.serialize_entry("score_ranks", &self.ranks.map(|ranks| [ranks.low, ranks.high]))?;
        map.end()
    }
}

impl PlayerElo {
    fn origin_name(self) -> &'static str {
        match self.origin {
            EloOrigin::Tag => "tag",
            EloOrigin::MeanOfTags { .. } => "mean of tags",
            EloOrigin::Given => "given",
        }
    }

    /// Returns the lowest and the highest tag if tags differ.
    fn differing_tags(self) -> Option<[u32; 2]> {
        match self.origin {
            EloOrigin::MeanOfTags { low, high } => Some([low, high]),
            EloOrigin::Tag | EloOrigin::Given => None,
        }
    }
}

/// Serializes a histogram as the numbers of all moves, and of moves with positive, zero and negative gain.
pub(super) fn moves_by_sign<S: Serializer>(histogram: &Histogram, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    serialize_signs(&mut map, histogram)?;
    map.end()
}

fn serialize_signs<M: SerializeMap>(map: &mut M, histogram: &Histogram) -> Result<(), M::Error> {
    let Signs { positive, zero, negative } = histogram.signs();
    map.serialize_entry("moves", &histogram.total())?;
    map.serialize_entry("positive", &positive)?;
    map.serialize_entry("zero", &zero)?;
    map.serialize_entry("negative", &negative)
}
