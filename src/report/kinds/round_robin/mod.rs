//! The report of a round robin: its tables, picture, page and summary.

pub mod tables;
mod words;

use std::collections::BTreeMap;

use self::tables::EntrantFacts;
use self::words::{facts as in_brief, notes, sentences};
use crate::base::text::{counted, printable};
use crate::lab::{RoundRobin, SequentialMatch};
use crate::numbers::Estimate;
use crate::report::{
    html::provenance::making, kinds::Page, kinds::experiment::tables::files::of_entrants,
    plots::canvas::Drawing, plots::chart::Axis, plots::chart::Chart, plots::chart::ends, plots::rows,
    publish::Fact, publish::Report, publish::ReportFile, publish::ReportKind, rendered, summary::object,
    words::names::name,
};

pub static ROUND_ROBIN: ReportKind = ReportKind {
    written_by: "`gainalyze selfplay --entrant` and `--recorded`",
    files: &[
        ReportFile::Results(of_entrants),
        ReportFile::Summary("summary.json"),
        ReportFile::Page,
        ReportFile::Pictures(&["elo-by-entrant"]),
    ],
    tables: || vec![tables::entrant_table(None, &[]), tables::meeting_table(None)],
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundRobinFacts {
    pub title: String,
    pub entrants: Vec<EntrantFacts>,
    pub conditions: BTreeMap<String, String>,
    pub command: Vec<String>,
}

/// From this number of entrants on, the title does not list their names.
const NAMED: usize = 7;

pub fn report(found: &RoundRobin, facts: &RoundRobinFacts) -> Report {
    let tables =
        vec![tables::entrant_table(Some(found), &facts.entrants), tables::meeting_table(Some(found))];
    let games = counted(u64::from(found.table.all().games()), "game");
    let title = match found.standing().len() {
        several @ NAMED.. => format!("{several} entrants"),
        _ => name(&facts.title),
    };
    let caption = format!("{title}, {games}");
    Report {
        title,
        sentences: sentences(found),
        in_brief: in_brief(found),
        notes: notes(found),
        facts: making(played(found, facts), &facts.command),
        shown: tables::layouts(found),
        brief: tables::brief(found),
        drawings: ROUND_ROBIN.named([elo_by_entrant(found, &caption)]),
        page: Some(|report| rendered(&Page::RoundRobin { report })),
        tables,
        ..Report::default()
    }
    .with_summary(&ROUND_ROBIN, &RoundRobinSummary { found, facts })
}

fn played(found: &RoundRobin, facts: &RoundRobinFacts) -> Vec<Fact> {
    let one = |label: &str, text: &str| (label.to_owned(), printable(text));
    let entrant = |(place, entrant): (usize, &EntrantFacts)| {
        let parts = [entrant.engine.as_deref(), entrant.limit.as_deref()];
        one(found.name(place), &parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    };
    let known = |(_, entrant): &(usize, &EntrantFacts)| entrant.engine.is_some();
    let mut lines: Vec<_> = (0..).zip(&facts.entrants).filter(known).map(entrant).collect();
    lines.extend(facts.conditions.iter().map(|(label, text)| one(label, text)));
    lines
}

object! {
    struct RoundRobinSummary<'a> { found: &'a RoundRobin, facts: &'a RoundRobinFacts } =>
    "version": env!("CARGO_PKG_VERSION"),
    "title": facts.title,
    "conditions": facts.conditions,
    "games": found.table.all().games(),
    "different_games": found.table.all().different,
    "forfeits": found.table.all().forfeits,
    "anchors": found.anchors().map(|(place, elo)| (found.name(place), elo)).collect::<BTreeMap<_, _>>(),
    "entrants": found.standing().into_iter().map(|place| EntrantEntry { found, place, facts }).collect::<Vec<_>>(),
    "sprt": found.sequential.as_ref().map(|test| TestEntry { test }),
    "verdict": sentences(found),
    "notes": notes(found),
}

object! {
    struct EntrantEntry<'a> { found: &'a RoundRobin, place: usize, facts: &'a RoundRobinFacts } =>
    "name": found.name(*place),
    "engine": facts.entrants.get(*place).and_then(|entrant| entrant.engine.as_ref()),
    "limit": facts.entrants.get(*place).and_then(|entrant| entrant.limit.as_ref()),
    "record": record(found, *place),
    "elo": found.elo(*place),
    "scores": of_others(found, *place, |other| found.score(*place, other)),
    "superiority": of_others(found, *place, |other| found.superiority(*place, other)),
}

fn record(found: &RoundRobin, place: usize) -> [u32; 3] {
    let total = found.total(place);
    [total.wins, total.draws, total.losses]
}

fn of_others<T>(found: &RoundRobin, place: usize, number: impl Fn(usize) -> T) -> BTreeMap<&str, T> {
    let others = (0..found.entrants()).filter(|&other| other != place);
    others.map(|other| (found.name(other), number(other))).collect()
}

object! {
    struct TestEntry<'a> { test: &'a SequentialMatch } =>
    "test": test.test(),
    "pairs": test.pairs(),
    "pairs_by_half_points": test.game_pairs().map(|pairs| pairs.counts()),
    "log_likelihood_ratio": test.log_likelihood_ratio(),
    "bounds": test.test().bounds(),
    "verdict": test.verdict(),
}

pub fn elo_by_entrant(found: &RoundRobin, caption: &str) -> Option<Drawing> {
    let standing = found.standing().into_iter();
    let rated = standing.filter_map(|place| Some((words::name(found, place), found.elo(place)?)));
    let rated: Vec<(String, Estimate)> = rated.collect();
    rated.first()?;
    let chart = Chart {
        title: "How strong is each entrant?",
        subtitle: "Elo points by the games of all pairs together, with 95 % intervals",
        caption,
        x: Axis::with_room("", rated.iter().flat_map(|(_, elo)| ends(elo)), (4, 1.0), 0.0),
        ..Chart::default()
    };
    let names = rated.iter().map(|(name, _)| name.as_str());
    Some(rows::draw(names, &chart, |plot, index, row| plot.across(row, &rated[index].1)))
}
