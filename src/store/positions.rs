//! Owns what a SQLite store knows of single positions: searches of some of their moves, listed and merged.

use rusqlite::{Connection, params};
use shakmaty::{Chess, EnPassantMode, fen::Fen, uci::UciMove};

use super::{
    StoreError,
    sqlite::{SqliteStore, read_moves, sqlite_error},
};
use crate::score::SignedScore;

/// One move of a position that was searched on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLine {
    /// The move.
    pub best: UciMove,
    /// White's view.
    pub score: SignedScore,
    /// The line that the engine expects.
    pub pv: Vec<UciMove>,
    /// When the search ended, as in UCI's `go`.
    pub limit: String,
    /// How many lines the search was asked for.
    pub lines: u32,
    /// How many moves it was asked about; 0 for all.
    pub asked: usize,
    /// Half-moves since the last capture or pawn's move that it was told.
    pub clock: u32,
    /// The engine's name.
    pub engine: String,
}

/// Searches that differ in two stores, by what is searched.
const CONTRADICTION: &str = "SELECT a.engine || ', ' || a.search_limit || ', ' || coalesce(a.start_fen, 'the usual start') \
    || ' ' || a.moves || ' ' || a.root_moves FROM main.segments a JOIN other.segments b ON a.key = b.key \
    WHERE EXISTS (SELECT ply, rank, move, cp, mate FROM main.lines WHERE segment = a.id \
        EXCEPT SELECT ply, rank, move, cp, mate FROM other.lines WHERE segment = b.id) \
    OR EXISTS (SELECT ply, rank, move, cp, mate FROM other.lines WHERE segment = b.id \
        EXCEPT SELECT ply, rank, move, cp, mate FROM main.lines WHERE segment = a.id) LIMIT 1";

/// Adds what is new of the attached store.
const ADD: &str = "
    CREATE TEMP TABLE fresh AS SELECT b.id AS id, b.key AS key FROM other.segments b
        WHERE NOT EXISTS (SELECT 1 FROM main.segments a WHERE a.key = b.key);
    INSERT INTO main.segments (key, engine, options, search_limit, search_order, segment_length, start_fen, chess960, moves,
            engine_digest, program, stored_at, lines, root_moves)
        SELECT b.key, engine, options, search_limit, search_order, segment_length, start_fen, chess960, moves,
            engine_digest, program, stored_at, lines, root_moves FROM other.segments b JOIN temp.fresh ON fresh.id = b.id
            ORDER BY b.key;
    INSERT INTO main.evaluations SELECT a.id, ply, cp, mate, depth, seldepth, nodes, time_ms, best, pv, win, draw, loss
        FROM other.evaluations e JOIN temp.fresh ON fresh.id = e.segment JOIN main.segments a ON a.key = fresh.key;
    INSERT INTO main.alternatives SELECT a.id, ply, rank, move, cp, mate, pv
        FROM other.alternatives e JOIN temp.fresh ON fresh.id = e.segment JOIN main.segments a ON a.key = fresh.key;
    DROP TABLE temp.fresh;";

impl SqliteStore {
    /// Lists the moves of a position that were searched without a game before it, whatever its clocks, in the order of
    /// engine, limit, and moves asked about.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn known_of(&self, position: &Chess) -> Result<Vec<KnownLine>, StoreError> {
        let setup = Fen::from_position(position, EnPassantMode::Legal).to_string();
        let fields: Vec<&str> = setup.split(' ').take(4).collect();
        let usual = position == &Chess::default();
        self.attempt(|connection| {
            let mut statement = connection.prepare(
                "SELECT move, cp, mate, pv, search_limit, s.lines, root_moves, start_fen, engine FROM segments s \
                 JOIN lines l ON l.segment = s.id WHERE moves = '' AND ply = 0 \
                 AND (start_fen GLOB ?1 || ' *' OR (?2 AND start_fen IS NULL)) \
                 ORDER BY engine, search_limit, s.lines, length(root_moves) = 0 DESC, length(root_moves) DESC, s.id, rank",
            )?;
            let rows = statement.query_map(params![fields.join(" "), usual], read_line)?;
            Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten().collect())
        })
    }

    /// Adds all that `other` knows and this one does not, or nothing; returns how many segments were added, and how many
    /// both know.
    ///
    /// # Errors
    ///
    /// If a file cannot be used, or the stores give different values for what is the same search.
    pub fn merge(&mut self, other: &SqliteStore) -> Result<(u64, u64), StoreError> {
        let path = other.path().to_string_lossy().into_owned();
        self.attempt(|connection| connection.execute("ATTACH DATABASE ? AS other", [path]).map(|_| ()))?;
        let merged = self.merge_attached(&super::EvaluationStore::describe(other));
        self.attempt(|connection| connection.execute_batch("DETACH DATABASE other"))?;
        merged
    }

    fn merge_attached(&mut self, other: &str) -> Result<(u64, u64), StoreError> {
        let store = super::EvaluationStore::describe(self);
        let path = self.path().to_owned();
        let failed = |source| sqlite_error(&path, source);
        let transaction = self.begin().map_err(failed)?;
        let found = contradiction(&transaction).map_err(failed)?;
        if let Some(search) = found {
            return Err(StoreError::Contradiction { store, other: other.to_owned(), search });
        }
        let counts = add(&transaction).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(counts)
    }
}

fn contradiction(connection: &Connection) -> rusqlite::Result<Option<String>> {
    use rusqlite::OptionalExtension;
    connection.query_row(CONTRADICTION, [], |row| row.get(0)).optional()
}

fn add(connection: &Connection) -> rusqlite::Result<(u64, u64)> {
    let count = |table: &str| -> rusqlite::Result<u64> {
        connection.query_row(&format!("SELECT count(*) FROM {table}.segments"), [], |row| row.get(0))
    };
    let (before, theirs) = (count("main")?, count("other")?);
    connection.execute_batch(ADD)?;
    let added = count("main")? - before;
    Ok((added, theirs - added))
}

/// Reads a line; `None` for what a later program may have written.
fn read_line(row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<KnownLine>> {
    let (best, pv, asked): (String, String, String) = (row.get(0)?, row.get(3)?, row.get(6)?);
    let score = match (row.get(1)?, row.get(2)?) {
        (Some(cp), None) => SignedScore::Cp(cp),
        (_, mate) => SignedScore::Mate(mate.unwrap_or_default()),
    };
    let fen: Option<String> = row.get(7)?;
    let clock = fen.as_deref().and_then(|fen| fen.split(' ').nth(4)?.parse().ok()).unwrap_or_default();
    let (limit, lines, engine) = (row.get(4)?, row.get(5)?, row.get(8)?);
    let asked = asked.split_whitespace().count();
    let line = |best| KnownLine { best, score, pv: read_moves(&pv), limit, lines, asked, clock, engine };
    Ok(best.parse().ok().map(line))
}
