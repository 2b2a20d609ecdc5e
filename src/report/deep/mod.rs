//! Owns the files of a deep analysis: the tree as JSON, CSV and PGN, its picture, and its page.

pub(super) mod data;
mod page;
mod pgn;

use super::publish::{Report, ReportFile, ReportFormats, ReportKind, publish, write_bytes};
use super::{ReportError, plots::deep::root_moves, tables};
use crate::files::{Format, Publication};
use crate::lab::DeepTree;
pub use crate::report::deep::data::{
    DeepFacts, DepthEntry, NodeEntry, ShownMove, ShownScore, TreeFile, in_san,
};

pub static DEEP: ReportKind = ReportKind {
    written_by: "`gainalyze deep`",
    files: &[
        ReportFile::Summary(
            "tree.json",
            "the whole tree with what it is of: positions, moves, scores, bounds, and what each depth said",
        ),
        ReportFile::Fixed("tree.pgn", "the tree as a game with variations, the main line first"),
        ReportFile::Fixed("tree.svg", "the values of the root's moves by depth"),
        ReportFile::Fixed("tree.html", "the tree to fold and walk, with a board"),
    ],
    tables: || vec![tables::deep_tree(&[])],
    results: None,
};

/// Writes `tree.json`, the table `tree` in each of the `formats` but JSON, `tree.pgn` of at most `pgn_moves` moves, `tree.svg`
/// and `tree.html`.
pub fn write(
    out: &Publication<'_>,
    trees: &[DeepTree],
    file: &TreeFile,
    formats: &ReportFormats,
    pgn_moves: usize,
) -> Result<(), ReportError> {
    let Some(tree) = trees.last() else { return Ok(()) };
    let mut formats = formats.clone();
    formats.tables.remove(&Format::Json);
    let report = Report::new(&DEEP, vec![tables::deep_tree(&file.nodes)], Some(file));
    publish(&report, out, &formats)?;
    write_bytes(out, "tree.pgn", pgn::text(tree, file, pgn_moves).as_bytes())?;
    let drawing = root_moves(file);
    write_bytes(out, "tree.svg", drawing.svg().as_bytes())?;
    write_bytes(out, "tree.html", page::page(file, &drawing)?.as_bytes())
}
