//! Opening of a file as a store, with its tables, and with checks before anything is changed.

use std::{collections::BTreeMap, fs, io::Read, path::Path};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::{Connection, ErrorCode, MAIN_DB, OpenFlags, TransactionBehavior, config::DbConfig};

use super::{Result, StoreError, waiting};
use crate::base::{input_file, text::full_path};

/// Files up to this many bytes are checked completely when opened. The check of a larger file would take
/// seconds; its damage is found when the damaged page is read.
const CHECKED_WHOLE: u64 = 64 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Read and write. Missing folders, files and tables are created.
    ReadAndWrite,
    Read,
}

/// Opens a file, and creates its tables if there are none. A file that cannot be written is opened read-only.
pub(super) fn open(path: &Path, access: Access) -> Result<Connection> {
    check_name(path)?;
    if let (Some(folder), Access::ReadAndWrite) = (path.parent(), access) {
        let error = |source| StoreError::Folder(full_path(path), source);
        fs::create_dir_all(folder).map_err(error)?;
    }
    check_head(path)?;
    let mut connection = connect(path, access)?;
    prepare(&mut connection, path)?;
    if access == Access::Read {
        attempt(path, connection.pragma_update(None, "query_only", true))?;
    }
    Ok(connection)
}

/// Rejects names that SQLite does not take for files.
fn check_name(path: &Path) -> Result<()> {
    let name = path.to_string_lossy();
    match name.is_empty() || name == ":memory:" || name.starts_with("file:") {
        true => Err(StoreError::Name(name.into_owned())),
        false => Ok(()),
    }
}

/// The header of this program's SQLite files: offsets and bytes.
const HEADER: [(usize, &[u8]); 7] = [
    (0, b"SQLite format 3\0"),
    // Nothing reserved at the ends of pages, and the payload fractions that the format requires.
    (20, &[0, 64, 32, 32]),
    // The format of the schema, and no automatic vacuum.
    (44, &[0, 0, 0, 4]),
    (52, &[0; 4]),
    // UTF-8.
    (56, &[0, 0, 0, 1]),
    (64, &[0; 4]),
    (68, &APPLICATION_ID.to_be_bytes()),
];

/// Rejects a foreign or damaged file by its first bytes, because opening it with SQLite might change it.
fn check_head(path: &Path) -> Result<()> {
    let mut head = [0; 100];
    let unusable = |source: std::io::Error| StoreError::Unusable(full_path(path), source.into());
    let read = match input_file::open(path) {
        Ok(mut file) => file.read(&mut head),
        // SQLite would wait on a pipe or a device.
        Err(error) if error.kind() == std::io::ErrorKind::Other => return Err(unusable(error)),
        Err(_) => return Ok(()),
    };
    let read = read.map_err(unusable)?;
    // The file is empty, or another run is creating it.
    if head.iter().all(|byte| *byte == 0) {
        return Ok(());
    }
    let version = head[60..64].iter().fold(0, |version, &byte| version << 8 | i64::from(byte));
    let has = |(place, bytes): &(usize, &[u8])| head[*place..].starts_with(bytes);
    let store = full_path(path);
    match read == head.len() && has(&HEADER[0]) && has(&HEADER[6]) {
        false => Err(StoreError::Foreign(store)),
        // A later version may have other headers.
        true if version <= VERSION && !HEADER.iter().all(has) => Err(StoreError::Corrupt(store)),
        true => Ok(()),
    }
}

fn connect(path: &Path, access: Access) -> Result<Connection> {
    let made =
        if access == Access::ReadAndWrite { OpenFlags::SQLITE_OPEN_CREATE } else { OpenFlags::empty() };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | made;
    let mut connection = attempt(path, Connection::open_with_flags(path, flags))?;
    let opened = guard(&mut connection).and_then(|()| version(&connection));
    match opened {
        Ok(_) => Ok(connection),
        // In a read-only folder SQLite cannot create the shared memory for readers of its log.
        Err(error)
            if matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly)) =>
        {
            drop(connection);
            connect_alone(path)
        }
        Err(error) => Err(sqlite_error(path, error)),
    }
}

/// Connects, without locks, to a file that cannot be written. Fails if the write-ahead log of the file has
/// changes.
fn connect_alone(path: &Path) -> Result<Connection> {
    let log = fs::metadata(path.with_file_name(log_name(path))).map_or(0, |log| log.len());
    if log > 0 {
        return Err(StoreError::Unfinished(full_path(path), log_name(path)));
    }
    const IN_URI: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'.').remove(b'-').remove(b'_');
    let name = percent_encode(path.as_os_str().as_encoded_bytes(), IN_URI);
    let flags =
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection =
        attempt(path, Connection::open_with_flags(format!("file:{name}?immutable=1"), flags))?;
    attempt(path, guard(&mut connection))?;
    Ok(connection)
}

fn log_name(path: &Path) -> String {
    format!("{}-wal", path.file_name().unwrap_or_default().to_string_lossy())
}

/// Sets the time limit for locks, and stops SQLite from trusting a file's schema.
fn guard(connection: &mut Connection) -> rusqlite::Result<()> {
    connection.busy_handler(Some(waiting::for_lock))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "cell_size_check", true)
}

fn prepare(connection: &mut Connection, path: &Path) -> Result<()> {
    let store = || full_path(path);
    let is_read_only = attempt(path, connection.is_readonly(MAIN_DB))?;
    let found = attempt(path, version(connection))?;
    match found {
        0 if is_read_only => return Err(StoreError::ReadOnly(store())),
        0 => {
            let tables = "SELECT EXISTS (SELECT 1 FROM sqlite_schema)";
            if attempt(path, connection.query_row(tables, [], |row| row.get(0)))? {
                // Stores have a version, which another run may have set by now.
                return match attempt(path, version(connection))? {
                    0 => Err(StoreError::Corrupt(store())),
                    _ => prepare(connection, path),
                };
            }
            attempt(path, make(connection))?;
            check_tables(connection, path)?;
        }
        VERSION => {
            check_tables(connection, path)?;
            check_pages(connection, path)?;
        }
        found => return Err(StoreError::Version { store: store(), found, known: VERSION }),
    }
    if !is_read_only {
        set_journal_mode(connection, path)?;
    }
    let is_logged = attempt(path, journal_mode(connection))? == "wal";
    let keep = || {
        // With a write-ahead log, NORMAL keeps the file intact through a power failure, and a killed process
        // loses nothing. A power failure loses the last seconds, which the next run searches again. With
        // FULL, an engine would wait for the disk after every segment, and `deep` after every search.
        connection.pragma_update(None, "synchronous", if is_logged { "NORMAL" } else { "FULL" })?;
        connection.pragma_update(None, "foreign_keys", true)
    };
    attempt(path, keep())
}

/// Sets the journal mode. While other writers are active it tries again, because SQLite does not wait for
/// them here.
fn set_journal_mode(connection: &Connection, path: &Path) -> Result<()> {
    let wanted = if is_on_network(path) { "delete" } else { "wal" };
    let is_locked = |error: &rusqlite::Error| error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy);
    let mut tries = 0;
    loop {
        let set = use_journal_mode(connection, wanted);
        if !(set.as_ref().is_err_and(is_locked) && waiting::for_lock(tries)) {
            return attempt(path, set);
        }
        tries += 1;
    }
}

fn journal_mode(connection: &Connection) -> rusqlite::Result<String> {
    connection.pragma_query_value(None, "journal_mode", |row| row.get(0))
}

fn use_journal_mode(connection: &Connection, wanted: &str) -> rusqlite::Result<()> {
    if journal_mode(connection)? != wanted {
        connection.pragma_update_and_check(None, "journal_mode", wanted, |_| Ok(()))?;
    }
    Ok(())
}

/// Rejects a file whose tables are not as this program creates them.
fn check_tables(connection: &Connection, path: &Path) -> Result<()> {
    match attempt(path, is_as_made(connection))? {
        true => Ok(()),
        false => Err(StoreError::Corrupt(full_path(path))),
    }
}

/// Checks a file of at most [`CHECKED_WHOLE`] bytes for damage, before searches begin and before anything is
/// written.
fn check_pages(connection: &Connection, path: &Path) -> Result<()> {
    let size = fs::metadata(path).map_or(0, |file| file.len());
    if size > CHECKED_WHOLE {
        return Ok(());
    }
    let found = || -> rusqlite::Result<Vec<String>> {
        // Faults in single values are found and reported when they are read.
        connection.pragma_update(None, "ignore_check_constraints", true)?;
        let mut statement = connection.prepare("PRAGMA quick_check(1000)")?;
        let found = statement.query_map([], |row| row.get(0))?.collect();
        connection.pragma_update(None, "ignore_check_constraints", false)?;
        found
    };
    match attempt(path, found())?.iter().all(|verdict| verdict == "ok" || is_of_a_value(verdict)) {
        true => Ok(()),
        false => Err(StoreError::Corrupt(full_path(path))),
    }
}

pub(super) fn sqlite_error(path: &Path, source: rusqlite::Error) -> StoreError {
    let store = full_path(path);
    let corrupt = [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase];
    // SQLite reports these errors for a query that does not fit the tables.
    let foreign_table = matches!(&source, rusqlite::Error::SqlInputError { .. })
        || source.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_ERROR);
    match source.sqlite_error_code() {
        Some(code) if corrupt.contains(&code) || foreign_table => StoreError::Corrupt(store),
        Some(ErrorCode::ReadOnly) => StoreError::ReadOnly(store),
        _ => StoreError::Unusable(store, cause(source)),
    }
}

/// Returns the cause of a failure. SQLite has no words for some causes.
fn cause(source: rusqlite::Error) -> Box<dyn std::error::Error + Send + Sync> {
    match source.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another program is writing to it".into()
        }
        Some(ErrorCode::DiskFull) => "the disk is full".into(),
        Some(ErrorCode::SystemIoFailure) => {
            format!("the disk is full, or cannot be read or written ({source})").into()
        }
        Some(ErrorCode::OutOfMemory) => "there is not enough memory".into(),
        _ => source.into(),
    }
}

fn attempt<T>(path: &Path, result: rusqlite::Result<T>) -> Result<T> {
    result.map_err(|source| sqlite_error(path, source))
}

/// Returns whether the file is on a network file system, where the shared memory of SQLite's WAL mode does
/// not work. This is detected on Linux only; elsewhere a local disk is assumed.
fn is_on_network(path: &Path) -> bool {
    const NETWORK: [&str; 10] =
        ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "lustre", "gpfs", "beegfs", "fuse.sshfs"];
    let (Ok(path), Ok(mounts)) = (fs::canonicalize(path), fs::read_to_string("/proc/self/mounts")) else {
        return false;
    };
    let mounted_above = mounts.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(1);
        let (folder, kind) = (fields.next()?, fields.next()?);
        path.starts_with(folder.replace(r"\040", " ")).then_some((folder.len(), kind))
    });
    mounted_above.max_by_key(|&(length, _)| length).is_some_and(|(_, kind)| NETWORK.contains(&kind))
}

const TABLES: &str = include_str!("schema.sql");

/// The version of a store's file format. This program reads and writes only files of this version.
const VERSION: i64 = 3;

/// Identifies the file as a store: "gain" in ASCII.
const APPLICATION_ID: u32 = 0x6761_696e;

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn make(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another run may have created the tables meanwhile.
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

/// Returns whether a file has the objects that this program creates, no triggers, and no other objects on its
/// tables. Other tables and views belong to the user.
fn is_as_made(connection: &Connection) -> rusqlite::Result<bool> {
    let made = Connection::open_in_memory()?;
    made.execute_batch(TABLES)?;
    let (wanted, found) = (objects(&made)?, objects(connection)?);
    let has_all = wanted.iter().all(|(name, object)| found.get(name) == Some(object));
    let is_harmless = |(name, (kind, table, _)): (&String, &(String, String, Option<String>))| {
        wanted.contains_key(name) || !(kind == "trigger" || wanted.contains_key(table))
    };
    Ok(has_all && found.iter().all(is_harmless))
}
