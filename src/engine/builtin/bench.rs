//! The bench: fixed positions whose node count at a fixed depth changes only with the search or the weights.

use std::{fmt, time::Duration};

use shakmaty::{CastlingMode, Chess, fen::Fen};

use crate::engine::builtin::thinking_time::Instant;
use crate::engine::chess_engine::{ChessEngine, EngineWeights, Limits, Root, SearchHooks};

/// Default size of the transposition table in megabytes.
pub const HASH: usize = 16;

/// Positions of the Candidates tournament 2013 (`data/candidates-2013.pgn`), each from another game, at move
/// numbers from 7 to 55.
pub const BENCH_POSITIONS: &str = include_str!("bench.fen");

/// Depth at which the node count of the bench identifies a version.
pub const BENCH_DEPTH: u32 = 6;

/// Nodes of the bench at [`BENCH_DEPTH`]. The number changes only with the search or the weights. Evaluations
/// stored with another number are not used for this engine.
pub const BENCH_NODES: u64 = 96_267;

/// Searches every bench position to `depth`, clearing the engine before each, and returns the total number of
/// nodes.
pub fn bench(engine: &mut ChessEngine, depth: u32) -> u64 {
    let nodes = |root: Root| {
        engine.clear();
        engine.search(&root, &Limits::depth(depth), &mut ()).nodes
    };
    bench_roots().map(nodes).sum()
}

/// Returns the bench positions, as roots for searches.
pub fn bench_roots() -> impl Iterator<Item = Root> {
    BENCH_POSITIONS.lines().filter_map(|line| {
        let fen: Fen = line.parse().ok()?;
        let chess: Chess = fen.into_position(CastlingMode::Standard).ok()?;
        Some(Root::new(chess))
    })
}

/// The result of a bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bench {
    /// Search depth in plies.
    pub depth: u32,
    /// Number of positions searched.
    pub positions: usize,
    /// Total nodes of all searches. A bench that was not stopped has the same number on every machine and in
    /// every run.
    pub nodes: u64,
    /// Total time.
    pub time: Duration,
}

impl Bench {
    /// Searches the bench positions, each with a cleared engine and a table of default size.
    pub fn run(weights: &EngineWeights, depth: u32) -> Bench {
        Bench::of(weights, depth, &mut ())
    }

    /// Searches the bench positions until `hooks` stop it.
    pub(crate) fn of(weights: &EngineWeights, depth: u32, hooks: &mut impl SearchHooks) -> Bench {
        let begun = Instant::now();
        let mut engine = ChessEngine::new(HASH);
        engine.set_weights(weights.clone());
        let (mut positions, mut nodes) = (0, 0);
        for root in bench_roots() {
            if hooks.should_stop(nodes) {
                break;
            }
            engine.clear();
            nodes += engine.search(&root, &Limits::depth(depth), hooks).nodes;
            positions += 1;
        }
        Bench { depth, positions, nodes, time: begun.elapsed() }
    }
}

impl fmt::Display for Bench {
    /// Writes the result. The last line has nodes and speed as engine testing tools parse them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bench { depth, positions, nodes, time } = self;
        writeln!(f, "{positions} positions to depth {depth} in {} ms", time.as_millis())?;
        write!(f, "{nodes} nodes {} nps", nodes_a_second(*nodes, *time))
    }
}

/// Returns nodes per second, rounded down. A time below a millisecond counts as a millisecond.
pub(crate) fn nodes_a_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1000 / time.as_millis().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}
