//! The tables on several runs: the engines of a panel in columns, and the engine's strength by event.

use serde::Serialize;

use super::words::LeftPanel;
use crate::base::text::{cut, printable, rounded};
use crate::measure::{
    Correlation, Decimals, EventStrength, Events, Method, Panel, PanelPlayer, PlayerResult, PlayerSelection,
    Quantity, Unit,
};
use crate::numbers::Estimate;

use crate::report::table::{ColumnPart, EndColumns, NumberCell, Rows, Screen, Table, head, layout::Layout};
use crate::report::words::{method::counted, numbers::MISSING, numbers::number, tournament::UNBOUNDED};

const JUDGE: usize = 40;

pub(in crate::report) fn summary(panel: &Panel, method: &Method) -> Vec<Layout> {
    vec![means(panel, method), judges(panel), agreement(panel)]
}

pub(in crate::report) fn paper(panel: &Panel, method: &Method) -> Vec<Layout> {
    let is_rated = panel.judges.iter().any(|judge| judge.strength.is_some());
    let rated = || [strengths(panel, method), performances(panel, method)];
    std::iter::once(expected_scores(panel, method))
        .chain(is_rated.then(rated).into_iter().flatten())
        .collect()
}

fn player_rows(panel: &Panel) -> Rows<'_, PanelPlayer> {
    Table::shown(&panel.players)
        .display(head("").gives_way(5), |player| player.rank)
        .display(ColumnPart::Names.under("Player"), |player| &player.name)
}

fn by_judge<'a, R, T: NumberCell>(
    table: Rows<'a, R>,
    judges: usize,
    quantity: impl Into<Quantity> + Copy,
    decimals: usize,
    of: impl Fn(&'a R, usize) -> T,
) -> Rows<'a, R> {
    (0..judges).fold(table, |table, judge| {
        let above = if judge == 0 { "Engine" } else { "" };
        let heading = ColumnPart::Value.under(format!("{above}\n{}", judge + 1)).decimals(decimals);
        table.display_number(heading, quantity, |row| of(row, judge))
    })
}

fn found(player: &PanelPlayer, judge: usize) -> Option<&PlayerResult> {
    player.by_judge[judge].as_ref()
}

fn means(panel: &Panel, method: &Method) -> Layout {
    let table = player_rows(panel)
        .display_number(head("Elo").gives_way(3), Quantity::RATING, PanelPlayer::elo)
        .display_text(head("Points").gives_way(4), |player| {
            player.known().map_or(String::new(), |known| known.results.to_string())
        })
        .display_number(ColumnPart::Margin.under("Panel").decimals(0), Unit::Elo, |player| {
            player.panel_difference
        });
    let table = by_judge(table, panel.judges.len(), Unit::Elo, 0, |player, judge| player.deviations[judge]);
    let notes = std::iter::once(MEANS.to_owned()).chain(unbounded(panel)).chain(counted(method));
    table.layout("The panel: Elo points above the field's mean, by the moves alone", notes.collect())
}

const MEANS: &str = "An engine's expected scores are converted to Elo differences. The field's mean by the same engine is \
    subtracted, because each engine has its own scale. Panel: the mean of the engines. Margins: 95 % intervals for other \
    games and other engines.";

fn unbounded(panel: &Panel) -> Option<String> {
    let players = panel.players.iter().flat_map(|player| player.by_judge.iter().flatten());
    let mut differences = players.filter_map(|player| player.elo_difference);
    differences.any(|difference| difference.bound.is_some()).then(|| UNBOUNDED.to_owned())
}

fn judges(panel: &Panel) -> Layout {
    let judges: Vec<_> = (1usize..).zip(&panel.judges).collect();
    let table = Table::shown(&judges)
        .display("", |row| row.0)
        .display(ColumnPart::Words.under("Engine"), |row| cut(&printable(&row.1.name), JUDGE))
        .display_number(head("Moves of\ngain 0, %").decimals(1), Unit::Percent, |row| {
            row.1.zero_share.map(|share| 100.0 * share)
        });
    let table = strength_columns(table, |row| row.1.strength);
    let notes = table.has_intervals().then(|| SPREAD.to_owned()).into_iter().collect();
    table.layout("The engines, and their strength on the players' rating scale", notes)
}

const SPREAD: &str = "Each strength is a mean over the rated players; the 95 % margin is computed from their spread \
    (Student's t). All engines saw the same games, so the margins do not show whether two engines differ.";

fn agreement(panel: &Panel) -> Layout {
    let judges: Vec<_> = panel.judges.iter().enumerate().collect();
    let cell = |row: usize, column: usize| {
        let coefficient = match row < column {
            true => panel.correlation([row, column]).map(|found| found.pearson),
            false => panel.correlation([column, row]).map(|found| found.spearman),
        };
        coefficient.map_or(String::new(), |coefficient| number(coefficient, 2))
    };
    let table = Table::shown(&judges)
        .display("", |row| row.0 + 1)
        .display(ColumnPart::Words.under("Engine"), |row| cut(&printable(&row.1.name), JUDGE));
    let table = (0..judges.len())
        .fold(table, |table, column| table.display_text((column + 1).to_string(), |row| cell(row.0, column)));
    let notes =
        [Some(AGREEMENT.to_owned()), super::words::reliability(panel)].into_iter().flatten().collect();
    table.layout("Agreement of the engines on the players' expected scores", notes)
}

const AGREEMENT: &str = "Above the diagonal: Pearson's correlation. Below it: Spearman's rank correlation. 1 means full agreement, 0 \
    none, and -1 opposite orders.";

fn expected_scores(panel: &Panel, method: &Method) -> Layout {
    let table = by_judge(player_rows(panel), panel.judges.len(), Unit::Score, 6, |player, judge| {
        found(player, judge).and_then(|found| found.expected_score)
    });
    let notes = std::iter::once(OWN.to_owned()).chain(counted(method)).collect();
    table.layout("Table 5. Expected score of each player, by engine", notes)
}

const OWN: &str = "Each engine scores by its own evaluations. Compare players within a column; the levels of two columns are not \
    comparable.";

/// Returns Table 6: the strength of each engine, by each rated player. The last row has the means.
fn strengths(panel: &Panel, method: &Method) -> Layout {
    let rows: Vec<_> =
        panel.players.iter().filter(|player| player.elo().is_some()).map(Some).chain([None]).collect();
    let table = Table::shown(&rows)
        .display(ColumnPart::Names.under("Player"), |row| row.map_or("Mean", |player| player.name.as_str()))
        .display_number(head("Elo").gives_way(1), Quantity::RATING, |row| row.and_then(PanelPlayer::elo));
    let table = by_judge(table, panel.judges.len(), Unit::Elo, 1, |row, judge| match row {
        Some(player) => found(player, judge).and_then(|found| found.engine_strength).map(|found| found.value),
        None => panel.judges[judge].strength.map(|strength| strength.value),
    });
    let title =
        "Table 6. Strength of each engine on these players' rating scale: Elo minus the Elo difference";
    table.layout(title, counted(method))
}

fn performances(panel: &Panel, method: &Method) -> Layout {
    let table = player_rows(panel).display_number(
        ColumnPart::Margin.under("Panel").decimals(1),
        Unit::Elo,
        |player| player.performance,
    );
    let table = by_judge(table, panel.judges.len(), Unit::Elo, 1, |player, judge| {
        found(player, judge).and_then(|found| found.performance).map(|found| found.value)
    });
    let notes = std::iter::once(PERFORMANCE.to_owned()).chain(counted(method)).collect();
    table.layout("Table 7. Performance of each player, by the panel and by engine", notes)
}

const PERFORMANCE: &str = "The panel's performance is the mean of the engines' performances. The margin is the margin \
    of the player's difference from the field's mean.";

fn strength_columns<'a, R>(table: Rows<'a, R>, of: impl Fn(&'a R) -> Option<Estimate>) -> Rows<'a, R> {
    table
        .display_number(ColumnPart::Value.under("Engine strength"), Unit::Elo, of)
        .heading(ColumnPart::PlusMinus.under("95 %"))
        .heading(ColumnPart::Error.under("Standard error").gives_way(1))
}

fn players(strength: Option<Estimate>) -> usize {
    strength.map_or(0, |strength| strength.observations)
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventPanel {
    /// Name of the event; `None` if each engine has only one report.
    pub event: Option<String>,
    #[serde(flatten)]
    pub panel: Panel,
    #[serde(skip)]
    pub most_games: usize,
    pub left_panel: Vec<LeftPanel>,
}

pub fn correlation_file(panels: &[EventPanel], method: &Method) -> Table {
    let of_event = |one: &'_ EventPanel| -> Vec<(Option<String>, Correlation)> {
        one.panel.correlations.iter().map(|found| (one.event.clone(), found.clone())).collect()
    };
    let rows: Vec<_> = panels.iter().flat_map(of_event).collect();
    Table::of("engine-correlations", "One row per pair of engines.", &rows)
        .when(has_events(panels), |table| table.column("event", EVENT, |row| row.0.as_deref()))
        .column("engine", "One engine.", |row| &row.1.judges[0])
        .column("other", "Another engine.", |row| &row.1.judges[1])
        .column("players", "Number of players with an expected score by both engines.", |row| row.1.players)
        .number("pearson", Unit::Correlation, "", |row| row.1.pearson)
        .means("Pearson's correlation of the expected scores; empty if there is none.")
        .spearman(|row| row.1.spearman)
        .kendall(|row| row.1.kendall)
        .filter(method)
        .table()
}

const EVENT: &str = "The event; written if each engine has several reports.";

/// Returns true if the tables have the column `event`. Without `panels`, they have it for the documentation.
fn has_events(panels: &[EventPanel]) -> bool {
    panels.is_empty() || panels.iter().any(|one| one.event.is_some())
}

pub fn engine_file(panels: &[EventPanel], method: &Method, selection: &PlayerSelection) -> Table {
    let mut rows: Vec<(Option<&str>, &str, &PlayerResult, Option<f64>)> = Vec::new();
    for EventPanel { event, panel, .. } in panels {
        for (place, judge) in panel.judges.iter().enumerate() {
            let shown = panel.players.iter().filter(|player| selection.has(&player.name));
            let found = shown.filter_map(|player| Some((found(player, place)?, player.deviations[place])));
            let mut players: Vec<(&PlayerResult, Option<f64>)> = found.collect();
            players.sort_by_key(|(player, _)| player.rank.unwrap_or(usize::MAX));
            let row = |(player, deviation)| (event.as_deref(), judge.name.as_str(), player, deviation);
            rows.extend(players.into_iter().map(row));
        }
    }
    let row = "One row per engine and player, engine by engine, in the engine's order of expected scores.";
    Table::of("engines", row, &rows)
        .when(has_events(panels), |table| table.column("event", EVENT, |row| row.0))
        .column("engine", "", |row| row.1)
        .means("Name of the engine; for a recording, also its search limit and search order.")
        .column("player", "The player.", |row| &row.2.name)
        .column("rank", "", |row| row.2.rank)
        .means("Rank by this engine's expected scores; empty for a player without a move.")
        .moves_by_sign(|row| row.2.histogram.signs())
        .expected_score(EndColumns::Plain(Decimals::Of(4, 2)), |row| row.2.expected_score)
        .elo_difference(EndColumns::Value, |row| row.2.elo_difference)
        .number("above_field", Unit::Elo, "", |row| row.3)
        .means(
            "`elo_difference` minus the field's mean by this engine; empty for a player without a move \
             evaluated by every engine.",
        )
        .number(
            "engine_strength",
            Unit::Elo,
            "Strength of the engine as seen from this player: the player's Elo − `elo_difference`.",
            |row| row.2.engine_strength.map(|strength| strength.value),
        )
        .number("performance", Unit::Elo, "", |row| row.2.performance.map(|performance| performance.value))
        .means("Mean strength of the engine plus the player's `elo_difference`.")
        .filter(method)
        .table()
}

pub fn panel_file(panels: &[EventPanel], method: &Method, selection: &PlayerSelection) -> Table {
    let of_event = |one: &'_ EventPanel| -> Vec<(Option<String>, PanelPlayer)> {
        let shown = one.panel.players.iter().filter(|player| selection.has(&player.name));
        shown.map(|player| (one.event.clone(), player.clone())).collect()
    };
    let rows: Vec<_> = panels.iter().flat_map(of_event).collect();
    Table::of("panel", "One row per player, in the panel's order.", &rows)
        .when(has_events(panels), |table| table.column("event", EVENT, |row| row.0.as_deref()))
        .column("rank", "", |row| row.1.rank)
        .means("Rank by the panel; empty for a player without a move evaluated by every engine.")
        .column("player", "The player.", |row| &row.1.name)
        .number("elo", Quantity::RATING, "The player's rating; empty if unknown.", |row| row.1.elo())
        .number("panel_difference", Unit::Elo, "", |row| row.1.panel_difference)
        .means(
            "Elo points above the field's mean, averaged over the engines. The interval is for other games \
             and other engines.",
        )
        .number_in("panel_performance", Unit::Elo, EndColumns::WithoutError, "", |row| row.1.performance)
        .means("Performance, averaged over the engines.")
        .filter(method)
        .table()
}

pub fn event_file(events: &[EventStrength], method: &Method) -> Table {
    Table::of("events", "One row per event.", events)
        .column("event", "The event, by the name of its report.", |row| &row.event)
        .column("evaluations", "", |row| row.judge.as_deref())
        .means("Engine, search limit and search order; empty if unknown or different between games.")
        .column("players", "", |row| players(row.strength))
        .means("Number of rated players, over whom the mean is taken.")
        .number_in(
            "engine_strength",
            Unit::Elo,
            EndColumns::Plain(Decimals::Of(4, 2)),
            "Strength of the engine: mean of Elo − Elo difference over the rated players.",
            |row| row.strength,
        )
        .number("weight", Unit::Share, "", |row| row.weight)
        .means("Weight of the event in the pooled strength; empty if the event is left out.")
        .filter(method)
        .table()
}

pub fn events(events: &Events, method: &Method, screen: Screen) -> String {
    let pooled = events.pooled.as_ref().ok().map(|pooled| pooled.estimate);
    // The last row is the pooled strength.
    let rows: Vec<Option<&EventStrength>> =
        events.events.iter().map(Some).chain(pooled.map(|_| None)).collect();
    let weight = |row: &EventStrength| {
        row.weight.map_or(MISSING.to_owned(), |weight| format!("{} %", rounded(100.0 * weight, 1)))
    };
    let table = Table::shown(&rows)
        .display(ColumnPart::Names.under("Event"), |row| row.map_or("Pooled", |row| row.event.as_str()))
        .display_text(head("Rated players").gives_way(2), |row| {
            row.map_or(String::new(), |row| players(row.strength).to_string())
        });
    let table = strength_columns(table, |row| row.map_or(pooled, |row| row.strength))
        .display_text(head("Weight").gives_way(1), |row| row.map_or(String::new(), weight));
    let notes = super::words::verdict(events).into_iter().chain(counted(method)).collect();
    table.layout("Strength of the engine by event", notes).shown(screen)
}
