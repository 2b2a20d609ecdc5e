//! Owns the files above the folders of several reports: engines side by side, strength by event.

pub mod frame;
pub mod summary;

use std::path::PathBuf;

use polars::prelude::DataFrame;

use self::summary::{EngineOfRun, EnginesSummary, EventsSummary};
use super::{ReportError, ReportOptions, write_bytes, write_table};
use crate::{
    formats::Format,
    output::OutputDir,
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

/// Writes the tables `engines` and `engine-correlations` in each format and
/// `engines-summary.json` into `dir`, and returns their paths. Those tables of an earlier
/// comparison in formats that this one does not write are removed.
pub fn write_engines(
    dir: &OutputDir,
    engines: Vec<EngineOfRun>,
    comparisons: &[EventComparison],
    method: &Method,
    options: &ReportOptions,
) -> Result<Vec<PathBuf>, ReportError> {
    let tables =
        [frame::engines(comparisons, method, &options.players)?, frame::correlations(comparisons, method)?];
    let summary = EnginesSummary::new(engines, comparisons, method);
    let had_comparison = dir.holds(ENGINES_SUMMARY, &["version", "engines", "comparisons"]);
    let json = super::summary::to_json(&summary)?;
    write(dir, &ENGINES, &tables, (ENGINES_SUMMARY, &json), had_comparison, options)
}

/// Writes the table `events` in each format and `events-summary.json` into `dir`, and returns
/// their paths. Tables of earlier events in formats that this run does not write are removed.
pub fn write_events(
    dir: &OutputDir,
    events: &Events,
    method: &Method,
    options: &ReportOptions,
) -> Result<Vec<PathBuf>, ReportError> {
    let tables = [frame::events(events, method)?];
    let summary = EventsSummary::new(events, method);
    let had_events = dir.holds(EVENTS_SUMMARY, &["version", "events", "pooled"]);
    let json = super::summary::to_json(&summary)?;
    write(dir, &EVENTS, &tables, (EVENTS_SUMMARY, &json), had_events, options)
}

fn write(
    dir: &OutputDir,
    names: &[&str],
    tables: &[DataFrame],
    (summary, json): (&str, &str),
    had_tables: bool,
    options: &ReportOptions,
) -> Result<Vec<PathBuf>, ReportError> {
    let mut written = Vec::new();
    for (name, table) in names.iter().zip(tables) {
        written.extend(write_table(dir, name, table, &options.formats)?);
    }
    written.push(write_bytes(dir, summary, json.as_bytes())?);
    if had_tables {
        let keep = written.iter().filter_map(|path| path.file_name()?.to_str().map(str::to_owned)).collect();
        let is_ours = |file: &str| {
            let is = |name: &&str| Format::ALL.iter().any(|format| file == format!("{name}.{format}"));
            names.iter().any(is)
        };
        dir.remove_stale(&keep, is_ours)?;
    }
    Ok(written)
}
