//! Owns the report of a round robin: its tables, picture, page and summary.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::GAMES;
use crate::chess::text::{counted, printable};
use crate::lab::{RoundRobin, SequentialMatch};
use crate::report::{
    html::{
        name,
        provenance::{Fact, making},
    },
    plots::experiment::matches::elo_by_entrant,
    publish::{PageText, Report, ReportFile, ReportKind},
    tables::{self, EntrantFacts, results},
    words::round_robin::{notes, sentences},
};

pub static ROUND_ROBIN: ReportKind = ReportKind {
    written_by: "`gainalyze selfplay --entrant` and `--recorded`",
    files: &[
        ReportFile::OfRun("`games.pgn`", "the games as they end; a run that was stopped goes on from it"),
        ReportFile::OfRun(
            "`results.csv`",
            "the games that count in the order of the schedule; what `--recorded` reads",
        ),
        ReportFile::Summary(
            "summary.json",
            "the ratings at full precision, the sequential test, and what they come to",
        ),
        ReportFile::Page,
        ReportFile::Pictures(&["elo-by-entrant"]),
    ],
    tables: || vec![tables::entrant_table(None, &[]), tables::meeting_table(None)],
    results: Some(results::of_entrants),
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundRobinFacts {
    pub title: String,
    pub entrants: Vec<EntrantFacts>,
    pub conditions: BTreeMap<String, String>,
    pub command: Vec<String>,
}

pub fn report(found: &RoundRobin, facts: &RoundRobinFacts) -> Report {
    let tables =
        vec![tables::entrant_table(Some(found), &facts.entrants), tables::meeting_table(Some(found))];
    let games = counted(u64::from(found.table.all().games()), "game");
    let drawing = elo_by_entrant(found, &format!("{}, {games}", printable(&facts.title)));
    let names = ROUND_ROBIN.pictures().map(str::to_owned);
    Report {
        drawings: names.zip(drawing).collect(),
        shown: tables::round_robin_layouts(found),
        sentences: sentences(found),
        notes: notes(found),
        page: Some(PageText {
            title: name(&facts.title),
            subject: "a round robin",
            about: "Strength by games against each other",
            question: GAMES,
            in_grid: true,
            facts: making(played(found, facts), &facts.command),
            method: &METHOD,
        }),
        ..Report::new(&ROUND_ROBIN, tables, Some(&RoundRobinSummary { found, facts }))
    }
}

const METHOD: [&str; 4] = [
    "Elo: the ratings under which all results together are the most likely, a draw being half a win, by the logistic curve. R. A. Bradley and M. E. Terry, Biometrika 39, 1952.",
    "Intervals: two games of one opening with the colours exchanged are one observation, and what one pair says is compared with what all others say. Pairs that are move for move the same count once. K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986.",
    "Sequential test: pairs of games are looked at one after the other until the ratio of the likelihoods of two Elo differences passes a bound that follows from the chances of error allowed. A. Wald, Annals of Mathematical Statistics 16, 1945.",
    "Limits: one number an entrant is not the whole truth: who beats whom need not follow from it. These are points among these entrants, from these openings, at these limits.",
];

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

struct RoundRobinSummary<'a> {
    found: &'a RoundRobin,
    facts: &'a RoundRobinFacts,
}

impl Serialize for RoundRobinSummary<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let RoundRobinSummary { found, facts: played } = *self;
        let all = found.table.all();
        let anchors: BTreeMap<&str, f64> =
            found.anchors().map(|(place, elo)| (found.name(place), elo)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("version", env!("CARGO_PKG_VERSION"))?;
        map.serialize_entry("title", &played.title)?;
        map.serialize_entry("conditions", &played.conditions)?;
        map.serialize_entry("games", &all.games())?;
        map.serialize_entry("different_games", &all.different)?;
        map.serialize_entry("forfeits", &all.forfeits)?;
        map.serialize_entry("anchors", &anchors)?;
        let standing = found.standing();
        let entry = |&place: &usize| EntrantEntry { found, place, facts: played.entrants.get(place) };
        map.serialize_entry("entrants", &standing.iter().map(entry).collect::<Vec<_>>())?;
        map.serialize_entry("sprt", &found.sequential.as_ref().map(TestEntry))?;
        map.serialize_entry("verdict", &sentences(found))?;
        map.serialize_entry("notes", &notes(found))?;
        map.end()
    }
}

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
