//! Owns how segments come to a server: each by one statement with its seal, many at once by one connection.

use futures_util::future::try_join_all;
use sha2::{Digest, Sha256};
use tokio_postgres::{Error, GenericClient, types::Type};

use super::super::{
    EngineStamp,
    columns::SearchColumns,
    rows::{AlternativeRow, EvaluationRow, SegmentRows},
    sealed::SealedSegment,
};
use crate::chess::{PlyEvaluation, Protocol, Segment};

/// A segment as it is to be written, or as it was read.
#[derive(Debug, Clone)]
pub(super) struct SegmentToWrite {
    pub columns: SearchColumns,
    pub behaviour: String,
    pub digest: String,
    pub rows: SegmentRows,
}

impl SegmentToWrite {
    pub fn of(
        engine: &EngineStamp,
        protocol: &Protocol,
        segment: &Segment,
        evaluations: &[PlyEvaluation],
    ) -> SegmentToWrite {
        SegmentToWrite {
            columns: SearchColumns::of(engine, protocol, segment),
            behaviour: engine.behaviour.clone().unwrap_or_default(),
            digest: engine.digest.clone(),
            rows: SegmentRows::of(evaluations),
        }
    }

    pub fn of_sealed(
        SealedSegment { columns, behaviour, digest, rows, .. }: &SealedSegment,
    ) -> SegmentToWrite {
        let (columns, rows) = (columns.clone(), rows.clone());
        SegmentToWrite { columns, behaviour: behaviour.clone(), digest: digest.clone(), rows }
    }
}

/// Writes finished segments, each in place of what the same build of an engine has found before and each by one statement, in
/// whatever transaction `client` is in.
///
/// # Errors
///
/// If the server does not take one of them.
pub async fn write_segments(
    client: &impl GenericClient,
    engine: &EngineStamp,
    finished: &[(&Protocol, &Segment, &[PlyEvaluation])],
) -> Result<(), Error> {
    let of =
        |&(protocol, segment, evaluations): &_| SegmentToWrite::of(engine, protocol, segment, evaluations);
    write_all(client, &finished.iter().map(of).collect::<Vec<_>>()).await
}

/// The columns of a segment that are no part of its primary key, in the order of [`write_known`].
const WRITTEN: &str = "program, seal, chess960, start_fen, moves, root_moves, ply, cp, mate, depth, seldepth, nodes, \
                       time_ms, best, pv, win, draw, loss, more_ply, more_rank, more_move, more_cp, more_mate, more_pv";

pub(super) async fn write(client: &impl GenericClient, segment: &SegmentToWrite) -> Result<(), Error> {
    // Nearly always its origin is known. Where nobody has stored anything of it, that is told first, and where somebody
    // removes it meanwhile, again.
    while write_known(client, segment).await? == 0 {
        write_origin(client, segment).await?;
    }
    Ok(())
}

/// Requests that are on their way at once: each costs a network's way there and back, which they share.
const ON_THE_WAY: usize = 64;

/// Writes segments as [`write`] does, many at once by one connection.
pub(super) async fn write_all(client: &impl GenericClient, segments: &[SegmentToWrite]) -> Result<(), Error> {
    for some in segments.chunks(ON_THE_WAY) {
        try_join_all(some.iter().map(|segment| write(client, segment))).await?;
    }
    Ok(())
}

/// Writes a segment whose origin is known; tells how many rows that were.
async fn write_known(client: &impl GenericClient, segment: &SegmentToWrite) -> Result<u64, Error> {
    let SegmentToWrite { columns, behaviour, digest, rows } = segment;
    let key = columns.key();
    let (seal, origin) = (rows.seal(&key, behaviour, digest), origin_digest(columns, behaviour, digest));
    let arrays = Arrays::of(rows);
    let excluded = WRITTEN.split(", ").map(|name| format!("excluded.{name}")).collect::<Vec<_>>().join(", ");
    let places = (3..27).map(|place| format!("${place}")).collect::<Vec<_>>().join(", ");
    let statement = format!(
        "INSERT INTO gainalyze.segments (key, origin, {WRITTEN}) \
         SELECT $1, id, {places} FROM gainalyze.origins WHERE digest = $2 \
         ON CONFLICT (key, origin) DO UPDATE SET (stored_at, {WRITTEN}) = (now(), {excluded})"
    );
    let (numbers, texts) = (Type::INT8_ARRAY, Type::TEXT_ARRAY);
    let Arrays { first, best, pv, chances, more, more_move, more_pv } = &arrays;
    let [ply, cp, mate, depth, seldepth, nodes, time] = first;
    let [more_ply, more_rank, more_cp, more_mate] = more;
    let [win, draw, loss] = chances;
    client
        .execute_typed(
            &statement,
            &[
                (&&key[..], Type::BYTEA),
                (&&origin[..], Type::BYTEA),
                (&env!("CARGO_PKG_VERSION"), Type::TEXT),
                (&&seal[..], Type::BYTEA),
                (&columns.chess960, Type::BOOL),
                (&columns.start_fen, Type::TEXT),
                (&columns.moves, Type::TEXT),
                (&columns.root_moves, Type::TEXT),
                (ply, numbers.clone()),
                (cp, numbers.clone()),
                (mate, numbers.clone()),
                (depth, numbers.clone()),
                (seldepth, numbers.clone()),
                (nodes, numbers.clone()),
                (time, numbers.clone()),
                (best, texts.clone()),
                (pv, texts.clone()),
                (win, numbers.clone()),
                (draw, numbers.clone()),
                (loss, numbers.clone()),
                (more_ply, numbers.clone()),
                (more_rank, numbers.clone()),
                (more_move, texts.clone()),
                (more_cp, numbers.clone()),
                (more_mate, numbers),
                (more_pv, texts),
            ],
        )
        .await
}

pub(super) async fn write_origin(client: &impl GenericClient, segment: &SegmentToWrite) -> Result<(), Error> {
    let SegmentToWrite { columns, behaviour, digest, .. } = segment;
    let origin = origin_digest(columns, behaviour, digest);
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
                (behaviour, Type::TEXT),
                (digest, Type::TEXT),
            ],
        )
        .await
        .map(|_| ())
}

/// Returns a digest of all that the segments of an origin share, each part with its length before it.
pub(super) fn origin_digest(columns: &SearchColumns, behaviour: &str, digest: &str) -> [u8; 32] {
    let numbers = [columns.segment_length.to_string(), columns.lines.to_string()];
    let [length, lines] = &numbers;
    let parts = [
        &*columns.engine,
        &*columns.options,
        &*columns.limit,
        &*columns.order,
        length,
        lines,
        behaviour,
        digest,
    ];
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// A column of a segment's rows.
pub(super) type Numbers = Vec<Option<i64>>;

/// The rows of a segment by column. Columns that few engines fill are none where they are empty.
struct Arrays {
    /// Ply, centipawns, mate, depth, deepest line, nodes and milliseconds.
    first: [Numbers; 7],
    best: Vec<Option<String>>,
    pv: Vec<String>,
    chances: [Option<Numbers>; 3],
    /// Ply, rank, centipawns and mate.
    more: [Option<Numbers>; 4],
    more_move: Option<Vec<String>>,
    more_pv: Option<Vec<String>>,
}

impl Arrays {
    fn of(SegmentRows { evaluations, alternatives }: &SegmentRows) -> Arrays {
        let number =
            |of: &dyn Fn(&EvaluationRow) -> Option<i64>| evaluations.iter().map(of).collect::<Numbers>();
        let any_chance = evaluations.iter().any(|row| row.chances.iter().any(Option::is_some));
        let more = |of: &dyn Fn(&AlternativeRow) -> Option<i64>| {
            (!alternatives.is_empty()).then(|| alternatives.iter().map(of).collect::<Numbers>())
        };
        let more_text = |of: &dyn Fn(&AlternativeRow) -> String| {
            (!alternatives.is_empty()).then(|| alternatives.iter().map(of).collect::<Vec<_>>())
        };
        Arrays {
            first: [
                number(&|row| Some(row.ply)),
                number(&|row| row.score.cp),
                number(&|row| row.score.mate),
                number(&|row| row.effort[0]),
                number(&|row| row.effort[1]),
                number(&|row| row.effort[2]),
                number(&|row| row.effort[3]),
            ],
            best: evaluations.iter().map(|row| row.best.clone()).collect(),
            pv: evaluations.iter().map(|row| row.pv.clone()).collect(),
            chances: [0, 1, 2].map(|place| any_chance.then(|| number(&|row| row.chances[place]))),
            more: [
                more(&|row| Some(row.ply)),
                more(&|row| Some(row.rank)),
                more(&|row| row.score.cp),
                more(&|row| row.score.mate),
            ],
            more_move: more_text(&|row| row.best.clone()),
            more_pv: more_text(&|row| row.pv.clone()),
        }
    }
}
