//! Owns the files of evaluations that no server could be given: where the run is, each with a name that no other run has.

#[cfg(feature = "program")]
use std::{ffi::OsStr, fs, path::Path};

use super::super::{StoreError, sqlite::SqliteStore};
#[cfg(feature = "program")]
use crate::chess::text::shown_path;

const HEAD: &str = "unsent-evaluations-";
const TAIL: &str = ".sqlite";

/// Makes a file that was not there. The number of a process would not do: in a container it is always 1.
pub(super) fn new_file() -> Result<SqliteStore, StoreError> {
    let named = tempfile::Builder::new().prefix(HEAD).suffix(TAIL).rand_bytes(12).tempfile_in(".");
    let made = named.and_then(|file| file.into_temp_path().keep().map_err(|error| error.error));
    let unusable = |source: std::io::Error| StoreError::Unusable {
        store: format!("{HEAD}…{TAIL}"),
        source: source.into(),
    };
    SqliteStore::open(&made.map_err(unusable)?)
}

/// Says how evaluations of a file come to a server.
pub(super) fn adding(file: &str) -> String {
    format!("`gainalyze store merge ADDRESS {file}` adds them")
}

/// Offers to send what earlier runs have left where this one is; `None` where they left nothing.
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
        "evaluations that a run could not store are here: {}; remove the files then",
        adding(&files)
    ))
}
