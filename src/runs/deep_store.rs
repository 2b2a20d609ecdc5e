//! Owns what is done with stores of searches by position: listing and merging them.

use std::path::Path;

use super::{Finished, RunEnding, RunError, Viewer, deep::position_of};
use crate::{
    report::tables,
    store::sqlite::SqliteStore,
    text::{counted, shown_path},
};

/// Lists what the store knows of a position.
///
/// # Errors
///
/// If the FEN is none, or the store is missing or cannot be used.
pub fn show(store: &Path, fen: &str, viewer: &dyn Viewer) -> Result<Finished, RunError> {
    let (position, _) = position_of(fen)?;
    let known = open(store)?.known_of(&position)?;
    if known.is_empty() {
        return Ok(Finished::new(
            "The store knows nothing of this position.\n".to_owned(),
            RunEnding::Complete,
        ));
    }
    let shown = tables::known_lines(&position, &known, viewer.screen());
    Ok(Finished::new(shown, RunEnding::Complete))
}

/// Adds the searches of one store to another.
///
/// # Errors
///
/// If one is missing or cannot be used, or they contradict each other.
pub fn merge(into: &Path, from: &Path) -> Result<Finished, RunError> {
    let other = open(from)?;
    let mut store = open(into)?;
    let (added, known) = store.merge(&other)?;
    let told = format!(
        "{} added to {}, {known} of {} known there before.\n",
        counted(added, "search"),
        shown_path(into),
        added + known
    );
    Ok(Finished::new(told, RunEnding::Complete))
}

/// Opens a store that must be there.
fn open(path: &Path) -> Result<SqliteStore, RunError> {
    if !path.is_file() {
        return Err(RunError::NoSuchPath { path: shown_path(path) });
    }
    Ok(SqliteStore::open(path)?)
}
