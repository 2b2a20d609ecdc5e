//! [`QueuedSegment`]: a segment as a row of the queue, and its checked conversion to a search.

use crate::chess::{Protocol, Segment};
use crate::store::{EngineStamp, columns::SearchColumns, columns::read_moves};

/// A segment taken by a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueuedSegment {
    pub run: i64,
    pub worker: i64,
    /// The segment's key, as in the store.
    pub key: Vec<u8>,
    pub protocol: Protocol,
    pub segment: Segment,
    /// True if the store already has the evaluations of the segment.
    pub is_known: bool,
}

impl AsRef<Segment> for QueuedSegment {
    fn as_ref(&self) -> &Segment {
        &self.segment
    }
}

/// A row of the queue that is not a valid segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultyTask {
    pub run: i64,
    pub worker: i64,
    pub key: Vec<u8>,
}

pub(super) const NAMES: &str = "tasks.run, tasks.worker, tasks.key, tasks.first_ply, tasks.search_limit, tasks.search_order, \
                                tasks.segment_length, tasks.start_fen, tasks.chess960, tasks.moves, tasks.lines, tasks.root_moves";

/// Reads a row that was taken for an engine. Returns a [`FaultyTask`] if the row's columns are invalid or do
/// not match its key.
pub(super) fn read(
    row: &tokio_postgres::Row,
    engine: &EngineStamp,
) -> Result<Result<QueuedSegment, FaultyTask>, tokio_postgres::Error> {
    let (run, worker, key) = (row.try_get("run")?, row.try_get("worker")?, row.try_get::<_, Vec<u8>>("key")?);
    let columns = SearchColumns {
        engine: engine.name.clone(),
        options: engine.options_json(),
        limit: row.try_get("search_limit")?,
        order: row.try_get("search_order")?,
        segment_length: row.try_get::<_, i64>("segment_length")?.unsigned_abs(),
        start_fen: row.try_get("start_fen")?,
        chess960: row.try_get("chess960")?,
        moves: row.try_get("moves")?,
        lines: row.try_get::<_, i32>("lines")?.unsigned_abs(),
        root_moves: row.try_get("root_moves")?,
    };
    let first = usize::try_from(row.try_get::<_, i32>("first_ply")?).unwrap_or(usize::MAX);
    let is_known = row.try_get("is_known")?;
    let made = (columns.key()[..] == key[..]).then(|| segment(engine, &columns, first)).flatten();
    Ok(match made {
        Some((protocol, segment)) => Ok(QueuedSegment { run, worker, key, protocol, segment, is_known }),
        None => Err(FaultyTask { run, worker, key }),
    })
}

/// Makes the segment from its columns; `None` if they are invalid.
fn segment(engine: &EngineStamp, columns: &SearchColumns, first: usize) -> Option<(Protocol, Segment)> {
    let protocol = columns.origin(String::new(), engine.digest.clone())?.protocol;
    let (line, asked) = (read_moves(&columns.moves)?, read_moves(&columns.root_moves)?);
    let segment = Segment::of_line(columns.start()?, columns.mode(), line, first, protocol.order)?;
    let segment = if asked.is_empty() { segment } else { segment.restricted_to(&asked).ok()? };
    // The number of positions is not part of the key, so it is checked here.
    (segment.searches().len() <= protocol.segment).then_some((protocol, segment))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::chess::{Limit, Order, pgn::parse_games};
    use crate::store::Origin;

    fn engine() -> EngineStamp {
        EngineStamp {
            name: "Test".to_owned(),
            options: BTreeMap::new(),
            digest: "d".to_owned(),
            behavior: Some("b".to_owned()),
        }
    }

    fn columns_of(protocol: Protocol, segment: &Segment) -> SearchColumns {
        SearchColumns::of(&Origin { engine: engine(), protocol }, segment)
    }

    #[test]
    fn a_segment_comes_back_from_its_columns() {
        for order in [Order::Backward, Order::Forward] {
            let protocol = Protocol::new(Limit::Depth(5), order, 2);
            let fen = "[FEN \"4k2r/5p2/8/8/8/8/8/4K2R w Kk - 0 1\"]\n\n1. O-O O-O 2. Kg2 *";
            for text in ["1. e4 e5 2. Nf3 *", fen] {
                let game = parse_games(text, "queue").remove(0).expect("a game");
                for put in Segment::cut(&game, &protocol) {
                    let columns = columns_of(protocol, &put);
                    let (asked, taken) = segment(&engine(), &columns, put.first()).expect("a segment");
                    assert_eq!(asked, protocol);
                    assert_eq!(columns_of(asked, &taken), columns);
                    assert_eq!((taken.first(), taken.searches()), (put.first(), put.searches()));
                }
            }
        }
    }

    #[test]
    fn columns_that_cannot_be_a_segment_are_none() {
        let protocol = Protocol::new(Limit::Depth(5), Order::Forward, 2);
        let game = parse_games("1. e4 e5 *", "queue").remove(0).expect("a game");
        let put = Segment::cut(&game, &protocol).remove(0);
        let columns = columns_of(protocol, &put);
        for wrong in [
            SearchColumns { moves: "e2e4 e2e4".to_owned(), ..columns.clone() },
            SearchColumns { moves: "castles".to_owned(), ..columns.clone() },
            SearchColumns { limit: "for ever".to_owned(), ..columns.clone() },
            SearchColumns { start_fen: Some("8/8".to_owned()), ..columns.clone() },
            SearchColumns { root_moves: "e2e4".to_owned(), ..columns.clone() },
        ] {
            assert_eq!(segment(&engine(), &wrong, 0), None, "{wrong:?}");
        }
        let whole = Segment::cut(&game, &Protocol::new(Limit::Depth(5), Order::Forward, 9)).remove(0);
        let longer = SearchColumns { moves: columns_of(protocol, &whole).moves, ..columns };
        assert_eq!(segment(&engine(), &longer, 0), None, "three positions, and two at most");
    }
}
