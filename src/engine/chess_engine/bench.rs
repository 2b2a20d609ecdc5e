//! Owns the bench: positions whose node count at a fixed depth changes only when the search does.

use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::{ChessEngine, Limits, Root};

/// Positions of the Candidates tournament 2013 (`data/candidates-2013.pgn`), one from each game but the last ones, later
/// and later in the games.
pub const BENCH_POSITIONS: &str = include_str!("bench.fen");

/// The depth of the bench that a version is known by.
pub const BENCH_DEPTH: u32 = 6;

/// The nodes of the bench to [`BENCH_DEPTH`]. They change only when the search or the weights do, and what is stored of
/// an engine with other ones is not taken for this one's.
pub const BENCH_NODES: u64 = 142_712;

/// Searches every bench position to `depth` with an engine cleared before each, and gives the nodes of all together.
pub fn bench(engine: &mut ChessEngine, depth: u32) -> u64 {
    let nodes = |root: Root| {
        engine.clear();
        engine.search(&root, &Limits::depth(depth), &mut ()).nodes
    };
    bench_roots().map(nodes).sum()
}

/// Lists the bench positions, to search them in another way than [`bench()`] does.
pub fn bench_roots() -> impl Iterator<Item = Root> {
    BENCH_POSITIONS.lines().filter_map(|line| {
        let fen: Fen = line.parse().ok()?;
        let chess: Chess = fen.into_position(CastlingMode::Standard).ok()?;
        Some(Root::new(chess))
    })
}
