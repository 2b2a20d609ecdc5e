//! Owns the bench: positions that are always the same, whose node count at a fixed depth changes only when the search does.

use std::{
    fmt,
    time::{Duration, Instant},
};

use shakmaty::{CastlingMode, Chess, fen::Fen};

use crate::engine::chess_engine::{ChessEngine, EngineWeights, Limits, Root, SearchHooks};

/// Megabytes of hash table unless asked otherwise.
pub const HASH: usize = 16;

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

/// What a bench found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bench {
    /// The depth that each position was searched to.
    pub depth: u32,
    /// How many positions were searched.
    pub positions: usize,
    /// The positions of all searches together: the same on every machine and with every run.
    pub nodes: u64,
    /// What they took.
    pub time: Duration,
}

impl Bench {
    /// Searches the positions of the bench, each with an engine that remembers nothing and has a table of the usual size.
    pub fn run(weights: &EngineWeights, depth: u32) -> Bench {
        Bench::of(weights, depth, &mut ())
    }

    /// Searches the same until it is told to stop.
    pub(super) fn of(weights: &EngineWeights, depth: u32, hooks: &mut impl SearchHooks) -> Bench {
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
    /// Ends with the two numbers in the form that tools for testing engines look for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bench { depth, positions, nodes, time } = self;
        writeln!(f, "{positions} positions to depth {depth} in {} ms", time.as_millis())?;
        write!(f, "{nodes} nodes {} nps", nodes_a_second(*nodes, *time))
    }
}

/// Returns the whole number of nodes a second; of a time too short to measure, that of a millisecond.
pub(super) fn nodes_a_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1000 / time.as_millis().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}
