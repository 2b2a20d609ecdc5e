//! Tests of the player with the built-in engine.

use shakmaty::{Chess, Position};

use super::*;
use crate::engine::{EngineChoice, Setup, work::event_loop};
use crate::lab::spar::question::{place_of, positions};

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
    let runtime = event_loop().expect("an event loop");
    let mut player = player("even", 1);
    runtime.block_on(async {
        player.think(&game("e2e4"), &to_depth(2)).await.expect("a move");
        let reply = player.think(&game("e2e4 e7e5 g2g4"), &to_depth(2)).await.expect("a move");
        assert!(reply.best.is_some());
        let unknown = OpponentRecord::of_rating(1500.0);
        let known = player.opponent().expect("a game");
        // This game does not continue the first game, unless the reply was e7e5.
        assert!(known.moves >= unknown.moves);
        let met = OpponentRecord { moves: 9.0, lost: 9.0 };
        player.meet(Some(met));
        assert_eq!(player.opponent(), None);
        player.think(&game("d2d4"), &to_depth(2)).await.expect("a move");
        assert_eq!(player.opponent(), Some(met));
    });
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
