//! Owns the files of a count of best moves: its table, its picture and its summary.

use std::collections::BTreeSet;

use polars::prelude::{Column, DataFrame, PolarsResult};
use serde::Serialize;

use super::{
    ReportError,
    frame::estimated,
    picture_names,
    pictures::write_picture,
    plots::{experiment::best_moves, format::PictureFormat},
    summary::to_json,
    table_names, write_bytes, write_table,
};
use crate::{
    formats::{Format, facts::EngineFacts},
    go_deep::Iteration,
    output::Publication,
    stats::estimate::Estimate,
};

/// What the counts are of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GoDeepSummary {
    /// The program's version.
    pub version: String,
    /// Who searched.
    pub engine: EngineFacts,
    /// Depth of every search in plies.
    pub depth: u32,
    /// Games that the positions are from.
    pub games: usize,
    /// Positions searched to the end.
    pub positions: usize,
    /// Positions that the engine failed on.
    pub failed: usize,
    /// Positions with one legal move, left out.
    pub forced: usize,
    /// Positions that had been met before, left out.
    pub repeated: usize,
    /// The counts by depth.
    pub iterations: Vec<Iteration>,
}

/// What the table and the picture are called.
const NAME: &str = "go-deep";

/// The counts at full precision, with what they are of.
const SUMMARY: &str = "go-deep-summary.json";

/// One row an iteration: `depth, positions`, then for each of `changed`, `fresh`, `two_ago` and
/// `three_ago` the count and its `rate_…, rate_…_se, rate_…_low, rate_…_high`, Wilson's intervals.
pub fn frame(iterations: &[Iteration]) -> PolarsResult<DataFrame> {
    let count = |name: &str, of: fn(&Iteration) -> u64| {
        Column::new(name.into(), iterations.iter().map(of).collect::<Vec<_>>())
    };
    let depths: Vec<u32> = iterations.iter().map(|one| one.depth).collect();
    let mut columns = vec![Column::new("depth".into(), depths), count("positions", |one| one.positions)];
    type Count = fn(&Iteration) -> u64;
    let counts: [(&str, Count); 4] = [
        ("changed", |one| one.changed),
        ("fresh", |one| one.fresh),
        ("two_ago", |one| one.two_ago),
        ("three_ago", |one| one.three_ago),
    ];
    for (place, (name, of)) in counts.into_iter().enumerate() {
        let rates: Vec<Option<Estimate>> =
            iterations.iter().map(|one| one.rates().map(|rates| rates[place])).collect();
        columns.push(count(name, of));
        columns.extend(estimated(&format!("rate_{name}"), &format!("rate_{name}_"), &rates));
    }
    DataFrame::new_infer_height(columns)
}

/// Returns the names of the files that a count of best moves may have.
pub fn file_names(formats: &BTreeSet<Format>, plots: &BTreeSet<PictureFormat>) -> Vec<String> {
    table_names(&[NAME], formats).chain(picture_names(&[NAME], plots)).chain([SUMMARY.to_owned()]).collect()
}

/// Writes the table `go-deep` in each of the `formats`, its picture in each of the `plots` and
/// `go-deep-summary.json`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    iterations: &[Iteration],
    summary: &GoDeepSummary,
    formats: &BTreeSet<Format>,
    plots: &BTreeSet<PictureFormat>,
) -> Result<(), ReportError> {
    write_table(out, NAME, &frame(iterations)?, formats)?;
    let engine = &summary.engine.name;
    if let Some(drawing) = best_moves::draw(iterations, engine, summary.positions) {
        write_picture(out, NAME, &drawing, plots)?;
    }
    write_bytes(out, SUMMARY, to_json(summary)?.as_bytes())
}
