//! Positions that no game reaches do not break a search.

use shakmaty::{Board, CastlingMode, Chess, Color, PositionError, Role, Setup, Square};

use super::{Draw, chess};
use crate::engine::chess_engine::table::TranspositionTable;
use crate::engine::chess_engine::{ChessEngine, Limits, Root};

/// Returns a position with the kings and up to thirty other pieces on random squares; `None` if it is not
/// valid.
fn scattered(draw: &mut Draw) -> Option<Chess> {
    let mut board = Board::empty();
    for color in Color::ALL {
        board.set_piece_at(Square::new(draw.below(64) as u32), Role::King.of(color));
    }
    let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    for _ in 0..draw.below(31) {
        let square = Square::new(draw.below(64) as u32);
        if board.piece_at(square).is_none() {
            board.set_piece_at(square, draw.of(&roles).of(draw.of(&Color::ALL)));
        }
    }
    let mut setup = Setup::empty();
    setup.board = board;
    setup.turn = draw.of(&Color::ALL);
    setup.halfmoves = draw.below(110) as u32;
    setup.position(CastlingMode::Chess960).or_else(PositionError::ignore_too_much_material).ok()
}

/// Searches `count` random positions.
fn search_scattered(count: usize, limits: &Limits) {
    let mut draw = Draw(41);
    let mut engine = ChessEngine::with_table(TranspositionTable::with_slots(1 << 8));
    let mut searched = 0;
    while searched < count {
        let Some(position) = scattered(&mut draw) else { continue };
        let result = engine.search(&Root::new(position), limits, &mut ());
        assert!(!result.variations.is_empty());
        searched += 1;
    }
}

#[test]
fn a_thousand_scattered_positions_are_searched_without_a_panic() {
    search_scattered(1_000, &Limits { nodes: Some(300), ..Limits::depth(3) });
}

#[test]
#[ignore = "minutes in a debug build"]
fn ten_thousand_scattered_positions_are_searched_to_depth_4_without_a_panic() {
    search_scattered(10_000, &Limits::depth(4));
}

#[test]
fn the_position_with_the_most_moves_is_searched() {
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQ2/K4Q1k b - - 0 1",
    ] {
        let parsed: shakmaty::fen::Fen = fen.parse().expect("a FEN");
        let position = parsed
            .into_position(CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check);
        let Ok(position): Result<Chess, _> = position else { continue };
        let limits = Limits { nodes: Some(2_000), ..Limits::depth(3) };
        ChessEngine::new(1).search(&Root::new(position), &limits, &mut ());
    }
}

#[test]
fn a_search_without_a_limit_of_depth_goes_deep_in_a_small_position() {
    // Only the kings can move.
    let blocked = "8/8/8/1p1p1p1p/1P1P1P1P/8/8/k1K5 w - - 0 1";
    let result = ChessEngine::new(1).search(
        &Root::new(chess(blocked)),
        &Limits { nodes: Some(20_000), ..Limits::default() },
        &mut (),
    );
    assert!(result.depth > 10);
}
