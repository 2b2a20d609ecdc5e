//! Owns the files of a count of best moves: its table, its picture and its summary.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{
    ReportError, picture_names, pictures::write_picture, plots::experiment::best_moves, summary::to_json,
    table_names, tables, write_bytes, write_table,
};
use crate::files::{EngineFacts, Format, PictureFormat, Publication};
use crate::lab::Iteration;

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
    write_table(out, &tables::iterations(iterations), formats)?;
    let engine = &summary.engine.name;
    if let Some(drawing) = best_moves::draw(iterations, engine, summary.positions) {
        write_picture(out, NAME, &drawing, plots)?;
    }
    write_bytes(out, SUMMARY, to_json(summary)?.as_bytes())
}
