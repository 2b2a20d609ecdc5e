//! Owns the bench: positions whose node count at a fixed depth changes only when the search does.

use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::{ChessEngine, Limits, Root};

/// Positions of the Candidates tournament 2013 (`data/candidates-2013.pgn`), one from each game but the last ones, later
/// and later in the games.
pub const BENCH_POSITIONS: &str = include_str!("bench.fen");

/// Searches every bench position to `depth` with an engine cleared before each, and gives the nodes of all together.
pub fn bench(engine: &mut ChessEngine, depth: u32) -> u64 {
    let nodes = |root: Root| {
        engine.clear();
        engine.search(&root, &Limits::depth(depth), &mut ()).nodes
    };
    roots().map(nodes).sum()
}

fn roots() -> impl Iterator<Item = Root> {
    BENCH_POSITIONS.lines().filter_map(|line| {
        let fen: Fen = line.parse().ok()?;
        let chess: Chess = fen.into_position(CastlingMode::Standard).ok()?;
        Some(Root::new(chess))
    })
}
