//! Owns the reports above the folders of several others: engines side by side, strength by event.

use serde::Serialize;

use super::{
    publish::Report, publish::ReportFile, publish::ReportKind, summary::object, tables,
    tables::several::EventComparison, words,
};
use crate::measure::{Events, Method, PlayerSelection};

pub static ENGINES: ReportKind = ReportKind {
    written_by: SEVERAL,
    files: &[ReportFile::Summary("engines-summary.json")],
    tables: || {
        let method = Method::default();
        vec![
            tables::several::engine_file(&[], &method, &PlayerSelection::All),
            tables::several::correlation_file(&[], &method),
        ]
    },
};

pub static EVENTS: ReportKind = ReportKind {
    written_by: SEVERAL,
    files: &[ReportFile::Summary("events-summary.json")],
    tables: || vec![tables::several::event_file(&[], &Method::default())],
};

const SEVERAL: &str = "Several engines (`--engine` more than once) and several files (`--separately`)";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineOfRun {
    /// What the tables call it: its `id name`, numbered where two have one name.
    pub engine: String,
    /// The folder of its reports, beside this file.
    pub folder: String,
    /// Why it has no report; `None` where it has one.
    pub failed: Option<String>,
}

object! {
    struct EnginesSummary<'a> {
        engines: &'a [EngineOfRun], comparisons: &'a [EventComparison], method: &'a Method
    } =>
    "version": env!("CARGO_PKG_VERSION"),
    "method": method,
    "filters": method.filter.names(),
    "engines": engines,
    "comparisons": comparisons,
}

object! {
    struct EventsSummary<'a> { events: &'a Events, method: &'a Method } =>
    "version": env!("CARGO_PKG_VERSION"),
    "method": method,
    "filters": method.filter.names(),
    "events": events.events,
    "pooled": events.pooled.as_ref().ok(),
    "verdict": words::events::verdict(events),
}

/// Returns the report of what several engines find, of the `players` that are shown.
pub fn engines(
    engines: &[EngineOfRun],
    comparisons: &[EventComparison],
    method: &Method,
    players: &PlayerSelection,
) -> Report {
    let tables = vec![
        tables::several::engine_file(comparisons, method, players),
        tables::several::correlation_file(comparisons, method),
    ];
    Report { tables, ..Report::default() }
        .with_summary(&ENGINES, &EnginesSummary { engines, comparisons, method })
}

pub fn events(events: &Events, method: &Method) -> Report {
    let tables = vec![tables::several::event_file(&events.events, method)];
    Report { tables, ..Report::default() }.with_summary(&EVENTS, &EventsSummary { events, method })
}
