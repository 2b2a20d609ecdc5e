//! Tests of the player with the built-in engine.

use shakmaty::{Chess, Position};

use super::*;
use crate::base::work::event_loop;
use crate::engine::{EngineChoice, Setup};
use crate::lab::spar::{human_moves::place_of, question::positions};

fn player(skill: &str, seed: u64) -> SparPlayer {
    let command = EngineCommand::new(&EngineChoice::Builtin { is_named: true }, &Setup::default());
    let settings = SparSettings { seed, ..SparSettings::default() };
    SparPlayer::new(command.expect("an engine"), skill.parse().expect("a skill"), settings)
}

fn game(moves: &str) -> GameSoFar {
    let mut game = GameSoFar::new(Chess::default(), CastlingMode::Standard);
    moves.split_whitespace().for_each(|uci| game.push(uci.parse().expect("a move")));
    game
}

fn to_depth(depth: u32) -> Allowance {
    Allowance { depth: Some(depth), ..Allowance::endless() }
}

fn best(skill: &str, moves: &str, depth: u32) -> SparMove {
    let runtime = event_loop().expect("an event loop");
    runtime.block_on(player(skill, 1).think(&game(moves), &to_depth(depth))).expect("a move")
}

#[test]
fn the_second_best_move_is_played_where_the_lot_falls_always_and_never() {
    let mate = "f2f3 e7e5 g2g4";
    let always = best("fixed:3:1", mate, 3);
    assert_ne!(always.best, "d8h4".parse().ok(), "as the paper has it, mate or not");
    assert!(always.report.expect("a report").blunder);
    let never = best("fixed:3:0", mate, 3);
    assert_eq!(never.best, "d8h4".parse().ok());
    assert!(!never.report.expect("a report").blunder);
}

#[test]
fn a_mate_in_one_is_played_by_the_function_that_is_meant_and_by_the_even_one() {
    for skill in ["meant", "even"] {
        let found = best(skill, "f2f3 e7e5 g2g4", 3);
        assert_eq!(found.best, "d8h4".parse().ok(), "{skill}: {found:?}");
    }
}

#[test]
fn the_depth_is_that_of_the_function_within_what_is_allowed() {
    // At the start the score is near 0, so the printed function gives about 6 plies and one more for the root
    // move.
    let report = best("printed", "", 40).report.expect("a report");
    assert_eq!(report.depth, printed(report.s).0 + 1);
    assert_eq!(best("fixed:9:0", "", 2).report.expect("a report").searched, Some(2));
}

#[test]
fn a_game_that_is_over_has_no_move_and_one_that_is_asked_for_is_played() {
    assert_eq!(best("even", "f2f3 e7e5 g2g4 d8h4", 3), SparMove::NONE);
    let only: UciMove = "h2h4".parse().expect("a move");
    let allowance = Allowance { moves: vec![only], ..to_depth(3) };
    let runtime = event_loop().expect("an event loop");
    for skill in ["even", "random", "meant"] {
        let found = runtime.block_on(player(skill, 1).think(&game(""), &allowance)).expect("a move");
        assert_eq!(found.best, Some(only), "{skill}");
    }
}

#[test]
fn an_opponent_is_known_from_one_game_to_the_next_until_another_is_met() {
    let mut player = player("even", 1);
    let unknown = OpponentRecord::of_rating(1500.0);
    // The record counts the opponent's moves between own moves.
    let known = |player: &SparPlayer| player.opponent().map(|record| record.moves - unknown.moves);
    course(&mut player, 3);
    let learned = known(&player);
    assert!(learned >= Some(1.0), "{learned:?}");
    let runtime = event_loop().expect("an event loop");
    let think = |player: &mut SparPlayer, moves: &str| {
        runtime.block_on(player.think(&game(moves), &to_depth(2))).expect("a move");
    };
    // No `ucinewgame` announces these games, the last two with the other color.
    for moves in ["d2d4", "h2h4", "", ""] {
        think(&mut player, moves);
        assert_eq!(known(&player), learned, "{moves:?}");
    }
    assert_eq!(player.opponent_before(), player.opponent());
    let met = OpponentRecord { moves: 9.0, lost: 9.0 };
    player.meet(Some(met));
    assert_eq!(player.opponent(), None);
    think(&mut player, "d2d4");
    assert_eq!(player.opponent(), Some(met));
}

#[test]
fn a_seed_that_changes_during_a_game_does_not_change_who_is_to_win() {
    let mut player = player("even", 1);
    let played = course(&mut player, 2);
    let lot = |player: &SparPlayer| player.sparring.as_ref().expect("a game").lot;
    let first = lot(&player);
    player.set(SparSettings { seed: 2, ..SparSettings::default() });
    player.follow(&played[1].0);
    assert_eq!(lot(&player), first);
    player.follow(&game("h2h4"));
    assert_ne!(lot(&player), first);
}

/// Plays `own` moves of the player against the first legal move, and returns the games before each own move
/// with its report.
fn course(player: &mut SparPlayer, own: usize) -> Vec<(GameSoFar, SkillReport)> {
    let runtime = event_loop().expect("an event loop");
    let mut so_far = game("a2a3");
    let mut course = Vec::new();
    for _ in 0..own {
        let found = runtime.block_on(player.think(&so_far, &to_depth(2))).expect("a move");
        course.push((so_far.clone(), found.report.expect("a report")));
        so_far.push(found.best.expect("a move"));
        so_far.push(so_far.position().legal_moves()[0].to_uci(CastlingMode::Standard));
    }
    course
}

#[test]
fn a_takeback_cuts_the_course_and_the_same_position_has_the_same_aim() {
    let mut player = player("even", 1);
    let played = course(&mut player, 6);
    let longest = player.sparring.as_ref().expect("a game").course.clone();
    let key = player.follow(&played[5].0);
    for kept in [4, 2, 0] {
        let (before, report) = &played[kept];
        assert_eq!(player.follow(before), key);
        let sparring = player.sparring.as_ref().expect("a game");
        assert_eq!(sparring.course, longest[..kept]);
        // The engine may evaluate the position differently the second time, so its score is the earlier one.
        let aim = sparring.controller().aim(report.expected);
        assert_eq!((Some(aim.loss), Some(aim.elo)), (report.aim, report.elo));
    }
    // Another first move is another game against the same opponent.
    let other = player.follow(&game("h2h3"));
    assert_ne!(other, key);
}

#[test]
fn a_resumed_game_continues_its_course_and_its_random_numbers() {
    let mut first = player("even", 1);
    let played = course(&mut first, 5);
    let (last, _) = &played[4];
    let seen: Vec<CourseMove> = first.sparring.as_ref().expect("a game").course[..4].to_vec();
    let mut second = player("even", 1);
    second.resume(last, OpponentRecord::of_rating(1500.0), seen.clone());
    let key = first.follow(last);
    assert_eq!(second.follow(last), key);
    assert_eq!(second.opponent(), first.opponent());
    assert_eq!(second.sparring.as_ref().expect("a game").course, seen);
    // Another skill function does not repeat what the controller saw last.
    assert_eq!(first.last_of_course().map(|seen| seen.ply), None);
    second.set_skill("fixed:1:0".parse().expect("a skill"));
    let runtime = event_loop().expect("an event loop");
    runtime.block_on(second.think(last, &to_depth(1))).expect("a move");
    assert_eq!(second.last_of_course(), None);
}

#[test]
fn a_position_that_was_there_is_known_to_come_back() {
    let game = game("g1f3 g8f6 f3g1");
    let seen = positions(&game);
    let mut position = game.position();
    let back: UciMove = "f6g8".parse().expect("a move");
    position.play_unchecked(back.to_move(&position).expect("a legal move"));
    assert!(seen.contains(&place_of(&position)));
    assert_eq!(seen.len(), 4);
}
