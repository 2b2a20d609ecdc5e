//! Owns the reports above the folders of several others: engines side by side, strength by event.

use serde::Serialize;

use super::{
    publish::{Report, ReportFile, ReportKind},
    tables,
    tables::EventComparison,
    words,
};
use crate::measure::{EventStrength, Events, Method, PlayerSelection, PooledStrength};

pub static ENGINES: ReportKind = ReportKind {
    written_by: SEVERAL,
    files: &[ReportFile::Summary("engines-summary.json", COMPARISONS)],
    tables: || {
        let method = Method::default();
        vec![tables::engine_file(&[], &method, &PlayerSelection::All), tables::correlation_file(&[], &method)]
    },
    results: None,
};

pub static EVENTS: ReportKind = ReportKind {
    written_by: SEVERAL,
    files: &[
        ReportFile::Summary("events-summary.json", COMPARISONS),
        ReportFile::OfRun("a folder for each engine, event or both", "with the files of `gainalyze FILE…`"),
    ],
    tables: || vec![tables::event_file(&[], &Method::default())],
    results: None,
};

const SEVERAL: &str = "Several engines (`--engine` more than once) and several files (`--separately`)";
const COMPARISONS: &str = "the comparisons at full precision";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineOfRun {
    /// What the tables call it: its `id name`, numbered where two have one name.
    pub engine: String,
    /// The folder of its reports, beside this file.
    pub folder: String,
    /// Why it has no report; `None` where it has one.
    pub failed: Option<String>,
}

#[derive(Serialize)]
struct SummaryHead<'a> {
    version: &'static str,
    method: &'a Method,
    filters: Vec<String>,
}

#[derive(Serialize)]
struct EnginesSummary<'a> {
    #[serde(flatten)]
    head: SummaryHead<'a>,
    engines: Vec<EngineOfRun>,
    comparisons: &'a [EventComparison],
}

#[derive(Serialize)]
struct EventsSummary<'a> {
    #[serde(flatten)]
    head: SummaryHead<'a>,
    events: &'a [EventStrength],
    pooled: Option<&'a PooledStrength>,
    verdict: Vec<String>,
}

impl<'a> SummaryHead<'a> {
    fn of(method: &'a Method) -> SummaryHead<'a> {
        SummaryHead { version: env!("CARGO_PKG_VERSION"), method, filters: method.filter.names() }
    }
}

/// Returns the report of what several engines find, of the `players` that are shown.
pub fn engines(
    engines: Vec<EngineOfRun>,
    comparisons: &[EventComparison],
    method: &Method,
    players: &PlayerSelection,
) -> Report {
    let tables = vec![
        tables::engine_file(comparisons, method, players),
        tables::correlation_file(comparisons, method),
    ];
    let summary = EnginesSummary { head: SummaryHead::of(method), engines, comparisons };
    Report::new(&ENGINES, tables, Some(&summary))
}

pub fn events(events: &Events, method: &Method) -> Report {
    let (pooled, verdict) = (events.pooled.as_ref().ok(), words::events::verdict(events));
    let summary = EventsSummary { head: SummaryHead::of(method), events: &events.events, pooled, verdict };
    Report::new(&EVENTS, vec![tables::event_file(&events.events, method)], Some(&summary))
}
