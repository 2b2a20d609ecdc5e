//! Reports on several runs together: a panel of engines, and the strength of one engine by event.

pub mod tables;
pub mod words;

use serde::Serialize;

use self::tables::EventPanel;
use crate::base::text::counted;
use crate::measure::{Events, Method, Panel, PanelPlayer, PlayerSelection};
use crate::numbers::Estimate;
use crate::report::{
    html::provenance::making, html::provenance::method_facts, kinds::Page, plots::canvas::Drawing,
    plots::chart::Axis, plots::chart::Chart, plots::chart::Look, plots::chart::ends, plots::rows,
    plots::rows::SHOWN, plots::style::Ink, publish::Report, publish::ReportFile, publish::ReportKind,
    rendered, summary::object, table::Screen, table::Table, table::layout::Layout, table::layout::note,
    words::names::name,
};

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
    /// The engine's `id name`, or the name in a recording. If two engines share a name, a number is added.
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
    "verdict": words::verdict(events),
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
    let judges = (1..).zip(&panel.judges).map(|(n, judge)| (format!("Engine {n}"), name(&judge.name)));
    let facts = judges.chain(method_facts(run.method)).collect();
    let shown = [tables::summary(panel, run.method), tables::paper(panel, run.method)];
    Report {
        title: format!("{}: a panel of engines", name(run.title)),
        sentences: words::sentences(panel),
        notes: words::notes(panel, one.most_games, &one.left_panel),
        facts: making(facts, run.command),
        shown: shown.into_iter().flatten().collect(),
        drawings: PANEL.named([draw(panel)]),
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

/// Draws the first players in the panel's order; `None` if fewer than two players have a mean.
pub fn draw(panel: &Panel) -> Option<Drawing> {
    let placed = panel.players.iter().filter_map(|player| Some((player, player.panel_difference?)));
    let all: Vec<(&PanelPlayer, Estimate)> = placed.collect();
    let shown = &all[..all.len().min(SHOWN)];
    if shown.len() < 2 {
        return None;
    }
    let by_judge = || shown.iter().flat_map(|(player, _)| player.deviations.iter().flatten().copied());
    let judges = counted(panel.judges.len() as u64, "engine");
    let players = match shown.len() == all.len() {
        true => counted(all.len() as u64, "player"),
        false => format!("the first {} of {} players", shown.len(), all.len()),
    };
    let values = shown.iter().flat_map(|(_, mean)| ends(mean)).chain(by_judge());
    let chart = Chart {
        title: "How do the players rank by the panel?",
        subtitle: "Elo points above the field's mean, by the moves alone",
        caption: &format!("{judges}, {}, {players}", counted(panel.games as u64, "game")),
        x: Axis::with_room("", values, (4, 1.0), 0.0),
        legend: &[(Ink::Gain, "mean of the panel"), (Ink::Pale, "one engine")],
        notes: "Bars: 95 % intervals that hold for other games and other engines.",
        ..Chart::default()
    };
    let names = shown.iter().map(|(player, _)| player.name.as_str());
    Some(rows::draw(names, &chart, |plot, index, row| {
        let (player, mean) = &shown[index];
        plot.across(row, mean);
        let engines = player.deviations.iter().flatten().map(|&value| (value, row + 0.28, None));
        plot.dots(Look::of(Ink::Pale, 3), engines);
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::PlayerResult;

    /// Returns a panel with two values for each of the given number of players.
    fn panel(players: usize) -> Panel {
        let player = |number: usize| {
            let difference = Estimate { value: -3.0 * number as f64, observations: 9, interval: None };
            PanelPlayer {
                name: format!("Player {number}"),
                rank: Some(number + 1),
                panel_difference: Some(difference),
                performance: None,
                by_judge: vec![Some(PlayerResult::default()); 2],
                deviations: vec![Some(difference.value + 5.0), Some(difference.value - 5.0)],
            }
        };
        let players = (0..players).map(player).collect();
        Panel { judges: Vec::new(), games: 9, players, correlations: Vec::new(), reliability: None }
    }

    #[test]
    fn a_picture_has_as_many_names_as_stay_legible_and_says_how_many_more_there_are() {
        assert!(draw(&panel(1)).is_none());
        let texts = |players| {
            let drawing = draw(&panel(players)).expect("players");
            drawing.texts().iter().map(|(text, _)| text.clone()).collect::<Vec<_>>().join("\n")
        };
        assert!(texts(3).contains("Player 2") && texts(3).contains("3 players"));
        assert!(texts(40).contains("the first 20 of 40 players") && !texts(40).contains("Player 20"));
    }
}
