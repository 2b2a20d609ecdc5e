//! The reports of several runs together: the panel of several judges, and strength by event.

mod events;
mod plots;
pub mod tables;
pub mod words;

use serde::Serialize;

use self::tables::EventPanel;
use crate::measure::{Events, Method, PlayerSelection};
use crate::report::html::{provenance::making, provenance::method_facts};
use crate::report::kinds::Page;
use crate::report::publish::{Report, ReportFile, ReportKind};
use crate::report::rendered;
use crate::report::summary::object;
use crate::report::table::{Screen, Table, layout::Layout, layout::note};
use crate::report::words::names::name;

pub static PANEL: ReportKind = ReportKind {
    written_by: SEVERAL,
    files: &[ReportFile::Summary("engines-summary.json"), ReportFile::Page, ReportFile::Pictures(&["panel"])],
    tables: || files(&[], &Method::default(), &PlayerSelection::All),
};

pub static EVENTS: ReportKind = ReportKind {
    written_by: SEVERAL,
    files: &[ReportFile::Summary("events-summary.json")],
    tables: || vec![tables::event_file(&[], &Method::default())],
};

const SEVERAL: &str = "Several engines (`--engine` more than once) and several files (`--separately`)";

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineOfRun {
    /// The engine's name in tables: its `id name`, or the engine of a recording. A number is added if two
    /// engines have the same name.
    pub engine: String,
    /// The folder of the engine's reports, next to `engines-summary.json`.
    pub folder: String,
    pub failed: Option<String>,
}

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
    "verdict": events::verdict(events),
}

fn files(panels: &[EventPanel], method: &Method, players: &PlayerSelection) -> Vec<Table> {
    vec![
        tables::panel_file(panels, method, players),
        tables::engine_file(panels, method, players),
        tables::correlation_file(panels, method),
    ]
}

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
    let shown = [tables::summary(panel, run.method), tables::paper(panel, run.method)];
    Report {
        title: format!("{}: a panel of judges", name(run.title)),
        sentences: words::sentences(panel),
        notes: words::notes(panel, one.most_games, &one.left_panel),
        facts: making(facts, run.command),
        shown: shown.into_iter().flatten().collect(),
        drawings: PANEL.named([plots::draw(panel)]),
        page: Some(|report| rendered(&Page::Panel { report })),
        ..Report::default()
    }
}

pub fn panel_text(
    run: &PanelRun<'_>,
    one: &EventPanel,
    [summary, paper]: [bool; 2],
    screen: Screen,
) -> String {
    let panel = &one.panel.narrowed(|player| run.players.has(player));
    let notes = words::notes(panel, one.most_games, &one.left_panel);
    let said = [words::sentences(panel), notes].concat();
    let mut parts = vec![said.iter().map(|sentence| note(sentence, screen) + "\n").collect::<String>()];
    let mut add = |layouts: Vec<Layout>| parts.extend(layouts.iter().map(|layout| layout.shown(screen)));
    if summary {
        add(tables::summary(panel, run.method));
    }
    if paper {
        add(tables::paper(panel, run.method));
    }
    parts.join("\n")
}

pub fn events(events: &Events, method: &Method) -> Report {
    let tables = vec![tables::event_file(&events.events, method)];
    Report { tables, ..Report::default() }.with_summary(&EVENTS, &EventsSummary { events, method })
}
