//! The engine wins endings against a bare king, and evaluates known draws as 0.

use shakmaty::{Chess, Position};

use super::chess;
use crate::engine::chess_engine::{ChessEngine, Limits, Root, Weights, evaluate};

/// Plays the engine against itself, and returns whether one side mates the other within fifty moves.
fn is_won(fen: &str, nodes: u64) -> bool {
    let mut engine = ChessEngine::new(1);
    let mut root = Root::new(chess(fen));
    let ended = |chess: &Chess| chess.halfmoves() >= 100 || chess.is_game_over();
    while !ended(root.position().chess()) {
        let found = engine.search(&root, &Limits::nodes(nodes), &mut ());
        root.play(found.variations[0].moves[0]).expect("a legal move");
    }
    root.position().chess().is_checkmate()
}

#[test]
fn a_queen_a_rook_and_two_bishops_mate_a_bare_king() {
    for fen in [
        "8/8/8/2k5/8/8/8/K6Q w - - 0 1",
        "8/8/3k4/8/8/8/6K1/5Q2 b - - 0 1",
        "8/8/4k3/8/8/2K5/8/3R4 w - - 0 1",
        "8/8/8/4k3/8/8/1R6/K7 b - - 0 1",
        "8/8/4k3/8/8/2K5/8/2BB4 w - - 0 1",
        "8/5k2/8/8/3BB3/8/8/K7 w - - 0 1",
    ] {
        assert!(is_won(fen, 2_000), "{fen}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a minute in a debug build")]
fn a_bishop_and_a_knight_mate_a_bare_king() {
    for fen in ["8/8/4k3/8/8/2K5/8/2NB4 w - - 0 1", "8/8/8/3k4/8/8/8/K4NB1 w - - 0 1"] {
        assert!(is_won(fen, 20_000), "{fen}");
    }
}

#[test]
fn known_draws_are_worth_nothing() {
    for fen in [
        "8/8/8/4k3/8/8/3NN3/4K3 w - - 0 1",
        "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
        "8/8/8/8/p7/k7/8/1K6 w - - 0 1",
    ] {
        assert_eq!(evaluate(&chess(fen), &Weights::default()), 0, "{fen}");
    }
    // The king in front of its pawn has the opposition.
    assert!(evaluate(&chess("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), &Weights::default()) > 100);
}
