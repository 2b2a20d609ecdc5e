//! Owns what several events say of the engine together, once each has its own report.

use super::{CmdError, console::Console, reporting::tables_of, screen};
use crate::{
    app::{Observer, plan::Plan, players::PlayerSelection},
    output::OutputDir,
    report::{several, tables},
    tournament::{agreement::EventFinding, events::Events},
};

/// Writes the engine's strength by event into `folder`, and gives it back as the terminal shows
/// it; nothing where fewer than two events have a report.
pub fn report(
    findings: &[EventFinding],
    folder: &OutputDir,
    plan: &Plan,
    console: &Console,
) -> Result<String, CmdError> {
    if findings.len() < 2 {
        return Ok(String::new());
    }
    let events = Events::of(findings);
    several::write_events(
        folder,
        &events,
        &plan.method,
        &tables_of(PlayerSelection::All, &plan.report.tables),
    )?;
    console.note(&format!("strength of the engine by event: see {}", folder.path().display()));
    Ok(tables::events(&events, &plan.method, screen()))
}
