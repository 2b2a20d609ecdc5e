//! Draws by the rules are worth 0: stalemate, repetition, fifty moves, dead positions.

use shakmaty::Position;

use super::{Draw, KIWIPETE, chess, fen, uci};
use crate::chess::SignedScore;
use crate::engine::chess_engine::root::KeyPath;
use crate::engine::chess_engine::{ChessEngine, Limits, Root};

fn score(root: &Root, depth: u32) -> SignedScore {
    ChessEngine::new(1).search(root, &Limits::depth(depth), &mut ()).variations[0].score
}

fn played(fen: &str, moves: &str) -> Root {
    let mut root = Root::new(chess(fen));
    for text in moves.split_whitespace() {
        let m = uci(root.position().chess(), text);
        root.play(m).expect("a legal move");
    }
    root
}

#[test]
fn stalemate_is_a_draw_told_without_a_move() {
    let stalemate = Root::new(chess("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"));
    let result = ChessEngine::new(1).search(&stalemate, &Limits::depth(3), &mut ());
    assert_eq!(result.variations[0].score, SignedScore::Cp(0));
    assert!(result.variations[0].moves.is_empty());
}

#[test]
fn a_move_that_stalemates_is_worth_nothing() {
    let root = Root::new(chess("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"));
    assert!(matches!(score(&root, 4), SignedScore::Mate(_)));
    let stalemating = Limits { search_moves: vec![uci(root.position().chess(), "f1f7")], ..Limits::depth(4) };
    let result = ChessEngine::new(1).search(&root, &stalemating, &mut ());
    assert_eq!(result.variations[0].score, SignedScore::Cp(0));
}

#[test]
fn dead_positions_and_the_last_of_fifty_moves_are_draws() {
    assert_eq!(score(&Root::new(chess("8/8/4k3/8/8/3KB3/8/8 w - - 0 1")), 4), SignedScore::Cp(0));
    let won = "8/8/8/8/8/4k3/R7/4K2Q w - - 99 120";
    assert_eq!(score(&Root::new(chess(won)), 1), SignedScore::Cp(0));
    // A mate on the hundredth ply precedes the draw.
    let mating = "7k/R7/8/8/8/8/8/1R4K1 w - - 99 120";
    assert_eq!(score(&Root::new(chess(mating)), 3), SignedScore::Mate(1));
}

#[test]
fn a_side_far_behind_repeats_if_it_can() {
    // A queen down, Black gives perpetual check on e1 and h4.
    let perpetual = "6k1/5p1p/8/8/7q/8/QQ4P1/6K1 b - - 0 1";
    for depth in 5..=10 {
        assert_eq!(score(&Root::new(chess(perpetual)), depth), SignedScore::Cp(0), "depth {depth}");
    }
}

#[test]
fn a_repetition_by_the_next_move_is_foreseen() {
    let mut foreseen = 0;
    for start in [KIWIPETE, "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "8/2q1k3/8/1n6/6B1/8/3RK3/8 w - - 0 1"] {
        let mut draw = Draw(7);
        let root = Root::new(chess(start));
        let (mut position, mut path, mut keys) = (root.position().clone(), KeyPath::from(&root), vec![]);
        for _ in 0..2_000 {
            let moves = position.chess().legal_moves();
            if moves.is_empty() {
                break;
            }
            let repeats = moves.iter().any(|&m| !m.is_zeroing() && keys.contains(&position.play(m).key()));
            assert_eq!(path.can_repeat(&position), repeats, "{}", fen(position.chess()));
            foreseen += usize::from(repeats);
            path.push(position.key());
            keys.push(position.key());
            position = position.play(draw.of(&moves));
            if position.reversible_plies() == 0 {
                keys.clear();
            }
        }
    }
    assert!(foreseen > 100, "{foreseen}");
}

#[test]
fn a_repetition_of_the_game_before_the_search_is_not_foreseen_and_none_after_a_pass() {
    let root = played("r3k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1 a8b8 b1a1");
    assert!(!KeyPath::from(&root).can_repeat(root.position()));
    let mut path = KeyPath::from(&Root::new(root.position().chess().clone()));
    path.push(root.position().key());
    let passed = root.position().pass().expect("a pass");
    assert!(!path.can_repeat(&passed));
}

#[test]
fn one_repetition_within_the_search_is_enough_and_two_before_it_are_needed() {
    let fen = "r3k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let there_and_back = "a1b1 a8b8 b1a1 b8a8";
    let draws = |moves: &str| {
        let root = played(fen, moves);
        KeyPath::from(&root).is_draw(root.position())
    };
    assert!(!draws(there_and_back));
    assert!(draws(&format!("{there_and_back} {there_and_back}")));
    assert!(!draws(&format!("{there_and_back} a1c1 a8c8 c1a1")));
    // The first occurrence is before the root, the second in the search.
    let root = played(fen, "a1b1 a8b8 b1a1");
    let mut path = KeyPath::from(&root);
    path.push(root.position().key());
    let m = uci(root.position().chess(), "b8a8");
    assert!(!path.is_draw(&root.position().play(m)));
    let mut path = KeyPath::from(&Root::new(chess(fen)));
    let mut position = Root::new(chess(fen)).position().clone();
    for text in there_and_back.split_whitespace() {
        path.push(position.key());
        position = position.play(uci(position.chess(), text));
    }
    assert!(path.is_draw(&position));
}

#[test]
fn a_game_with_an_illegal_move_is_refused_and_the_root_stays_as_it_was() {
    let mut root = played(super::START, "e2e4");
    let before = root.position().key();
    let m = uci(&chess(super::START), "d2d4");
    assert!(root.play(m).is_err());
    assert_eq!(root.position().key(), before);
    assert!(Root::after(chess(super::START), &[m, m]).is_err());
}
