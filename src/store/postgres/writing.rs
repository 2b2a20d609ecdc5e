//! Writing of segments to a server: usually one statement per segment, pipelined on one connection.

use futures_util::future::try_join_all;
use sha2::{Digest, Sha256};
use tokio_postgres::{Error, GenericClient, types::ToSql, types::Type};

use super::super::{
    columns::SearchColumns,
    rows::{AlternativeRow, EvaluationRow, SegmentRows},
    sealed::StoredSegment,
};

/// Largest number of attempts to write a segment. A new origin must be written first, and it may be removed
/// before the next attempt.
const TRIES: usize = 5;

/// A statement that always fails, with the message for a segment that cannot be written.
const NOT_KEPT: &str = "DO $$ BEGIN RAISE EXCEPTION 'the tables origins and segments do not keep added rows: \
    a trigger, rule or policy prevents it'; END $$";

pub(super) async fn write(client: &impl GenericClient, segment: &StoredSegment) -> Result<(), Error> {
    for _ in 0..TRIES {
        // The origin is nearly always known.
        if write_known(client, segment).await? {
            return Ok(());
        }
        write_origin(client, segment).await?;
    }
    client.batch_execute(NOT_KEPT).await
}

/// Number of requests in flight, which share the round-trip time of the network.
const ON_THE_WAY: usize = 64;

/// Writes finished segments in the transaction of `client`, usually by one statement per segment. If the same
/// build of the engine has already stored a segment, the stored result is kept.
pub(in crate::store) async fn write_all(
    client: &impl GenericClient,
    segments: &[StoredSegment],
) -> Result<(), Error> {
    for some in segments.chunks(ON_THE_WAY) {
        try_join_all(some.iter().map(|segment| write(client, segment))).await?;
    }
    Ok(())
}

/// Writes a segment if its origin is known and the segment does not exist. Returns whether the segment exists
/// now.
async fn write_known(client: &impl GenericClient, segment: &StoredSegment) -> Result<bool, Error> {
    let StoredSegment { columns, behavior, digest, rows } = segment;
    let key = columns.key();
    let (seal, origin) = (segment.seal(&key), origin_digest(columns, behavior, digest));
    let own: [(&str, &(dyn ToSql + Sync), Type); 6] = [
        ("program", &env!("CARGO_PKG_VERSION"), Type::TEXT),
        ("seal", &&seal[..], Type::BYTEA),
        ("chess960", &columns.chess960, Type::BOOL),
        ("start_fen", &columns.start_fen, Type::TEXT),
        ("moves", &columns.moves, Type::TEXT),
        ("root_moves", &columns.root_moves, Type::TEXT),
    ];
    let arrays = arrays(rows);
    let arrays =
        arrays.iter().map(|(name, array, kind)| (*name, &**array as &(dyn ToSql + Sync), kind.clone()));
    let written: Vec<_> = own.into_iter().chain(arrays).collect();
    let listed = |each: &dyn Fn((usize, &str)) -> String| {
        written.iter().map(|column| column.0).enumerate().map(each).collect::<Vec<_>>().join(", ")
    };
    let names = listed(&|(_, name)| name.to_owned());
    let statement = format!(
        "WITH whose AS (SELECT id FROM gainalyze.origins WHERE digest = $2), \
         added AS (INSERT INTO gainalyze.segments (key, origin, {names}) SELECT $1, id, {places} FROM whose \
         ON CONFLICT (key, origin) DO NOTHING RETURNING key) \
         SELECT EXISTS (SELECT FROM added) OR EXISTS (SELECT FROM gainalyze.segments JOIN whose ON whose.id = origin \
         WHERE key = $1)",
        places = listed(&|(place, _)| format!("${}", place + 3)),
    );
    let (key, origin) = (&key[..], &origin[..]);
    let mut parameters: Vec<(&(dyn ToSql + Sync), Type)> = vec![(&key, Type::BYTEA), (&origin, Type::BYTEA)];
    parameters.extend(written.iter().map(|(_, value, kind)| (*value, kind.clone())));
    client.query_typed_one(&statement, &parameters).await?.try_get(0)
}

pub(super) async fn write_origin(client: &impl GenericClient, segment: &StoredSegment) -> Result<(), Error> {
    let StoredSegment { columns, behavior, digest, .. } = segment;
    let origin = origin_digest(columns, behavior, digest);
    let (length, lines) =
        (i64::try_from(columns.segment_length).unwrap_or(i64::MAX), i64::from(columns.lines));
    client
        .execute_typed(
            "INSERT INTO gainalyze.origins (digest, engine, options, search_limit, search_order, segment_length, lines, \
             behaviour, engine_digest) VALUES ($1, $2, $3::text::json, $4, $5, $6, $7, $8, $9) \
             ON CONFLICT (digest) DO NOTHING",
            &[
                (&&origin[..], Type::BYTEA),
                (&columns.engine, Type::TEXT),
                (&columns.options, Type::TEXT),
                (&columns.limit, Type::TEXT),
                (&columns.order, Type::TEXT),
                (&length, Type::INT8),
                (&lines, Type::INT8),
                (behavior, Type::TEXT),
                (digest, Type::TEXT),
            ],
        )
        .await
        .map(|_| ())
}

/// Returns a digest of everything that the segments of an origin share, each part preceded by its length.
pub(super) fn origin_digest(columns: &SearchColumns, behavior: &str, digest: &str) -> [u8; 32] {
    let numbers = [columns.segment_length.to_string(), columns.lines.to_string()];
    let [length, lines] = &numbers;
    let parts = [
        &*columns.engine,
        &*columns.options,
        &*columns.limit,
        &*columns.order,
        length,
        lines,
        behavior,
        digest,
    ];
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

pub(super) type Numbers = Vec<Option<i64>>;

type Array = (&'static str, Box<dyn ToSql + Sync + Send>, Type);

/// Returns the columns of a segment's rows as arrays. Columns that few engines fill are null if empty.
fn arrays(SegmentRows { evaluations, alternatives }: &SegmentRows) -> Vec<Array> {
    fn numbers<R>(
        rows: &[R],
        is_there: bool,
        of: impl Fn(&R) -> Option<i64>,
    ) -> Box<dyn ToSql + Sync + Send> {
        Box::new(is_there.then(|| rows.iter().map(of).collect::<Numbers>()))
    }
    fn texts<R>(rows: &[R], is_there: bool, of: impl Fn(&R) -> Option<&str>) -> Box<dyn ToSql + Sync + Send> {
        let text = |row| of(row).map(str::to_owned);
        Box::new(is_there.then(|| rows.iter().map(text).collect::<Vec<Option<String>>>()))
    }
    let (rows, more) = (evaluations.as_slice(), alternatives.as_slice());
    let number =
        |name, of: fn(&EvaluationRow) -> Option<i64>| (name, numbers(rows, true, of), Type::INT8_ARRAY);
    let has_chances = rows.iter().any(|row| row.chances.iter().any(Option::is_some));
    let chance = |name, place: usize| {
        (name, numbers(rows, has_chances, move |row| row.chances[place]), Type::INT8_ARRAY)
    };
    let further = |name, of: fn(&AlternativeRow) -> Option<i64>| {
        (name, numbers(more, !more.is_empty(), of), Type::INT8_ARRAY)
    };
    let further_text = |name, of: fn(&AlternativeRow) -> &str| {
        (name, texts(more, !more.is_empty(), |row| Some(of(row))), Type::TEXT_ARRAY)
    };
    vec![
        number("ply", |row| Some(row.ply)),
        number("cp", |row| row.score.cp),
        number("mate", |row| row.score.mate),
        number("depth", |row| row.effort[0]),
        number("seldepth", |row| row.effort[1]),
        number("nodes", |row| row.effort[2]),
        number("time_ms", |row| row.effort[3]),
        ("best", texts(rows, true, |row| row.best.as_deref()), Type::TEXT_ARRAY),
        ("pv", texts(rows, true, |row| Some(&row.pv)), Type::TEXT_ARRAY),
        chance("win", 0),
        chance("draw", 1),
        chance("loss", 2),
        further("more_ply", |row| Some(row.ply)),
        further("more_rank", |row| Some(row.rank)),
        further_text("more_move", |row| &row.best),
        further("more_cp", |row| row.score.cp),
        further("more_mate", |row| row.score.mate),
        further_text("more_pv", |row| &row.pv),
    ]
}
