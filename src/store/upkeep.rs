//! Owns the upkeep of a SQLite store: what is in it, whether it is whole, what is removed, and what others may read.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::{
    EvaluationStore, Origin, OriginFilter, StoreError,
    columns::SearchColumns,
    merging::ids,
    rows::RowFault,
    schema,
    segments::{self, CheckedSegment, SegmentRecord},
    sqlite::SqliteStore,
};
use crate::evaluation::{Evaluation, RankedLine};

/// What reading all of a store has found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StoreCheck {
    /// Segments that are whole.
    pub segments: u64,
    /// Positions in them.
    pub positions: u64,
    /// Segments that are not, each with what is wrong with it.
    pub damaged: Vec<String>,
    /// What is wrong with the file itself.
    pub faults: Vec<String>,
    /// Segments that were damaged earlier, and are not read any more.
    pub set_aside: u64,
}

/// What a store has of one build of an engine, asked in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreShare {
    /// Whose evaluations they are; the digest is that of one of the builds that behave so.
    pub origin: Origin,
    /// Segments.
    pub segments: u64,
    /// Positions in them.
    pub positions: u64,
    /// When the first one was stored.
    pub first: String,
    /// When the last one was.
    pub last: String,
}

/// What of a store is to be removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pruning {
    /// Evaluations of these.
    pub origins: Option<OriginFilter>,
    /// What was damaged, and is not read any more.
    pub set_aside: bool,
    /// Whether it is only counted.
    pub is_rehearsal: bool,
}

/// What was removed of a store, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Segments of evaluations.
    pub segments: u64,
    /// Segments that were damaged.
    pub set_aside: u64,
}

/// A line of a search, with all that determines it.
#[derive(Debug)]
pub struct StoredLine<'a> {
    /// Who searched, and how.
    pub origin: &'a Origin,
    /// The FEN of the start; `None` for the usual one.
    pub start: Option<&'a str>,
    /// Moves from the start to the last position of the segment.
    pub moves: &'a str,
    /// Moves that were asked about; empty for all.
    pub asked: &'a str,
    /// Moves from the start to the position.
    pub ply: usize,
    /// The evaluation.
    pub evaluation: &'a Evaluation,
    /// Its line; `None` where the engine told no move.
    pub line: Option<RankedLine>,
}

impl SqliteStore {
    /// Reads all of it: the pages of the file, and every segment by its seal, its key and its values. Changes nothing.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn check(&self) -> Result<StoreCheck, StoreError> {
        let mut check = StoreCheck { faults: self.attempt(faults)?, ..StoreCheck::default() };
        self.each(|_, found| {
            match found {
                Ok((_, evaluations)) => {
                    check.segments += 1;
                    check.positions += evaluations.len() as u64;
                }
                Err(fault) => check.damaged.push(fault),
            }
            Ok::<_, StoreError>(())
        })?;
        check.set_aside = self.attempt(set_aside)?;
        Ok(check)
    }

    /// Returns what it has, by whom and how; searches of single moves count with the others.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn shares(&self) -> Result<Vec<StoreShare>, StoreError> {
        self.attempt(|connection| {
            let mut statement = connection.prepare(&format!(
                "SELECT {}, behaviour, engine_digest, count(*), min(stored_at), max(stored_at), \
                 sum((SELECT count(*) FROM evaluations WHERE segment = segments.id)) FROM segments \
                 GROUP BY engine, options, search_limit, search_order, segment_length, lines, behaviour, \
                 CASE behaviour WHEN '' THEN engine_digest END ORDER BY 1, 3, 4, 5, 9, 12",
                SearchColumns::NAMES
            ))?;
            let share = |row: &rusqlite::Row<'_>| {
                let origin = SearchColumns::read(row, 0)?.origin(row.get(10)?, row.get(11)?);
                let (segments, positions) = (row.get(12)?, row.get(15)?);
                let (first, last) = (row.get(13)?, row.get(14)?);
                Ok(origin.map(|origin| StoreShare { origin, segments, positions, first, last }))
            };
            let rows = statement.query_map([], share)?.map(segments::or_fault);
            let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(rows.into_iter().filter_map(|share| share.ok().flatten()).collect())
        })
    }

    /// Returns how many segments are put aside.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn number_set_aside(&self) -> Result<u64, StoreError> {
        self.attempt(set_aside)
    }

    /// Removes what is asked for, all of it or nothing, and gives the room back to the disk.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or written.
    pub fn prune(&mut self, pruning: &Pruning) -> Result<Pruned, StoreError> {
        if self.is_read_only() && !pruning.is_rehearsal {
            return Err(StoreError::ReadOnly { store: self.describe() });
        }
        let pruned = self.attempt(|connection| {
            let transaction = connection.unchecked_transaction()?;
            let mut pruned = Pruned::default();
            if let Some(filter) = &pruning.origins {
                for id in wanted(&transaction, filter)? {
                    segments::remove(&transaction, id)?;
                    pruned.segments += 1;
                }
            }
            if pruning.set_aside {
                pruned.set_aside = transaction.execute("DELETE FROM set_aside", [])? as u64;
            }
            if pruning.is_rehearsal {
                transaction.rollback()?
            } else {
                transaction.commit()?
            }
            Ok(pruned)
        })?;
        if !pruning.is_rehearsal {
            self.attempt(|connection| connection.execute_batch("VACUUM"))?;
        }
        Ok(pruned)
    }

    /// Hands every line of every whole segment to `line`; returns the segments that are damaged, each with what is wrong
    /// with it.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, and those of `line`.
    pub fn export<E: From<StoreError>>(
        &self,
        mut line: impl FnMut(&StoredLine<'_>) -> Result<(), E>,
    ) -> Result<Vec<String>, E> {
        let mut damaged = Vec::new();
        self.each(|record, found| {
            let whole = found.and_then(|(columns, evaluations)| {
                let origin = record.and_then(|of| columns.origin(of.behaviour.clone(), of.digest.clone()));
                let origin = origin.ok_or_else(|| format!("{}: {}", columns.describe(), RowFault::Key))?;
                Ok((columns, origin, evaluations))
            });
            match whole {
                Ok((columns, origin, evaluations)) => lines(&columns, &origin, &evaluations, &mut line),
                Err(fault) => {
                    damaged.push(fault);
                    Ok(())
                }
            }
        })?;
        Ok(damaged)
    }

    /// Hands every segment to `hear`, or what is wrong with it.
    fn each<E: From<StoreError>>(
        &self,
        mut hear: impl FnMut(Option<&SegmentRecord>, Result<CheckedSegment, String>) -> Result<(), E>,
    ) -> Result<(), E> {
        for id in self.attempt(|connection| ids(connection, ""))? {
            let record = self.attempt(|connection| SegmentRecord::of_id(connection, "", id))?.ok();
            let found = self.attempt(|connection| segments::checked(connection, id))?;
            hear(record.as_ref(), found.map_err(|fault| format!("segment {id}: {fault}")))?;
        }
        Ok(())
    }
}

fn lines<E>(
    columns: &SearchColumns,
    origin: &Origin,
    evaluations: &BTreeMap<usize, Evaluation>,
    hear: &mut impl FnMut(&StoredLine<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for (&ply, evaluation) in evaluations {
        let (start, moves, asked) = (columns.start_fen.as_deref(), &*columns.moves, &*columns.root_moves);
        let of = |line| StoredLine { origin, start, moves, asked, ply, evaluation, line };
        if evaluation.best.is_none() {
            hear(&of(None))?;
        }
        for line in evaluation.lines() {
            hear(&of(Some(line)))?;
        }
    }
    Ok(())
}

/// Returns what is wrong with the pages of the file; what is wrong with single values, the segments tell.
fn faults(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("PRAGMA integrity_check(100)")?;
    let found = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    Ok(found.into_iter().filter(|fault| fault != "ok" && !schema::is_of_a_value(fault)).collect())
}

fn set_aside(connection: &Connection) -> rusqlite::Result<u64> {
    connection.query_row("SELECT count(*) FROM set_aside", [], |row| row.get(0))
}

/// Returns the numbers of the segments whose origin is wanted.
fn wanted(connection: &Connection, filter: &OriginFilter) -> rusqlite::Result<Vec<i64>> {
    let mut wanted = Vec::new();
    for id in ids(connection, "")? {
        let Ok(record) = SegmentRecord::of_id(connection, "", id)? else { continue };
        let Ok(columns) = record.columns(connection, "")? else { continue };
        if columns.origin(record.behaviour, record.digest).is_some_and(|origin| filter.wants(&origin)) {
            wanted.push(id);
        }
    }
    Ok(wanted)
}
