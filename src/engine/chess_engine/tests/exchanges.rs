//! Static exchange evaluation agrees with playing out the captures.

use shakmaty::{Board, Color, Move, Position, Role, Square};

use super::{KIWIPETE, START, chess, random_positions, uci};
use crate::engine::chess_engine::exchange::{exchange_value, gains_at_least};
use crate::engine::{chess_engine::packed_move::destination, chess_engine::position::KeyedPosition};

/// Returns the gain of `side` from capturing on `square` with its least valuable piece; 0 if not capturing is
/// better. A king captures only undefended pieces.
fn best_capture(board: &Board, side: Color, square: Square) -> i32 {
    let Some(victim) = board.role_at(square) else { return 0 };
    let attackers = board.attacks_to(square, side, board.occupied()) & board.by_color(side);
    let least = attackers.into_iter().min_by_key(|&from| board.role_at(from).map_or(0, |role| role as u32));
    let Some((from, role)) = least.and_then(|from| Some((from, board.role_at(from)?))) else { return 0 };
    let mut after = board.clone();
    after.discard_piece_at(from);
    after.set_piece_at(square, role.of(side));
    if role == Role::King && (after.attacks_to(square, !side, after.occupied())).any() {
        return 0;
    }
    (exchange_value(victim) - best_capture(&after, !side, square)).max(0)
}

/// Returns the gain of a move, with the captures after it played out on boards.
fn played_out(position: &KeyedPosition, m: Move) -> i32 {
    let taken = m.capture().map_or(0, exchange_value);
    let promoted = m.promotion().map_or(0, |role| exchange_value(role) - exchange_value(Role::Pawn));
    let after = position.play(m);
    taken + promoted - best_capture(after.board(), after.turn(), destination(m))
}

#[test]
fn an_exchange_is_worth_what_playing_it_out_brings() {
    let mut moves = 0;
    let promotions = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    for start in [START, KIWIPETE, promotions] {
        for position in random_positions(start, 3, 400, 2).into_iter().map(KeyedPosition::new) {
            for m in position.chess().legal_moves().into_iter().filter(|m| !m.is_castle()) {
                let gain = played_out(&position, m);
                assert!(gains_at_least(&position, m, gain), "{m} {gain} {:?}", position.chess());
                assert!(!gains_at_least(&position, m, gain + 1), "{m} {gain} {:?}", position.chess());
                moves += 1;
            }
        }
    }
    assert!(moves > 20_000);
}

#[test]
fn exchanges_counted_by_hand() {
    let gain = |fen: &str, text: &str| {
        let chess = chess(fen);
        let m = uci(&chess, text);
        let position = KeyedPosition::new(chess);
        (-20..=20).map(|pawns| 100 * pawns).rfind(|&threshold| gains_at_least(&position, m, threshold))
    };
    // A rook takes an undefended pawn, then a defended pawn.
    assert_eq!(gain("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), Some(100));
    assert_eq!(gain("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5"), Some(-400));
    // Rook takes pawn, knight takes rook, the rook behind the rook takes the knight.
    assert_eq!(gain("4k3/8/1n6/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5"), Some(-100));
    // The bishop behind the queen cannot help: the queen is lost for a pawn and a knight.
    assert_eq!(gain("4k3/8/2n5/4p3/8/2Q5/1B6/4K3 w - - 0 1", "c3e5"), Some(-500));
    // En passant opens the file but no rook stands behind: a pawn is won.
    assert_eq!(gain("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6"), Some(100));
    // A promotion that is captured costs the pawn.
    assert_eq!(gain("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q"), Some(-100));
    assert_eq!(gain("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q"), Some(500 - 100));
}
