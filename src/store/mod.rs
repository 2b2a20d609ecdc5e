//! Owns [`EvaluationStore`]: what every place that keeps evaluations for other runs can do, and what tells one
//! evaluation from another there.

mod origin_filter;
mod positions;
pub mod sqlite;

use std::{collections::BTreeMap, io, path::Path};

use sha2::{Digest, Sha256};

pub use self::origin_filter::OriginFilter;

use crate::{
    evaluation::Protocol,
    segment::{PlyEvaluation, Segment},
};

/// Keeps evaluations for other runs: a file, or a database that many machines share.
///
/// An evaluation is found again under all that determines it: the engine's name and options, the protocol, and the
/// segment. Users hold it as `dyn`, since what it is depends on what whoever starts a run names.
pub trait EvaluationStore: Send {
    /// Returns the evaluations of a segment, in the order of its searches; `None` where one is missing.
    fn get(
        &self,
        engine: &EngineStamp,
        protocol: &Protocol,
        segment: &Segment,
    ) -> Result<Option<Vec<PlyEvaluation>>, StoreError>;

    /// Writes a finished segment, all of it or nothing, in place of one that is there already.
    fn put(
        &mut self,
        engine: &EngineStamp,
        protocol: &Protocol,
        segment: &Segment,
        evaluations: &[PlyEvaluation],
    ) -> Result<(), StoreError>;

    /// Lists everyone whose evaluations are here, each with all that determines them beside the game; the digest
    /// is that of the last program file that was stored from. Searches of some moves alone are left out.
    fn origins(&self) -> Result<Vec<Origin>, StoreError>;

    /// Returns the store's name in messages: a file by its path.
    fn describe(&self) -> String;
}

/// Why a store cannot be used, whatever it is; `store` is its [`EvaluationStore::describe`].
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Its folder cannot be made.
    #[error("store {store}: its folder cannot be created")]
    Folder {
        /// The store.
        store: String,
        /// What the system says.
        source: io::Error,
    },
    /// It is something else, or damaged.
    #[error("store {store}: it is damaged or not a store of gainalyze; move it away")]
    Corrupt {
        /// The store.
        store: String,
    },
    /// A later program wrote it.
    #[error(
        "store {store}: it has version {found} and this program knows version {known}; use a newer gainalyze"
    )]
    Newer {
        /// The store.
        store: String,
        /// Its version.
        found: i64,
        /// The last version that this program knows.
        known: i64,
    },
    /// Two stores give different values for the same search.
    #[error("store {store} and {other} contradict each other, so that nothing is merged: {search}")]
    Contradiction {
        /// The store.
        store: String,
        /// The other one.
        other: String,
        /// What was searched.
        search: String,
    },
    /// Not allowed to write, no space left, no connection, …
    #[error("store {store} cannot be used")]
    Unusable {
        /// The store.
        store: String,
        /// What its implementation says.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl StoreError {
    /// Tells whether another store would do.
    pub fn is_of_the_store(&self) -> bool {
        matches!(self, StoreError::Corrupt { .. } | StoreError::Newer { .. })
    }
}

/// Opens the store that a user names, making it where it is missing.
pub fn open(path: &Path) -> Result<Box<dyn EvaluationStore>, StoreError> {
    Ok(Box::new(sqlite::SqliteStore::open(path)?))
}

/// Which engine searched, as far as it determines scores, with its executable's digest beside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineStamp {
    /// Its `id name`.
    pub name: String,
    /// Every option with its value.
    pub options: BTreeMap<String, String>,
    /// SHA-256 of the executable in hexadecimal: recorded, not part of the key, since builds of
    /// one version for different processors give the same scores.
    pub digest: String,
}

/// Who gave evaluations, and how they were asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Who.
    pub engine: EngineStamp,
    /// How.
    pub protocol: Protocol,
}

/// All that determines the scores of a segment.
#[derive(Debug, Clone, Copy)]
struct Identified<'a> {
    engine: &'a EngineStamp,
    protocol: &'a Protocol,
    segment: &'a Segment,
}

impl Identified<'_> {
    /// Writes JSON, so that a database's own functions can look into it.
    fn options(&self) -> String {
        serde_json::to_string(&self.engine.options).expect("texts always make JSON")
    }

    fn moves(&self) -> String {
        in_words(self.segment.moves())
    }

    fn root_moves(&self) -> String {
        in_words(self.segment.root_moves())
    }

    /// Returns one digest of everything that determines the scores, each part with its length before it, so
    /// that no two different ones read the same.
    ///
    /// Lines and moves asked for came later: where one line of every move is asked for, as ever before, they
    /// are no part of it, and what earlier versions stored is found.
    fn key(&self) -> Vec<u8> {
        let mut parts = vec![
            self.engine.name.clone(),
            self.options(),
            self.protocol.limit.to_string(),
            self.protocol.order.to_string(),
            self.protocol.segment.to_string(),
            self.segment.start_fen().unwrap_or_default(),
            self.segment.mode().is_chess960().to_string(),
            self.moves(),
        ];
        if self.protocol.lines.get() > 1 || !self.segment.root_moves().is_empty() {
            parts.extend([self.protocol.lines.to_string(), self.root_moves()]);
        }
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize().to_vec()
    }
}

fn in_words(moves: &[shakmaty::uci::UciMove]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
