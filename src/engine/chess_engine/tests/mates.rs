//! Mates are found at their depth, and no shorter mates are claimed.

use shakmaty::{Chess, Position};

use super::chess;
use crate::chess::SignedScore;
use crate::engine::chess_engine::{ChessEngine, Heuristics, Limits, Root};

/// Returns whether the side to move can force mate within `moves` moves, by brute force.
fn can_mate(position: &Chess, moves: u32) -> bool {
    position.legal_moves().into_iter().any(|m| {
        let mut after = position.clone();
        after.play_unchecked(m);
        after.is_checkmate() || moves > 1 && cannot_escape(&after, moves - 1)
    })
}

/// Returns whether the side to move has legal moves, and all of them lead to mate within `moves` moves.
fn cannot_escape(position: &Chess, moves: u32) -> bool {
    let replies = position.legal_moves();
    !replies.is_empty()
        && replies.into_iter().all(|m| {
            let mut after = position.clone();
            after.play_unchecked(m);
            can_mate(&after, moves)
        })
}

/// Positions with the number of moves to mate. All were made for these tests except the second, P. Morphy's
/// problem of 1849.
const MATES: [(&str, u32); 8] = [
    ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", 1),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2),
    ("6k1/8/8/8/8/8/1R6/R5K1 w - - 0 1", 2),
    ("r5rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1", 1),
    ("1r5k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 2),
    ("8/8/8/8/8/3q4/2k5/K7 b - - 0 1", 1),
    ("k7/2K5/8/1Q6/8/8/8/8 w - - 0 1", 1),
];

#[test]
fn mates_are_found_at_their_depth_and_with_every_short_cut_a_little_later() {
    for (fen, moves) in MATES {
        assert!(can_mate(&chess(fen), moves), "{fen}");
        assert!(moves == 1 || !can_mate(&chess(fen), moves - 1), "{fen}");
        let mut engine = ChessEngine::new(1);
        let mut finds = |heuristics: Heuristics, depth: u32| {
            engine.set_heuristics(heuristics);
            let result = engine.search(&Root::new(chess(fen)), &Limits::depth(depth), &mut ());
            assert_eq!(result.variations[0].score, SignedScore::Mate(moves as i32), "{fen}");
            assert_eq!(result.variations[0].moves.len(), 2 * moves as usize - 1, "{fen}");
        };
        finds(Heuristics { alpha_beta: true, quiescence: true, ..Heuristics::none() }, 2 * moves - 1);
        // In P. Morphy's problem any move loses (zugzwang), which the null move does not see.
        finds(Heuristics { null_move: false, ..Heuristics::all() }, 2 * moves + 2);
    }
}

#[test]
fn the_side_that_is_mated_sees_it_coming() {
    // Whatever Black plays, a rook mates on the back rank.
    let result = ChessEngine::new(1).search(
        &Root::new(chess("7k/R7/8/8/8/8/8/1R4K1 b - - 0 1")),
        &Limits::depth(4),
        &mut (),
    );
    assert_eq!(result.variations[0].score, SignedScore::Mate(-1));
}

#[test]
fn mate_on_the_board_is_told_without_a_move() {
    let result = ChessEngine::new(1).search(
        &Root::new(chess("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")),
        &Limits::depth(3),
        &mut (),
    );
    assert_eq!(result.variations.len(), 1);
    assert_eq!(result.variations[0].score, SignedScore::Mate(0));
    assert!(result.variations[0].moves.is_empty());
}
