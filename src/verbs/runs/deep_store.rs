//! Owns what a store of searches tells of a position.

use std::path::Path;

use super::{Finished, RunEnding, Viewer, deep::position_of, upkeep};
use crate::report::tables;
use crate::verbs::error::VerbError;

/// Lists what the store knows of a position.
///
/// # Errors
///
/// If the FEN is none, or the store is missing or cannot be used.
pub fn show(store: &Path, fen: &str, viewer: &dyn Viewer) -> Result<Finished, VerbError> {
    let (position, _) = position_of(fen)?;
    let known = upkeep::open_to_read(store)?.known_of(&position)?;
    if known.is_empty() {
        return Ok(Finished::new(
            "The store knows nothing of this position.\n".to_owned(),
            RunEnding::Complete,
        ));
    }
    let shown = tables::known_lines(&position, &known, viewer.screen());
    Ok(Finished::new(shown, RunEnding::Complete))
}
