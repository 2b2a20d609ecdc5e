//! Owns the files of a round robin: its tables, picture, page and summary in one folder.

use std::collections::{BTreeMap, BTreeSet};

use askama::Template;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::page::{ExperimentPage, page_tables};
use crate::chess::text::{counted, printable};
use crate::files::{Format, PictureFormat, Publication};
use crate::lab::{RoundRobin, SequentialMatch};
use crate::report::words::round_robin::{notes, sentences};
use crate::report::{
    ReportError, html::name, html::provenance::command, picture_names, pictures::write_picture,
    plots::canvas::Drawing, plots::experiment::entrants::elo_by_entrant, summary::to_json, table::Screen,
    table_names, tables, tables::EntrantFacts, write_bytes, write_table,
};

/// What is written of a round robin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundRobinOptions {
    /// Formats of the tables; none writes no tables.
    pub formats: BTreeSet<Format>,
    /// What pictures are written as; none draws none.
    pub plots: BTreeSet<PictureFormat>,
    /// Whether `report.html` is written.
    pub page: bool,
    /// What the tables that are given back are shown on.
    pub screen: Screen,
    /// What the games are: `A, B and C`.
    pub title: String,
    /// What is known of the entrants, in their order.
    pub entrants: Vec<EntrantFacts>,
    /// How the games were played, by label.
    pub conditions: BTreeMap<String, String>,
    /// The command line, one element an argument.
    pub command: Vec<String>,
}

const TABLES: [&str; 2] = ["entrants", "meetings"];
const PICTURE: &str = "elo-by-entrant";
const PAGE: &str = "report.html";
const SUMMARY: &str = "summary.json";

impl RoundRobinOptions {
    /// Returns the names of the files that the report may have.
    pub fn file_names(&self) -> Vec<String> {
        let names = table_names(&TABLES, &self.formats).chain(picture_names(&[PICTURE], &self.plots));
        names.chain([SUMMARY.to_owned()]).chain(self.page.then(|| PAGE.to_owned())).collect()
    }
}

/// Writes the tables `entrants` and `meetings` in each format, `summary.json`, the picture and the page, and gives back the
/// tables as text.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    found: &RoundRobin,
    options: &RoundRobinOptions,
) -> Result<String, ReportError> {
    let entrants = tables::entrant_table(&tables::entrant_rows(found, &options.entrants));
    let meetings = tables::meeting_table(&tables::meeting_rows(found));
    for table in [&entrants, &meetings] {
        write_table(out, table, &options.formats)?;
    }
    write_bytes(out, SUMMARY, to_json(&RoundRobinSummary { found, options })?.as_bytes())?;
    let games = counted(u64::from(found.table.all().games()), "game");
    let drawing = elo_by_entrant(found, &format!("{}, {games}", printable(&options.title)));
    if let Some(drawing) = &drawing {
        write_picture(out, PICTURE, drawing, &options.plots)?;
    }
    if options.page {
        write_bytes(out, PAGE, page(found, drawing.as_ref(), options)?.as_bytes())?;
    }
    Ok(tables::round_robin(found, options.screen))
}

fn page(
    found: &RoundRobin,
    drawing: Option<&Drawing>,
    options: &RoundRobinOptions,
) -> Result<String, askama::Error> {
    ExperimentPage {
        subject: "a round robin",
        kind: "Strength by games against each other",
        title: name(&options.title),
        sentences: sentences(found),
        drawings: drawing.into_iter().collect(),
        tables: page_tables(tables::round_robin_layouts(found)),
        notes: notes(found),
        facts: making(found, options),
        method: &METHOD,
    }
    .render()
}

/// What the numbers mean, and what not.
const METHOD: [(&str, &str); 4] = [
    (
        "Elo",
        "the ratings under which all results together are the most likely, a draw being half a win, by the logistic curve. R. A. Bradley and M. E. Terry, Biometrika 39, 1952.",
    ),
    (
        "Intervals",
        "two games of one opening with the colours exchanged are one observation, and what one pair says is compared with what all others say. Pairs that are move for move the same count once. K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986.",
    ),
    (
        "Sequential test",
        "pairs of games are looked at one after the other until the ratio of the likelihoods of two Elo differences passes a bound that follows from the chances of error allowed. A. Wald, Annals of Mathematical Statistics 16, 1945.",
    ),
    (
        "Limits",
        "one number an entrant is not the whole truth: who beats whom need not follow from it. These are points among these entrants, from these openings, at these limits.",
    ),
];

/// Returns who played, and how.
fn making(found: &RoundRobin, options: &RoundRobinOptions) -> Vec<(String, String)> {
    let one = |label: &str, text: &str| (label.to_owned(), printable(text));
    let entrant = |(place, facts): (usize, &EntrantFacts)| {
        let parts = [facts.engine.as_deref(), facts.limit.as_deref()];
        one(found.name(place), &parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    };
    let known = |(_, facts): &(usize, &EntrantFacts)| facts.engine.is_some();
    let mut lines: Vec<_> = (0..).zip(&options.entrants).filter(known).map(entrant).collect();
    lines.extend(options.conditions.iter().map(|(label, text)| one(label, text)));
    lines.push(("Command".to_owned(), command(&options.command)));
    lines.push(one("Version", concat!("gainalyze ", env!("CARGO_PKG_VERSION"))));
    lines
}

/// What `summary.json` holds.
struct RoundRobinSummary<'a> {
    found: &'a RoundRobin,
    options: &'a RoundRobinOptions,
}

impl Serialize for RoundRobinSummary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RoundRobinSummary { found, options } = *self;
        let all = found.table.all();
        let anchors: BTreeMap<&str, f64> =
            found.anchors().map(|(place, elo)| (found.name(place), elo)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("title", &options.title)?;
        map.serialize_entry("conditions", &options.conditions)?;
        map.serialize_entry("games", &all.games())?;
        map.serialize_entry("different_games", &all.different)?;
        map.serialize_entry("forfeits", &all.forfeits)?;
        map.serialize_entry("anchors", &anchors)?;
        let standing = found.standing();
        let entry = |&place: &usize| EntrantEntry { found, place, facts: options.entrants.get(place) };
        map.serialize_entry("entrants", &standing.iter().map(entry).collect::<Vec<_>>())?;
        map.serialize_entry("sprt", &found.sequential.as_ref().map(TestEntry))?;
        map.serialize_entry("verdict", &sentences(found))?;
        map.serialize_entry("notes", &notes(found))?;
        map.end()
    }
}

/// One entrant.
struct EntrantEntry<'a> {
    found: &'a RoundRobin,
    place: usize,
    facts: Option<&'a EntrantFacts>,
}

impl Serialize for EntrantEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let EntrantEntry { found, place, facts } = *self;
        let total = found.total(place);
        let others = || found.standing().into_iter().filter(move |&other| other != place);
        let scores: BTreeMap<&str, _> =
            others().map(|other| (found.name(other), found.score(place, other))).collect();
        let superiority: BTreeMap<&str, _> =
            others().map(|other| (found.name(other), found.superiority(place, other))).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", found.name(place))?;
        map.serialize_entry("engine", &facts.and_then(|facts| facts.engine.as_ref()))?;
        map.serialize_entry("limit", &facts.and_then(|facts| facts.limit.as_ref()))?;
        map.serialize_entry("record", &[total.wins, total.draws, total.losses])?;
        map.serialize_entry("elo", &found.elo(place))?;
        map.serialize_entry("scores", &scores)?;
        map.serialize_entry("superiority", &superiority)?;
        map.end()
    }
}

/// How a sequential test stands.
struct TestEntry<'a>(&'a SequentialMatch);

impl Serialize for TestEntry<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let TestEntry(test) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("test", &test.test())?;
        map.serialize_entry("pairs", &test.pairs())?;
        map.serialize_entry("pairs_by_half_points", &test.game_pairs().map(|pairs| pairs.counts()))?;
        map.serialize_entry("log_likelihood_ratio", &test.log_likelihood_ratio())?;
        map.serialize_entry("bounds", &test.test().bounds())?;
        map.serialize_entry("verdict", &test.verdict())?;
        map.end()
    }
}
