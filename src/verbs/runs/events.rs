//! Owns what several events say of the engine together, once each has its own report.

use std::path::PathBuf;

use super::Viewer;
use crate::chess::text::full_path;
use crate::files::{NoFacts, OutputFolder, RunClock, RunKind};
use crate::measure::{EventFinding, Events};
use crate::report::{publish::publish, several, tables};
use crate::verbs::{app::plan::Plan, args::TableArgs, error::VerbError};

/// Claims the folder above the reports of several events.
pub fn claim(path: PathBuf, tables: &TableArgs) -> Result<OutputFolder, VerbError> {
    let names = several::EVENTS.file_names(&tables.formats(), []);
    Ok(tables.claim(path, RunKind::Comparison, names)?)
}

/// Writes the engine's strength by event into `folder`, and gives it back as the terminal shows
/// it; nothing where fewer than two events have a report.
pub fn report(
    findings: &[EventFinding],
    folder: &OutputFolder,
    clock: &RunClock,
    plan: &Plan,
    viewer: &dyn Viewer,
) -> Result<String, VerbError> {
    if findings.len() < 2 {
        return Ok(String::new());
    }
    let events = Events::of(findings);
    let out = folder.publication()?;
    publish(&several::events(&events, &plan.method), &out, &plan.report.formats())?;
    super::say_removed(&out.finish(&clock.record(RunKind::Comparison, NoFacts::default()))?, viewer);
    viewer.note(&format!("strength of the engine by event: see {}", full_path(folder.path())));
    Ok(tables::events(&events, &plan.method, viewer.screen()))
}
