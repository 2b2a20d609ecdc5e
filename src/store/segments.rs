//! Single segments in a SQLite store: writing with a seal, verified reading, and setting aside of damaged
//! segments.

use rusqlite::{Connection, OptionalExtension, params, types::Value};
use serde_json::json;

use super::{
    columns::SearchColumns, rows, rows::RowFault, rows::SegmentRows, sealed::SealedSegment,
    sealed::StoredSegment,
};
use crate::base::digest::hex;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SegmentRecord {
    pub id: i64,
    pub key: Vec<u8>,
    /// Behavior of the engine; empty if unknown.
    pub behavior: String,
    pub digest: String,
    pub seal: Vec<u8>,
}

impl SegmentRecord {
    const NAMES: &str = "id, key, behaviour, engine_digest, seal";

    fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<SegmentRecord> {
        Ok(SegmentRecord {
            id: row.get(0)?,
            key: row.get(1)?,
            behavior: row.get(2)?,
            digest: row.get(3)?,
            seal: row.get(4)?,
        })
    }

    pub fn of_search(
        connection: &Connection,
        key: &[u8],
    ) -> rusqlite::Result<Vec<(i64, Result<SegmentRecord, RowFault>)>> {
        let mut statement = connection.prepare_cached("SELECT id FROM segments WHERE key = ? ORDER BY id")?;
        let ids = statement.query_map([key], |row| row.get(0))?.collect::<rusqlite::Result<Vec<i64>>>()?;
        let record = |id| {
            let record = SegmentRecord::of_id(connection, id)?;
            Ok((
                id,
                record.and_then(|record| if record.key == key { Ok(record) } else { Err(RowFault::Key) }),
            ))
        };
        ids.into_iter().map(record).collect()
    }

    /// Reads the record of segment `id`. The inner result is the record or its fault.
    pub fn of_id(connection: &Connection, id: i64) -> rusqlite::Result<Result<SegmentRecord, RowFault>> {
        let query = format!("SELECT {} FROM segments WHERE id = ?", SegmentRecord::NAMES);
        or_fault(connection.prepare_cached(&query)?.query_row([id], SegmentRecord::read))
    }

    /// Reads the rows of the segment and checks the seal. The inner result is the rows or their fault.
    pub fn rows(&self, connection: &Connection) -> rusqlite::Result<Result<SegmentRows, RowFault>> {
        let rows = or_fault(SegmentRows::read(connection, self.id))?;
        let seal = |rows: &SegmentRows| rows.seal(&self.key, &self.behavior, &self.digest);
        Ok(rows
            .and_then(|rows| if seal(&rows)[..] == self.seal[..] { Ok(rows) } else { Err(RowFault::Seal) }))
    }

    /// Reads the columns that determine the key. The inner result is the columns or their fault.
    pub fn columns(&self, connection: &Connection) -> rusqlite::Result<Result<SearchColumns, RowFault>> {
        let query = format!("SELECT {} FROM segments WHERE id = ?", SearchColumns::NAMES);
        let mut statement = connection.prepare_cached(&query)?;
        let columns = or_fault(statement.query_row([self.id], |row| SearchColumns::read(row, 0)))?;
        Ok(columns.and_then(|columns| match columns.key()[..] == self.key[..] {
            true => Ok(columns),
            false => Err(RowFault::Key),
        }))
    }
}

/// Reads a segment and checks its seal and key. The inner result is the segment or its fault.
pub(super) fn sealed(connection: &Connection, id: i64) -> rusqlite::Result<Result<SealedSegment, RowFault>> {
    let record = match SegmentRecord::of_id(connection, id)? {
        Ok(record) => record,
        Err(fault) => return Ok(Err(fault)),
    };
    let (columns, rows) = (record.columns(connection)?, record.rows(connection)?);
    let SegmentRecord { key, behavior, digest, .. } = record;
    let name = format!("segment {id}");
    Ok(columns.and_then(|columns| {
        Ok(SealedSegment { name, key, stored: StoredSegment { columns, behavior, digest, rows: rows? } })
    }))
}

/// Writes a segment, replacing earlier results of the same build of an engine.
pub(super) fn write(connection: &Connection, segment: &StoredSegment) -> rusqlite::Result<()> {
    let StoredSegment { columns, behavior, digest, rows } = segment;
    let key = columns.key();
    connection
        .prepare_cached("DELETE FROM segments WHERE key = ? AND behaviour = ? AND engine_digest = ?")?
        .execute(params![key, behavior, digest])?;
    connection
        .prepare_cached(&format!(
            "INSERT INTO segments ({}, key, behaviour, engine_digest, program, stored_at, seal) VALUES \
             (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?)",
            SearchColumns::NAMES
        ))?
        .execute(params![
            columns.engine,
            columns.options,
            columns.limit,
            columns.order,
            columns.segment_length,
            columns.start_fen,
            columns.chess960,
            columns.moves,
            columns.lines,
            columns.root_moves,
            key,
            behavior,
            digest,
            env!("CARGO_PKG_VERSION"),
            segment.seal(&key),
        ])?;
    rows.write(connection, connection.last_insert_rowid())
}

/// Adds the behavior of an engine to a segment that was stored before the behavior was known. The segment
/// stays unchanged if it is damaged, or if its search is already stored with the behavior.
pub(super) fn set_behavior(
    connection: &Connection,
    record: &SegmentRecord,
    behavior: &str,
) -> rusqlite::Result<()> {
    let Ok(rows) = record.rows(connection)? else { return Ok(()) };
    connection
        .prepare_cached("UPDATE OR IGNORE segments SET behaviour = ?, seal = ? WHERE id = ?")?
        .execute(params![behavior, rows.seal(&record.key, behavior, &record.digest), record.id])?;
    Ok(())
}

pub(super) fn remove(connection: &Connection, id: i64) -> rusqlite::Result<()> {
    // Foreign keys are not enough: a damaged table may have unreachable rows.
    for table in ["alternatives", "evaluations"] {
        connection.execute(&format!("DELETE FROM {table} WHERE segment = ?"), [id])?;
    }
    connection.execute("DELETE FROM segments WHERE id = ?", [id]).map(|_| ())
}

/// Moves the rows of a damaged segment to the table of segments that are set aside.
pub(super) fn set_aside(connection: &Connection, id: i64, reason: &str) -> rusqlite::Result<()> {
    let content = json!({
        "segments": as_json(connection, "segments", "id", id)?,
        "evaluations": as_json(connection, "evaluations", "segment", id)?,
        "alternatives": as_json(connection, "alternatives", "segment", id)?,
    });
    connection.execute(
        "INSERT INTO set_aside (set_aside_at, reason, content) \
         VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?, ?)",
        params![reason, content.to_string()],
    )?;
    remove(connection, id)
}

fn as_json(
    connection: &Connection,
    table: &str,
    column: &str,
    id: i64,
) -> rusqlite::Result<Vec<serde_json::Map<String, serde_json::Value>>> {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table} WHERE {column} = ? LIMIT ?"))?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let rows = statement.query_map([id, rows::MOST_SET_ASIDE], |row| {
        let cell = |(place, name): (usize, &String)| {
            // A text that is not UTF-8 causes an error.
            let value = row.get(place).map_or(serde_json::Value::Null, value_as_json);
            (name.clone(), value)
        };
        Ok(names.iter().enumerate().map(cell).collect())
    })?;
    rows.collect()
}

fn value_as_json(value: Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Integer(number) => number.into(),
        Value::Real(number) => number.into(),
        Value::Text(text) => text.into(),
        Value::Blob(bytes) => hex(&bytes).into(),
    }
}

/// Separates the faults of a row (a value of another type, or an invalid text) from faults of the file. Only
/// a fault of the file is returned as the outer error.
pub(super) fn or_fault<T>(read: rusqlite::Result<T>) -> rusqlite::Result<Result<T, RowFault>> {
    match read {
        Ok(value) => Ok(Ok(value)),
        Err(error @ (rusqlite::Error::SqliteFailure(..) | rusqlite::Error::SqlInputError { .. })) => {
            Err(error)
        }
        Err(_) => Ok(Err(RowFault::Type)),
    }
}

pub(super) fn value<T: rusqlite::types::FromSql>(
    connection: &Connection,
    query: &str,
    parameters: impl rusqlite::Params,
) -> rusqlite::Result<Option<T>> {
    connection.prepare_cached(query)?.query_row(parameters, |row| row.get(0)).optional()
}
