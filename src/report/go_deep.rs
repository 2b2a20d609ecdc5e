//! The report of `gainalyze go-deep`: its table, its picture and its summary.

use serde::Serialize;

use super::{plots::deep::best_moves, publish::Report, publish::ReportFile, publish::ReportKind, tables};
use crate::files::EngineFacts;
use crate::lab::Iteration;

pub static GO_DEEP: ReportKind = ReportKind {
    written_by: "`gainalyze go-deep`",
    files: &[ReportFile::Summary("go-deep-summary.json"), ReportFile::Pictures(&["go-deep"])],
    tables: || vec![tables::go_deep::iterations(&[])],
};

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GoDeepSummary {
    pub version: String,
    pub engine: EngineFacts,
    pub depth: u32,
    pub games: usize,
    /// Positions that were searched completely.
    pub positions: usize,
    /// Positions at which the engine failed.
    pub failed: usize,
    /// Positions with one legal move, left out.
    pub forced: usize,
    /// Repeated positions, left out.
    pub repeated: usize,
    pub iterations: Vec<Iteration>,
}

pub fn report(summary: &GoDeepSummary) -> Report {
    let GoDeepSummary { engine, positions, iterations, .. } = summary;
    let drawings = GO_DEEP.named([best_moves(iterations, &engine.name, *positions)]);
    let tables = vec![tables::go_deep::iterations(iterations)];
    Report { drawings, tables, ..Report::default() }.with_summary(&GO_DEEP, summary)
}
