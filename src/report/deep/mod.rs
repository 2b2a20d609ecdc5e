//! Owns the files of a deep analysis: the tree as JSON, CSV and PGN, its picture, and its page.

mod data;
mod page;
mod pgn;

use std::collections::BTreeSet;

use super::{ReportError, plots::deep, summary::to_json, table_names, tables, write_bytes, write_table};
use crate::files::{Format, Publication};
use crate::lab::DeepTree;
pub use crate::report::deep::data::{
    DeepFacts, DepthEntry, NodeEntry, ShownMove, ShownScore, TreeFile, in_san,
};

/// What the files are called.
const NAME: &str = "tree";

/// Returns the names of the files that a deep analysis may have.
pub fn file_names(formats: &BTreeSet<Format>) -> Vec<String> {
    let written = ["tree.json", "tree.pgn", "tree.svg", "tree.html"].map(str::to_owned);
    let mut names: Vec<String> = table_names(&[NAME], formats).chain(written).collect();
    names.dedup();
    names
}

/// Writes `tree.json`, the table `tree` in each of the `formats`, `tree.pgn` of at most `pgn_moves` moves, `tree.svg` and
/// `tree.html`.
///
/// # Errors
///
/// If a file cannot be written.
pub fn write(
    out: &Publication<'_>,
    trees: &[DeepTree],
    facts: DeepFacts,
    formats: &BTreeSet<Format>,
    pgn_moves: usize,
) -> Result<(), ReportError> {
    let Some(tree) = trees.last() else { return Ok(()) };
    let file = TreeFile::of(trees, facts);
    write_bytes(out, "tree.json", to_json(&file)?.as_bytes())?;
    let others: BTreeSet<Format> = formats.iter().copied().filter(|&format| format != Format::Json).collect();
    write_table(out, &tables::deep_tree(&file.nodes), &others)?;
    write_bytes(out, "tree.pgn", pgn::text(tree, &file, pgn_moves).as_bytes())?;
    let drawing = deep::draw(&file);
    write_bytes(out, "tree.svg", drawing.svg().as_bytes())?;
    write_bytes(out, "tree.html", page::page(&file, &drawing)?.as_bytes())
}
