//! Owns the comparisons of engines and of events as data frames.

use polars::prelude::{Column, DataFrame, PolarsResult};

use super::EventComparison;
use crate::{
    report::frame::{Selection, estimated, filter},
    tournament::{
        Measured, Method,
        agreement::{Correlation, EngineComparison, PlayerFinding},
        events::{EventStrength, Events},
    },
};

/// One row an engine and player, engine by engine in each one's own order of expected scores:
/// `engine, player, rank, expected_score, se, low, high, elo_difference, engine_strength, filter`,
/// with `event` before them where each engine has several reports.
///
/// The interval is that of the expected score by cluster; `engine_strength` is as seen from the
/// player, as in the table of players; what is unknown is null.
pub fn engines(
    comparisons: &[EventComparison],
    method: &Method,
    selection: &Selection,
) -> PolarsResult<DataFrame> {
    let rows: Vec<(Option<&str>, &str, &PlayerFinding)> = comparisons
        .iter()
        .flat_map(|one| {
            let engines = one.comparison.engines.iter().enumerate();
            engines.flat_map(|(place, engine)| {
                let players = players_of(&one.comparison, place);
                players.into_iter().map(|player| (one.event.as_deref(), engine.name.as_str(), player))
            })
        })
        .filter(|(_, _, player)| selection.has(&player.name))
        .collect();
    let text = |name: &str, cells: Vec<&str>| Column::new(name.into(), cells);
    let float = |name: &str, value: fn(&PlayerFinding) -> Option<f64>| {
        Column::new(name.into(), rows.iter().map(|row| value(row.2)).collect::<Vec<_>>())
    };
    let ranks: Vec<Option<u64>> = rows.iter().map(|row| row.2.rank.map(|rank| rank as u64)).collect();
    let scores: Vec<_> = rows.iter().map(|row| row.2.expected_score.map(Measured::estimate)).collect();
    let mut columns: Vec<Column> =
        event_column(rows.iter().map(|row| row.0).collect(), comparisons).into_iter().collect();
    columns.extend([
        text("engine", rows.iter().map(|row| row.1).collect()),
        text("player", rows.iter().map(|row| row.2.name.as_str()).collect()),
        Column::new("rank".into(), ranks),
    ]);
    columns.extend(estimated("expected_score", "", &scores));
    columns.extend([
        float("elo_difference", |player| player.elo_difference.map(|difference| difference.value)),
        float("engine_strength", |player| Some(player.engine_strength?.value)),
        filter(rows.len(), method),
    ]);
    DataFrame::new_infer_height(columns)
}

/// The players whom the engine at `place` knows, in its order; those without a move last.
fn players_of(comparison: &EngineComparison, place: usize) -> Vec<&PlayerFinding> {
    let mut players: Vec<&PlayerFinding> =
        comparison.players.iter().filter_map(|player| player.by_engine[place].as_ref()).collect();
    players.sort_by_key(|player| player.rank.unwrap_or(usize::MAX));
    players
}

/// The column of events, where each engine has several reports.
fn event_column(cells: Vec<Option<&str>>, comparisons: &[EventComparison]) -> Option<Column> {
    comparisons.iter().any(|one| one.event.is_some()).then(|| Column::new("event".into(), cells))
}

/// One row a pair of engines: `engine, other, players, spearman, kendall, filter`, with `event`
/// before them where each engine has several reports. Null where too few players or equal scores
/// leave no correlation.
pub fn correlations(comparisons: &[EventComparison], method: &Method) -> PolarsResult<DataFrame> {
    let rows: Vec<(&EventComparison, &Correlation)> = comparisons
        .iter()
        .flat_map(|one| one.comparison.correlations.iter().map(move |correlation| (one, correlation)))
        .collect();
    let engine = |name: &str, which: usize| {
        let cells = rows
            .iter()
            .map(|(one, correlation)| one.comparison.engines[correlation.engines[which]].name.as_str());
        Column::new(name.into(), cells.collect::<Vec<_>>())
    };
    let float = |name: &str, value: fn(&Correlation) -> Option<f64>| {
        Column::new(name.into(), rows.iter().map(|row| value(row.1)).collect::<Vec<_>>())
    };
    let players: Vec<u64> = rows.iter().map(|row| row.1.players as u64).collect();
    let events = rows.iter().map(|row| row.0.event.as_deref()).collect();
    let mut columns: Vec<Column> = event_column(events, comparisons).into_iter().collect();
    columns.extend([
        engine("engine", 0),
        engine("other", 1),
        Column::new("players".into(), players),
        float("spearman", |correlation| correlation.spearman),
        float("kendall", |correlation| correlation.kendall),
        filter(rows.len(), method),
    ]);
    DataFrame::new_infer_height(columns)
}

/// One row an event: `event, evaluations, players, engine_strength, se, low, high, weight,
/// filter`.
///
/// `evaluations` names engine and limit where they are known and the same for all games; `players`
/// counts those rated, over whom the strength is a mean; `weight` is the share of the pooled
/// strength and null where an event has no part in it.
pub fn events(events: &Events, method: &Method) -> PolarsResult<DataFrame> {
    let rows = &events.events;
    let text = |name: &str, value: fn(&EventStrength) -> Option<&str>| {
        Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
    };
    let strengths: Vec<_> = rows.iter().map(|row| row.strength).collect();
    let players: Vec<u64> = strengths
        .iter()
        .map(|strength| strength.map_or(0, |strength| strength.observations as u64))
        .collect();
    let mut columns = vec![
        text("event", |row| Some(&row.event)),
        text("evaluations", |row| row.judge.as_deref()),
        Column::new("players".into(), players),
    ];
    columns.extend(estimated("engine_strength", "", &strengths));
    columns.extend([
        Column::new("weight".into(), rows.iter().map(|row| row.weight).collect::<Vec<_>>()),
        filter(rows.len(), method),
    ]);
    DataFrame::new_infer_height(columns)
}
