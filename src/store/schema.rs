//! Tables of a SQLite store: their creation, and the check that a file has them unchanged.

use std::collections::BTreeMap;

use rusqlite::{Connection, TransactionBehavior};

const TABLES: &str = include_str!("schema.sql");

/// The version of a store's file format. This program reads and writes only files of this version.
pub(super) const VERSION: i64 = 3;

/// Identifies the file as a store: "gain" in ASCII.
pub(super) const APPLICATION_ID: u32 = 0x6761_696e;

pub(super) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

pub(super) fn make(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another run may have done it meanwhile.
    if version(&transaction)? == 0 {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

/// Returns whether a finding of SQLite's check concerns a single value instead of the file's pages.
pub(super) fn is_of_a_value(verdict: &str) -> bool {
    verdict.contains(" value in ") || verdict.starts_with("CHECK constraint failed in ")
}

/// The objects of a database by name: type, table, and the statement that creates them.
type Objects = BTreeMap<String, (String, String, Option<String>)>;

fn objects(connection: &Connection) -> rusqlite::Result<Objects> {
    let mut statement = connection.prepare("SELECT name, type, tbl_name, sql FROM sqlite_schema")?;
    let object = |row: &rusqlite::Row<'_>| {
        let statement: Option<String> = row.get(3)?;
        Ok((row.get(0)?, (row.get(1)?, row.get(2)?, statement.as_deref().map(without_comments))))
    };
    statement.query_map([], object)?.collect()
}

fn without_comments(statement: &str) -> String {
    let code = statement.lines().map(|line| line.split_once("--").map_or(line, |(code, _)| code));
    code.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Returns whether a file has the tables as created by this program, and nothing that changes the data read
/// from them. Views and tables of other names belong to the user.
pub(super) fn is_as_made(connection: &Connection) -> rusqlite::Result<bool> {
    let made = Connection::open_in_memory()?;
    made.execute_batch(TABLES)?;
    let (wanted, found) = (objects(&made)?, objects(connection)?);
    let has_all = wanted.iter().all(|(name, object)| found.get(name) == Some(object));
    let is_harmless = |(name, (kind, table, _)): (&String, &(String, String, Option<String>))| {
        wanted.contains_key(name) || !(kind == "trigger" || wanted.contains_key(table))
    };
    Ok(has_all && found.iter().all(is_harmless))
}
