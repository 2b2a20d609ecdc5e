//! `summary.json`: the results of a run, without anything that differs between two runs with the same input.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use crate::files::SummaryFacts;
use crate::measure::{Analysis, Intervals, QualityOfPlay};
use crate::numbers::{Estimate, Welch};
use crate::report::words;

/// Declares a type that is a JSON object: its fields, and after `=>` the entries made from them, in order.
macro_rules! object {
    ($(#[$doc:meta])* struct $name:ident<$life:lifetime> { $($field:ident: $type:ty),* $(,)? } =>
        $($key:literal: $value:expr),* $(,)?) => {
        $(#[$doc])*
        struct $name<$life> { $($field: $type),* }

        impl serde::Serialize for $name<'_> {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $name { $($field),* } = self;
                let mut map = serializer.serialize_map(None)?;
                $(serde::ser::SerializeMap::serialize_entry(&mut map, $key, &$value)?;)*
                serde::ser::SerializeMap::end(map)
            }
        }
    };
}
pub(super) use object;

object! {
    struct EngineStrength<'t> { mean: &'t Estimate, sampling: &'t Intervals } =>
        "mean": mean.value,
        "standard_error": mean.interval.map(|interval| interval.standard_error),
        "low": mean.interval.map(|interval| interval.low),
        "high": mean.interval.map(|interval| interval.high),
        "level": mean.interval.map(|interval| interval.level),
        "players": mean.observations,
        "sampling": sampling,
}

/// The contents of `summary.json`, which are equal in two runs with the same input.
#[derive(Debug, Clone, Copy)]
pub struct Summary<'a> {
    pub analysis: &'a Analysis,
    pub quality: &'a QualityOfPlay,
    pub facts: &'a SummaryFacts,
}

impl Serialize for Summary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Summary { analysis, quality, facts } = *self;
        let tournament = &analysis.tournament;
        let tests: BTreeMap<&str, &Welch> =
            analysis.homogeneity.iter().map(|(statistic, test)| (statistic.name(), test)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("evaluations", &facts.evaluations)?;
        if let Some(warning) = &facts.warning {
            map.serialize_entry("warning", warning)?;
        }
        map.serialize_entry("method", &tournament.method)?;
        map.serialize_entry("filters", &tournament.method.filter.names())?;
        map.serialize_entry("games", &facts.games)?;
        map.serialize_entry("positions", &facts.positions)?;
        map.serialize_entry("nodes", &facts.nodes)?;
        map.serialize_entry("quality", quality)?;
        map.serialize_entry("players", &tournament.players)?;
        let strength = tournament.engine_strength.as_ref();
        let strength = strength.map(|mean| EngineStrength { mean, sampling: &tournament.sampling });
        map.serialize_entry("engine_strength", &strength)?;
        map.serialize_entry("engine_histogram", &tournament.engine)?;
        map.serialize_entry("homogeneity", &tournament.homogeneity)?;
        map.serialize_entry("verdict", &words::tournament::verdict(tournament))?;
        map.serialize_entry("score_kept", &analysis.kept)?;
        map.serialize_entry("statistics", &analysis.statistics)?;
        map.serialize_entry("statistics_homogeneity", &tests)?;
        map.serialize_entry("splits", &analysis.splits)?;
        map.serialize_entry("notes", &words::tournament::notes(tournament))?;
        map.end()
    }
}

/// Returns `value` as indented JSON with a line end. Numbers that are not finite become null.
pub fn to_json<T: Serialize>(value: &T) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{SearchFacts, Searches};

    #[test]
    fn numbers_that_are_not_finite_become_null() {
        let run = SearchFacts {
            searches: Searches { made: 3, from_store: 2, ..Searches::default() },
            nodes_per_second: Some(f64::NAN),
            engine_busy_share: Some(f64::INFINITY),
        };
        let json: serde_json::Value =
            serde_json::from_str(&to_json(&run).expect("plain data")).expect("valid json");
        assert!(json["engine_busy_share"].is_null() && json["nodes_per_second"].is_null());
        assert_eq!(json["searches"]["from_store"], 2);
    }
}
