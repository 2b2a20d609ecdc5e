//! Owns what several events say of the engine together, once each has its own report.

use super::{CmdError, analyze::tables_of, console::Console, screen};
use crate::{
    cli::AnalyzeArgs,
    output::OutputDir,
    report::{frame::Selection, several, tables},
    tournament::{agreement::EventFinding, events::Events},
};

/// Writes the engine's strength by event into `folder`, and gives it back as the terminal shows
/// it; nothing where fewer than two events have a report.
pub fn report(
    findings: &[EventFinding],
    folder: &OutputDir,
    args: &AnalyzeArgs,
    console: &Console,
) -> Result<String, CmdError> {
    if findings.len() < 2 {
        return Ok(String::new());
    }
    let events = Events::of(findings);
    let method = args.method.method(&args.filter, args.bootstrap.bootstrap());
    several::write_events(folder, &events, &method, &tables_of(Selection::All, args))?;
    console.note(&format!("strength of the engine by event: see {}", folder.path().display()));
    Ok(tables::events(&events, &method, screen()))
}
