//! Owns the tables of an archive as data frames.

use polars::prelude::{Column, DataFrame, PolarsResult};

use crate::{
    archive::{ClockRow, CountKey, GroupRow, Survey},
    report::frame::estimated,
    stats::estimate::Estimate,
};

/// One row a group, in the order of the table: `by, group, games, moves, elo, points_share, positive, zero,
/// negative, mean_gain, centipawn_loss`, then `expected_score`, `elo_difference` and `score_kept`, each
/// with `…_se, …_low, …_high`, then `engine_strength, performance, filter`.
///
/// `group` is the lower end of a band of Elo points; `points_share` is a share from 0 to 1 of the games with a
/// known result; `positive`, `zero` and `negative` count moves; `mean_gain` is in the metric's unit;
/// ratings and differences are in Elo points; what is unknown is null.
pub fn groups(survey: &Survey, identity: &CountKey) -> PolarsResult<DataFrame> {
    let rows = &survey.groups;
    let float = |name: &str, value: fn(&GroupRow) -> Option<f64>| {
        Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
    };
    let count = |name: &str, value: fn(&GroupRow) -> u64| {
        Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
    };
    let estimates = |name: &str, value: fn(&GroupRow) -> Option<Estimate>| {
        estimated(name, &format!("{name}_"), &rows.iter().map(value).collect::<Vec<_>>())
    };
    let mut columns = vec![
        Column::new("by".into(), vec![identity.by.to_string(); rows.len()]),
        Column::new("group".into(), rows.iter().map(|row| row.key.as_str()).collect::<Vec<_>>()),
        count("games", |row| row.games),
        count("moves", |row| row.moves),
        float("elo", |row| row.elo),
        float("points_share", |row| row.points),
        count("positive", |row| row.histogram.signs().positive),
        count("zero", |row| row.histogram.signs().zero),
        count("negative", |row| row.histogram.signs().negative),
        float("mean_gain", |row| row.mean_gain),
        float("centipawn_loss", |row| row.centipawn_loss),
    ];
    columns.extend(estimates("expected_score", |row| row.expected_score));
    columns.extend(estimates("elo_difference", |row| row.elo_difference));
    columns.extend(estimates("score_kept", |row| row.score_kept));
    columns.extend([
        float("engine_strength", |row| row.engine_strength),
        float("performance", |row| row.performance),
        Column::new("filter".into(), vec![identity.filters.join("; "); rows.len()]),
    ]);
    DataFrame::new_infer_height(columns)
}

/// One row a bin that is not empty: `group, gain, count, probability`, where `gain` is the centre of the
/// bin in the metric's unit.
pub fn histograms(survey: &Survey) -> PolarsResult<DataFrame> {
    let (mut groups, mut gains, mut counts, mut shares) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for row in &survey.groups {
        let Some(distribution) = row.histogram.distribution() else { continue };
        for (centre, count) in row.histogram.bins() {
            groups.push(row.key.as_str());
            gains.push(centre);
            counts.push(count);
            shares.push(distribution.share(count));
        }
    }
    DataFrame::new_infer_height(vec![
        Column::new("group".into(), groups),
        Column::new("gain".into(), gains),
        Column::new("count".into(), counts),
        Column::new("probability".into(), shares),
    ])
}

/// One row a class of moves: `clock, from_s, to_s, games, moves`, then `mean_gain` and `expected_score`,
/// each with `…_se, …_low, …_high`.
///
/// `clock` is `left` for the time left to the mover after the move and `spent` for the time spent on it;
/// a class reaches from `from_s` seconds to below `to_s`, which is null for the last one.
pub fn clocks(survey: &Survey) -> PolarsResult<DataFrame> {
    let rows = &survey.clocks;
    let count = |name: &str, value: fn(&ClockRow) -> Option<u64>| {
        Column::new(name.into(), rows.iter().map(value).collect::<Vec<_>>())
    };
    let estimates = |name: &str, value: fn(&ClockRow) -> Estimate| {
        estimated(name, &format!("{name}_"), &rows.iter().map(|row| Some(value(row))).collect::<Vec<_>>())
    };
    let mut columns = vec![
        Column::new("clock".into(), rows.iter().map(|row| row.class.to_string()).collect::<Vec<_>>()),
        count("from_s", |row| Some(row.from.into())),
        count("to_s", |row| row.to.map(u64::from)),
        count("games", |row| Some(row.games)),
        count("moves", |row| Some(row.moves)),
    ];
    columns.extend(estimates("mean_gain", |row| row.mean_gain));
    columns.extend(estimates("expected_score", |row| row.expected_score));
    DataFrame::new_infer_height(columns)
}
