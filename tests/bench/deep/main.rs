//! Measures deep analyses: overhead per search, memory of a tree, share of time that the engines search, and
//! speedup by more engines.
//!
//! `cargo bench --bench deep` takes a minute or two. `-- engine` takes several minutes with Stockfish, or
//! with the built-in engine if Stockfish is missing.

mod made_up;
#[path = "../process.rs"]
mod process;

use std::{
    process::Command,
    time::{Duration, Instant},
};

use gainalyze::chess::{Evaluator, GameSoFar, Limit};
use gainalyze::engine::{EngineChoice, EngineCommand, Restarting, Setup, Stop, work::event_loop};
use gainalyze::lab::{
    Answerers, DeepOptions, DeepSearch, Growth, GrowthLimits, GrowthNotice, StampedStore, Widths,
    deep::growing::grow,
};
use gainalyze::store::{EngineStamp, SqliteStore};
use shakmaty::{CastlingMode, Chess, fen::Fen};

use self::made_up::MadeUp;

/// The root of all trees, a position with many continuations.
const MIDDLEGAME: &str = "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 9";

/// The argument with which this program grows a single tree and ends.
const GROW: &str = "grow";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let Some(place) = args.iter().position(|arg| arg == GROW) {
        let nodes = args.get(place + 1).and_then(|nodes| nodes.parse().ok()).expect("a number of nodes");
        return own_cost(nodes, false);
    }
    if args.iter().any(|arg| arg == "engine") {
        return engines();
    }
    own_cost(20_000, false);
    own_cost(20_000, true);
    memory();
    waiting();
}

/// A grown tree and its cost.
struct Grown<E> {
    growth: Growth<E>,
    wall: Duration,
}

impl<E> Grown<E> {
    fn searches(&self) -> u64 {
        self.growth.counts.made
    }

    /// Returns the percentage of all searches that the tree did not use.
    fn unused(&self) -> f64 {
        let used = self.growth.trees.last().map_or(0, |tree| tree.searches);
        100.0 * (1.0 - used as f64 / self.searches().max(1) as f64)
    }

    fn nodes(&self) -> usize {
        self.growth.trees.last().map_or(0, |tree| tree.nodes.len())
    }
}

/// Grows a tree to the depth `plies`, or until it has at least `nodes` nodes.
fn grown<E: Evaluator + 'static>(
    engines: Vec<E>,
    widths: Widths,
    (plies, nodes): (usize, usize),
    limit: Limit,
    store: Option<StampedStore<'_>>,
) -> Grown<E> {
    let fen: Fen = MIDDLEGAME.parse().expect("a FEN");
    let root: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
    let options = DeepOptions { widths, lines: 1, cuts: true };
    let search = DeepSearch::new(&GameSoFar::new(root, CastlingMode::Standard), options).expect("a root");
    let limits = GrowthLimits { plies, searches: None, time: None };
    let stop = Stop::default();
    let watch = |notice: GrowthNotice<'_>| {
        if let GrowthNotice::Settled([.., tree], _) = notice
            && tree.nodes.len() >= nodes
        {
            stop.request();
        }
    };
    let answerers = Answerers { engines, limit, store };
    let begun = Instant::now();
    let growth = event_loop().expect("a runtime").block_on(grow(search, answerers, limits, &stop, watch));
    Grown { growth: growth.expect("a tree"), wall: begun.elapsed() }
}

/// Returns settings with about four candidates per position, so that each depth is a few times larger than
/// the previous one.
fn wide() -> Widths {
    Widths::of(vec![45.0; 64])
}

/// Measures the time of a tree of at least this many nodes with an engine that answers at once. The engine's
/// own time is subtracted.
fn own_cost(nodes: usize, is_stored: bool) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut store =
        is_stored.then(|| SqliteStore::open(&folder.path().join("store.sqlite")).expect("a store"));
    let (name, digest) = ("made up".to_owned(), String::new());
    let stamp = EngineStamp { name, options: Default::default(), digest, behavior: None };
    let store = store.as_mut().map(|store| StampedStore { stamp, store });
    let grown = grown(vec![MadeUp::at_once()], wide(), (64, nodes), Limit::Depth(1), store);
    let own = grown.wall.saturating_sub(grown.growth.counts.busy);
    println!(
        "{} nodes, depth {}, {}: {} searches in {:.1} s, of which the engine {:.1} s: {:.3} ms per search outside the engine",
        grown.nodes(),
        grown.growth.trees.len(),
        if is_stored { "with a store" } else { "without a store" },
        grown.searches(),
        grown.wall.as_secs_f64(),
        grown.growth.counts.busy.as_secs_f64(),
        1000.0 * own.as_secs_f64() / grown.searches() as f64
    );
}

/// Prints the largest memory of two processes: one grows a small tree, the other a large tree.
fn memory() {
    let this = std::env::current_exe().expect("this program");
    for nodes in ["1", "100000"] {
        let told = process::measure(Command::new(&this).args([GROW, nodes]));
        let seconds = told.wall.as_secs_f64();
        println!(
            "a process with a tree of {nodes} nodes or more: {} kB at most, {seconds:.1} s",
            told.peak_kb
        );
    }
}

/// Measures the same tree with one, two and eight engines. Their searches take 5 to 15 ms and no processor
/// time.
fn waiting() {
    let mut alone = Duration::ZERO;
    for jobs in [1, 2, 8] {
        let engines = (0..jobs).map(|_| MadeUp::slow(Duration::from_millis(10))).collect();
        let grown = grown(engines, wide(), (3, usize::MAX), Limit::Depth(1), None);
        if jobs == 1 {
            alone = grown.wall;
        }
        told(&format!("{jobs} scripted"), jobs, &grown, alone);
    }
}

/// Measures the same tree with one and with two real engines, which search to depth 14.
fn engines() {
    let choice = EngineChoice::usual();
    let command = EngineCommand::new(&choice, &Setup::default()).expect("an engine");
    let known = event_loop().expect("a runtime").block_on(async {
        let engine = command.start().await.expect("an engine that starts");
        let identity = engine.identity().clone();
        engine.quit().await;
        identity
    });
    println!("{}, depth 14, distance 50, 4 plies", known.name);
    let mut alone = Duration::ZERO;
    for jobs in [1, 2] {
        let engines = Restarting::all(&command, &known, [], jobs as usize);
        let grown = grown(engines, Widths::of_distance(50.0), (4, usize::MAX), Limit::Depth(14), None);
        if jobs == 1 {
            alone = grown.wall;
        }
        told(&format!("{jobs} of depth 14"), jobs, &grown, alone);
    }
}

fn told<E>(name: &str, jobs: u32, grown: &Grown<E>, alone: Duration) {
    let busy = grown.growth.counts.busy.as_secs_f64() / (f64::from(jobs) * grown.wall.as_secs_f64());
    println!(
        "{name}: {} searches, {} nodes, {:.2} s, {:.2} times as fast as one; engines busy {:.1} %; not used {:.1} %",
        grown.searches(),
        grown.nodes(),
        grown.wall.as_secs_f64(),
        alone.as_secs_f64() / grown.wall.as_secs_f64(),
        100.0 * busy,
        grown.unused()
    );
}
