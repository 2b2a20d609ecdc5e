//! The report of an archive: its tables, pictures, page and summary, by group and by clock.

mod events;
pub mod moves;
mod page;
mod plots;
mod tables;

use std::collections::BTreeMap;

use crate::base::output::Publication;
use crate::measure::{ArchiveCounts, ClockClass, CountKey, Grouping, Survey};
use crate::numbers::Estimate;
use crate::report::plots::Caption;
use crate::report::publish::{Report, ReportFile, ReportFormats, ReportKind};
use crate::report::summary::object;
use crate::report::tables::peers::usual_table;
use crate::report::{ReportError, writing::publish, writing::write_page};

pub static ARCHIVE: ReportKind = ReportKind {
    written_by: "`gainalyze archive` and `gainalyze merge`",
    files: &[
        ReportFile::Summary("archive.json"),
        ReportFile::Page,
        ReportFile::Pictures(&["groups", "clocks-left", "clocks-spent"]),
    ],
    tables: || {
        let survey = Survey::default();
        vec![
            tables::group_table(&[], Grouping::Player, &[]),
            tables::group_histograms(&survey),
            tables::clocks(&[]),
            usual_table(&[]),
            events::events(&[]),
            events::entrants(&[]),
            events::upset_table(&[]),
            moves::empty(),
        ]
    },
};

/// Writes the report of the counts and returns it. Its table of moves is written separately, while the games are read. `links`
/// has the addresses of the reports of single events.
pub fn write(
    out: &Publication<'_>,
    counts: &ArchiveCounts,
    survey: &Survey,
    key: &CountKey,
    formats: &ReportFormats,
    links: &BTreeMap<String, String>,
) -> Result<Report, ReportError> {
    let report = report(counts, survey, key);
    publish(&report, out, formats)?;
    write_page(out, formats, || page::page(&report, survey, key, links))?;
    Ok(report)
}

fn report(counts: &ArchiveCounts, survey: &Survey, key: &CountKey) -> Report {
    let groups: Vec<_> = survey.groups.iter().collect();
    let mut all = vec![tables::group_table(&groups, key.by, &key.filters), tables::group_histograms(survey)];
    if !survey.clocks.is_empty() {
        all.push(tables::clocks(&survey.clocks.iter().collect::<Vec<_>>()));
    }
    if !survey.events.is_empty() {
        let rows = events::ranked(survey);
        all.extend([
            events::events(&rows),
            events::entrants(&rows),
            events::upset_table(&events::upsets(&rows)),
        ]);
    }
    if !survey.usual.is_empty() {
        all.push(usual_table(&survey.usual));
    }
    let caption = Caption { engine: String::new(), filters: key.filters.len() };
    let drawings = [
        plots::groups(survey, key, &caption),
        plots::clocks(survey, ClockClass::Left, &caption),
        plots::clocks(survey, ClockClass::Spent, &caption),
    ];
    Report {
        title: "Archive".to_owned(),
        sentences: page::sentences(counts, survey, key.by),
        facts: page::facts(counts, survey, key),
        shown: tables::layouts(survey, key),
        drawings: ARCHIVE.named(drawings),
        tables: all,
        ..Report::default()
    }
    .with_summary(&ARCHIVE, &ArchiveSummary { counts, survey, key })
}

object! {
    struct ArchiveSummary<'a> { counts: &'a ArchiveCounts, survey: &'a Survey, key: &'a CountKey } =>
    "version": env!("CARGO_PKG_VERSION"),
    "method": key,
    "games": GamesEntry { counts },
    "moves": MovesEntry { counts, survey },
    "groups": survey.groups.len(),
    "engine_strength": survey.engine_strength.as_ref().map(|estimate| MeanStrength { estimate }),
}

object! {
    /// Numbers of games: read, counted, duplicates, not chosen (by filter; a game counts for the first filter
    /// that rejects it), and left out (chosen but impossible to count, by reason).
    struct GamesEntry<'a> { counts: &'a ArchiveCounts } =>
    "read": counts.read(),
    "counted": counts.games.chosen,
    "duplicates": counts.games.duplicates,
    "not_chosen": counts.games.refused,
    "left_out": counts.left_out.iter().map(|(why, games)| (why.to_string(), games)).collect::<BTreeMap<_, _>>(),
}

object! {
    struct MovesEntry<'a> { counts: &'a ArchiveCounts, survey: &'a Survey } =>
    "counted": survey.groups.iter().map(|row| row.moves).sum::<u64>(),
    "without_gain": counts.without_gain,
    "evaluations_in_no_known_form": counts.odd_evals,
    "clocks_backwards": counts.clocks_backwards,
}

object! {
    /// The engine's strength: the mean of Elo minus Elo difference over the rated players.
    struct MeanStrength<'a> { estimate: &'a Estimate } =>
    "value": estimate.value,
    "players": estimate.observations,
    "low": estimate.interval.map(|interval| interval.low),
    "high": estimate.interval.map(|interval| interval.high),
}
