//! Owns [`SealedSegment`]: a segment as it was stored, its seal and its key checked, whatever store it is from.

use std::collections::BTreeMap;

use super::{
    columns::{SearchColumns, read_moves},
    rows::{Asked, RowFault, ScoreColumns, SegmentRows},
};
use crate::chess::Evaluation;

#[derive(Debug, Clone)]
pub struct SealedSegment {
    pub(super) name: String,
    pub(super) key: Vec<u8>,
    pub(super) columns: SearchColumns,
    /// Of the engine; empty where it is not known.
    pub(super) behaviour: String,
    pub(super) digest: String,
    pub(super) rows: SegmentRows,
}

impl SealedSegment {
    /// Tells whether it is of an engine of this behaviour or, where one is not known, of this file.
    pub(super) fn is_of_build(&self, behaviour: &str, digest: &str) -> bool {
        match !self.behaviour.is_empty() && !behaviour.is_empty() {
            true => self.behaviour == behaviour,
            false => self.digest == digest,
        }
    }

    /// Returns the evaluations by ply with all that can be known of them without their game.
    pub(super) fn evaluations(&self) -> Result<BTreeMap<usize, Evaluation>, RowFault> {
        let positions = self.columns.positions().ok_or(RowFault::Moves)?;
        let moves = read_moves(&self.columns.root_moves).ok_or(RowFault::Moves)?;
        let mode = self.columns.mode();
        let asked = |ply: usize| Some(Asked { position: positions.get(ply)?, mode, moves: &moves });
        self.rows.clone().evaluations(asked)
    }
}

/// Returns what two searches must agree on: moves and scores, not how long they took.
pub(super) fn said(rows: &SegmentRows) -> Vec<(i64, i64, Option<&str>, ScoreColumns)> {
    let first = rows.evaluations.iter().map(|row| (row.ply, 1, row.best.as_deref(), row.score));
    let further = rows.alternatives.iter().map(|row| (row.ply, row.rank, Some(row.best.as_str()), row.score));
    first.chain(further).collect()
}
