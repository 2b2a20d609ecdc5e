//! Without heuristics the search is plain minimax; alpha-beta, ordering and zero windows change no value.

use shakmaty::Position;

use super::{KIWIPETE, START, random_positions};
use crate::engine::chess_engine::value::{DRAW, mated_in, to_score};
use crate::engine::chess_engine::{ChessEngine, Heuristics, Limits, Root, WeightsFile};
use crate::engine::{
    chess_engine::position::KeyedPosition, chess_engine::root::KeyPath,
    chess_engine::table::TranspositionTable,
};

/// Returns the minimax value of a position at `depth`, computed by its definition.
fn minimax(
    position: &KeyedPosition,
    path: &mut KeyPath,
    depth: u32,
    ply: usize,
    weights: &WeightsFile,
) -> i32 {
    if ply > 0 && path.is_draw(position) {
        return DRAW;
    }
    let moves = position.chess().legal_moves();
    if moves.is_empty() {
        return if position.chess().is_check() { mated_in(ply) } else { DRAW };
    }
    if depth == 0 {
        return weights.evaluate(position.chess());
    }
    path.push(position.key());
    let values = moves.iter().map(|&m| -minimax(&position.play(m), path, depth - 1, ply + 1, weights));
    let best = values.max().unwrap_or(DRAW);
    path.pop();
    best
}

/// Returns whether a position has at most `budget` leaves at `depth`, and subtracts the number of leaves from
/// `budget`. A `budget` that is not enough becomes 0.
fn is_within(position: &KeyedPosition, depth: u32, budget: &mut usize) -> bool {
    let moves = position.chess().legal_moves();
    if depth > 1 {
        return moves.iter().all(|&m| is_within(&position.play(m), depth - 1, budget));
    }
    let left = budget.checked_sub(moves.len());
    *budget = left.unwrap_or(0);
    left.is_some()
}

/// Returns two hundred positions, each with the greatest depth up to 4 that has at most `budget` leaves, or
/// with depth 1 if none has.
fn positions(budget: usize) -> Vec<(Root, u32)> {
    let starts = [
        (START, 12),
        (KIWIPETE, 12),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 16),
        ("8/8/4k3/2p5/3p4/8/PP6/4K3 w - - 90 80", 40),
        ("k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1", 80),
        ("7k/8/4Q3/8/8/8/p7/K7 b - - 0 1", 40),
    ];
    let found = starts.into_iter().flat_map(|(start, count)| random_positions(start, 17, count, 3));
    found
        .map(|chess| {
            let root = Root::new(chess);
            let depth = (1..=4).rev().find(|&depth| is_within(root.position(), depth, &mut budget.clone()));
            (root, depth.unwrap_or(1))
        })
        .collect()
}

/// The heuristics that must not change any value: they only cut off refuted positions, narrow windows or
/// order moves.
const ORDERING: Heuristics = Heuristics {
    alpha_beta: true,
    zero_window: true,
    aspiration: true,
    history: true,
    continuation_history: true,
    ..Heuristics::none()
};

fn assert_equal_to_minimax(budget: usize, at_depth_4: usize) {
    let weights = WeightsFile::default();
    let mut engine = ChessEngine::with_table(TranspositionTable::with_slots(16));
    let positions = positions(budget);
    assert_eq!(positions.len(), 200);
    let deepest = positions.iter().filter(|(_, depth)| *depth == 4).count();
    assert!(deepest >= at_depth_4, "{deepest}");
    for (root, depth) in positions {
        let value = minimax(root.position(), &mut KeyPath::from(&root), depth, 0, &weights);
        for heuristics in [Heuristics::none(), ORDERING] {
            engine.set_heuristics(heuristics);
            let result = engine.search(&root, &Limits::depth(depth), &mut ());
            assert_eq!(
                result.variations[0].score,
                to_score(value),
                "{}",
                super::fen(root.position().chess())
            );
        }
    }
}

#[test]
fn the_search_without_short_cuts_is_minimax_and_ordering_does_not_change_it() {
    assert_equal_to_minimax(400, 40);
}

#[test]
#[ignore = "minutes in a debug build"]
fn the_search_without_short_cuts_is_minimax_at_depth_4_of_middlegames() {
    assert_equal_to_minimax(1_500_000, 180);
}
