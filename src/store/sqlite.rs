//! Owns evaluations on disk: a SQLite file that several runs may share and people may query.

use std::{
    collections::BTreeMap,
    fs,
    num::NonZeroU32,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Row, Transaction, TransactionBehavior, params,
};
use shakmaty::uci::UciMove;

pub use super::positions::KnownLine;
use super::{EngineStamp, EvaluationStore, Identified, Origin, StoreError, in_words};
use crate::{
    evaluation::{Evaluation, Protocol, RankedLine, Wdl},
    score::{Score, SignedScore},
    segment::{PlyEvaluation, Segment},
    text::full_path,
};

/// What makes the tables of each version from those of the one before: a file has run through so many as its
/// version says, and an older program must not write it.
const SCHEMA: [&str; 2] = [include_str!("schema/1.sql"), include_str!("schema/2.sql")];

/// The version of the files that this program writes.
const VERSION: i64 = SCHEMA.len() as i64;

/// Marks the file as ours: "gain" in ASCII.
const APPLICATION_ID: i64 = 0x6761_696e;

/// Up to this many bytes a file is read through when it is opened: more would take seconds, and
/// damage is found when the page that has it is read.
const CHECKED_WHOLE: u64 = 64 << 20;

/// How long to wait for another run's write.
const BUSY: Duration = Duration::from_secs(60);

/// An open file of evaluations.
#[derive(Debug)]
pub struct SqliteStore {
    path: PathBuf,
    connection: Connection,
}

impl SqliteStore {
    /// Opens the store at `path`, making it and its folder where they are missing.
    pub fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        if let Some(folder) = path.parent() {
            let error = |source| StoreError::Folder { store: described(path), source };
            fs::create_dir_all(folder).map_err(error)?;
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection =
            Connection::open_with_flags(path, flags).map_err(|source| sqlite_error(path, source))?;
        let mut store = SqliteStore { path: path.to_owned(), connection };
        store.prepare()?;
        Ok(store)
    }

    fn prepare(&mut self) -> Result<(), StoreError> {
        self.attempt(|connection| connection.busy_timeout(BUSY))?;
        let found = self.attempt(version)?;
        if found > VERSION {
            return Err(StoreError::Newer { store: self.describe(), found, known: VERSION });
        }
        if found < VERSION {
            self.refuse_foreign_database()?;
            if found > 0 {
                // What is damaged is not written.
                self.check()?;
            }
            let path = self.path.clone();
            bring_up_to_date(&mut self.connection).map_err(|source| sqlite_error(&path, source))?;
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

    /// Waits for other writers, since SQLite does not here.
    fn set_journal_mode(&self, wanted: &str) -> Result<(), StoreError> {
        let deadline = Instant::now() + BUSY;
        loop {
            let result = use_journal_mode(&self.connection, wanted);
            match result {
                Err(error)
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && Instant::now() < deadline =>
                {
                    thread::sleep(Duration::from_millis(20));
                }
                other => return other.map_err(|source| sqlite_error(&self.path, source)),
            }
        }
    }

    /// Refuses a database of another program, and leaves it as it is.
    fn refuse_foreign_database(&self) -> Result<(), StoreError> {
        let tables: i64 = self.attempt(|connection| {
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))
        })?;
        let id: i64 = self
            .attempt(|connection| connection.pragma_query_value(None, "application_id", |row| row.get(0)))?;
        if tables > 0 && id != APPLICATION_ID {
            return Err(StoreError::Corrupt { store: self.describe() });
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
                return Err(StoreError::Corrupt { store: self.describe() });
            }
        }
        self.attempt(|connection| {
            connection.query_row("SELECT id, key FROM segments LIMIT 1", [], |_| Ok(())).optional()?;
            connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK;")
        })
    }

    /// Returns where its file is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Begins to write, with what was attached.
    pub(super) fn begin(&mut self) -> rusqlite::Result<Transaction<'_>> {
        self.connection.transaction_with_behavior(TransactionBehavior::Immediate)
    }

    pub(super) fn attempt<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        query(&self.connection).map_err(|source| sqlite_error(&self.path, source))
    }
}

impl EvaluationStore for SqliteStore {
    fn get(
        &self,
        engine: &EngineStamp,
        protocol: &Protocol,
        segment: &Segment,
    ) -> Result<Option<Vec<PlyEvaluation>>, StoreError> {
        let key = Identified { engine, protocol, segment }.key();
        let mut rows = self.attempt(|connection| {
            // Both tables as they are at one time.
            let transaction = connection.unchecked_transaction()?;
            read_segment(&transaction, &key, segment)
        })?;
        Ok(segment.searches().iter().map(|&ply| Some((ply, rows.remove(&ply)?))).collect())
    }

    fn put(
        &mut self,
        engine: &EngineStamp,
        protocol: &Protocol,
        segment: &Segment,
        evaluations: &[PlyEvaluation],
    ) -> Result<(), StoreError> {
        let identified = Identified { engine, protocol, segment };
        write_segment(&mut self.connection, &identified, evaluations)
            .map_err(|source| sqlite_error(&self.path, source))
    }

    fn origins(&self) -> Result<Vec<Origin>, StoreError> {
        self.attempt(|connection| {
            let mut statement = connection.prepare(
                "SELECT engine, options, search_limit, search_order, segment_length, lines, engine_digest, \
                 max(stored_at) FROM segments WHERE root_moves = '' GROUP BY 1, 2, 3, 4, 5, 6 \
                 ORDER BY 1, 2, 3, 4, 5, 6",
            )?;
            let rows = statement.query_map([], read_origin)?.collect::<rusqlite::Result<Vec<_>>>()?;
            Ok(rows.into_iter().flatten().collect())
        })
    }

    fn describe(&self) -> String {
        described(&self.path)
    }
}

fn described(path: &Path) -> String {
    full_path(path)
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn use_journal_mode(connection: &Connection, wanted: &str) -> rusqlite::Result<()> {
    let now: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
    if now != wanted {
        connection.pragma_update_and_check(None, "journal_mode", wanted, |_| Ok(()))?;
    }
    Ok(())
}

/// Makes the tables of this version from whatever there is, all of them or none.
fn bring_up_to_date(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another run may have done it meanwhile.
    let found = usize::try_from(version(&transaction)?).unwrap_or_default();
    for step in SCHEMA.iter().skip(found) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    if found < SCHEMA.len() {
        transaction.pragma_update(None, "user_version", VERSION)?;
    }
    transaction.commit()
}

pub(super) fn sqlite_error(path: &Path, source: rusqlite::Error) -> StoreError {
    let store = described(path);
    let corrupt = [ErrorCode::DatabaseCorrupt, ErrorCode::NotADatabase];
    // A query that does not fit the tables.
    let foreign_table = matches!(&source, rusqlite::Error::SqlInputError { .. })
        || source.sqlite_error().is_some_and(|error| error.extended_code == rusqlite::ffi::SQLITE_ERROR);
    match source.sqlite_error_code() {
        Some(code) if corrupt.contains(&code) || foreign_table => StoreError::Corrupt { store },
        _ => StoreError::Unusable { store, source: source.into() },
    }
}

fn write_segment(
    connection: &mut Connection,
    of: &Identified<'_>,
    evaluations: &[PlyEvaluation],
) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction
        .prepare_cached(
            "INSERT INTO segments (key, engine, options, search_limit, search_order, segment_length, lines, \
             start_fen, chess960, moves, root_moves, engine_digest, program, stored_at) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) \
             ON CONFLICT (key) DO UPDATE SET engine_digest = excluded.engine_digest, \
             program = excluded.program, stored_at = excluded.stored_at",
        )?
        .execute(params![
            of.key(),
            of.engine.name,
            of.options(),
            of.protocol.limit.to_string(),
            of.protocol.order.to_string(),
            of.protocol.segment,
            of.protocol.lines,
            of.segment.start_fen(),
            of.segment.mode().is_chess960(),
            of.moves(),
            of.root_moves(),
            of.engine.digest,
            env!("CARGO_PKG_VERSION"),
        ])?;
    let id: i64 =
        transaction.query_row("SELECT id FROM segments WHERE key = ?", [of.key()], |row| row.get(0))?;
    for (ply, evaluation) in evaluations {
        write_evaluation(&transaction, id, *ply, evaluation)?;
    }
    transaction.commit()
}

fn write_evaluation(connection: &Connection, id: i64, ply: usize, e: &Evaluation) -> rusqlite::Result<()> {
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
            in_words(&e.pv),
            e.wdl.map(|wdl| wdl.win),
            e.wdl.map(|wdl| wdl.draw),
            e.wdl.map(|wdl| wdl.loss),
        ])?;
    // Where the evaluation was there already, SQLite has dropped its alternatives with it.
    let mut insert = connection.prepare_cached("INSERT INTO alternatives VALUES (?, ?, ?, ?, ?, ?, ?)")?;
    for line in &e.alternatives {
        let RankedLine { rank, best, score, pv } = line;
        insert.execute(params![id, ply, rank, best.to_string(), score.cp(), score.mate(), in_words(pv)])?;
    }
    Ok(())
}

/// Returns the evaluations of a segment by ply.
fn read_segment(
    transaction: &Transaction<'_>,
    key: &[u8],
    segment: &Segment,
) -> rusqlite::Result<BTreeMap<usize, Evaluation>> {
    let mut statement = transaction.prepare_cached(
        "SELECT ply, cp, mate, depth, seldepth, nodes, time_ms, best, pv, win, draw, loss \
         FROM evaluations JOIN segments ON segments.id = segment WHERE key = ?",
    )?;
    let rows = statement.query_map([key], |row| read_evaluation(row, segment))?;
    let mut evaluations: BTreeMap<usize, Evaluation> = rows.collect::<rusqlite::Result<_>>()?;
    let mut statement = transaction.prepare_cached(
        "SELECT ply, rank, move, cp, mate, pv FROM alternatives JOIN segments ON segments.id = segment \
         WHERE key = ? ORDER BY ply, rank",
    )?;
    for row in statement.query_map([key], |row| read_alternative(row, segment))? {
        let (ply, line) = row?;
        if let (Some(evaluation), Some(line)) = (evaluations.get_mut(&ply), line) {
            evaluation.alternatives.push(line);
        }
    }
    Ok(evaluations)
}

/// Reads what was stored; `None` for what a later program may have written.
fn read_origin(row: &Row<'_>) -> rusqlite::Result<Option<Origin>> {
    let (options, limit, order): (String, String, String) =
        (row.get("options")?, row.get("search_limit")?, row.get("search_order")?);
    let (name, digest, segment) = (row.get("engine")?, row.get("engine_digest")?, row.get("segment_length")?);
    let lines: u32 = row.get("lines")?;
    let origin = || {
        let options = serde_json::from_str(&options).ok()?;
        let (limit, order) = (limit.parse().ok()?, order.parse().ok()?);
        let protocol = Protocol { limit, order, segment, lines: NonZeroU32::new(lines)? };
        Some(Origin { engine: EngineStamp { name, options, digest }, protocol })
    };
    Ok(origin())
}

fn read_evaluation(row: &Row<'_>, segment: &Segment) -> rusqlite::Result<(usize, Evaluation)> {
    let ply: usize = row.get("ply")?;
    let (best, pv): (Option<String>, String) = (row.get("best")?, row.get("pv")?);
    let wdl = match (row.get("win")?, row.get("draw")?, row.get("loss")?) {
        (Some(win), Some(draw), Some(loss)) => Wdl::new(win, draw, loss),
        _ => None,
    };
    let evaluation = Evaluation {
        score: read_score(row, segment, ply)?,
        depth: row.get("depth")?,
        seldepth: row.get("seldepth")?,
        nodes: row.get("nodes")?,
        time_ms: row.get("time_ms")?,
        best: best.and_then(|best| best.parse().ok()),
        pv: read_moves(&pv),
        wdl,
        alternatives: Vec::new(),
    };
    Ok((ply, evaluation))
}

/// `None` for what a later program may have written.
fn read_alternative(row: &Row<'_>, segment: &Segment) -> rusqlite::Result<(usize, Option<RankedLine>)> {
    let (ply, rank): (usize, u32) = (row.get("ply")?, row.get("rank")?);
    let (best, pv): (String, String) = (row.get("move")?, row.get("pv")?);
    let score = read_score(row, segment, ply)?;
    let line = |best| RankedLine { rank, best, score, pv: read_moves(&pv) };
    Ok((ply, best.parse().ok().map(line)))
}

fn read_score(row: &Row<'_>, segment: &Segment, ply: usize) -> rusqlite::Result<Score> {
    let score = match (row.get("cp")?, row.get("mate")?) {
        (Some(cp), None) => SignedScore::Cp(cp),
        (_, mate) => SignedScore::Mate(mate.unwrap_or_default()),
    };
    Ok(Score::from_white_view(score, segment.turn(ply)))
}

pub(super) fn read_moves(text: &str) -> Vec<UciMove> {
    text.split_whitespace().map_while(|m| m.parse().ok()).collect()
}

/// Returns whether the file lies on a network file system, where the shared memory of SQLite's WAL mode does
/// not work. Known on Linux only; elsewhere a local disk is assumed.
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
mod tests;
