//! Owns the files above the folders of several reports: engines side by side, strength by event.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    ReportError, ReportOptions, summary::to_json, table_names, tables, words, write_bytes, write_table,
};
use crate::files::{Format, Publication};
use crate::measure::{EngineComparison, EventStrength, Events, Method, PooledStrength};

/// The engines side by side on the games of one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventComparison {
    /// The event's report; `None` where there is one report an engine.
    pub event: Option<String>,
    /// What the engines find.
    #[serde(flatten)]
    pub comparison: EngineComparison,
}

/// An engine asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineOfRun {
    /// What the tables call it: its `id name`, numbered where two have one name.
    pub engine: String,
    /// The folder of its reports, beside this file.
    pub folder: String,
    /// Why it has no report; `None` where it has one.
    pub failed: Option<String>,
}

/// What a summary begins with.
#[derive(Serialize)]
struct SummaryHead<'a> {
    version: &'static str,
    method: &'a Method,
    filters: Vec<String>,
}

/// What `engines-summary.json` holds.
#[derive(Serialize)]
struct EnginesSummary<'a> {
    #[serde(flatten)]
    head: SummaryHead<'a>,
    engines: Vec<EngineOfRun>,
    comparisons: &'a [EventComparison],
}

/// What `events-summary.json` holds.
#[derive(Serialize)]
struct EventsSummary<'a> {
    #[serde(flatten)]
    head: SummaryHead<'a>,
    events: &'a [EventStrength],
    pooled: Option<&'a PooledStrength>,
    /// What it means, and what was left out.
    verdict: Vec<String>,
}

impl<'a> SummaryHead<'a> {
    fn of(method: &'a Method) -> SummaryHead<'a> {
        SummaryHead { version: env!("CARGO_PKG_VERSION"), method, filters: method.filter.names() }
    }
}

/// The names of tables of engines.
const ENGINES: [&str; 2] = ["engines", "engine-correlations"];

/// What engines found, at full precision.
const ENGINES_SUMMARY: &str = "engines-summary.json";

/// The names of tables of events.
const EVENTS: [&str; 1] = ["events"];

/// What the events say of the engine, at full precision.
const EVENTS_SUMMARY: &str = "events-summary.json";

/// Returns the names of the files above the reports of several engines.
pub fn engines_file_names(formats: &BTreeSet<Format>) -> Vec<String> {
    table_names(&ENGINES, formats).chain([ENGINES_SUMMARY.to_owned()]).collect()
}

/// Returns the names of the files above the reports of several events.
pub fn events_file_names(formats: &BTreeSet<Format>) -> Vec<String> {
    table_names(&EVENTS, formats).chain([EVENTS_SUMMARY.to_owned()]).collect()
}

/// Writes the tables `engines` and `engine-correlations` in each format and `engines-summary.json`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_engines(
    out: &Publication<'_>,
    engines: Vec<EngineOfRun>,
    comparisons: &[EventComparison],
    method: &Method,
    options: &ReportOptions,
) -> Result<(), ReportError> {
    write_table(out, &tables::engine_file(comparisons, method, &options.players), &options.formats)?;
    write_table(out, &tables::correlation_file(comparisons, method), &options.formats)?;
    let summary = EnginesSummary { head: SummaryHead::of(method), engines, comparisons };
    write_bytes(out, ENGINES_SUMMARY, to_json(&summary)?.as_bytes())
}

/// Writes the table `events` in each format and `events-summary.json`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write_events(
    out: &Publication<'_>,
    events: &Events,
    method: &Method,
    options: &ReportOptions,
) -> Result<(), ReportError> {
    write_table(out, &tables::event_file(&events.events, method), &options.formats)?;
    let (pooled, verdict) = (events.pooled.as_ref().ok(), words::events::verdict(events));
    let summary = EventsSummary { head: SummaryHead::of(method), events: &events.events, pooled, verdict };
    write_bytes(out, EVENTS_SUMMARY, to_json(&summary)?.as_bytes())
}
