//! Owns the report of an archive: tables, pictures and a summary of what was counted by group and by clock.

pub mod moves;

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    plots::{self, Caption},
    publish::{Report, ReportFile, ReportKind},
    tables,
};
use crate::measure::{ArchiveCounts, ClockClass, CountKey, Grouping, Survey};
use crate::numbers::Estimate;

pub static ARCHIVE: ReportKind = ReportKind {
    written_by: "`gainalyze archive` and `gainalyze merge`",
    files: &[
        ReportFile::Summary("archive.json", "what the archive was, and what became of its games"),
        ReportFile::Pictures(&["groups", "clocks-left", "clocks-spent"]),
        ReportFile::OfRun(
            "the file that `--partial` names",
            "the counts themselves as Parquet, for `gainalyze merge`: `terms` says how they \
            were made, `group` is null for the archive as a whole, and two parts of the same terms are merged by adding \
            up the values of rows with the same `group`, `count` and `key`",
        ),
    ],
    tables: || {
        let survey = Survey { groups: Vec::new(), clocks: Vec::new(), engine_strength: None };
        vec![
            tables::group_table(&[], Grouping::Player, &[]),
            tables::group_histograms(&survey),
            tables::clocks(&[]),
            moves::empty(),
        ]
    },
    results: None,
};

/// Returns the report of what was counted; its table of moves is written while they stream by.
pub fn report(counts: &ArchiveCounts, survey: &Survey, key: &CountKey) -> Report {
    let groups: Vec<_> = survey.groups.iter().collect();
    let mut all = vec![tables::group_table(&groups, key.by, &key.filters), tables::group_histograms(survey)];
    if !survey.clocks.is_empty() {
        all.push(tables::clocks(&survey.clocks.iter().collect::<Vec<_>>()));
    }
    let caption = Caption { engine: String::new(), filters: key.filters.len() };
    let drawings = [
        plots::archive::groups(survey, key, &caption),
        plots::archive::clocks(survey, ClockClass::Left, &caption),
        plots::archive::clocks(survey, ClockClass::Spent, &caption),
    ];
    let named = ARCHIVE.pictures().zip(drawings);
    Report {
        drawings: named.filter_map(|(name, drawing)| Some((name.to_owned(), drawing?))).collect(),
        ..Report::new(&ARCHIVE, all, Some(&ArchiveSummary { counts, survey, key }))
    }
}

#[derive(Clone, Copy)]
struct ArchiveSummary<'a> {
    counts: &'a ArchiveCounts,
    survey: &'a Survey,
    /// By what the moves are divided, and what every number depends on.
    key: &'a CountKey,
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
