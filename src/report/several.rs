//! The reports of several runs together: the panel of several judges, and strength by event.

use serde::Serialize;

use super::{
    html::name, html::provenance::making, html::provenance::method_facts, plots, publish::Page,
    publish::Report, publish::ReportFile, publish::ReportKind, summary::object, table::Screen, table::Table,
    table::layout::Layout, table::layout::note, tables, tables::several::EventPanel, words,
};
use crate::measure::{Events, Method, PlayerSelection};

pub static PANEL: ReportKind = ReportKind {
    written_by: SEVERAL,
    files: &[ReportFile::Summary("engines-summary.json"), ReportFile::Page, ReportFile::Pictures(&["panel"])],
    tables: || files(&[], &Method::default(), &PlayerSelection::All),
};

pub static EVENTS: ReportKind = ReportKind {
    written_by: SEVERAL,
    files: &[ReportFile::Summary("events-summary.json")],
    tables: || vec![tables::several::event_file(&[], &Method::default())],
};

const SEVERAL: &str = "Several engines (`--engine` more than once) and several files (`--separately`)";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineOfRun {
    /// The engine's name in tables: its `id name`, or the engine of a recording. A number is added if two
    /// engines have the same name.
    pub engine: String,
    /// The folder of the engine's reports, next to `engines-summary.json`.
    pub folder: String,
    /// The reason why the engine has no report; `None` if it has one.
    pub failed: Option<String>,
}

/// A panel, or one panel for each event, and the other contents of the report.
#[derive(Debug, Clone, PartialEq)]
pub struct PanelRun<'a> {
    pub title: &'a str,
    pub engines: &'a [EngineOfRun],
    pub panels: &'a [EventPanel],
    pub method: &'a Method,
    pub players: &'a PlayerSelection,
    pub command: &'a [String],
}

object! {
    struct PanelSummary<'a> { run: &'a PanelRun<'a> } =>
    "version": env!("CARGO_PKG_VERSION"),
    "method": run.method,
    "filters": run.method.filter.names(),
    "engines": run.engines,
    "comparisons": run.panels,
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

fn files(panels: &[EventPanel], method: &Method, players: &PlayerSelection) -> Vec<Table> {
    vec![
        tables::several::panel_file(panels, method, players),
        tables::several::engine_file(panels, method, players),
        tables::several::correlation_file(panels, method),
    ]
}

/// Returns the report of a panel, limited to the selected players. For panels of events, the report has only
/// files of tables and the summary.
pub fn panel(run: &PanelRun<'_>) -> Report {
    let tables = files(run.panels, run.method, run.players);
    let report = match run.panels {
        [one @ EventPanel { event: None, .. }] => shown(run, one),
        _ => Report::default(),
    };
    Report { tables, ..report }.with_summary(&PANEL, &PanelSummary { run })
}

fn shown(run: &PanelRun<'_>, one: &EventPanel) -> Report {
    let panel = &one.panel.narrowed(|player| run.players.has(player));
    let judges = (1..).zip(&panel.judges).map(|(n, judge)| (format!("Judge {n}"), name(&judge.name)));
    let facts = judges.chain(method_facts(run.method)).collect();
    let shown = [tables::several::summary(panel, run.method), tables::several::paper(panel, run.method)];
    Report {
        title: format!("{}: a panel of judges", name(run.title)),
        sentences: words::panel::sentences(panel),
        notes: words::panel::notes(panel, one.most_games, &one.left_panel),
        facts: making(facts, run.command),
        shown: shown.into_iter().flatten().collect(),
        drawings: PANEL.named([plots::panel::draw(panel)]),
        page: Some(|report| Page::Panel { report }),
        ..Report::default()
    }
}

/// Returns a panel for a terminal: its summary, Ferreira's three tables, or both.
pub fn panel_text(
    run: &PanelRun<'_>,
    one: &EventPanel,
    [summary, paper]: [bool; 2],
    screen: Screen,
) -> String {
    let panel = &one.panel.narrowed(|player| run.players.has(player));
    let notes = words::panel::notes(panel, one.most_games, &one.left_panel);
    let said = [words::panel::sentences(panel), notes].concat();
    let mut parts = vec![said.iter().map(|sentence| note(sentence, screen) + "\n").collect::<String>()];
    let mut add = |layouts: Vec<Layout>| parts.extend(layouts.iter().map(|layout| layout.shown(screen)));
    if summary {
        add(tables::several::summary(panel, run.method));
    }
    if paper {
        add(tables::several::paper(panel, run.method));
    }
    parts.join("\n")
}

pub fn events(events: &Events, method: &Method) -> Report {
    let tables = vec![tables::several::event_file(&events.events, method)];
    Report { tables, ..Report::default() }.with_summary(&EVENTS, &EventsSummary { events, method })
}
