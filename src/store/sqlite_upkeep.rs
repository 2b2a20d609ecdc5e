//! Maintenance of a SQLite store.

use rusqlite::Connection;
use shakmaty::Chess;

use super::{
    EvaluationStore, OriginFilter, SealedSegment, StoreError,
    columns::SearchColumns,
    merging::{self, ids},
    positions::{self, KnownLine},
    schema,
    segments::{self, SegmentRecord},
    sqlite::SqliteStore,
    upkeep::{KeptStore, MergeOutcome, Pruned, Pruning, StoreShare},
};

impl KeptStore for SqliteStore {
    fn faults(&self) -> Result<Vec<String>, StoreError> {
        self.attempt(faults)
    }

    fn bytes(&self) -> Result<u64, StoreError> {
        Ok(std::fs::metadata(self.path()).map_or(0, |data| data.len()))
    }

    fn number_set_aside(&self) -> Result<u64, StoreError> {
        self.attempt(set_aside)
    }

    fn shares(&self) -> Result<Vec<StoreShare>, StoreError> {
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

    fn each(&self, hear: &mut dyn FnMut(Result<SealedSegment, String>) -> bool) -> Result<(), StoreError> {
        for id in self.attempt(ids)? {
            let found = self.attempt(|connection| segments::sealed(connection, id))?;
            if !hear(found.map_err(|fault| format!("segment {id}: {fault}"))) {
                break;
            }
        }
        Ok(())
    }

    fn prune(&mut self, pruning: &Pruning) -> Result<Pruned, StoreError> {
        if self.is_read_only() && !pruning.is_rehearsal {
            return Err(StoreError::ReadOnly(self.describe()));
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

    fn merge(&mut self, other: &dyn KeptStore) -> Result<MergeOutcome, StoreError> {
        merging::into_sqlite(self, other)
    }

    fn known_of(&self, position: &Chess) -> Result<Vec<KnownLine>, StoreError> {
        self.attempt(|connection| positions::known_of(connection, position))
    }
}

fn faults(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("PRAGMA integrity_check(100)")?;
    let found = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    Ok(found.into_iter().filter(|fault| fault != "ok" && !schema::is_of_a_value(fault)).collect())
}

fn set_aside(connection: &Connection) -> rusqlite::Result<u64> {
    connection.query_row("SELECT count(*) FROM set_aside", [], |row| row.get(0))
}

/// Returns the identifiers of the segments with a readable origin that passes `filter`.
fn wanted(connection: &Connection, filter: &OriginFilter) -> rusqlite::Result<Vec<i64>> {
    let mut wanted = Vec::new();
    for id in ids(connection)? {
        let Ok(record) = SegmentRecord::of_id(connection, id)? else { continue };
        let Ok(columns) = record.columns(connection)? else { continue };
        if columns.origin(record.behavior, record.digest).is_some_and(|origin| filter.wants(&origin)) {
            wanted.push(id);
        }
    }
    Ok(wanted)
}
