//! Recorded evaluations are used if there are enough of them.

use super::*;
use crate::chess::SignedScore;

fn game(moves: &str) -> Game {
    pgn::parse_games(moves, "test").remove(0).expect("a game")
}

#[test]
fn recorded_evaluations_do_when_every_position_has_one_deep_enough() {
    let mated = game(
        "{ [%eval 0.20,8] } 1. f3 { [%eval -0.3,9] } e5 { [%eval -0.3,8] } 2. g4 { [%eval #-1,8] } Qh4# 0-1",
    );
    let evaluations = recorded_evaluations(&mated, Some(8)).expect("complete");
    let score = |ply| evaluations.at(ply).expect("known").score;
    assert_eq!(score(1), Score::Cp(-30));
    let mate = Score::from_white_view(SignedScore::Mate(-1), shakmaty::Color::Black);
    assert_eq!(score(3), mate);
    assert_eq!(score(4), Score::checkmate(shakmaty::Color::White), "needs no record");
    assert_eq!(recorded_evaluations(&mated, Some(9)), Err(Gap::Shallow { ply: 0, depth: Some(8), asked: 9 }));
    assert!(recorded_evaluations(&mated, None).is_ok());
}

#[test]
fn the_start_position_may_lack_its_evaluation() {
    let game = game("1. e4 { [%eval 0.2,9] } e5 { [%eval 0.3,9] } *");
    let evaluations = recorded_evaluations(&game, Some(9)).expect("lichess's form");
    assert_eq!(evaluations.at(0), None);
    let scores: Vec<Score> = evaluations.iter().map(|evaluation| evaluation.score).collect();
    assert_eq!(scores, [Score::Cp(20), Score::Cp(30)]);
    assert!(recorded_evaluations(&game, Some(10)).is_err(), "the others must be deep enough all the same");
}

#[test]
fn what_engines_say_of_their_own_moves_is_no_evaluation_by_one_judge() {
    let own = game("1. e4 {+0.31/20 1.2s} e5 {book} *");
    let gap = recorded_evaluations(&own, None).expect_err("a gap").to_string();
    assert!(
        gap.contains(
            "the players' own engines (as in {+0.31/20 1.2s}), but gains need the evaluations of one engine"
        ),
        "{gap}"
    );
    let judged = game("{ [%eval 0.2] } 1. e4 {+0.31/20 1.2s} { [%eval 0.3] } *");
    assert!(recorded_evaluations(&judged, None).is_ok(), "what a judge says counts all the same");
}

#[test]
fn a_position_without_an_evaluation_is_named() {
    let gap = |moves| recorded_evaluations(&game(moves), None).expect_err("a gap");
    assert_eq!(gap("1. e4 e5 *"), Gap::Unrecorded, "none is said once, and not position by position");
    assert_eq!(gap("1. e4 {[%eval x]} e5 *"), Gap::UnknownForm { example: "[%eval x]".to_owned() });
    let unplayed = recorded_evaluations(&game("*"), Some(3)).expect("no evaluation is needed");
    assert_eq!(unplayed.iter().count(), 0);
    let second = gap("{ [%eval 0.2] } 1. e4 { [%eval 0.2] } e5 *");
    assert_eq!(second, Gap::Missing { ply: 2 });
    assert_eq!(second.to_string(), "the position after ply 2 has no recorded evaluation");
    let undated = game("{ [%eval 0.2] } 1. e4 { [%eval 0.2] } *");
    let gap = recorded_evaluations(&undated, Some(3)).expect_err("a gap");
    assert_eq!(
        gap.to_string(),
        "the evaluation recorded after ply 0 has no depth; depth 3 or more is required"
    );
}
