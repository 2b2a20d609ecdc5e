//! Solves the test positions in `data/suites`, one after the other. The table is empty before each position.

use std::path::Path;

use gainalyze::engine::builtin;
use gainalyze::engine::chess_engine::{ChessEngine, Limits, Root};
use shakmaty::{CastlingMode, Chess, Move, fen::Fen, san::San};

/// The suites, with the nodes per position.
const SUITES: [(&str, u64); 3] =
    [("bratko-kopec.epd", 1_000_000), ("sts.epd", 20_000), ("wac.epd", 1_000_000)];

/// A position to solve, with its solution.
pub struct Puzzle {
    chess: Chess,
    operations: Vec<(String, String)>,
}

/// The numbers of solved positions and of points in a suite.
#[derive(Clone, Copy, Default)]
pub struct Solved {
    pub best_moves: usize,
    pub positions: usize,
    points: u32,
    most_points: u32,
}

/// Solves all suites, and prints the numbers of solved positions.
pub fn solve_all() {
    for (file, nodes) in SUITES {
        let Solved { best_moves, positions, points, most_points } =
            solve(&mut ChessEngine::new(builtin::HASH), &read(file), nodes);
        let of_points =
            if most_points > 0 { format!(", {points} of {most_points} points") } else { String::new() };
        println!("{file}, {nodes} nodes a position: {best_moves} of {positions} solved{of_points}");
    }
}

/// Reads a suite.
pub fn read(file: &str) -> Vec<Puzzle> {
    let text = std::fs::read_to_string(Path::new("data/suites").join(file)).expect("a suite");
    text.lines().filter(|line| !line.starts_with('#')).map(Puzzle::of).collect()
}

/// Solves a suite with this many nodes per position.
pub fn solve(engine: &mut ChessEngine, suite: &[Puzzle], nodes: u64) -> Solved {
    suite.iter().fold(Solved::default(), |mut solved, puzzle| {
        engine.clear();
        let found = engine.search(&Root::new(puzzle.chess.clone()), &Limits::nodes(nodes), &mut ());
        let m = found.variations[0].moves[0];
        solved.positions += 1;
        solved.best_moves += usize::from(puzzle.is_best(m));
        let (points, most) = puzzle.points(m);
        solved.points += points;
        solved.most_points += most;
        solved
    })
}

impl Puzzle {
    /// Reads a line of EPD.
    fn of(line: &str) -> Puzzle {
        let fields: Vec<&str> = line.splitn(5, ' ').collect();
        let fen: Fen = fields[..4].join(" ").parse().expect("a position");
        let chess = fen.into_position(CastlingMode::Standard).expect("a legal position");
        let operations = fields[4].split(';').filter_map(|operation| operation.trim().split_once(' '));
        let named = |(name, value): (&str, &str)| (name.to_owned(), value.trim_matches('"').to_owned());
        Puzzle { chess, operations: operations.map(named).collect() }
    }

    fn operation(&self, name: &str) -> &str {
        self.operations.iter().find(|(its, _)| its == name).map_or("", |(_, value)| value)
    }

    fn is_best(&self, m: Move) -> bool {
        let san = San::from_move(&self.chess, m).to_string();
        self.operation("bm").split(' ').any(|best| best.trim_end_matches(['+', '#']) == san)
    }

    /// Returns the points of the move `m`, and the largest number of points. Both numbers are 0 if moves have
    /// no points.
    fn points(&self, m: Move) -> (u32, u32) {
        let written = m.to_uci(CastlingMode::Standard).to_string();
        let scores = self.operation("c8").split(' ').map(|points| points.parse::<u32>().unwrap_or(0));
        let mut moves = self.operation("c9").split(' ').zip(scores.clone());
        let own = moves.find(|(uci, _)| *uci == written).map_or(0, |(_, points)| points);
        (own, scores.max().unwrap_or(0))
    }
}
