//! Owns the tables above several reports: engines side by side, strength by event.

use serde::Serialize;

use crate::chess::text::{cut, printable, rounded};
use crate::measure::{
    ComparedPlayer, Correlation, Decimals, EngineComparison, EventStrength, Events, Method, PlayerFinding,
    PlayerSelection, Unit,
};
use crate::numbers::Estimate;
use crate::report::table::{ColumnPart, EndColumns, Rows, Screen, Table, head};
use crate::report::words::numbers::{MISSING, NAME, listed};
use crate::report::{words, words::method::counted, words::tournament::UNBOUNDED};

/// Columns of a terminal that an engine's name may take above its numbers.
const ENGINE: usize = 20;

/// Returns the engines' ranks, scores and differences of each player side by side, then their own
/// strengths and how far they agree.
pub fn engines(comparison: &EngineComparison, method: &Method, screen: Screen) -> String {
    [
        side_by_side(comparison, method, screen),
        strengths(comparison, method, screen),
        correlations(comparison, method, screen),
    ]
    .join("\n")
}

fn side_by_side(comparison: &EngineComparison, method: &Method, screen: Screen) -> String {
    let mut table =
        Table::shown(&comparison.players).beside(ColumnPart::Names.under("Player"), |player| &player.name);
    for (place, engine) in comparison.engines.iter().enumerate() {
        let found = |player: &ComparedPlayer| player.by_engine[place].clone();
        table = table
            .beside("\nRank", |player| found(player).and_then(|found| found.rank))
            .number_beside(
                format!("{}\nexpected score", cut(&printable(&engine.name), ENGINE)),
                Unit::Score,
                |player| found(player).and_then(|found| found.expected_score),
            )
            .number_beside(ColumnPart::Value.under("Elo\ndifference").gives_way(1), Unit::Elo, |player| {
                found(player).and_then(|found| found.elo_difference)
            });
    }
    let players = comparison.players.iter().flat_map(|player| player.by_engine.iter().flatten());
    let unbounded =
        players.filter_map(|player| player.elo_difference).any(|difference| difference.bound.is_some());
    let notes = [Some(OWN.to_owned()), unbounded.then(|| UNBOUNDED.to_owned()), other_games(comparison)];
    let notes = notes.into_iter().flatten().chain(counted(method)).collect();
    let title = "Engines side by side: each player's expected score by each engine's evaluations";
    table.layout(title, notes).shown(screen)
}

const OWN: &str = "Rows are in the first engine's order. Each engine measures by its own evaluations alone: orders can \
    be compared, levels cannot. Margins are of 95 % intervals, with the game as the unit.";

/// Says what engines that failed on some games make of a comparison.
fn other_games(comparison: &EngineComparison) -> Option<String> {
    let first = comparison.engines.first()?;
    let differ = comparison.engines.iter().any(|engine| engine.games != first.games);
    let games = comparison.engines.iter().map(|engine| {
        format!(
            "{} {}",
            cut(&printable(&engine.name), NAME),
            crate::chess::text::counted(engine.games as u64, "game")
        )
    });
    differ.then(|| listed("The engines did not finish the same games: ", games, ", ")).flatten()
}

fn strengths(comparison: &EngineComparison, method: &Method, screen: Screen) -> String {
    let engines = &comparison.engines;
    let table = Table::shown(engines)
        .beside(ColumnPart::Names.under("Engine"), |engine| &engine.name)
        .beside(head("Games").gives_way(2), |engine| engine.games)
        .beside(head("Rated players").gives_way(2), |engine| players(engine.strength));
    let table = strength_columns(table, |engine| engine.strength);
    let any_interval = table.has_intervals();
    let notes = any_interval.then(|| SPREAD.to_owned()).into_iter().chain(counted(method)).collect();
    table.layout("Strength of each engine, from its own report", notes).shown(screen)
}

fn strength_columns<'a, R>(table: Rows<'a, R>, of: impl Fn(&'a R) -> Option<Estimate>) -> Rows<'a, R> {
    table
        .number_beside(ColumnPart::Value.under("Engine strength"), Unit::Elo, of)
        .heading(ColumnPart::PlusMinus.under("95 %"))
        .heading(ColumnPart::Error.under("Standard error").gives_way(1))
}

fn players(strength: Option<Estimate>) -> usize {
    strength.map_or(0, |strength| strength.observations)
}

const SPREAD: &str = "Means with the margins of their 95 % intervals, from the spread of the players (Student's t). \
    They are of the same games, so the margins do not show whether two engines differ.";

fn correlations(comparison: &EngineComparison, method: &Method, screen: Screen) -> String {
    let rows: Vec<_> = comparison.correlations.iter().map(|one| (None, one)).collect();
    let notes = std::iter::once(AGREEMENT.to_owned()).chain(counted(method)).collect();
    let title = "Agreement of the engines: rank correlations of the expected scores";
    correlation_table(&rows, false, method).layout(title, notes).shown(screen)
}

/// The engines side by side on the games of one event.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EventComparison {
    /// The event's report; `None` where there is one report an engine.
    pub event: Option<String>,
    #[serde(flatten)]
    pub comparison: EngineComparison,
}

pub fn correlation_file(comparisons: &[EventComparison], method: &Method) -> Table {
    let mut rows = Vec::new();
    for EventComparison { event, comparison } in comparisons {
        rows.extend(comparison.correlations.iter().map(|found| (event.as_deref(), found)));
    }
    correlation_table(&rows, has_events(comparisons), method)
}

fn correlation_table(rows: &[(Option<&str>, &Correlation)], events: bool, method: &Method) -> Table {
    Table::of("engine-correlations", "One row a pair of engines.", rows)
        .when(events, |table| table.column("event", EVENT, |row| row.0))
        .column("engine", "One engine.", |row| &row.1.engines[0])
        .heading(ColumnPart::Names.under("Engine"))
        .column("other", "Another engine.", |row| &row.1.engines[1])
        .heading(ColumnPart::Names.under("Other engine"))
        .column("players", "Players with an expected score by both.", |row| row.1.players)
        .heading(head("Players").gives_way(1))
        .spearman(|row| row.1.spearman)
        .heading("Spearman")
        .kendall(|row| row.1.kendall)
        .heading("Kendall")
        .filter(method)
        .table()
}

const EVENT: &str = "The event; there where each engine has several reports.";

/// Returns whether each engine has several reports; the documentation, which has no comparison, tells of the column.
fn has_events(comparisons: &[EventComparison]) -> bool {
    comparisons.is_empty() || comparisons.iter().any(|one| one.event.is_some())
}

/// Returns the file of engines side by side: the players of each engine in its order, those without a move last.
pub fn engine_file(comparisons: &[EventComparison], method: &Method, selection: &PlayerSelection) -> Table {
    let mut rows: Vec<(Option<&str>, &str, &PlayerFinding)> = Vec::new();
    for EventComparison { event, comparison } in comparisons {
        for (place, engine) in comparison.engines.iter().enumerate() {
            let found = comparison.players.iter().filter_map(|player| player.by_engine[place].as_ref());
            let mut players: Vec<&PlayerFinding> =
                found.filter(|player| selection.has(&player.name)).collect();
            players.sort_by_key(|player| player.rank.unwrap_or(usize::MAX));
            rows.extend(players.iter().map(|&player| (event.as_deref(), engine.name.as_str(), player)));
        }
    }
    let row = "One row an engine and player, engine by engine in each one's own order of expected scores.";
    Table::of("engines", row, &rows)
        .when(has_events(comparisons), |table| table.column("event", EVENT, |row| row.0))
        .column("engine", "The engine.", |row| row.1)
        .column("player", "The player.", |row| &row.2.name)
        .column("rank", "Place in the engine's order of expected scores", |row| row.2.rank)
        .more("; empty without a move.")
        .expected_score(EndColumns::Plain(Decimals::Of(4, 2)), |row| row.2.expected_score)
        .elo_difference(EndColumns::Value, |row| row.2.elo_difference)
        .number("engine_strength", Unit::Elo, "Strength of the engine as seen from this player.", |row| {
            row.2.engine_strength.map(|strength| strength.value)
        })
        .filter(method)
        .table()
}

pub fn event_file(events: &[EventStrength], method: &Method) -> Table {
    Table::of("events", "One row an event.", events)
        .column("event", "What its report is called.", |row| &row.event)
        .column("evaluations", "Engine, limit and order of search", |row| row.judge.as_deref())
        .more(", where they are known and the same for all games.")
        .column("players", "Rated players, over whom the strength is a mean.", |row| players(row.strength))
        .number_in(
            "engine_strength",
            Unit::Elo,
            EndColumns::Plain(Decimals::Of(4, 2)),
            "Mean over the rated players of Elo − difference.",
            |row| row.strength,
        )
        .number("weight", Unit::Share, "Share of the pooled strength", |row| row.weight)
        .more("; empty where the event has no part in it.")
        .filter(method)
        .table()
}

const AGREEMENT: &str = "1 means the same order of players, 0 unrelated orders, -1 the reverse order. Kendall's is the \
    share of pairs of players in the same order minus the share in the reverse order.";

pub fn events(events: &Events, method: &Method, screen: Screen) -> String {
    let pooled = events.pooled.as_ref().ok().map(|pooled| pooled.estimate);
    // The last row is that of the events pooled.
    let rows: Vec<Option<&EventStrength>> =
        events.events.iter().map(Some).chain(pooled.map(|_| None)).collect();
    let weight = |row: &EventStrength| {
        row.weight.map_or(MISSING.to_owned(), |weight| format!("{} %", rounded(100.0 * weight, 1)))
    };
    let table = Table::shown(&rows)
        .beside(ColumnPart::Names.under("Event"), |row| row.map_or("Pooled", |row| row.event.as_str()))
        .said_beside(head("Rated players").gives_way(2), |row| {
            row.map_or(String::new(), |row| players(row.strength).to_string())
        });
    let table = strength_columns(table, |row| row.map_or(pooled, |row| row.strength))
        .said_beside(head("Weight").gives_way(1), |row| row.map_or(String::new(), weight));
    let notes = words::events::verdict(events).into_iter().chain(counted(method)).collect();
    table.layout("Strength of the engine by event", notes).shown(screen)
}
