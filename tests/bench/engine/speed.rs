//! Measures nodes per second and time per position. The table is empty before each position.
//!
//! Also measures the machine's speed at that time by perft, the move generation of the rules library alone.
//! So a slow minute can be recognized.

use std::time::Instant;

use gainalyze::engine::builtin;
use gainalyze::engine::builtin::bench::{bench, bench_roots};
use gainalyze::engine::chess_engine::ChessEngine;
use shakmaty::{Chess, perft};

/// Number of runs of each measurement. The median and the extremes are printed.
const RUNS: usize = 7;

/// Table sizes to compare, in megabytes.
const TABLES: [usize; 4] = [4, 8, 16, 64];

/// Measures the engine with the table size that it has by default.
pub fn measure() {
    let mut speeds: Vec<f64> = (0..RUNS).map(|_| perft_speed()).collect();
    println!("perft of the first position to 5 plies: {} million leaves a second", told(&mut speeds, 1));
    for depth in [8, 10] {
        let mut runs: Vec<Run> = (0..RUNS).map(|_| Run::of(builtin::HASH, depth)).collect();
        println!("depth {depth}: {}", Run::told(&mut runs));
    }
}

/// Measures the table sizes in turn, so that a slow minute affects all of them.
pub fn compare_tables() {
    for depth in [8, 10] {
        let mut runs = TABLES.map(|_| Vec::new());
        for _ in 0..RUNS {
            for (runs, megabytes) in runs.iter_mut().zip(TABLES) {
                runs.push(Run::of(megabytes, depth));
            }
        }
        for (runs, megabytes) in runs.iter_mut().zip(TABLES) {
            println!("depth {depth}, {megabytes:>2} MB: {}", Run::told(runs));
        }
    }
}

/// One run of the bench.
struct Run {
    nodes: u64,
    seconds: f64,
}

impl Run {
    fn of(megabytes: usize, depth: u32) -> Run {
        let mut engine = ChessEngine::new(megabytes);
        let begun = Instant::now();
        let nodes = bench(&mut engine, depth);
        Run { nodes, seconds: begun.elapsed().as_secs_f64() }
    }

    /// Returns the figures of several runs, which have equal node counts, as text.
    fn told(runs: &mut [Run]) -> String {
        let positions = bench_roots().count() as f64;
        let mut speeds: Vec<f64> = runs.iter().map(|run| run.nodes as f64 / run.seconds / 1e6).collect();
        let mut milliseconds: Vec<f64> = runs.iter().map(|run| 1e3 * run.seconds / positions).collect();
        let nodes = runs[0].nodes;
        format!(
            "{nodes} nodes, {} million a second, {} ms a position",
            told(&mut speeds, 2),
            told(&mut milliseconds, 1)
        )
    }
}

fn perft_speed() -> f64 {
    let begun = Instant::now();
    let leaves = perft(&Chess::default(), 5);
    leaves as f64 / begun.elapsed().as_secs_f64() / 1e6
}

fn told(values: &mut [f64], decimals: usize) -> String {
    values.sort_by(f64::total_cmp);
    let [least, median, most] = [0, values.len() / 2, values.len() - 1].map(|place| values[place]);
    format!("{median:.decimals$} ({least:.decimals$} to {most:.decimals$})")
}
