//! Owns [`EvaluationStore`]: what every place that keeps evaluations for other runs can do, and what tells one
//! evaluation from another there.

pub(crate) mod columns;
mod merging;
pub(crate) mod naming;
mod opening;
mod origin_filter;
mod positions;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(all(feature = "program", feature = "postgres"))]
pub(crate) mod queue;
mod rows;
#[cfg(test)]
#[path = "tests/sample.rs"]
mod sample;
mod schema;
mod sealed;
mod segments;
#[cfg(feature = "postgres")]
pub mod server;
pub(crate) mod sqlite;
mod sqlite_upkeep;
mod upkeep;

/// Evaluations of whole games: those that their file records, and those that engines search, many at once.
pub mod evaluate {
    pub mod pool;
    mod recorded;
    #[cfg(feature = "program")]
    pub(crate) mod search;

    pub use self::recorded::recorded;
    #[cfg(feature = "program")]
    pub(crate) use self::recorded::{Gap, own_engines};
}

use std::{collections::BTreeMap, io, path::Path};

#[cfg(feature = "program")]
pub use self::evaluate::search::SearchProgress;
pub(crate) use self::naming::server_address;
pub(crate) use self::sealed::SealedSegment;
#[cfg(feature = "program")]
pub(crate) use self::{
    evaluate::Gap,
    evaluate::search::{Search, SearchCounts, SearchNotice, SearchedGame, UnusedEvaluations},
    positions::KnownLine,
    upkeep::{MergeOutcome, Pruned, StoreCheck, StoreShare, StoredLine},
};
pub use self::{
    evaluate::pool::{PoolEvent, Task},
    naming::is_on_server,
    origin_filter::OriginFilter,
    sqlite::SqliteStore,
    upkeep::{KeptStore, Pruning, check, export},
};
use crate::chess::{PlyEvaluation, Protocol, Segment};
#[cfg(feature = "postgres")]
use crate::store::server::{Address, PostgresError, ServerAccess};

/// Keeps evaluations for other runs: a file, or a database that many machines share.
///
/// An evaluation is found again under all that determines it: how the engine behaves, its name and options, the protocol,
/// and the segment. Users hold it as `dyn`, since what it is depends on what whoever starts a run names.
pub trait EvaluationStore: Send {
    /// Returns what is known of a segment. What is damaged is put aside, and the next one to ask finds nothing.
    fn get(&self, origin: &Origin, segment: &Segment) -> Result<Recall, StoreError>;

    /// Returns what is known of each of some segments, as [`EvaluationStore::get`] does. Over a network, asking for many at
    /// once is one way there and back.
    fn get_all(&self, origin: &Origin, segments: &[&Segment]) -> Result<Vec<Recall>, StoreError> {
        segments.iter().map(|segment| self.get(origin, segment)).collect()
    }

    /// Writes a finished segment, all of it or nothing. Where one is there already, either stays.
    fn put(
        &mut self,
        origin: &Origin,
        segment: &Segment,
        evaluations: &[PlyEvaluation],
    ) -> Result<(), StoreError>;

    /// Lists everyone whose evaluations are here, each with all that determines them beside the game; of builds that behave
    /// the same, the digest is that of the last file that was stored from. Searches of some moves alone are left out.
    fn origins(&self) -> Result<Vec<Origin>, StoreError>;

    /// Returns how an engine behaves, if it was kept: by its name and options, and by `program`, a digest of its files.
    fn behaviour(&self, engine: &EngineStamp, program: &str) -> Result<Option<StoredBehaviour>, StoreError>;

    /// Keeps how an engine behaves, also of what its file gave before that was known; does nothing where only reading is
    /// possible.
    fn keep_behaviour(
        &mut self,
        engine: &EngineStamp,
        program: &str,
        behaviour: &StoredBehaviour,
    ) -> Result<(), StoreError>;

    /// Tells whether nothing can be written.
    fn is_read_only(&self) -> bool;

    /// Returns the store's name in messages: a file by its path.
    fn describe(&self) -> String;
}

/// What a store knows of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recall {
    /// All of it.
    Known(KnownSegment),
    /// Nothing.
    Missing,
    /// What another build of the engine has found, which behaves in another way, or nobody knows how.
    OtherBuild {
        /// SHA-256 of its executable.
        digest: String,
    },
    /// It is not as it was written, and is not used.
    Damaged {
        /// Which segment, and what is wrong with it.
        what: String,
    },
}

/// The evaluations of a segment as they were stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSegment {
    /// In the order of its searches.
    pub evaluations: Vec<PlyEvaluation>,
    /// SHA-256 of the executable that found them.
    pub digest: String,
}

impl Recall {
    /// Returns the evaluations, if all are known.
    pub fn known(self) -> Option<Vec<PlyEvaluation>> {
        match self {
            Recall::Known(known) => Some(known.evaluations),
            _ => None,
        }
    }
}

/// How an engine behaves, as it was found out once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBehaviour {
    /// SHA-256, in hexadecimal, of what it finds in fixed positions.
    pub digest: String,
    /// How long it searched one of them, in millionths of a second.
    pub micros: u64,
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
    /// It is something else.
    #[error("store {0}: it is not a store of gainalyze; name another file")]
    Foreign(String),
    /// What it is called is no name of a file.
    #[error(
        "store {name:?}: that is no name of a file; --no-store keeps nothing, and ./{name} is a file of that name"
    )]
    Name {
        /// As it was given.
        name: String,
    },
    /// It can be read alone.
    #[error(
        "store {0}: not all that is asked for is in it, and it can only be read; let somebody search who may write it"
    )]
    ReadOnly(String),
    /// Another program wrote it: a later one, or one before the first release.
    #[error("store {store}: it has version {found}{}", of_version(*found, *known))]
    Version {
        /// The store.
        store: String,
        /// Its version.
        found: i64,
        /// The version that this program knows.
        known: i64,
    },
    /// Somebody was writing it, and nobody can end that here.
    #[error(
        "store {store}: it cannot be written, and not all of it is in the file; copy it with {log} beside it"
    )]
    Unfinished {
        /// The store.
        store: String,
        /// The file beside it.
        log: String,
    },
    /// It is damaged, or has other tables.
    #[error("store {0}: it is damaged or not a store of gainalyze; move it away")]
    Corrupt(String),
    /// A server cannot be used.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// The thread that asks a server has ended.
    #[error("store {0}: nobody asks its server any more; start the program again")]
    Ended(String),
    /// This program has no way to a server.
    #[error("store postgres://…: this program was built without PostgreSQL; name a file")]
    WithoutPostgres,
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

fn of_version(found: i64, known: i64) -> String {
    match found > known {
        true => format!(" and this program knows version {known}; use a newer gainalyze"),
        false => format!(
            ", of a gainalyze before its first release, and its games must be searched again (this program knows version \
             {known}); name another file"
        ),
    }
}

impl StoreError {
    /// Tells whether it says of a server why it cannot be used.
    pub fn is_of_a_server(&self) -> bool {
        #[cfg(feature = "postgres")]
        if matches!(self, StoreError::Postgres(_)) {
            return true;
        }
        matches!(self, StoreError::WithoutPostgres)
    }

    /// Tells whether another store would do.
    pub fn is_of_the_store(&self) -> bool {
        matches!(
            self,
            StoreError::Corrupt(_)
                | StoreError::Foreign(_)
                | StoreError::Name { .. }
                | StoreError::ReadOnly(_)
                | StoreError::Version { .. }
        )
    }
}

/// Opens the store that a user names, making it where it is missing: a file, or the address of a server.
pub fn open(path: &Path) -> Result<Box<dyn KeptStore>, StoreError> {
    match server_address(path) {
        Some(address) => open_server(&address, true),
        None => Ok(Box::new(SqliteStore::open(path)?)),
    }
}

/// Opens the store that a user names, which is there, to read it alone.
pub fn open_to_read(path: &Path) -> Result<Box<dyn KeptStore>, StoreError> {
    match server_address(path) {
        Some(address) => open_server(&address, false),
        None => Ok(Box::new(SqliteStore::open_to_read(path)?)),
    }
}

#[cfg(feature = "postgres")]
fn open_server(address: &str, is_written: bool) -> Result<Box<dyn KeptStore>, StoreError> {
    let access = if is_written { ServerAccess::Work } else { ServerAccess::Read };
    Ok(Box::new(postgres::PostgresStore::open(Address::parse(address)?, access)?))
}

/// Offers to send what runs before this one could not store on a server; `None` where they left nothing.
#[cfg(all(feature = "program", feature = "postgres"))]
pub(crate) fn offer_unsent() -> Option<String> {
    postgres::offer()
}

#[cfg(not(feature = "postgres"))]
fn open_server(_address: &str, _is_written: bool) -> Result<Box<dyn KeptStore>, StoreError> {
    Err(StoreError::WithoutPostgres)
}

/// Which engine searched, as far as it determines scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineStamp {
    /// Its `id name`.
    pub name: String,
    /// Every option with its value.
    pub options: BTreeMap<String, String>,
    /// SHA-256 of the executable in hexadecimal.
    pub digest: String,
    /// SHA-256 of what it finds in fixed positions, in hexadecimal; builds of one version for different processors have the
    /// same, and share evaluations. `None` where it is not known: then only the same file does.
    pub behaviour: Option<String>,
}

impl EngineStamp {
    /// Returns how it behaves, as stores have it: empty where that is not known.
    fn known_behaviour(&self) -> &str {
        self.behaviour.as_deref().unwrap_or_default()
    }

    /// Tells whether evaluations of a build are those of this engine; its `behaviour` is empty where it is not known.
    fn is_of_build(&self, behaviour: &str, digest: &str) -> bool {
        match &self.behaviour {
            Some(ours) if !behaviour.is_empty() => ours == behaviour,
            _ => self.digest == digest,
        }
    }

    /// Writes JSON, so that a database's own functions can look into it.
    pub(crate) fn options_json(&self) -> String {
        serde_json::to_string(&self.options).expect("texts always make JSON")
    }
}

/// Who gave evaluations, and how they were asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Who.
    pub engine: EngineStamp,
    /// How.
    pub protocol: Protocol,
}
