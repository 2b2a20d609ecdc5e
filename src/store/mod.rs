//! [`EvaluationStore`]: the interface of every store that keeps evaluations for later runs.

pub(crate) mod columns;
mod opening;
mod positions;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(all(feature = "program", feature = "postgres"))]
pub(crate) mod queue;
mod rows;
#[cfg(test)]
#[path = "tests/sample.rs"]
mod sample;
mod sealed;
mod segments;
#[cfg(feature = "postgres")]
pub mod server;
pub(crate) mod sqlite;
mod sqlite_upkeep;
mod upkeep;
pub(crate) mod waiting;

/// Evaluation of whole games, many at a time.
pub mod evaluate {
    pub mod pool;
    #[cfg(feature = "program")]
    pub(crate) mod search;
}

use std::{collections::BTreeMap, io, path::Path};

#[cfg(feature = "program")]
pub use self::evaluate::search::SearchProgress;
pub(crate) use self::sealed::SealedSegment;
use self::sealed::is_one_build;
pub use self::{
    evaluate::pool::{PoolEvent, Task},
    sqlite::SqliteStore,
    upkeep::{KeptStore, OriginFilter, Pruning, check, export},
};
#[cfg(feature = "program")]
pub(crate) use self::{
    evaluate::search::{Search, SearchCounts, SearchNotice, SearchedGame, UnusedEvaluations},
    positions::KnownLine,
    upkeep::{MergeOutcome, Pruned, StoreCheck, StoreShare, StoredLine},
};
pub use crate::base::address::is_on_server;
pub(crate) use crate::base::address::server_address;
use crate::chess::{PlyEvaluation, Protocol, Segment};
#[cfg(feature = "postgres")]
use crate::store::server::{Address, PostgresError, ServerAccess};

/// A store that keeps evaluations for other runs: a file, or a database shared by many machines.
///
/// An evaluation is keyed by everything that determines it: the engine's behavior, name and options, the
/// protocol and the segment. Callers hold a store as `dyn`, because the user chooses a file or a server when
/// the program starts.
pub trait EvaluationStore: Send {
    /// Looks up a segment. If the store can be written, a damaged segment is set aside, so that the next
    /// lookup does not find it.
    fn get(&self, origin: &Origin, segment: &Segment) -> Result<Recall>;

    /// Looks up several segments like [`EvaluationStore::get`]. A store on a server needs one round trip for
    /// hundreds of segments.
    fn get_all(&self, origin: &Origin, segments: &[&Segment]) -> Result<Vec<Recall>> {
        segments.iter().map(|segment| self.get(origin, segment)).collect()
    }

    /// Writes a finished segment, all of it or nothing. If the store already has the segment, either version
    /// may remain.
    fn put(&mut self, origin: &Origin, segment: &Segment, evaluations: &[PlyEvaluation]) -> Result<()>;

    /// Lists the origins of all evaluations. Builds with equal behavior are one origin, which has the digest
    /// of the build stored last. Searches of only some moves are left out.
    fn origins(&self) -> Result<Vec<Origin>>;

    /// Returns the stored behavior of an engine with this name, these options and these files; `None` if it
    /// is not stored. `program` is a digest of the engine's files.
    fn behavior(&self, engine: &EngineStamp, program: &str) -> Result<Option<StoredBehavior>>;

    /// Stores an engine's behavior, and adds it to evaluations stored earlier by the same executable. Does
    /// nothing in a read-only store.
    fn keep_behavior(&mut self, engine: &EngineStamp, program: &str, behavior: &StoredBehavior)
    -> Result<()>;

    /// Returns true if the store is read-only.
    fn is_read_only(&self) -> bool;

    /// Returns the store's name in messages: the path of a file, or the address of a server.
    fn describe(&self) -> String;
}

/// The result of looking up a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Recall {
    /// The store has the segment.
    Known(KnownSegment),
    /// The store has no evaluations of the segment.
    Missing,
    /// The store has only evaluations by another build of the engine, with different or unknown behavior.
    OtherBuild {
        /// SHA-256 of the executable of that build.
        digest: String,
    },
    /// The stored segment has a fault, and is not used.
    Damaged {
        /// The segment and its fault.
        what: String,
    },
}

/// The stored evaluations of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSegment {
    /// Evaluations in the order of the segment's searches.
    pub evaluations: Vec<PlyEvaluation>,
    /// SHA-256 of the executable that computed the evaluations.
    pub digest: String,
}

impl Recall {
    /// Returns the evaluations of the segment; `None` if the store has none that can be used.
    pub fn known(self) -> Option<Vec<PlyEvaluation>> {
        match self {
            Recall::Known(known) => Some(known.evaluations),
            _ => None,
        }
    }
}

/// The behavior of an engine, measured once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredBehavior {
    /// SHA-256, in hexadecimal, of the engine's results in fixed positions.
    pub digest: String,
    /// The engine's mean search time per position in the fastest of the measured games, in microseconds.
    pub micros: u64,
}

/// The reason why a store cannot be used. The field `store`, or the first field, is the result of
/// [`EvaluationStore::describe`].
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The store's folder cannot be created.
    #[error("store {0}: its folder cannot be created")]
    Folder(String, #[source] io::Error),
    /// The file is not a store.
    #[error("store {0}: the file is not a store of gainalyze")]
    Foreign(String),
    /// The name is empty, or SQLite gives it a special meaning (`:memory:`, `file:…`).
    #[error(
        "store {0:?}: not a file name; use --no-store to store nothing, or ./{0} for a file of that \
         name"
    )]
    Name(String),
    /// The store is read-only.
    #[error(
        "store {0}: the store is read-only and lacks some evaluations; run the search as a user who may \
         write to the store"
    )]
    ReadOnly(String),
    /// The store was written by another version of the program: a later version, or a version from before the
    /// first release.
    #[error("store {store}: version {found} {}", of_version(*found, *known))]
    Version {
        /// The store's name in messages.
        store: String,
        /// The version of the store's file or tables.
        found: i64,
        /// The version that this program supports.
        known: i64,
    },
    /// The store is read-only, and its write-ahead log has changes that cannot be applied to the store.
    #[error("store {0}: the store is read-only, and some of its data is in {1}; copy both files together")]
    Unfinished(String, String),
    /// The store is damaged, or its tables are not those of this program.
    #[error("store {0}: the file is damaged or not a store of gainalyze; move the file away")]
    Corrupt(String),
    /// A server cannot be used.
    #[cfg(feature = "postgres")]
    #[error(transparent)]
    Postgres(#[from] PostgresError),
    /// The thread that has the connection to a server has ended.
    #[error("store {0}: the connection thread has ended; start the program again")]
    Ended(String),
    /// This program was built without PostgreSQL.
    #[error("store postgres://…: this program was built without PostgreSQL; name a file")]
    WithoutPostgres,
    /// Two stores have different values for the same search.
    #[error("store {store} and {other} contradict each other, so nothing is merged: {search}")]
    Contradiction {
        /// The name of the store that receives the evaluations.
        store: String,
        /// The name of the store whose evaluations are merged.
        other: String,
        /// The search whose values differ, in words.
        search: String,
    },
    /// The store cannot be read or written: no permission, no space, no connection, or another cause.
    #[error("store {0} cannot be used")]
    Unusable(String, #[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The result of using a store.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

fn of_version(found: i64, known: i64) -> String {
    match found > known {
        true => format!("is newer than version {known} of this program; use a newer gainalyze"),
        false => format!(
            "is from before the first release, but this program needs version {known}; search the games again"
        ),
    }
}

impl StoreError {
    /// Returns whether the error concerns a store on a server.
    pub fn is_of_a_server(&self) -> bool {
        #[cfg(feature = "postgres")]
        if matches!(self, StoreError::Postgres(_)) {
            return true;
        }
        matches!(self, StoreError::WithoutPostgres)
    }

    /// Returns whether the store itself is the cause, so that another store would help.
    pub fn is_of_the_store(&self) -> bool {
        matches!(
            self,
            StoreError::Corrupt(_)
                | StoreError::Foreign(_)
                | StoreError::Name(_)
                | StoreError::ReadOnly(_)
                | StoreError::Version { .. }
        )
    }
}

/// Opens the store that the user named: a file, or the address of a server. Creates a missing store.
pub fn open(path: &Path) -> Result<Box<dyn KeptStore>> {
    match server_address(path) {
        Some(address) => open_server(&address, true),
        None => Ok(Box::new(SqliteStore::open(path)?)),
    }
}

/// Opens the existing store that the user named, read-only.
pub fn open_to_read(path: &Path) -> Result<Box<dyn KeptStore>> {
    match server_address(path) {
        Some(address) => open_server(&address, false),
        None => Ok(Box::new(SqliteStore::open_to_read(path)?)),
    }
}

#[cfg(feature = "postgres")]
fn open_server(address: &str, is_written: bool) -> Result<Box<dyn KeptStore>> {
    let access = if is_written { ServerAccess::Work } else { ServerAccess::Read };
    Ok(Box::new(postgres::PostgresStore::open(Address::parse(address)?, access)?))
}

/// Returns a message on results that earlier runs could not store on a server, with the command that sends
/// them; `None` if there are none.
#[cfg(all(feature = "program", feature = "postgres"))]
pub(crate) fn offer_unsent() -> Option<String> {
    postgres::offer()
}

#[cfg(not(feature = "postgres"))]
fn open_server(_address: &str, _is_written: bool) -> Result<Box<dyn KeptStore>> {
    Err(StoreError::WithoutPostgres)
}

/// The identity of an engine, as far as it determines scores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineStamp {
    /// The engine's `id name`.
    pub name: String,
    /// Every option with its value.
    pub options: BTreeMap<String, String>,
    /// SHA-256 of the executable in hexadecimal.
    pub digest: String,
    /// SHA-256 of the engine's results in fixed positions, in hexadecimal. Builds of one version for
    /// different processors have the same behavior and share evaluations. `None` if unknown: then only runs
    /// of the same executable share evaluations.
    pub behavior: Option<String>,
}

impl EngineStamp {
    /// Returns the engine's behavior in the form that stores keep: empty if unknown.
    fn known_behavior(&self) -> &str {
        self.behavior.as_deref().unwrap_or_default()
    }

    /// Returns whether evaluations by a build with this behavior and digest count as this engine's.
    /// `behavior` is empty if unknown.
    fn is_of_build(&self, behavior: &str, digest: &str) -> bool {
        is_one_build([self.known_behavior(), &self.digest], [behavior, digest])
    }

    /// Formats the options as JSON, so that a database's own functions can read them.
    pub(crate) fn options_json(&self) -> String {
        serde_json::to_string(&self.options).expect("texts always make JSON")
    }
}

/// The engine and the protocol of evaluations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The engine, as far as it determines scores.
    pub engine: EngineStamp,
    /// The search limit, the search order, and the number of positions and lines of a search.
    pub protocol: Protocol,
}
