//! [`SqliteStore`]: a SQLite file that several runs may share and people may query.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, MAIN_DB, Transaction, TransactionBehavior, params};

use super::{
    EngineStamp, EvaluationStore, KnownSegment, Origin, Recall, Result, StoredBehavior,
    columns::SearchColumns, opening, opening::Access, opening::sqlite_error, rows, rows::RowFault,
    rows::SegmentRows, sealed::StoredSegment, segments, segments::SegmentRecord,
};
use crate::base::text::full_path;
use crate::chess::{PlyEvaluation, Segment};

/// An open file of evaluations.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    connection: Connection,
    is_read_only: bool,
}

impl SqliteStore {
    /// Opens the store at `path`, creating it and its folder if necessary. A file that cannot be written is
    /// opened read-only.
    pub fn open(path: &Path) -> Result<SqliteStore> {
        SqliteStore::open_for(path, Access::ReadAndWrite)
    }

    /// Opens the existing store at `path` read-only.
    pub fn open_to_read(path: &Path) -> Result<SqliteStore> {
        SqliteStore::open_for(path, Access::Read)
    }

    fn open_for(path: &Path, access: Access) -> Result<SqliteStore> {
        let connection = opening::open(path, access)?;
        let mut store = SqliteStore { path: path.to_owned(), connection, is_read_only: true };
        store.is_read_only = access == Access::Read || store.attempt(|c| c.is_readonly(MAIN_DB))?;
        if !store.is_read_only {
            // A full disk is detected before the long work.
            store.attempt(|connection| connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;"))?;
        }
        Ok(store)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn begin(&self) -> rusqlite::Result<Transaction<'_>> {
        Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate)
    }

    #[cfg(feature = "postgres")]
    pub(super) fn remove(self) {
        let path = self.path.clone();
        drop(self);
        for end in ["", "-wal", "-shm"] {
            let mut name = path.clone().into_os_string();
            name.push(end);
            // A missing file needs no removal, and a remaining one does no harm.
            _ = std::fs::remove_file(name);
        }
    }

    pub(super) fn attempt<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        query(&self.connection).map_err(|source| sqlite_error(&self.path, source))
    }

    /// Sets a damaged segment aside if the file is writable. In any case, the segment is not used.
    fn set_aside(&self, id: i64, fault: &RowFault) -> rusqlite::Result<()> {
        if self.is_read_only {
            return Ok(());
        }
        let transaction = self.begin()?;
        // Another run may have set the segment aside meanwhile.
        if segments::value::<i64>(&transaction, "SELECT id FROM segments WHERE id = ?", [id])?.is_some() {
            segments::set_aside(&transaction, id, &fault.to_string())?;
        }
        transaction.commit()
    }
}

enum Found {
    Rows(SegmentRecord, SegmentRows),
    Faulty(i64, RowFault),
    OtherBuild(String),
    Nothing,
}

fn find(connection: &Connection, key: &[u8], engine: &EngineStamp) -> rusqlite::Result<Found> {
    let mut other = None;
    for (id, record) in SegmentRecord::of_search(connection, key)? {
        let record = match record {
            Ok(record) => record,
            Err(fault) => return Ok(Found::Faulty(id, fault)),
        };
        if !engine.is_of_build(&record.behavior, &record.digest) {
            other = Some(record.digest);
            continue;
        }
        return Ok(match record.rows(connection)? {
            Ok(rows) => Found::Rows(record, rows),
            Err(fault) => Found::Faulty(id, fault),
        });
    }
    Ok(other.map_or(Found::Nothing, Found::OtherBuild))
}

impl EvaluationStore for SqliteStore {
    fn get(&self, origin: &Origin, segment: &Segment) -> Result<Recall> {
        let columns = SearchColumns::of(origin, segment);
        let found = self.attempt(|connection| {
            // The transaction reads all tables in one state.
            let transaction = connection.unchecked_transaction()?;
            find(&transaction, &columns.key(), &origin.engine)
        })?;
        let (id, fault) = match found {
            Found::Nothing => return Ok(Recall::Missing),
            Found::OtherBuild(digest) => return Ok(Recall::OtherBuild { digest }),
            Found::Faulty(id, fault) => (id, fault),
            Found::Rows(record, rows) => match rows::in_order(rows, segment) {
                Ok(evaluations) => {
                    return Ok(Recall::Known(KnownSegment { evaluations, digest: record.digest }));
                }
                Err(fault) => (record.id, fault),
            },
        };
        self.attempt(|_| self.set_aside(id, &fault))?;
        Ok(Recall::Damaged { what: format!("{} ({fault})", columns.describe()) })
    }

    fn put(&mut self, origin: &Origin, segment: &Segment, evaluations: &[PlyEvaluation]) -> Result<()> {
        let found = StoredSegment::of(origin, segment, evaluations);
        self.attempt(|_| {
            let transaction = self.begin()?;
            segments::write(&transaction, &found)?;
            transaction.commit()
        })
    }

    fn origins(&self) -> Result<Vec<Origin>> {
        self.attempt(|connection| {
            // The behavior identifies an engine better than its file, which is used only if the behavior is
            // unknown.
            let names = SearchColumns::NAMES;
            let mut statement = connection.prepare(&format!(
                "SELECT {names}, behaviour, engine_digest, max(stored_at) FROM segments WHERE root_moves = '' \
                 GROUP BY engine, options, search_limit, search_order, segment_length, lines, behaviour, \
                 CASE behaviour WHEN '' THEN engine_digest END \
                 ORDER BY engine, options, search_limit, search_order, segment_length, lines, behaviour, engine_digest"
            ))?;
            let origin = |row: &rusqlite::Row<'_>| {
                Ok(SearchColumns::read(row, 0)?.origin(row.get("behaviour")?, row.get("engine_digest")?))
            };
            let rows = statement.query_map([], origin)?;
            // Damaged and unreadable rows are left out.
            let found = rows.map(segments::or_fault).collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(found.into_iter().filter_map(|origin| origin.ok().flatten()).collect())
        })
    }

    fn behavior(&self, engine: &EngineStamp, program: &str) -> Result<Option<StoredBehavior>> {
        self.attempt(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT behaviour, micros, seal FROM engines WHERE program = ? AND engine = ? AND options = ?",
            )?;
            let row = |row: &rusqlite::Row<'_>| {
                Ok((StoredBehavior { digest: row.get(0)?, micros: row.get(1)? }, row.get::<_, Vec<u8>>(2)?))
            };
            let found = segments::or_fault(statement.query_row(
                params![program, engine.name, engine.options_json()],
                row,
            ))?;
            let sealed = found.ok().filter(|(known, seal)| known.seal(engine, program)[..] == seal[..]);
            Ok(sealed.map(|(known, _)| known))
        })
    }

    fn keep_behavior(
        &mut self,
        engine: &EngineStamp,
        program: &str,
        behavior: &StoredBehavior,
    ) -> Result<()> {
        if self.is_read_only {
            return Ok(());
        }
        self.attempt(|_| {
            let transaction = self.begin()?;
            transaction.execute(
                "INSERT OR REPLACE INTO engines (program, engine, options, behaviour, micros, seal) \
                 VALUES (?, ?, ?, ?, ?, ?)",
                params![
                    program,
                    engine.name,
                    engine.options_json(),
                    behavior.digest,
                    behavior.micros,
                    behavior.seal(engine, program)
                ],
            )?;
            set_behavior(&transaction, engine, &behavior.digest)?;
            transaction.commit()
        })
    }

    fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    fn describe(&self) -> String {
        full_path(&self.path)
    }
}

/// Adds the behavior of an engine to segments that the same executable searched before the behavior was
/// known. A segment stays unchanged if it is damaged, or if its search is already stored with the behavior.
fn set_behavior(connection: &Connection, engine: &EngineStamp, behavior: &str) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(
        "SELECT id FROM segments WHERE behaviour = '' AND engine_digest = ? AND engine = ? AND options = ?",
    )?;
    let of = params![engine.digest, engine.name, engine.options_json()];
    let ids = statement.query_map(of, |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
    for id in ids {
        if let Ok(record) = SegmentRecord::of_id(connection, id)? {
            segments::set_behavior(connection, &record, behavior)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
