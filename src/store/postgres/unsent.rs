//! Files of evaluations that could not be sent to a server. They are in the current folder, each with a
//! unique name.

#[cfg(feature = "program")]
use std::{ffi::OsStr, fs, path::Path};

use super::super::{StoreError, sqlite::SqliteStore};
#[cfg(feature = "program")]
use crate::base::text::shown_path;

const HEAD: &str = "unsent-evaluations-";
const TAIL: &str = ".sqlite";

/// Creates a new file with a random name. A process number in the name would not be unique: in containers it
/// is often 1.
pub(super) fn new_file() -> Result<SqliteStore, StoreError> {
    let named = tempfile::Builder::new().prefix(HEAD).suffix(TAIL).rand_bytes(12).tempfile_in(".");
    let made = named.and_then(|file| file.into_temp_path().keep().map_err(|error| error.error));
    let unusable = |source: std::io::Error| StoreError::Unusable {
        store: format!("{HEAD}…{TAIL}"),
        source: source.into(),
    };
    SqliteStore::open(&made.map_err(unusable)?)
}

/// Returns the instruction for adding a file's evaluations to a server.
pub(super) fn adding(file: &str) -> String {
    format!("`gainalyze store merge ADDRESS {file}` adds them")
}

/// Returns a message on the files that earlier runs left in the current folder, with the command that sends
/// them; `None` if there are none.
#[cfg(feature = "program")]
pub(crate) fn offer() -> Option<String> {
    let is_one =
        |name: &OsStr| name.to_str().is_some_and(|name| name.starts_with(HEAD) && name.ends_with(TAIL));
    let entries = fs::read_dir(".").ok()?.flatten().map(|entry| entry.file_name());
    let mut files: Vec<String> =
        entries.filter(|name| is_one(name)).map(|name| shown_path(Path::new(&name))).collect();
    files.sort();
    let files = Some(files.join(" ")).filter(|files| !files.is_empty())?;
    Some(format!(
        "an earlier run could not store some of its evaluations; {}. Then remove the files",
        adding(&files)
    ))
}
