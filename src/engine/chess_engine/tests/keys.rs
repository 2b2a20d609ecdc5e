//! Incrementally updated keys equal keys computed from scratch, and move generation follows the rules.

use std::collections::HashMap;

use shakmaty::{EnPassantMode, Position, fen::Fen};

use super::{CHESS960, Draw, KIWIPETE, START, keyed, uci};
use crate::engine::chess_engine::packed_move::{PackedMove, is_quiet};
use crate::engine::chess_engine::position::KeyedPosition;

fn keys(position: &KeyedPosition) -> [u64; 2] {
    [position.key(), position.pawn_key()]
}

/// Plays random games with occasional passes, and calls `visit` with each position.
fn walk(start: &str, seed: u64, plies: usize, mut visit: impl FnMut(&KeyedPosition)) {
    let mut draw = Draw(seed);
    let mut position = keyed(start);
    for _ in 0..plies {
        let moves = position.chess().legal_moves();
        if moves.is_empty() || position.chess().halfmoves() > 120 {
            position = keyed(start);
            continue;
        }
        let passed = if draw.below(20) == 0 { position.pass() } else { None };
        position = passed.unwrap_or_else(|| position.play(draw.of(&moves)));
        visit(&position);
    }
}

#[test]
fn keys_kept_up_over_random_moves_are_the_keys_from_scratch() {
    for (seed, start) in [START, KIWIPETE, CHESS960].into_iter().enumerate() {
        walk(start, seed as u64, 34_000, |position| {
            assert_eq!(
                keys(position),
                keys(&KeyedPosition::new(position.chess().clone())),
                "{:?}",
                position.chess()
            );
        });
    }
}

#[test]
fn positions_have_one_key_exactly_when_they_are_equal_by_the_rule_of_repetition() {
    let mut by_key: HashMap<u64, String> = HashMap::new();
    walk(KIWIPETE, 5, 8_000, |position| {
        let setup = Fen::from_position(position.chess(), EnPassantMode::Legal).to_string();
        let meaning = setup.split(' ').take(4).collect::<Vec<_>>().join(" ");
        let known = by_key.entry(position.key()).or_insert_with(|| meaning.clone());
        assert_eq!(known, &meaning);
    });
    assert!(by_key.len() > 4_000);
}

#[test]
fn an_en_passant_square_counts_only_where_the_capture_is_legal() {
    // Compares the position after a2a4 with the same position set up without the en passant square.
    let differs = |before: &str, after: &str| {
        let before = keyed(before);
        before.play(uci(before.chess(), "a2a4")).key() != keyed(after).key()
    };
    assert!(differs("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "4k3/8/8/8/Pp6/8/8/4K3 b - - 0 1"));
    assert!(!differs("4k3/8/8/8/2p5/8/P7/4K3 w - - 0 1", "4k3/8/8/8/P1p5/8/8/4K3 b - - 0 1"));
    // The capture would expose the king to the rook.
    assert!(!differs("1k6/8/8/8/1p6/8/P7/1R2K3 w - - 0 1", "1k6/8/8/8/Pp6/8/8/1R2K3 b - - 0 1"));
}

#[test]
fn a_move_survives_packing_in_every_position() {
    for start in [START, KIWIPETE, CHESS960] {
        walk(start, 11, 2_000, |position| {
            let moves = position.chess().legal_moves();
            for &m in &moves {
                assert_eq!(PackedMove::new(m).among(&moves), Some(m));
                assert_eq!(PackedMove::from_bits(PackedMove::new(m).bits()), PackedMove::new(m));
                let quiet = is_quiet(m) && !m.is_castle();
                assert_eq!(PackedMove::new(m).quiet_on(position.board()), quiet.then_some(m));
            }
        });
    }
}

fn perft(position: &KeyedPosition, depth: u32) -> u64 {
    let moves = position.chess().legal_moves();
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => moves.iter().map(|&m| perft(&position.play(m), depth - 1)).sum(),
    }
}

/// Counts from the Chess Programming Wiki, "Perft Results" and "Chess960 Perft Results".
#[test]
fn the_standard_positions_have_the_known_numbers_of_continuations() {
    let endgame = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let promotions = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    let middlegame = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
    let known: [(&str, &[u64]); 6] = [
        (START, &[20, 400, 8_902]),
        (KIWIPETE, &[48, 2_039, 97_862]),
        (endgame, &[14, 191, 2_812, 43_238]),
        (promotions, &[6, 264, 9_467]),
        (middlegame, &[46, 2_079, 89_890]),
        (CHESS960, &[21, 528, 12_189]),
    ];
    for (start, counts) in known {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&keyed(start), depth), count, "{start} to {depth}");
        }
    }
}
