//! Owns how one SQLite store takes over what another one knows.

use rusqlite::Connection;

use super::{
    EvaluationStore, StoreError,
    rows::{RowFault, ScoreColumns, SegmentRows},
    segments::{self, SegmentRecord},
    sqlite::{SqliteStore, sqlite_error},
};

/// What came of a merge.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MergeOutcome {
    /// Segments added.
    pub added: u64,
    /// Segments that both knew.
    pub known: u64,
    /// Segments of the other store that are damaged, with what is wrong with them.
    pub damaged: Vec<String>,
}

impl SqliteStore {
    /// Adds all that `other` knows and this one does not, or nothing. What is damaged there is left out; what is damaged here
    /// is put aside, and what the other one knows of it takes its place.
    ///
    /// # Errors
    ///
    /// If a file cannot be used, or the stores give different values for what is the same search of the same engine.
    pub fn merge(&mut self, other: &SqliteStore) -> Result<MergeOutcome, StoreError> {
        if self.is_read_only() {
            return Err(StoreError::ReadOnly { store: self.describe() });
        }
        let path = other.path().to_string_lossy().into_owned();
        self.attempt(|connection| connection.execute("ATTACH DATABASE ? AS other", [path]).map(|_| ()))?;
        let merged = self.merge_attached(other);
        self.attempt(|connection| connection.execute_batch("DETACH DATABASE other"))?;
        merged
    }

    fn merge_attached(&mut self, other: &SqliteStore) -> Result<MergeOutcome, StoreError> {
        let failed = |source| sqlite_error(self.path(), source);
        let transaction = self.begin().map_err(failed)?;
        let mut outcome = MergeOutcome::default();
        for id in ids(&transaction, OTHER).map_err(failed)? {
            match take_over(&transaction, id).map_err(failed)? {
                Taken::Added => outcome.added += 1,
                Taken::Known => outcome.known += 1,
                Taken::Damaged(what) => outcome.damaged.push(what),
                Taken::Contradiction(search) => {
                    let (store, other) = (self.describe(), other.describe());
                    return Err(StoreError::Contradiction { store, other, search });
                }
            }
        }
        transaction.commit().map_err(failed)?;
        Ok(outcome)
    }
}

/// How the tables of the store that is read from are called.
const OTHER: &str = "other.";

enum Taken {
    Added,
    Known,
    Damaged(String),
    Contradiction(String),
}

/// Returns the numbers of all segments, in an order that does not depend on when they were stored.
pub(super) fn ids(connection: &Connection, tables: &str) -> rusqlite::Result<Vec<i64>> {
    let query = format!("SELECT id FROM {tables}segments ORDER BY key, behaviour, engine_digest, id");
    let mut statement = connection.prepare(&query)?;
    statement.query_map([], |row| row.get(0))?.collect()
}

/// Takes over a segment of the other store, if it is whole and new.
fn take_over(connection: &Connection, id: i64) -> rusqlite::Result<Taken> {
    let damaged = |fault: RowFault| Ok(Taken::Damaged(format!("segment {id}: {fault}")));
    let record = match SegmentRecord::of_id(connection, OTHER, id)? {
        Ok(record) => record,
        Err(fault) => return damaged(fault),
    };
    let columns = match record.columns(connection, OTHER)? {
        Ok(columns) => columns,
        Err(fault) => return damaged(fault),
    };
    let rows = match record.rows(connection, OTHER)? {
        Ok(rows) => rows,
        Err(fault) => return damaged(fault),
    };
    for (ours, found) in SegmentRecord::of_search(connection, "", &record.key)? {
        let found = match found {
            Ok(found) if !found.is_of_same_build(&record) => continue,
            Ok(found) => found.rows(connection, "")?,
            Err(fault) => Err(fault),
        };
        match found {
            Ok(known) if said(&known) == said(&rows) => return Ok(Taken::Known),
            Ok(_) => return Ok(Taken::Contradiction(columns.describe())),
            Err(fault) => segments::set_aside(connection, ours, &fault.to_string())?,
        }
    }
    segments::write(connection, &columns, (&record.behaviour, &record.digest), &rows)?;
    Ok(Taken::Added)
}

/// Returns what two searches must agree on: moves and scores, not how long they took.
fn said(rows: &SegmentRows) -> Vec<(i64, i64, Option<&str>, ScoreColumns)> {
    let first = rows.evaluations.iter().map(|row| (row.ply, 1, row.best.as_deref(), row.score));
    let further = rows.alternatives.iter().map(|row| (row.ply, row.rank, Some(row.best.as_str()), row.score));
    first.chain(further).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::{
        evaluation::{Evaluation, Limit, Order, Protocol},
        pgn::parse_games,
        score::Score,
        segment::Segment,
        store::EngineStamp,
    };

    fn engine(behaviour: &str) -> EngineStamp {
        let (name, digest) = ("Engine 1".to_owned(), format!("build of {behaviour}"));
        EngineStamp { name, options: [].into(), digest, behaviour: Some(behaviour.to_owned()) }
    }

    /// A store that has the position after a move, for each move with its score.
    fn store(path: &Path, behaviour: &str, known: &[(&str, i32)]) -> SqliteStore {
        let mut store = SqliteStore::open(path).expect("a store");
        let protocol = Protocol::new(Limit::Depth(9), Order::Forward, 1);
        for (moves, cp) in known {
            let game = parse_games(&format!("{moves} *"), "test").remove(0).expect("a game");
            let segment = Segment::cut(&game, &protocol).pop().expect("a position");
            let evaluations = [(1, Evaluation::of_score(Score::Cp(*cp)))];
            store.put(&engine(behaviour), &protocol, &segment, &evaluations).expect("a write");
        }
        store
    }

    #[test]
    fn a_merge_adds_what_is_new_and_nothing_where_one_search_has_two_values() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str, behaviour: &str, known: &[(&str, i32)]| {
            store(&folder.path().join(name), behaviour, known)
        };
        let mut ours = at("ours", "b1", &[("1. e4", 30), ("1. d4", 25)]);
        let theirs = at("theirs", "b1", &[("1. d4", 25), ("1. c4", 20)]);
        let merged = ours.merge(&theirs).expect("no contradiction");
        assert_eq!((merged.added, merged.known, merged.damaged.len()), (1, 1, 0));
        assert_eq!(ours.check().expect("a store").segments, 3);
        let contrary = at("contrary", "b1", &[("1. a4", -20), ("1. e4", 31)]);
        let error = ours.merge(&contrary).expect_err("two values").to_string();
        assert!(error.contains("contradict each other") && error.contains("after e2e4"), "{error}");
        assert_eq!(ours.check().expect("a store").segments, 3, "nothing is merged");
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
        let check = ours.check().expect("a store");
        assert_eq!((check.segments, check.damaged.len(), check.set_aside), (2, 0, 1));
    }
}
