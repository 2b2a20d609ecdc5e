//! Owns the files above the folders of several reports: engines side by side, strength by event.

pub mod summary;

use std::collections::BTreeSet;

use self::summary::{EngineOfRun, EnginesSummary, EventsSummary};
use super::{ReportError, ReportOptions, summary::to_json, table_names, tables, write_bytes, write_table};
use crate::{
    formats::Format,
    output::Publication,
    tournament::{Method, agreement::EngineComparison, events::Events},
};

/// The engines side by side on the games of one event.
#[derive(Debug, Clone, PartialEq)]
pub struct EventComparison {
    /// The event's report; `None` where there is one report an engine.
    pub event: Option<String>,
    /// What the engines find.
    pub comparison: EngineComparison,
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
    let summary = EnginesSummary::new(engines, comparisons, method);
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
    write_bytes(out, EVENTS_SUMMARY, to_json(&EventsSummary::new(events, method))?.as_bytes())
}
