//! Owns the tables above several reports: engines side by side, strength by event.

use super::columns::{ELO_DIFFERENCE, EXPECTED_SCORE};
use crate::{
    app::players::PlayerSelection,
    report::{
        several::EventComparison,
        table::{
            EndColumns, Quantity, Screen, Table,
            layout::{Field, Layout},
        },
        words::{
            self,
            method::counted,
            numbers::{MISSING, NAME, bounded, listed, with_margin},
            tournament::UNBOUNDED,
        },
    },
    stats::estimate::Estimate,
    text::{cut, printable, rounded},
    tournament::{
        Measured, Method,
        agreement::{ComparedPlayer, Correlation, EngineComparison, PlayerFinding},
        events::{EventStrength, Events},
    },
};

/// Columns of a terminal that an engine's name may take above its numbers.
const ENGINE: usize = 20;

/// The engines' ranks, scores and differences of each player side by side, then their own
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
    let names = comparison.players.iter().map(|player| printable(&player.name)).collect();
    let mut fields = vec![Field::names("Player", names)];
    for (place, engine) in comparison.engines.iter().enumerate() {
        let each = |cell: fn(&PlayerFinding) -> Option<String>| {
            let of_player = |player: &ComparedPlayer| player.by_engine[place].as_ref().and_then(cell);
            let cells = comparison.players.iter().map(of_player);
            cells.map(|cell| cell.unwrap_or(MISSING.to_owned())).collect::<Vec<_>>()
        };
        let name = cut(&printable(&engine.name), ENGINE);
        fields.extend([
            Field::number("\nRank", each(|player| player.rank.map(|rank| rank.to_string()))),
            Field::number(
                format!("{name}\nexpected score"),
                each(|player| player.expected_score.map(|score| with_margin(Some(score.estimate()), 4))),
            ),
            Field::number(
                "Elo\ndifference",
                each(|player| player.elo_difference.map(|difference| bounded(difference, 1))),
            )
            .dropped(1),
        ]);
    }
    let players = comparison.players.iter().flat_map(|player| player.by_engine.iter().flatten());
    let unbounded =
        players.filter_map(|player| player.elo_difference).any(|difference| difference.bound.is_some());
    let notes = [Some(OWN.to_owned()), unbounded.then(|| UNBOUNDED.to_owned()), other_games(comparison)];
    let layout = Layout {
        title: "Engines side by side: each player's expected score by each engine's evaluations",
        columns: fields,
        notes: notes.into_iter().flatten().chain(counted(method)).collect(),
    };
    layout.shown(screen)
}

const OWN: &str = "Rows in the first engine's order. Each engine measures by its own evaluations alone, so that \
    orders can be compared, and levels cannot; margins are those of 95 % intervals, the game being the unit.";

/// What engines that failed on some games make of a comparison.
fn other_games(comparison: &EngineComparison) -> Option<String> {
    let first = comparison.engines.first()?;
    let differ = comparison.engines.iter().any(|engine| engine.games != first.games);
    let games = comparison.engines.iter().map(|engine| {
        format!(
            "{} {}",
            cut(&printable(&engine.name), NAME),
            crate::text::counted(engine.games as u64, "game")
        )
    });
    differ.then(|| listed("Not of the same games, since an engine failed on some: ", games, ", ")).flatten()
}

fn strengths(comparison: &EngineComparison, method: &Method, screen: Screen) -> String {
    let engines = &comparison.engines;
    let strengths: Vec<Option<Estimate>> = engines.iter().map(|engine| engine.strength).collect();
    let names = engines.iter().map(|engine| printable(&engine.name)).collect();
    let games = engines.iter().map(|engine| engine.games.to_string()).collect();
    let players = strengths.iter().map(|strength| players(*strength)).collect();
    let any_interval = strengths.iter().flatten().any(|strength| strength.interval.is_some());
    let mut fields = vec![
        Field::names("Engine", names),
        Field::number("Games", games).dropped(2),
        Field::number("Rated players", players).dropped(2),
    ];
    fields.extend(strength_fields(&strengths));
    let layout = Layout {
        title: "Strength of each engine, from its own report",
        columns: fields,
        notes: any_interval.then(|| SPREAD.to_owned()).into_iter().chain(counted(method)).collect(),
    };
    layout.shown(screen)
}

/// Value, margin and standard error of each strength.
fn strength_fields(strengths: &[Option<Estimate>]) -> [Field; 3] {
    let each = |cell: fn(Estimate) -> Option<String>| {
        let cells = strengths.iter().map(|strength| strength.and_then(cell).unwrap_or(MISSING.to_owned()));
        cells.collect::<Vec<_>>()
    };
    [
        Field::number("Engine strength", each(|strength| Some(rounded(strength.value, 1)))),
        Field::number(
            "95 %",
            each(|strength| Some(format!("± {}", rounded(strength.interval?.half_width(), 1)))),
        ),
        Field::number("Standard error", each(|strength| Some(rounded(strength.interval?.standard_error, 1))))
            .dropped(1),
    ]
}

/// How many players a strength is a mean over.
fn players(strength: Option<Estimate>) -> String {
    strength.map_or(0, |strength| strength.observations).to_string()
}

const SPREAD: &str = "Means with the margins of their 95 % intervals, from the spread of the players (Student's t). \
    Of the same games, so that the margins do not tell whether two engines differ.";

fn correlations(comparison: &EngineComparison, method: &Method, screen: Screen) -> String {
    let rows: Vec<_> = comparison.correlations.iter().map(|one| (None, comparison, one)).collect();
    let notes = std::iter::once(AGREEMENT.to_owned()).chain(counted(method)).collect();
    let title = "Agreement of the engines: rank correlations of the expected scores";
    correlation_table(&rows, false, method).layout(title, notes).shown(screen)
}

/// A pair of engines: the event that they are compared in, the comparison and what it finds of them.
pub(in crate::report) type CorrelationRow<'a> = (Option<&'a str>, &'a EngineComparison, &'a Correlation);

/// The file of pairs of engines, with a column of events where each engine has several reports.
pub fn correlation_file(comparisons: &[EventComparison], method: &Method) -> Table {
    let mut rows: Vec<CorrelationRow<'_>> = Vec::new();
    for one in comparisons {
        let found = one.comparison.correlations.iter();
        rows.extend(found.map(|found| (one.event.as_deref(), &one.comparison, found)));
    }
    correlation_table(&rows, has_events(comparisons), method)
}

/// One row a pair of engines.
pub(in crate::report) fn correlation_table(
    rows: &[CorrelationRow<'_>],
    events: bool,
    method: &Method,
) -> Table {
    let name = |&(_, comparison, found): &CorrelationRow<'_>, which: usize| {
        comparison.engines[found.engines[which]].name.clone()
    };
    let table = Table::of("engine-correlations", rows);
    let table = if events { table.text("event", EVENT, |row| row.0) } else { table };
    table
        .text("engine", "One engine.", |row| name(row, 0))
        .names("Engine")
        .text("other", "Another engine.", |row| name(row, 1))
        .names("Other engine")
        .count("players", "Players with an expected score by both.", |row| row.2.players)
        .shown("Players")
        .gives_way(1)
        .spearman(|row| row.2.spearman)
        .shown("Spearman")
        .kendall(|row| row.2.kendall)
        .shown("Kendall")
        .filter(method)
        .table()
}

const EVENT: &str = "The event; there where each engine has several reports.";

/// Whether each engine has several reports.
fn has_events(comparisons: &[EventComparison]) -> bool {
    comparisons.iter().any(|one| one.event.is_some())
}

/// What an engine finds of a player: the event, the engine and the finding.
pub(in crate::report) type FindingRow<'a> = (Option<&'a str>, &'a str, &'a PlayerFinding);

/// The file of engines side by side: engine by engine in each one's own order of expected scores.
pub fn engine_file(comparisons: &[EventComparison], method: &Method, selection: &PlayerSelection) -> Table {
    let mut rows: Vec<FindingRow<'_>> = Vec::new();
    for one in comparisons {
        for (place, engine) in one.comparison.engines.iter().enumerate() {
            let players = players_of(&one.comparison, place).into_iter();
            let players = players.filter(|player| selection.has(&player.name));
            rows.extend(players.map(|player| (one.event.as_deref(), engine.name.as_str(), player)));
        }
    }
    engine_table(&rows, has_events(comparisons), method)
}

/// The players whom the engine at `place` knows, in its order; those without a move last.
fn players_of(comparison: &EngineComparison, place: usize) -> Vec<&PlayerFinding> {
    let mut players: Vec<&PlayerFinding> =
        comparison.players.iter().filter_map(|player| player.by_engine[place].as_ref()).collect();
    players.sort_by_key(|player| player.rank.unwrap_or(usize::MAX));
    players
}

/// One row an engine and player.
pub(in crate::report) fn engine_table(rows: &[FindingRow<'_>], events: bool, method: &Method) -> Table {
    let ((score, score_means), (points, points_means)) = (EXPECTED_SCORE, ELO_DIFFERENCE);
    let table = Table::of("engines", rows);
    let table = if events { table.text("event", EVENT, |row| row.0) } else { table };
    table
        .text("engine", "The engine.", |row| row.1)
        .text("player", "The player.", |row| &row.2.name)
        .count("rank", "Place in the engine's order of expected scores; empty without a move.", |row| {
            row.2.rank
        })
        .estimate_in(score, Quantity::Score, EndColumns::Plain(Quantity::Measure), score_means, |row| {
            row.2.expected_score.map(Measured::estimate)
        })
        .number(points, Quantity::Elo, points_means, |row| row.2.elo_difference.map(|points| points.value))
        .number("engine_strength", Quantity::Elo, "Strength of the engine as seen from this player.", |row| {
            row.2.engine_strength.map(|strength| strength.value)
        })
        .filter(method)
        .table()
}

/// The file of events, one row each.
pub fn event_file(events: &[EventStrength], method: &Method) -> Table {
    Table::of("events", events)
        .text("event", "What its report is called.", |row| &row.event)
        .text("evaluations", "Engine and limit, where they are known and the same for all games.", |row| {
            row.judge.as_deref()
        })
        .count("players", "Rated players, over whom the strength is a mean.", |row| {
            row.strength.map_or(0, |strength| strength.observations)
        })
        .estimate_in(
            "engine_strength",
            Quantity::Elo,
            EndColumns::Plain(Quantity::Measure),
            "Mean over the rated players of Elo − difference.",
            |row| row.strength,
        )
        .number(
            "weight",
            Quantity::Share,
            "Share of the pooled strength; empty where the event has no part in it.",
            |row| row.weight,
        )
        .filter(method)
        .table()
}

const AGREEMENT: &str = "1 is the same order of the players, 0 no relation between the two orders, -1 the reverse \
    order; Kendall's is the share of pairs of players in the same order, less that in the other.";

/// The engine's strength by event, and pooled.
pub fn events(events: &Events, method: &Method, screen: Screen) -> String {
    let rows = &events.events;
    let pooled = events.pooled.as_ref().ok();
    let column = |cell: fn(&EventStrength) -> String, last: &str| {
        rows.iter().map(cell).chain(pooled.map(|_| last.to_owned())).collect::<Vec<_>>()
    };
    let weight = |row: &EventStrength| {
        row.weight.map_or(MISSING.to_owned(), |weight| format!("{} %", rounded(100.0 * weight, 1)))
    };
    let mut fields = vec![
        Field::names("Event", column(|row| printable(&row.event), "Pooled")),
        Field::number("Rated players", column(|row| players(row.strength), "")).dropped(2),
    ];
    let last = pooled.map(|pooled| Some(pooled.estimate));
    fields.extend(strength_fields(&rows.iter().map(|row| row.strength).chain(last).collect::<Vec<_>>()));
    fields.push(Field::number("Weight", column(weight, "")).dropped(1));
    let layout = Layout {
        title: "Strength of the engine by event",
        columns: fields,
        notes: words::events::verdict(events).into_iter().chain(counted(method)).collect(),
    };
    layout.shown(screen)
}
