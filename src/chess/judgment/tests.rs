use proptest::prelude::*;

use super::*;
use crate::chess::{evaluation::Evaluation, pgn::parse_games, score::SignedScore};

fn mate(moves: i32) -> Score {
    Score::from_white_view(SignedScore::Mate(moves), Color::White)
}

fn white(before: Score, after: Score) -> Option<Judgment> {
    Judgment::of_move(Color::White, before, after)
}

#[test]
fn a_fall_of_five_ten_and_fifteen_points_is_an_inaccuracy_a_mistake_and_a_blunder() {
    // By hand, 1/(1 + e^(−0.00368208·cp)): −54 is 45.047 %, −55 44.956 %, −109 40.099 %, −110 40.009 %, −165 35.260 %,
    // −166 35.176 %. The falls from 50 % cross the bounds at −55 (5.04), between −110 (9.99) and −111 (10.08), and
    // between −168 (14.99) and −169 (15.07).
    let of = |cp| white(Score::Cp(0), Score::Cp(cp));
    assert_eq!(of(-54), None);
    assert_eq!([of(-55), of(-110)], [Some(Judgment::Inaccuracy); 2]);
    assert_eq!([of(-111), of(-168)], [Some(Judgment::Mistake); 2]);
    assert_eq!([of(-169), of(-3000)], [Some(Judgment::Blunder); 2]);
    assert_eq!(of(300), None);
}

#[test]
fn mates_are_judged_as_lichess_judges_them() {
    // `MateAdvice` in Advice.scala has MateCreated and MateLost, with the bounds −999, −700, 999 and 700.
    let created = [-1000, -999, -701, -700, 0, 900].map(|cp| white(Score::Cp(cp), mate(-3)));
    let [blunder, mistake, inaccuracy] =
        [Some(Judgment::Blunder), Some(Judgment::Mistake), Some(Judgment::Inaccuracy)];
    assert_eq!(created, [inaccuracy, mistake, mistake, blunder, blunder, blunder]);
    let lost = [1000, 999, 701, 700, 0, -900].map(|cp| white(mate(3), Score::Cp(cp)));
    assert_eq!(lost, [inaccuracy, mistake, mistake, blunder, blunder, blunder]);
    assert_eq!(white(mate(3), mate(-1)), blunder);
    assert_eq!(
        [white(mate(3), mate(9)), white(mate(-3), mate(-1)), white(mate(-3), Score::Cp(0))],
        [None; 3]
    );
    assert_eq!(white(Score::Cp(0), mate(4)), None);
    assert_eq!(Judgment::of_move(Color::Black, Score::Cp(0), mate(4)), blunder);
}

/// Returns the verdicts on the moves of a game. `scores` are from White's view, and `choices` are the
/// engine's best moves in the positions before the moves.
fn of_game(moves: &str, scores: &[Score], choices: &[&str]) -> Vec<MoveVerdict> {
    let game = parse_games(&format!("[White \"A\"]\n\n{moves} *\n"), "test").remove(0).expect("a legal game");
    let best = |ply: usize| choices.get(ply).and_then(|choice| choice.parse().ok());
    let evaluations: Vec<Evaluation> = scores
        .iter()
        .enumerate()
        .map(|(ply, &score)| Evaluation { best: best(ply), ..Evaluation::of_score(score) })
        .collect();
    verdicts(&EvaluatedGame::new(game, evaluations)).collect()
}

#[test]
fn the_first_move_is_counted_from_15_and_a_move_that_mates_not_at_all() {
    // The fool's mate. The engine gives the start position +3.00, but it counts as 15 centipawns. After f3 the
    // score is −80, and g4 allows a mate.
    let scores = [Score::Cp(300), Score::Cp(-80), Score::Cp(-60), mate(-1), Score::checkmate(Color::White)];
    let found = of_game("1. f3 e5 2. g4 Qh4#", &scores, &[]);
    let losses: Vec<Option<u32>> = found.iter().map(|verdict| verdict.centipawn_loss).collect();
    assert_eq!(losses, [Some(95), Some(20), Some(940), None]);
    let judged: Vec<Option<Judgment>> = found.iter().map(|verdict| verdict.judgment).collect();
    assert_eq!(judged, [Some(Judgment::Inaccuracy), None, Some(Judgment::Blunder), None]);
}

#[test]
fn the_engines_own_choice_is_never_judged_but_loses_centipawns() {
    let scores = [0, 0, 400].map(Score::Cp);
    let judged = |choice| of_game("1. e4 e5", &scores, &["e2e4", choice])[1];
    assert_eq!(judged("e7e5"), MoveVerdict { judgment: None, centipawn_loss: Some(400) });
    assert_eq!(judged("c7c5").judgment, Some(Judgment::Blunder));
}

#[test]
fn counts_are_of_each_kind() {
    let counts: JudgmentCounts =
        [Judgment::Blunder, Judgment::Inaccuracy, Judgment::Blunder].into_iter().collect();
    assert_eq!(counts, JudgmentCounts { inaccuracies: 1, mistakes: 0, blunders: 2 });
    assert_eq!(Judgment::ALL.map(|judgment| counts.of(judgment)), [1, 0, 2]);
}

proptest! {
    #[test]
    fn a_larger_fall_is_judged_no_more_kindly_and_colors_are_equal(
        before in -1500i32..1500, a in -1500i32..1500, b in -1500i32..1500,
    ) {
        let of = |mover, sign: i32, after: i32| {
            Judgment::of_move(mover, Score::Cp(sign * before), Score::Cp(sign * after))
        };
        prop_assert!(of(Color::White, 1, a.min(b)) >= of(Color::White, 1, a.max(b)));
        prop_assert_eq!(of(Color::White, 1, a), of(Color::Black, -1, a));
        prop_assert!(a < before || of(Color::White, 1, a).is_none());
    }
}
