//! Owns [`RunShare`]: which part of a run is done here.

use std::path::PathBuf;

use crate::chess::Shard;

/// Which part of a run is done here: of the games of a schedule, or of the weights that are learned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RunShare {
    /// All.
    #[default]
    All,
    /// One part.
    Part(Shard),
    /// None: what it comes to is taken from the folders of runs that have done parts of it.
    Gathered(Vec<PathBuf>),
}

impl RunShare {
    /// Returns what `--shard` and `--gather` ask for, which exclude each other.
    pub fn of(part: Option<Shard>, folders: &[PathBuf]) -> RunShare {
        match part {
            Some(part) => RunShare::Part(part),
            None if folders.is_empty() => RunShare::All,
            None => RunShare::Gathered(folders.to_vec()),
        }
    }
}
