//! Measures the Elo points of each pruning rule and of the weights, in matches at equal nodes.

use gainalyze::engine::chess_engine::{ChessEngine, Heuristics, WeightsFile};

use super::{matches, suites};

/// Default number of nodes per move.
pub const NODES: u64 = 2_000;

/// Number of games of a match for a pruning rule, two for each opening.
pub const GAMES: usize = 120;

/// Number of openings of a match for weights. Each opening is played twice.
const OPENINGS: usize = 100;

/// Size of the table in megabytes, more than a search fills.
const HASH: usize = 2;

/// The test suite that is solved in addition to each match, and the nodes per position.
const GUARD: (&str, u64) = ("wac.epd", 20_000);

/// Plays the full search against the search without one pruning rule, for each rule in `names`, or for every
/// rule if `names` is empty. Rules joined by `+` are left out together. Also prints the number of positions
/// of the test suite that the search solves without the rule.
pub fn measure(names: &[&str], nodes: u64, games: usize) {
    let openings = matches::fair_openings(games.div_ceil(2));
    let guard = suites::read(GUARD.0);
    let solved = |heuristics: Heuristics| {
        let solved = suites::solve(&mut engine(heuristics), &guard, GUARD.1);
        format!("{} of {}", solved.best_moves, solved.positions)
    };
    println!("{nodes} nodes a move; {} at {} nodes: {}", GUARD.0, GUARD.1, solved(Heuristics::all()));
    println!(
        "rule left out: wins, draws and losses of the whole search, its score, its advantage; {} without the rule",
        GUARD.0
    );
    let all: Vec<&str> = Heuristics::all_but_one().iter().map(|(name, _)| *name).collect();
    for name in if names.is_empty() { &all } else { names } {
        let heuristics = name
            .split('+')
            .try_fold(Heuristics::all(), Heuristics::without)
            .unwrap_or_else(|| panic!("unknown rule {name:?}: write one of {all:?}, or several joined by +"));
        let mut sides = [engine(Heuristics::all()), engine(heuristics)];
        let played = matches::play(&mut sides, &openings, nodes);
        println!("{name}: {}; {}", played.told(), solved(heuristics));
    }
}

/// Plays the engine's weights against the weights of a file.
pub fn against_weights(file: &str, nodes: u64) {
    let text = std::fs::read_to_string(file).expect("a file of weights");
    let weights: WeightsFile = text.parse().expect("weights");
    let mut other = engine(Heuristics::all());
    other.set_weights(weights);
    let mut sides = [engine(Heuristics::all()), other];
    let played = matches::play(&mut sides, &matches::fair_openings(OPENINGS), nodes);
    println!("{nodes} nodes a move, against {file}: {}", played.told());
}

fn engine(heuristics: Heuristics) -> ChessEngine {
    let mut engine = ChessEngine::new(HASH);
    engine.set_heuristics(heuristics);
    engine
}
