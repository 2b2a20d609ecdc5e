//! [`StoredSegment`]: a segment as every store keeps it. [`SealedSegment`]: a segment that was read, with its
//! seal and key verified.

use std::collections::BTreeMap;

use super::{
    Origin,
    columns::{SearchColumns, read_moves},
    rows::{Asked, RowFault, ScoreColumns, SegmentRows},
};
use crate::chess::{Evaluation, PlyEvaluation, Segment};

#[derive(Debug, Clone)]
pub(super) struct StoredSegment {
    pub columns: SearchColumns,
    /// Behavior of the engine; empty if unknown.
    pub behavior: String,
    pub digest: String,
    pub rows: SegmentRows,
}

impl StoredSegment {
    pub fn of(origin: &Origin, segment: &Segment, evaluations: &[PlyEvaluation]) -> StoredSegment {
        StoredSegment {
            columns: SearchColumns::of(origin, segment),
            behavior: origin.engine.known_behavior().to_owned(),
            digest: origin.engine.digest.clone(),
            rows: SegmentRows::of(evaluations),
        }
    }

    pub fn seal(&self, key: &[u8]) -> [u8; 16] {
        self.rows.seal(key, &self.behavior, &self.digest)
    }

    /// Returns the origin; `None` if a column is not in this program's format.
    pub fn origin(&self) -> Option<Origin> {
        self.columns.origin(self.behavior.clone(), self.digest.clone())
    }
}

#[derive(Debug, Clone)]
pub struct SealedSegment {
    pub(super) name: String,
    pub(super) key: Vec<u8>,
    pub(super) stored: StoredSegment,
}

impl SealedSegment {
    pub(super) fn is_of_build(&self, behavior: &str, digest: &str) -> bool {
        is_one_build([&self.stored.behavior, &self.stored.digest], [behavior, digest])
    }

    /// Compares the segment with another store's result of the same search.
    pub(super) fn against(&self, known: &SegmentRows) -> MergeVerdict {
        match said(known) == said(&self.stored.rows) {
            true => MergeVerdict::Known,
            false => MergeVerdict::Contradiction(self.stored.columns.describe()),
        }
    }

    /// Returns the evaluations by ply, with all checks that do not need the game.
    pub(super) fn evaluations(&self) -> Result<BTreeMap<usize, Evaluation>, RowFault> {
        let StoredSegment { columns, rows, .. } = &self.stored;
        let positions = columns.positions().ok_or(RowFault::Moves)?;
        let moves = read_moves(&columns.root_moves).ok_or(RowFault::Moves)?;
        let mode = columns.mode();
        let asked = |ply: usize| Some(Asked { position: positions.get(ply)?, mode, moves: &moves });
        rows.clone().evaluations(asked)
    }
}

/// Returns whether two builds, each with its behavior and digest, count as the same engine. They do if their
/// behaviors are equal or, if either behavior is unknown (empty), their digests.
pub(super) fn is_one_build([behavior, digest]: [&str; 2], [other_behavior, other_digest]: [&str; 2]) -> bool {
    match behavior.is_empty() || other_behavior.is_empty() {
        true => digest == other_digest,
        false => behavior == other_behavior,
    }
}

/// The verdict on a segment of another store.
pub(super) enum MergeVerdict {
    Added,
    Known,
    Contradiction(String),
}

/// Returns the moves and scores, on which two results of one search must agree. The other columns may differ.
fn said(rows: &SegmentRows) -> Vec<(i64, i64, Option<&str>, ScoreColumns)> {
    let first = rows.evaluations.iter().map(|row| (row.ply, 1, row.best.as_deref(), row.score));
    let further = rows.alternatives.iter().map(|row| (row.ply, row.rank, Some(row.best.as_str()), row.score));
    first.chain(further).collect()
}
