//! Measures the engine within: nodes a second, and processor time a position at depths 8 and 10, each with an empty table of
//! the size that the judge has.
//!
//! `cargo bench --bench engine` takes seconds; with `-- suites` it solves the test positions in `data/suites` instead, which takes
//! minutes. The machine's own speed at the time is told by perft, the moves of the
//! library of rules alone, so that a slow minute is seen as one.

use std::{path::Path, time::Instant};

use gainalyze::{
    chess_engine::{ChessEngine, Limits, Root, bench, bench_roots},
    engine::within,
};
use shakmaty::{CastlingMode, Chess, fen::Fen, perft, san::San};

/// Runs of each measurement; the median is told, and the extremes beside it.
const RUNS: usize = 7;

fn main() {
    match std::env::args().any(|arg| arg == "suites") {
        true => suites(),
        false => speed(),
    }
}

fn speed() {
    let speeds = sorted(|| perft(&Chess::default(), 5) as f64 / 1e6);
    println!("perft of the first position to 5 plies: {} million leaves a second", told(&speeds, 1));
    for depth in [8, 10] {
        let mut nodes = 0;
        let speeds = sorted(|| {
            nodes = bench(&mut ChessEngine::new(within::HASH), depth);
            nodes as f64 / 1e6
        });
        let positions = bench_roots().count() as f64;
        let milliseconds: Vec<f64> =
            speeds.iter().rev().map(|speed| nodes as f64 / speed / positions / 1e3).collect();
        println!(
            "depth {depth}: {nodes} nodes, {} million a second, {} ms a position",
            told(&speeds, 2),
            told(&milliseconds, 1)
        );
    }
}

/// Solves each suite at its number of nodes, one position after the other with an empty table.
fn suites() {
    for (file, nodes) in [("sts.epd", 20_000), ("wac.epd", 1_000_000)] {
        let text = std::fs::read_to_string(Path::new("data/suites").join(file)).expect("a suite");
        let mut engine = ChessEngine::new(within::HASH);
        let (mut solved, mut points, mut most) = (0, 0, 0);
        for (chess, operations) in text.lines().map(position) {
            engine.clear();
            let found = engine.search(&Root::new(chess.clone()), &Limits::nodes(nodes), &mut ());
            let m = found.variations[0].moves[0];
            let san = San::from_move(&chess, m).to_string();
            let is_best =
                operation(&operations, "bm").split(' ').any(|best| best.trim_end_matches(['+', '#']) == san);
            solved += usize::from(is_best);
            let scores =
                operation(&operations, "c8").split(' ').map(|points| points.parse::<u32>().unwrap_or(0));
            let moves = operation(&operations, "c9").split(' ');
            let written = m.to_uci(CastlingMode::Standard).to_string();
            points +=
                moves.zip(scores.clone()).find(|(uci, _)| *uci == written).map_or(0, |(_, points)| points);
            most += scores.max().unwrap_or(0);
        }
        let of_points = if most > 0 { format!(", {points} of {most} points") } else { String::new() };
        println!("{file}, {nodes} nodes a position: {solved} of {} solved{of_points}", text.lines().count());
    }
}

/// A position of EPD, and its operations by their names.
fn position(line: &str) -> (Chess, Vec<(String, String)>) {
    let fields: Vec<&str> = line.splitn(5, ' ').collect();
    let fen: Fen = fields[..4].join(" ").parse().expect("a position");
    let operations = fields[4].split(';').filter_map(|operation| operation.trim().split_once(' '));
    let named = |(name, value): (&str, &str)| (name.to_owned(), value.trim_matches('"').to_owned());
    (fen.into_position(CastlingMode::Standard).expect("a legal position"), operations.map(named).collect())
}

fn operation<'a>(operations: &'a [(String, String)], name: &str) -> &'a str {
    operations.iter().find(|(its, _)| its == name).map_or("", |(_, value)| value)
}

/// What each run does a second, in ascending order; the run tells how much it does.
fn sorted(mut run: impl FnMut() -> f64) -> Vec<f64> {
    let mut speeds: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begun = Instant::now();
            let done = run();
            done / begun.elapsed().as_secs_f64()
        })
        .collect();
    speeds.sort_by(f64::total_cmp);
    speeds
}

fn told(values: &[f64], decimals: usize) -> String {
    let [least, median, most] = [0, values.len() / 2, values.len() - 1].map(|place| values[place]);
    format!("{median:.decimals$} ({least:.decimals$} to {most:.decimals$})")
}
