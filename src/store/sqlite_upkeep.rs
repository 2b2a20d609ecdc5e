//! Maintenance of a SQLite store, and merging of another store into it.

use rusqlite::Connection;
use shakmaty::Chess;

use super::{
    EvaluationStore, OriginFilter, Result, SealedSegment, StoreError, columns::SearchColumns,
    opening::is_of_a_value, opening::sqlite_error, positions, positions::KnownLine, sealed::MergeVerdict,
    segments, segments::SegmentRecord, sqlite::SqliteStore, upkeep::KeptStore, upkeep::MergeOutcome,
    upkeep::Pruned, upkeep::Pruning, upkeep::StoreShare,
};

impl KeptStore for SqliteStore {
    fn faults(&self) -> Result<Vec<String>> {
        self.attempt(faults)
    }

    fn bytes(&self) -> Result<u64> {
        Ok(std::fs::metadata(self.path()).map_or(0, |data| data.len()))
    }

    fn number_set_aside(&self) -> Result<u64> {
        self.attempt(set_aside)
    }

    fn shares(&self) -> Result<Vec<StoreShare>> {
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

    fn each(&self, hear: &mut dyn FnMut(Result<SealedSegment, String>) -> bool) -> Result<()> {
        for id in self.attempt(ids)? {
            let found = self.attempt(|connection| segments::sealed(connection, id))?;
            if !hear(found.map_err(|fault| format!("segment {id}: {fault}"))) {
                break;
            }
        }
        Ok(())
    }

    fn prune(&mut self, pruning: &Pruning) -> Result<Pruned> {
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

    fn merge(&mut self, other: &dyn KeptStore) -> Result<MergeOutcome> {
        into_sqlite(self, other)
    }

    fn known_of(&self, position: &Chess) -> Result<Vec<KnownLine>> {
        self.attempt(|connection| positions::known_of(connection, position))
    }
}

fn faults(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare("PRAGMA integrity_check(100)")?;
    let found = statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<Vec<String>>>()?;
    Ok(found.into_iter().filter(|fault| fault != "ok" && !is_of_a_value(fault)).collect())
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

/// Merges `other` into `ours`, like [`KeptStore::merge`].
fn into_sqlite(ours: &SqliteStore, other: &dyn KeptStore) -> Result<MergeOutcome> {
    if ours.is_read_only() {
        return Err(StoreError::ReadOnly(ours.describe()));
    }
    let failed = |source| sqlite_error(ours.path(), source);
    let transaction = ours.begin().map_err(failed)?;
    let (mut outcome, mut ended) = (MergeOutcome::default(), Ok(()));
    other.each(&mut |found| {
        ended = match found {
            Ok(sealed) => take_over(&transaction, &sealed).map_err(failed).and_then(|taken| {
                let contradiction = |search| {
                    let (store, other) = (ours.describe(), other.describe());
                    StoreError::Contradiction { store, other, search }
                };
                outcome.count(taken).map_err(contradiction)
            }),
            Err(fault) => {
                outcome.damaged.push(fault);
                Ok(())
            }
        };
        ended.is_ok()
    })?;
    ended?;
    transaction.commit().map_err(failed)?;
    Ok(outcome)
}

/// Returns the identifiers of all segments, in an order independent of the time they were stored.
pub(super) fn ids(connection: &Connection) -> rusqlite::Result<Vec<i64>> {
    let mut statement =
        connection.prepare("SELECT id FROM segments ORDER BY key, behaviour, engine_digest, id")?;
    statement.query_map([], |row| row.get(0))?.collect()
}

fn take_over(connection: &Connection, sealed: &SealedSegment) -> rusqlite::Result<MergeVerdict> {
    for (ours, found) in SegmentRecord::of_search(connection, &sealed.key)? {
        let found = match found {
            Ok(found) if !sealed.is_of_build(&found.behavior, &found.digest) => continue,
            Ok(found) => found.rows(connection)?,
            Err(fault) => Err(fault),
        };
        match found {
            Ok(known) => return Ok(sealed.against(&known)),
            Err(fault) => segments::set_aside(connection, ours, &fault.to_string())?,
        }
    }
    segments::write(connection, &sealed.stored)?;
    Ok(MergeVerdict::Added)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::chess::{Evaluation, Limit, Order, Protocol, Score, Segment, pgn::parse_games};
    use crate::store::{self, EngineStamp, Origin};

    fn engine(behavior: &str) -> EngineStamp {
        let (name, digest) = ("Engine 1".to_owned(), format!("build of {behavior}"));
        EngineStamp { name, options: [].into(), digest, behavior: Some(behavior.to_owned()) }
    }

    /// Returns a store with single positions. Each element of `known` is a move and the score after it.
    fn store(path: &Path, behavior: &str, known: &[(&str, i32)]) -> SqliteStore {
        let mut store = SqliteStore::open(path).expect("a store");
        let protocol = Protocol::new(Limit::Depth(9), Order::Forward, 1);
        for (moves, cp) in known {
            let game = parse_games(&format!("{moves} *"), "test").remove(0).expect("a game");
            let segment = Segment::cut(&game, &protocol).pop().expect("a position");
            let evaluations = [(1, Evaluation::of_score(Score::Cp(*cp)))];
            let origin = Origin { engine: engine(behavior), protocol };
            store.put(&origin, &segment, &evaluations).expect("a write");
        }
        store
    }

    #[test]
    fn a_merge_adds_what_is_new_and_nothing_where_one_search_has_two_values() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str, behavior: &str, known: &[(&str, i32)]| {
            store(&folder.path().join(name), behavior, known)
        };
        let mut ours = at("ours", "b1", &[("1. e4", 30), ("1. d4", 25)]);
        let theirs = at("theirs", "b1", &[("1. d4", 25), ("1. c4", 20)]);
        let merged = ours.merge(&theirs).expect("no contradiction");
        assert_eq!((merged.added, merged.known, merged.damaged.len()), (1, 1, 0));
        assert_eq!(store::check(&ours).expect("a store").segments, 3);
        let contrary = at("contrary", "b1", &[("1. a4", -20), ("1. e4", 31)]);
        let error = ours.merge(&contrary).expect_err("two values").to_string();
        assert!(error.contains("contradict each other") && error.contains("after e2e4"), "{error}");
        assert_eq!(store::check(&ours).expect("a store").segments, 3, "nothing is merged");
        let another = at("another", "b2", &[("1. e4", 31)]);
        assert_eq!(ours.merge(&another).expect("another engine").added, 1);
    }

    #[test]
    fn what_is_damaged_is_not_merged_and_is_mended_by_what_is_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
        let known = [("1. e4", 30), ("1. d4", 25)];
        let (mut ours, theirs) = (store(&a, "b1", &known), store(&b, "b1", &known));
        let damage = |path: &Path, cp: i32| {
            let connection = Connection::open(path).expect("a database");
            connection.execute("UPDATE evaluations SET cp = cp + 1 WHERE cp = ?", [cp]).expect("a write");
        };
        damage(&a, 30);
        damage(&b, 25);
        let merged = ours.merge(&theirs).expect("no contradiction");
        assert_eq!((merged.added, merged.known, merged.damaged.len()), (1, 0, 1));
        let check = store::check(&ours).expect("a store");
        assert_eq!((check.segments, check.damaged.len(), check.set_aside), (2, 0, 1));
    }
}
