//! Searches keep their limits exactly, return legal, distinct and sorted lines, and are reproducible.

use std::ops::ControlFlow;

use shakmaty::{Move, Position};

use super::{CHESS960, KIWIPETE, START, chess, uci};
use crate::chess::SignedScore;
use crate::engine::builtin::bench::{BENCH_DEPTH, BENCH_NODES, bench};
use crate::engine::chess_engine::{ChessEngine, Heuristics, Limits, Root, SearchHooks, SearchResult};

#[test]
fn the_bench_counts_the_nodes_that_it_counted_before() {
    assert_eq!(bench(&mut ChessEngine::new(1), BENCH_DEPTH), BENCH_NODES);
}

#[test]
fn a_cleared_engine_answers_as_a_new_one_does() {
    let root = Root::new(chess(KIWIPETE));
    let fresh = ChessEngine::new(1).search(&root, &Limits::depth(5), &mut ());
    let mut engine = ChessEngine::new(1);
    engine.search(&Root::new(chess(START)), &Limits::depth(5), &mut ());
    let warm = engine.search(&root, &Limits::depth(5), &mut ());
    engine.clear();
    assert_eq!(engine.search(&root, &Limits::depth(5), &mut ()), fresh);
    assert_eq!(warm.depth, 5);
}

#[test]
fn a_limit_of_nodes_is_kept_to_the_node() {
    for nodes in [1, 2, 47, 48, 49, 1_000, 1_023, 1_024, 1_025, 5_000] {
        let result = ChessEngine::new(1).search(&Root::new(chess(KIWIPETE)), &Limits::nodes(nodes), &mut ());
        assert_eq!(result.nodes, nodes);
        assert!(!result.variations[0].moves.is_empty());
    }
}

#[test]
fn a_limit_of_depth_is_the_last_depth() {
    for depth in [1, 2, 4] {
        let result = ChessEngine::new(1).search(&Root::new(chess(START)), &Limits::depth(depth), &mut ());
        assert_eq!(result.depth, depth);
        assert!(result.deepest_ply >= depth);
    }
    let none = ChessEngine::new(1).search(&Root::new(chess(START)), &Limits::depth(0), &mut ());
    assert_eq!(none.depth, 1, "a search makes at least one ply");
}

fn play_out(fen: &str, moves: &[Move]) {
    moves.iter().fold(chess(fen), |position, &m| position.play(m).expect("a legal move"));
}

#[test]
fn several_lines_are_legal_distinct_and_sorted() {
    for (fen, wanted) in [(KIWIPETE, 5), (CHESS960, 3), ("7k/8/8/8/8/8/6q1/K6R b - - 0 1", 9)] {
        let limits = Limits { multi_pv: wanted, ..Limits::depth(4) };
        let result = ChessEngine::new(1).search(&Root::new(chess(fen)), &limits, &mut ());
        let legal = chess(fen).legal_moves().len();
        assert_eq!(result.variations.len(), wanted.min(legal), "{fen}");
        let mut firsts: Vec<Move> = result.variations.iter().map(|line| line.moves[0]).collect();
        result.variations.iter().for_each(|line| play_out(fen, &line.moves));
        let ranks: Vec<i32> = result.variations.iter().map(|line| rank(line.score)).collect();
        assert!(ranks.is_sorted_by(|a, b| a >= b), "{ranks:?}");
        firsts.dedup();
        assert_eq!(firsts.len(), result.variations.len());
    }
}

/// Returns a number that grows with the score for the side to move.
fn rank(score: SignedScore) -> i32 {
    match score {
        SignedScore::Cp(cp) => cp,
        SignedScore::Mate(moves) if moves > 0 => 100_000 - moves,
        SignedScore::Mate(moves) => -100_000 - moves,
    }
}

#[test]
fn all_lines_together_are_the_values_of_all_moves() {
    // With alpha-beta as the only heuristic, each line has the value that its move has when searched alone.
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let mut engine = ChessEngine::new(1);
    engine.set_heuristics(Heuristics { alpha_beta: true, ..Heuristics::none() });
    let all = Limits { multi_pv: 100, ..Limits::depth(3) };
    let result = engine.search(&Root::new(chess(fen)), &all, &mut ());
    assert_eq!(result.variations.len(), 14);
    for line in result.variations {
        let alone = Limits { search_moves: vec![line.moves[0]], ..Limits::depth(3) };
        let single = engine.search(&Root::new(chess(fen)), &alone, &mut ());
        assert_eq!(single.variations[0].score, line.score);
        assert_eq!(single.variations[0].moves[0], line.moves[0]);
    }
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let position = chess(KIWIPETE);
    let asked = vec![uci(&position, "a2a3"), uci(&position, "g2g4")];
    let limits = Limits { search_moves: asked.clone(), multi_pv: 4, ..Limits::depth(4) };
    let result = ChessEngine::new(1).search(&Root::new(position), &limits, &mut ());
    assert_eq!(result.variations.len(), 2);
    assert!(result.variations.iter().all(|line| asked.contains(&line.moves[0])));
}

#[test]
fn a_warm_table_does_not_hide_the_moves_asked_for() {
    let position = chess(KIWIPETE);
    let mut engine = ChessEngine::new(1);
    let free = engine.search(&Root::new(position.clone()), &Limits::depth(5), &mut ());
    let limits = Limits { search_moves: vec![uci(&position, "a2a3")], ..Limits::depth(4) };
    let forced = engine.search(&Root::new(position.clone()), &limits, &mut ());
    assert_eq!(forced.variations[0].moves[0], uci(&position, "a2a3"));
    // The value of the requested move has not been stored as the value of the position.
    let again = engine.search(&Root::new(position), &Limits::depth(5), &mut ());
    assert_eq!(again.variations[0].moves[0], free.variations[0].moves[0]);
}

#[derive(Default)]
struct Recorder {
    asked: Vec<u64>,
    depths: Vec<u32>,
    stop_after_questions: Option<usize>,
    stop_after_depth: Option<u32>,
}

impl SearchHooks for Recorder {
    fn should_stop(&mut self, nodes: u64) -> bool {
        self.asked.push(nodes);
        self.stop_after_questions.is_some_and(|questions| self.asked.len() >= questions)
    }

    fn depth_finished(&mut self, result: &SearchResult) -> ControlFlow<()> {
        self.depths.push(result.depth);
        match self.stop_after_depth == Some(result.depth) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

#[test]
fn hooks_hear_of_every_depth_and_are_asked_every_so_many_nodes() {
    let mut recorder = Recorder::default();
    let result = ChessEngine::new(1).search(&Root::new(chess(KIWIPETE)), &Limits::depth(5), &mut recorder);
    assert_eq!(recorder.depths, [1, 2, 3, 4, 5]);
    assert_eq!(recorder.asked.len() as u64, (result.nodes - 1) / 1024);
    assert!(recorder.asked.iter().all(|nodes| nodes % 1024 == 0));
}

#[test]
fn hooks_stop_the_search_and_a_move_is_still_given() {
    let root = Root::new(chess(KIWIPETE));
    let mut recorder = Recorder { stop_after_questions: Some(3), ..Recorder::default() };
    let result = ChessEngine::new(1).search(&root, &Limits::default(), &mut recorder);
    assert_eq!(result.nodes, 3 * 1024);
    assert!(!result.variations[0].moves.is_empty());
    let mut recorder = Recorder { stop_after_depth: Some(3), ..Recorder::default() };
    assert_eq!(ChessEngine::new(1).search(&root, &Limits::default(), &mut recorder).depth, 3);
}
