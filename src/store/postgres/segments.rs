//! Single segments on a server: reading with verification of the seal, and setting aside of damaged segments.

use tokio_postgres::{Error, GenericClient, Row, types::Type};

use super::{
    super::columns::SearchColumns, super::rows::AlternativeRow, super::rows::EvaluationRow,
    super::rows::RowFault, super::rows::ScoreColumns, super::rows::SegmentRows, super::sealed::SealedSegment,
    super::sealed::StoredSegment, writing, writing::Numbers,
};
use crate::base::digest::hex;

/// The selected columns of a query for segments, from the tables in [`FROM`].
pub(super) const READ: &str = "s.key, s.origin, s.seal, s.chess960, s.start_fen, s.moves, s.root_moves, s.ply, s.cp, s.mate, \
     s.depth, s.seldepth, s.nodes, s.time_ms, s.best, s.pv, s.win, s.draw, s.loss, s.more_ply, s.more_rank, \
     s.more_move, s.more_cp, s.more_mate, s.more_pv, o.engine, o.options::text AS options, o.search_limit, \
     o.search_order, o.segment_length, o.lines, o.behaviour, o.engine_digest, o.digest AS origin_digest";

pub(super) const FROM: &str = "gainalyze.segments s JOIN gainalyze.origins o ON o.id = s.origin";

#[derive(Debug)]
pub(super) struct FoundSegment {
    pub key: Vec<u8>,
    pub origin: i32,
    pub behavior: String,
    pub digest: String,
    pub rows: Result<SegmentRows, RowFault>,
    columns: SearchColumns,
    origin_digest: Vec<u8>,
}

impl FoundSegment {
    pub fn read(row: &Row) -> Result<FoundSegment, Error> {
        let (key, seal): (Vec<u8>, Vec<u8>) = (row.try_get("key")?, row.try_get("seal")?);
        let (behavior, digest): (String, String) = (row.try_get("behaviour")?, row.try_get("engine_digest")?);
        let rows = rows(row)?.ok_or(RowFault::Positions);
        let rows = rows.and_then(|rows| match rows.seal(&key, &behavior, &digest)[..] == seal[..] {
            true => Ok(rows),
            false => Err(RowFault::Seal),
        });
        let columns = columns(
            row,
            row.try_get("chess960")?,
            [row.try_get("moves")?, row.try_get("root_moves")?],
            row.try_get("start_fen")?,
        )?;
        let (origin, origin_digest) = (row.try_get("origin")?, row.try_get("origin_digest")?);
        Ok(FoundSegment { key, origin, behavior, digest, rows, columns, origin_digest })
    }

    pub fn name(&self) -> String {
        let key = self.key.get(..8).unwrap_or(&self.key);
        format!("segment {} of origin {}", hex(key), self.origin)
    }

    pub fn sealed(self) -> Result<SealedSegment, RowFault> {
        let name = self.name();
        let FoundSegment { key, behavior, digest, rows, columns, origin_digest, .. } = self;
        // The key does not cover all of the origin.
        let is_whole = origin_digest[..] == writing::origin_digest(&columns, &behavior, &digest)[..];
        match is_whole && columns.key()[..] == key[..] {
            true => Ok(SealedSegment {
                name,
                key,
                stored: StoredSegment { columns, behavior, digest, rows: rows? },
            }),
            false => Err(RowFault::Key),
        }
    }
}

/// Returns the columns that determine a search. The columns of its origin are read from `row`; the segment's
/// own columns are the other parameters.
pub(super) fn columns(
    row: &Row,
    chess960: bool,
    [moves, root_moves]: [String; 2],
    start_fen: Option<String>,
) -> Result<SearchColumns, Error> {
    Ok(SearchColumns {
        engine: row.try_get("engine")?,
        options: row.try_get("options")?,
        limit: row.try_get("search_limit")?,
        order: row.try_get("search_order")?,
        segment_length: u64::try_from(row.try_get::<_, i64>("segment_length")?).unwrap_or_default(),
        start_fen,
        chess960,
        moves,
        lines: u32::try_from(row.try_get::<_, i64>("lines")?).unwrap_or_default(),
        root_moves,
    })
}

fn rows(row: &Row) -> Result<Option<SegmentRows>, Error> {
    let numbers = |name: &str| row.try_get::<_, Option<Numbers>>(name);
    let texts = |name: &str| row.try_get::<_, Option<Vec<Option<String>>>>(name);
    let evaluations = by_position(
        ["ply", "cp", "mate", "depth", "seldepth", "nodes", "time_ms"].map(numbers),
        ["win", "draw", "loss"].map(numbers),
        [texts("best")?, texts("pv")?],
    )?;
    let alternatives = by_line(
        ["more_ply", "more_rank", "more_cp", "more_mate"].map(numbers),
        [texts("more_move")?, texts("more_pv")?],
    )?;
    Ok(evaluations
        .zip(alternatives)
        .map(|(evaluations, alternatives)| SegmentRows { evaluations, alternatives }))
}

type Column = Result<Option<Numbers>, Error>;
type Texts = Option<Vec<Option<String>>>;

fn by_position(
    first: [Column; 7],
    chances: [Column; 3],
    [best, pv]: [Texts; 2],
) -> Result<Option<Vec<EvaluationRow>>, Error> {
    let (first, chances) = (all(first)?, all(chances)?);
    let (best, pv) = (best.unwrap_or_default(), pv.unwrap_or_default());
    let length = best.len();
    let is_whole = pv.len() == length
        && first.iter().all(|column| column.len() == length)
        && chances.iter().all(|column| column.is_empty() || column.len() == length);
    let chance = |column: &Numbers, place: usize| column.get(place).copied().flatten();
    let of = |(place, (best, pv)): (usize, (Option<String>, Option<String>))| {
        let at = |column: usize| chance(&first[column], place);
        Some(EvaluationRow {
            ply: at(0)?,
            score: ScoreColumns { cp: at(1), mate: at(2) },
            effort: [at(3), at(4), at(5), at(6)],
            best,
            pv: pv?,
            chances: [0, 1, 2].map(|column| chance(&chances[column], place)),
        })
    };
    Ok(if is_whole { best.into_iter().zip(pv).enumerate().map(of).collect() } else { None })
}

fn by_line(columns: [Column; 4], [best, pv]: [Texts; 2]) -> Result<Option<Vec<AlternativeRow>>, Error> {
    let columns = all(columns)?;
    let (best, pv) = (best.unwrap_or_default(), pv.unwrap_or_default());
    let length = best.len();
    let is_whole = pv.len() == length && columns.iter().all(|column| column.len() == length);
    let of = |(place, (best, pv)): (usize, (Option<String>, Option<String>))| {
        let at = |column: usize| columns[column].get(place).copied().flatten();
        let score = ScoreColumns { cp: at(2), mate: at(3) };
        Some(AlternativeRow { ply: at(0)?, rank: at(1)?, best: best?, score, pv: pv? })
    };
    Ok(if is_whole { best.into_iter().zip(pv).enumerate().map(of).collect() } else { None })
}

fn all<const COUNT: usize>(columns: [Column; COUNT]) -> Result<Vec<Numbers>, Error> {
    columns.into_iter().map(|column| Ok(column?.unwrap_or_default())).collect()
}

/// Returns the stored results of the searches with these keys, by any build of an engine.
pub(super) async fn of_searches(
    client: &impl GenericClient,
    keys: &[Vec<u8>],
) -> Result<Vec<FoundSegment>, Error> {
    let query = format!("SELECT {READ} FROM {FROM} WHERE s.key = ANY($1) ORDER BY s.key, s.origin");
    let rows = client.query_typed(&query, &[(&keys, Type::BYTEA_ARRAY)]).await?;
    rows.iter().map(FoundSegment::read).collect()
}

/// Moves a damaged segment to the table of segments that are set aside.
pub(super) async fn set_aside(
    client: &impl GenericClient,
    key: &[u8],
    origin: i32,
    reason: &str,
) -> Result<(), Error> {
    let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 3] =
        [(&key, Type::BYTEA), (&origin, Type::INT4), (&reason, Type::TEXT)];
    client.execute_typed("SELECT gainalyze.put_aside($1, $2, $3)", &parameters).await.map(|_| ())
}
