//! The evaluation is symmetric, and equals the sum of its listed terms.

use std::collections::HashSet;

use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Square};

use super::{KIWIPETE, START, chess, random_positions};
use crate::engine::chess_engine::{Blend, Sink, Tapered, Term, Weights, emit_terms, evaluate, explain};

fn positions() -> Vec<Chess> {
    [START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"]
        .into_iter()
        .flat_map(|start| random_positions(start, 7, 400, 3))
        .collect()
}

#[test]
fn a_position_and_its_mirror_image_are_worth_the_same_to_the_side_to_move() {
    let weights = Weights::default();
    for position in positions() {
        let mirrored: Chess = position
            .to_setup(EnPassantMode::Legal)
            .into_mirrored()
            .position(CastlingMode::Chess960)
            .expect("a mirrored position");
        assert_eq!(evaluate(&position, &weights), evaluate(&mirrored, &weights), "{}", super::fen(&position));
    }
}

#[test]
fn the_listing_adds_up_to_the_evaluation() {
    let weights = Weights::default();
    for position in positions() {
        let sum = explain(&position, &weights).into_iter().fold(Tapered::default(), |sum, term| {
            sum + term.weight * (term.count * term.color.fold_wb(1, -1))
        });
        let value = Blend::of(&position).value(sum);
        assert_eq!(position.turn().fold_wb(value, -value), evaluate(&position, &weights));
    }
}

#[test]
fn every_weight_counts_once_for_each_time_its_term_stands() {
    // Changing one weight changes the evaluation by the count of that term.
    struct Counts(Vec<i32>);
    impl Sink for Counts {
        fn add(&mut self, term: Term, color: Color, count: i32, _at: Option<Square>) {
            self.0[term.index()] += color.fold_wb(count, -count);
        }
    }
    let position = chess(KIWIPETE);
    let mut counts = Counts(vec![0; Term::COUNT]);
    emit_terms(&position, &mut counts);
    for index in 0..Term::COUNT {
        let term = Term::from_index(index).expect("a term below the count");
        let mut weights = Weights::zero();
        weights.set(term, Tapered { middlegame: 100, endgame: 100 });
        let expected = Blend::of(&position)
            .value(Tapered { middlegame: 100 * counts.0[index], endgame: 100 * counts.0[index] });
        assert_eq!(evaluate(&position, &weights), expected, "{term}");
    }
}

#[test]
fn every_term_has_a_name_of_its_own() {
    let names: HashSet<String> =
        (0..Term::COUNT).filter_map(Term::from_index).map(|term| term.to_string()).collect();
    assert_eq!(names.len(), Term::COUNT);
    assert!(names.contains("piece-square knight e4"));
    assert!(names.contains("bishop pair"));
    assert!(Term::from_index(Term::COUNT).is_none());
}

/// Returns the names of the terms that White has on `square`.
fn terms_on(fen: &str, square: Square) -> Vec<String> {
    explain(&chess(fen), &Weights::default())
        .into_iter()
        .filter(|term| term.color == Color::White && term.at == Some(square))
        .map(|term| term.term.to_string())
        .collect()
}

#[test]
fn pawns_are_what_the_books_call_them() {
    let has = |fen: &str, square: Square, name: &str| terms_on(fen, square).iter().any(|term| term == name);
    let structure = "4k3/8/2p5/4p3/P2pP1PP/3P4/1P3P2/4K3 w - - 0 1";
    assert!(has(structure, Square::A4, "passed pawn rank 4"));
    assert!(!has(structure, Square::B2, "passed pawn rank 2"));
    assert!(!has(structure, Square::A4, "isolated pawn"));
    assert!(has(structure, Square::G4, "pawn beside a pawn rank 4"));
    assert!(has(structure, Square::E4, "pawn defended by a pawn rank 4"));
    let doubled = "4k3/8/8/8/P7/8/P7/4K3 w - - 0 1";
    assert!(has(doubled, Square::A2, "doubled pawn"));
    assert!(!has(doubled, Square::A4, "doubled pawn"));
    assert!(has(doubled, Square::A4, "isolated pawn"));
    assert!(!has(doubled, Square::A2, "passed pawn rank 2"));
    assert!(has("4k3/8/8/8/2b5/2P5/8/4K3 w - - 0 1", Square::C3, "blocked passed pawn rank 3"));
    // The neighboring pawn is further ahead, and an enemy pawn attacks the square in front of this pawn.
    assert!(has("4k3/8/8/4p3/2P5/3P4/8/4K3 w - - 0 1", Square::D3, "backward pawn"));
    assert!(!has("4k3/8/8/4p3/8/2PP4/8/4K3 w - - 0 1", Square::D3, "backward pawn"));
}

#[test]
fn rooks_know_their_files_and_ranks() {
    let fen = "4k3/R4pp1/8/8/8/8/1P3P2/1R1R1RK1 w - - 0 1";
    assert!(terms_on(fen, Square::A7).contains(&"rook on the seventh rank".to_owned()));
    assert!(terms_on(fen, Square::D1).contains(&"rook on an open file".to_owned()));
    assert!(!terms_on(fen, Square::B1).iter().any(|term| term.contains("open")));
    assert!(
        terms_on("4k3/5p2/8/8/8/8/8/4KR2 w - - 0 1", Square::F1)
            .contains(&"rook on a half-open file".to_owned())
    );
}

#[test]
fn material_that_cannot_win_is_worth_nothing_in_the_endgame() {
    let scale = |fen: &str| Blend::of(&chess(fen)).scales.white;
    let one_knight = "4k3/8/8/8/8/8/8/2N1K3 w - - 0 1";
    let two_knights = "4k3/8/8/8/8/8/8/1NN1K3 w - - 0 1";
    let knight_and_bishop = "4k3/8/8/8/8/8/8/1NB1K3 w - - 0 1";
    let rook = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    let rook_against_bishop = "4k3/3b4/8/8/8/8/8/R3K3 w - - 0 1";
    let bishop_of_the_wrong_color = "7k/8/8/8/8/7P/8/4KB2 w - - 0 1";
    let bishop_of_the_right_color = "7k/8/8/8/8/4B2P/8/4K3 w - - 0 1";
    let opposite_bishops = "3bk3/3p4/8/8/8/8/3PB3/4K3 w - - 0 1";
    assert_eq!([one_knight, two_knights, bishop_of_the_wrong_color].map(scale), [0, 0, 0]);
    assert_eq!([knight_and_bishop, rook].map(scale), [64, 64]);
    assert!(scale(bishop_of_the_right_color) > 32);
    assert_eq!(scale(rook_against_bishop), 8);
    assert_eq!(scale(opposite_bishops), 32);
}
