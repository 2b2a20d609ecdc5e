//! Owns evaluations on disk: a SQLite file that several runs may share and people may query.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, Row, params};
use sha2::{Digest, Sha256};

use crate::{
    evaluation::{Evaluation, Protocol, Wdl},
    score::{Score, SignedScore},
    segment::{PlyEvaluation, Segment},
};

const SCHEMA: &str = include_str!("schema.sql");

/// Marks the file as ours: "gain" in ASCII.
const APPLICATION_ID: i64 = 0x6761_696e;

/// Raised whenever the schema changes so that an older program must not write it.
const VERSION: i64 = 1;

/// Up to this many bytes a file is read through when it is opened: more would take seconds, and
/// damage is found when the page that has it is read.
const CHECKED_WHOLE: u64 = 64 << 20;

/// How long to wait for another run's write.
const BUSY: Duration = Duration::from_secs(60);

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Its folder cannot be made.
    #[error("store {}: its folder cannot be created", path.display())]
    Folder {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The file is something else, or damaged.
    #[error(
        "store {}: it is damaged or not a store of gainalyze; move it away, or choose another with \
         --store PATH",
        path.display()
    )]
    Corrupt {
        /// The file.
        path: PathBuf,
    },
    /// A later program wrote it.
    #[error(
        "store {}: it has version {found} and this program knows version {VERSION}; use a newer \
         gainalyze, or another file with --store PATH",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// What stands there.
        found: i64,
    },
    /// Not allowed to write, no space left, …
    #[error("store {} cannot be used", path.display())]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: rusqlite::Error,
    },
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

/// An open store.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens the store at `path`, making it and its folder where they are missing.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if let Some(folder) = path.parent() {
            let error = |source| StoreError::Folder { path: path.to_owned(), source };
            fs::create_dir_all(folder).map_err(error)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(path, flags).map_err(|source| sqlite_error(path, source))?;
        let store = Store { path: path.to_owned(), connection };
        store.prepare()?;
        Ok(store)
    }

    fn prepare(&self) -> Result<(), StoreError> {
        self.attempt(|connection| connection.busy_timeout(BUSY))?;
        let found: i64 =
            self.attempt(|connection| connection.pragma_query_value(None, "user_version", |row| row.get(0)))?;
        if found > VERSION {
            return Err(StoreError::Newer { path: self.path.clone(), found });
        }
        if found < VERSION {
            self.refuse_foreign_database()?;
            self.attempt(|connection| {
                connection.execute_batch(&format!(
                    "BEGIN IMMEDIATE; {SCHEMA} PRAGMA application_id = {APPLICATION_ID}; \
                     PRAGMA user_version = {VERSION}; COMMIT;"
                ))
            })?;
        }
        self.set_journal_mode(if is_on_network(&self.path) { "delete" } else { "wal" })?;
        self.attempt(|connection| {
            // In WAL mode a killed process loses nothing at this level, and a commit need not
            // wait for the disk while an engine waits for the commit.
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.pragma_update(None, "foreign_keys", true)
        })?;
        self.check()
    }

    /// SQLite does not wait for other writers here, so this does.
    fn set_journal_mode(&self, wanted: &str) -> Result<(), StoreError> {
        let deadline = Instant::now() + BUSY;
        loop {
            let result = self.attempt(|connection| {
                let now: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
                if now != wanted {
                    connection.pragma_update_and_check(None, "journal_mode", wanted, |_| Ok(()))?;
                }
                Ok(())
            });
            match result {
                Err(StoreError::Sqlite { source, .. })
                    if source.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && Instant::now() < deadline =>
                {
                    thread::sleep(Duration::from_millis(20));
                }
                other => return other,
            }
        }
    }

    /// A database of another program is left as it is.
    fn refuse_foreign_database(&self) -> Result<(), StoreError> {
        let tables: i64 = self.attempt(|connection| {
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        })?;
        let id: i64 = self
            .attempt(|connection| connection.pragma_query_value(None, "application_id", |row| row.get(0)))?;
        if tables > 0 && id != APPLICATION_ID {
            return Err(StoreError::Corrupt { path: self.path.clone() });
        }
        Ok(())
    }

    /// Finds a file that is damaged, has other tables or cannot be written, before the long work.
    fn check(&self) -> Result<(), StoreError> {
        let size = fs::metadata(&self.path).map_or(0, |file| file.len());
        if size <= CHECKED_WHOLE {
            let verdict: String = self
                .attempt(|connection| connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)))?;
            if verdict != "ok" {
                return Err(StoreError::Corrupt { path: self.path.clone() });
            }
        }
        self.attempt(|connection| {
            connection.query_row("SELECT id, key FROM segments LIMIT 1", [], |_| Ok(())).optional()?;
            connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;")
        })
    }

    /// The evaluations of a segment, in the order of its searches; `None` where one is missing.
    pub fn get(
        &self,
        engine: &EngineStamp,
        protocol: &Protocol,
        segment: &Segment,
    ) -> Result<Option<Vec<PlyEvaluation>>, StoreError> {
        let key = key(&Identified { engine, protocol, segment });
        let mut rows: BTreeMap<usize, Evaluation> = self.attempt(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT ply, cp, mate, depth, seldepth, nodes, time_ms, best, pv, win, draw, loss \
                 FROM evaluations JOIN segments ON segments.id = segment WHERE key = ?",
            )?;
            statement.query_map([key], |row| read_evaluation(row, segment))?.collect()
        })?;
        Ok(segment.searches().iter().map(|&ply| Some((ply, rows.remove(&ply)?))).collect())
    }

    /// Everyone whose evaluations are here, each with all that determines them beside the game; the
    /// digest is that of the last program file that was stored from.
    pub fn origins(&self) -> Result<Vec<Origin>, StoreError> {
        self.attempt(|connection| {
            let mut statement = connection.prepare(
                "SELECT engine, options, search_limit, search_order, segment_length, engine_digest, max(stored_at) \
                 FROM segments GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5",
            )?;
            let rows = statement.query_map([], read_origin)?.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(rows.into_iter().flatten().collect())
        })
    }

    /// Writes a finished segment, all of it or nothing, in place of one that is there already.
    pub fn put(
        &mut self,
        engine: &EngineStamp,
        protocol: &Protocol,
        segment: &Segment,
        evaluations: &[PlyEvaluation],
    ) -> Result<(), StoreError> {
        let identified = Identified { engine, protocol, segment };
        let path = self.path.clone();
        write_segment(&mut self.connection, &identified, evaluations)
            .map_err(|source| sqlite_error(&path, source))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn attempt<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, StoreError> {
        query(&self.connection).map_err(|source| sqlite_error(&self.path, source))
    }
}

fn sqlite_error(path: &Path, source: rusqlite::Error) -> StoreError {
    let path = path.to_owned();
    let corrupt = [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase];
    let foreign_table = matches!(&source, rusqlite::Error::SqlInputError { .. });
    match source.sqlite_error_code() {
        Some(code) if corrupt.contains(&code) || foreign_table => StoreError::Corrupt { path },
        _ => StoreError::Sqlite { path, source },
    }
}

/// All that determines the scores of a segment.
struct Identified<'a> {
    engine: &'a EngineStamp,
    protocol: &'a Protocol,
    segment: &'a Segment,
}

impl Identified<'_> {
    /// JSON, so that SQLite's own functions can look into it.
    fn options(&self) -> String {
        serde_json::to_string(&self.engine.options).expect("texts always make JSON")
    }

    fn moves(&self) -> String {
        self.segment.moves().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }
}

/// One digest of every column that determines the scores, each with its length before it, so
/// that no two different rows read the same.
fn key(of: &Identified<'_>) -> Vec<u8> {
    let parts = [
        of.engine.name.clone(),
        of.options(),
        of.protocol.limit.to_string(),
        of.protocol.order.to_string(),
        of.protocol.segment.to_string(),
        of.segment.start_fen().unwrap_or_default(),
        of.segment.mode().is_chess960().to_string(),
        of.moves(),
    ];
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().to_vec()
}

fn write_segment(
    connection: &mut Connection,
    of: &Identified<'_>,
    evaluations: &[PlyEvaluation],
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    transaction
        .prepare_cached(
            "INSERT INTO segments (key, engine, options, search_limit, search_order, \
             segment_length, start_fen, chess960, moves, engine_digest, program, stored_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) \
             ON CONFLICT (key) DO UPDATE SET engine_digest = excluded.engine_digest, \
             program = excluded.program, stored_at = excluded.stored_at",
        )?
        .execute(params![
            key(of),
            of.engine.name,
            of.options(),
            of.protocol.limit.to_string(),
            of.protocol.order.to_string(),
            of.protocol.segment,
            of.segment.start_fen(),
            of.segment.mode().is_chess960(),
            of.moves(),
            of.engine.digest,
            env!("CARGO_PKG_VERSION"),
        ])?;
    let id: i64 =
        transaction.query_row("SELECT id FROM segments WHERE key = ?", [key(of)], |row| row.get(0))?;
    for (ply, evaluation) in evaluations {
        write_evaluation(&transaction, id, *ply, evaluation)?;
    }
    transaction.commit()
}

fn write_evaluation(connection: &Connection, id: i64, ply: usize, e: &Evaluation) -> rusqlite::Result<()> {
    let pv = e.pv.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    connection
        .prepare_cached("INSERT OR REPLACE INTO evaluations VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?
        .execute(params![
            id,
            ply,
            e.score.cp(),
            e.score.mate(),
            e.depth,
            e.seldepth,
            e.nodes,
            e.time_ms,
            e.best.map(|best| best.to_string()),
            pv,
            e.wdl.map(|wdl| wdl.win),
            e.wdl.map(|wdl| wdl.draw),
            e.wdl.map(|wdl| wdl.loss),
        ])?;
    Ok(())
}

/// `None` for what a later program may have written.
fn read_origin(row: &Row<'_>) -> rusqlite::Result<Option<Origin>> {
    let (options, limit, order): (String, String, String) =
        (row.get("options")?, row.get("search_limit")?, row.get("search_order")?);
    let (name, digest, segment) = (row.get("engine")?, row.get("engine_digest")?, row.get("segment_length")?);
    let origin = || {
        let options = serde_json::from_str(&options).ok()?;
        let protocol = Protocol::new(limit.parse().ok()?, order.parse().ok()?, segment);
        Some(Origin { engine: EngineStamp { name, options, digest }, protocol })
    };
    Ok(origin())
}

fn read_evaluation(row: &Row<'_>, segment: &Segment) -> rusqlite::Result<(usize, Evaluation)> {
    let ply: usize = row.get("ply")?;
    let score = match (row.get("cp")?, row.get("mate")?) {
        (Some(cp), None) => SignedScore::Cp(cp),
        (_, mate) => SignedScore::Mate(mate.unwrap_or_default()),
    };
    let (best, pv): (Option<String>, String) = (row.get("best")?, row.get("pv")?);
    let wdl = match (row.get("win")?, row.get("draw")?, row.get("loss")?) {
        (Some(win), Some(draw), Some(loss)) => Wdl::new(win, draw, loss),
        _ => None,
    };
    let evaluation = Evaluation {
        score: Score::from_white_view(score, segment.turn(ply)),
        depth: row.get("depth")?,
        seldepth: row.get("seldepth")?,
        nodes: row.get("nodes")?,
        time_ms: row.get("time_ms")?,
        best: best.and_then(|best| best.parse().ok()),
        pv: pv.split_whitespace().map_while(|m| m.parse().ok()).collect(),
        wdl,
        alternatives: Vec::new(),
    };
    Ok((ply, evaluation))
}

/// Whether the file lies on a network file system, where the shared memory of SQLite's WAL mode
/// does not work. Known on Linux only; elsewhere a local disk is assumed.
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

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::{
        evaluation::{Limit, Order},
        pgn::parse_games,
        score::Mate,
    };

    fn segment() -> Segment {
        let game = parse_games("1. e4 e5 *", "test").remove(0).expect("a game");
        Segment::cut(&game, &protocol()).remove(0)
    }

    fn protocol() -> Protocol {
        Protocol::new(Limit::Depth(9), Order::Backward, 16)
    }

    fn engine() -> EngineStamp {
        let options = [("Hash".to_owned(), "64".to_owned())].into();
        EngineStamp { name: "Engine 1".to_owned(), options, digest: "ab".to_owned() }
    }

    fn evaluations() -> Vec<PlyEvaluation> {
        let whole = Evaluation {
            score: Score::Cp(-17),
            depth: Some(9),
            seldepth: Some(12),
            nodes: Some(123_456_789_012),
            time_ms: Some(77),
            best: "e2e4".parse().ok(),
            pv: vec!["e2e4".parse().expect("a move"), "e7e5".parse().expect("a move")],
            wdl: Some(Wdl { win: 1, draw: 990, loss: 9 }),
            alternatives: Vec::new(),
        };
        let mate = Score::Mate(Mate { winner: Color::Black, moves: 3 });
        vec![(2, whole), (1, Evaluation::of_score(mate)), (0, Evaluation::of_score(Score::DRAW))]
    }

    fn temporary() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("deep/er/store.sqlite");
        (folder, path)
    }

    #[test]
    fn what_is_stored_comes_back_as_it_was_in_another_run_too() {
        let (_folder, path) = temporary();
        let mut store = Store::open(&path).expect("a store");
        assert_eq!(store.get(&engine(), &protocol(), &segment()).expect("a query"), None);
        store.put(&engine(), &protocol(), &segment(), &evaluations()).expect("a write");
        store.put(&engine(), &protocol(), &segment(), &evaluations()).expect("twice does no harm");
        let other = Store::open(&path).expect("the same store");
        let found = other.get(&engine(), &protocol(), &segment()).expect("a query");
        assert_eq!(found, Some(evaluations()));
    }

    #[test]
    fn whatever_determines_a_score_is_in_the_key_and_the_digest_is_not() {
        let (_folder, path) = temporary();
        let mut store = Store::open(&path).expect("a store");
        store.put(&engine(), &protocol(), &segment(), &evaluations()).expect("a write");
        let found = |engine: &EngineStamp, protocol: &Protocol| {
            store.get(engine, protocol, &segment()).expect("a query").is_some()
        };
        let named = |name: &str| EngineStamp { name: name.to_owned(), ..engine() };
        let hash = [("Hash".to_owned(), "128".to_owned())].into();
        assert!(found(&EngineStamp { digest: "another build".to_owned(), ..engine() }, &protocol()));
        assert!(!found(&named("Engine 2"), &protocol()));
        assert!(!found(&EngineStamp { options: hash, ..engine() }, &protocol()));
        assert!(!found(&engine(), &Protocol { limit: Limit::Nodes(9), ..protocol() }));
        assert!(!found(&engine(), &Protocol { order: Order::Forward, ..protocol() }));
        assert!(!found(&engine(), &Protocol { segment: 8, ..protocol() }));
    }
}
