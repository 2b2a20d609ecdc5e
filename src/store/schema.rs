//! Owns the tables of a store: how each version is made from the one before, and whether a file has them as they are made.

use std::collections::BTreeMap;

use rusqlite::{Connection, ErrorCode, TransactionBehavior, params};

use super::{
    columns::SearchColumns,
    rows::{RowFault, SegmentRows},
    segments,
};

/// What makes the tables of each version from those of the one before: a file has run through so many as its
/// version says, and an older program must not write it.
const SCHEMA: [&str; 3] =
    [include_str!("schema/1.sql"), include_str!("schema/2.sql"), include_str!("schema/3.sql")];

/// The version of the files that this program writes.
pub(super) const VERSION: i64 = SCHEMA.len() as i64;

/// The version from which on evaluations are sealed.
const SEALED: usize = 3;

/// Marks the file as ours: "gain" in ASCII.
pub(super) const APPLICATION_ID: u32 = 0x6761_696e;

pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Makes the tables of this version from whatever there is, all of them or none.
pub(super) fn bring_up_to_date(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another run may have done it meanwhile.
    let found = usize::try_from(version(&transaction)?).unwrap_or_default();
    make(&transaction, found, SCHEMA.len())?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    if found < SCHEMA.len() {
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

fn make(connection: &Connection, from: usize, to: usize) -> rusqlite::Result<()> {
    for (version, step) in (1..).zip(SCHEMA).take(to).skip(from) {
        connection.execute_batch(step)?;
        if version == SEALED {
            move_and_seal(connection)?;
            connection.execute_batch(
                "DROP TABLE old_alternatives; DROP TABLE old_evaluations; DROP TABLE old_segments;",
            )?;
        }
    }
    Ok(())
}

/// Moves the segments of earlier versions into the tables of version 3. How their engines behave is not known yet.
fn move_and_seal(connection: &Connection) -> rusqlite::Result<()> {
    let mut ids = connection.prepare("SELECT id FROM old_segments ORDER BY id")?;
    for id in ids.query_map([], |row| row.get(0))? {
        let id: i64 = id?;
        match move_segment(connection, id)? {
            Ok(()) => {}
            Err(fault) => segments::keep_aside(connection, "old_", id, &fault.to_string())?,
        }
    }
    Ok(())
}

fn move_segment(connection: &Connection, id: i64) -> rusqlite::Result<Result<(), RowFault>> {
    let names = SearchColumns::NAMES;
    let query =
        format!("SELECT {names}, key, engine_digest, program, stored_at FROM old_segments WHERE id = ?");
    let mut statement = connection.prepare_cached(&query)?;
    let read = statement.query_row([id], |row| {
        let texts: [String; 3] = [row.get(11)?, row.get(12)?, row.get(13)?];
        Ok((SearchColumns::read(row, 0)?, row.get::<_, Vec<u8>>(10)?, texts))
    });
    let read =
        segments::or_fault(read.and_then(|read| Ok((read, SegmentRows::read(connection, "old_", id)?))))?;
    let ((columns, key, [digest, program, stored_at]), rows) = match read {
        Ok(read) => read,
        Err(fault) => return Ok(Err(fault)),
    };
    if columns.key()[..] != key[..] {
        return Ok(Err(RowFault::Key));
    }
    let written = connection
        .prepare_cached(&format!(
            "INSERT INTO segments (id, {names}, key, behaviour, engine_digest, program, stored_at, seal) \
             SELECT id, {names}, key, '', engine_digest, ?2, ?3, ?4 FROM old_segments WHERE id = ?1"
        ))?
        .execute(params![id, program, stored_at, rows.seal(&key, "", &digest)])
        .and_then(|_| rows.write(connection, id));
    match written {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
            segments::remove(connection, id)?;
            Ok(Err(RowFault::Bounds))
        }
        written => written.map(Ok),
    }
}

/// Tells whether what SQLite says of a file is of a single value, not of its pages.
pub(super) fn is_of_a_value(verdict: &str) -> bool {
    verdict.contains(" value in ") || verdict.starts_with("CHECK constraint failed in ")
}

/// What a database holds, by name: of which kind it is, on which table, and the statement that makes it.
type Objects = BTreeMap<String, (String, String, Option<String>)>;

fn objects(connection: &Connection) -> rusqlite::Result<Objects> {
    let mut statement = connection.prepare("SELECT name, type, tbl_name, sql FROM sqlite_schema")?;
    let object = |row: &rusqlite::Row<'_>| {
        let statement: Option<String> = row.get(3)?;
        Ok((row.get(0)?, (row.get(1)?, row.get(2)?, statement.as_deref().map(without_comments))))
    };
    statement.query_map([], object)?.collect()
}

/// Returns a statement as it is whatever is said beside it.
fn without_comments(statement: &str) -> String {
    let code = statement.lines().map(|line| line.split_once("--").map_or(line, |(code, _)| code));
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Tells whether a file has the tables of `version` as this program makes them, and nothing that changes what is read from
/// them. Views and tables of other names are the user's own.
pub(super) fn is_as_made(connection: &Connection, version: i64) -> rusqlite::Result<bool> {
    let made = Connection::open_in_memory()?;
    make(&made, 0, usize::try_from(version).unwrap_or_default())?;
    let (wanted, found) = (objects(&made)?, objects(connection)?);
    let has_all = wanted.iter().all(|(name, object)| found.get(name) == Some(object));
    let is_harmless = |(name, (kind, table, _)): (&String, &(String, String, Option<String>))| {
        wanted.contains_key(name) || !(kind == "trigger" || wanted.contains_key(table))
    };
    Ok(has_all && found.iter().all(is_harmless))
}
