//! Tests of the controller, and games between numbers: what it does before a piece is moved.

use proptest::prelude::*;
use shakmaty::uci::UciMove;

use super::*;
use crate::score::SignedScore;

fn candidate(place: usize, expected: f64, score: SignedScore) -> Candidate {
    let uci = ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3"][place % 8];
    Candidate { uci: uci.parse::<UciMove>().expect("a move"), score, expected, repeats: false }
}

fn candidates(expected: &[f64]) -> Vec<Candidate> {
    let of = |(place, &expected): (usize, &f64)| candidate(place, expected, SignedScore::Cp(0));
    expected.iter().enumerate().map(of).collect()
}

fn aim(loss: f64) -> EvenAim {
    EvenAim { smooth: 0.5, balance: loss, loss, elo: HumanLosses::shipped().rating(loss) }
}

#[test]
fn the_loss_aimed_at_by_hand() {
    let opponent = OpponentRecord { moves: 10.0, lost: 30.0 };
    let mut controller = EvenController::new(opponent);
    // 0.5 + ½·(0.7 − 0.5) = 0.6; 3 + 0.3·10.
    let first = controller.aim(0.7);
    assert!((first.smooth - 0.6).abs() < 1e-12 && (first.loss - 6.0).abs() < 1e-12, "{first:?}");
    let choice =
        controller.choose(EvenAim { loss: 0.0, ..first }, &candidates(&[0.7]), &mut Lots::of(1, 1, 1));
    assert_eq!((choice.place, choice.loss), (0, 0.0));
    // The opponent lost 4 points: 34/11; smooth 0.67; a 28th of the gain is gone; and 6 points are carried, a quarter of them now.
    let second = controller.aim(0.74);
    let balance = 34.0 / 11.0 + 0.3 * (1.0 - 1.0 / 28.0) * 17.0;
    assert!((second.balance - balance).abs() < 1e-9, "{second:?} {balance}");
    assert!((second.loss - balance - 1.5).abs() < 1e-9, "{second:?}");
}

#[test]
fn after_the_turning_point_a_lead_is_added_to_and_a_won_game_is_finished() {
    let after = |moves, smooth| {
        let opponent = OpponentRecord { moves: 10.0, lost: 30.0 };
        EvenController { moves, ..EvenController::new(opponent) }.balance(smooth)
    };
    assert_eq!(after(28, 0.7), 3.0, "neither given back nor added to");
    // 3·(1 − tanh 1.4), and 3·(1 + tanh 2.6).
    assert!((after(36, 0.7) - 3.0 * (1.0 - 1.4f64.tanh())).abs() < 1e-9);
    assert!((after(200, 0.3) - 3.0 * (1.0 + 2.6f64.tanh())).abs() < 1e-9);
    assert_eq!(after(30, 0.95), 0.0, "finished");
    assert!(after(5, 0.95) > 3.0, "but not at the start");
}

#[test]
fn a_mate_that_such_a_player_sees_is_played_and_not_run_into() {
    let mut mate = candidates(&[0.97, 0.6, 0.5]);
    mate[0].score = SignedScore::Mate(1);
    for lot in 0..200 {
        assert_eq!(
            choose(aim(9.0), &mate, &mut Lots::of(1, 1, lot)).place,
            0,
            "a mate in one is overlooked by nobody"
        );
    }
    let mut mated = candidates(&[0.3, 0.29, 0.03]);
    mated[2].score = SignedScore::Mate(-1);
    for lot in 0..200 {
        assert_ne!(choose(aim(9.0), &mated, &mut Lots::of(1, 1, lot)).place, 2);
    }
    let mut lost = candidates(&[0.03]);
    lost[0].score = SignedScore::Mate(-1);
    assert_eq!(choose(aim(1.0), &lost, &mut Lots::of(1, 1, 1)).place, 0, "there is no other");
}

#[test]
fn a_repetition_is_avoided_unless_it_saves_the_game() {
    let mut level = candidates(&[0.5, 0.48]);
    level[0].repeats = true;
    assert_eq!(choose(aim(0.0), &level, &mut Lots::of(1, 1, 1)).place, 1);
    let mut bad = candidates(&[0.3, 0.28]);
    bad[0].repeats = true;
    assert_eq!(choose(aim(0.0), &bad, &mut Lots::of(1, 1, 1)).place, 0);
}

#[test]
fn what_was_learned_of_an_opponent_is_capped_but_keeps_its_mean() {
    let record = OpponentRecord { moves: 400.0, lost: 800.0 }.at_most(40.0);
    assert_eq!(record, OpponentRecord { moves: 40.0, lost: 80.0 });
    assert_eq!(record.mean(), 2.0);
}

/// What the candidates of a position lose, from close ones to far ones: on average as much is lost as usual.
const MENUS: [&[f64]; 4] = [
    &[0.0, 0.2, 0.4, 0.6, 1.0, 1.5, 2.5, 4.0, 7.0, 12.0, 20.0, 30.0],
    &[0.0, 0.6, 1.5, 2.5, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 30.0],
    &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 25.0, 30.0],
    &[0.0, 5.0, 9.0, 14.0, 17.0, 20.0, 22.0, 25.0, 28.0, 30.0],
];

/// A game of numbers: each side has moves that lose nothing, a little, or much; the opponent loses like somebody of `elo`. Returns
/// the result by who is past 0.97 first, or ½ after 120 moves, with the scores expected before each own move.
fn simulated(elo: f64, game: u64) -> (f64, Vec<f64>) {
    let people = HumanLosses::shipped();
    let mut controller = EvenController::new(OpponentRecord::of_rating(elo));
    let mut expected: f64 = 0.5;
    let mut course = Vec::new();
    for ply in 0..120 {
        let mut lots = Lots::of(7, game, ply);
        course.push(expected);
        let steps = MENUS[ply as usize % MENUS.len()];
        let best = expected;
        // There is little left to lose near 0.
        let menu: Vec<f64> = steps.iter().map(|step| best - step / 100.0 * best.min(0.5) * 2.0).collect();
        let aim = controller.aim(expected);
        let choice = controller.choose(aim, &candidates(&menu), &mut lots);
        expected = menu[choice.place];
        let room = (1.0 - expected).min(0.5) * 2.0;
        expected += people.loss(people.mean(elo), lots.share()) / 100.0 * room;
        match expected {
            won if won > 0.97 => return (1.0, course),
            lost if lost < 0.03 => return (0.0, course),
            _ => {}
        }
    }
    (0.5, course)
}

#[test]
fn simulated_games_are_even_at_first_and_decided_at_last_whoever_the_opponent_is() {
    for elo in [1800.0, 2200.0, 2600.0] {
        let games: Vec<(f64, Vec<f64>)> = (0..400).map(|game| simulated(elo, game)).collect();
        let score = games.iter().map(|(result, _)| result).sum::<f64>() / 400.0;
        let draws = games.iter().filter(|(result, _)| *result == 0.5).count();
        // Three standard errors of 400 games at ½ are 0.075.
        assert!((0.38..=0.62).contains(&score), "{elo}: {score}");
        assert!(draws <= 100, "{elo}: {draws} draws");
        let at_move_20: Vec<f64> = games.iter().filter_map(|(_, course)| course.get(20).copied()).collect();
        let near = at_move_20.iter().filter(|expected| (0.2..=0.8).contains(*expected)).count();
        assert!(near * 10 >= at_move_20.len() * 8, "{elo}: {near} of {}", at_move_20.len());
    }
}

proptest! {
    #[test]
    fn the_better_it_stands_the_more_it_gives_back_early(a in 0f64..1.0, b in 0f64..1.0, moves in 0u32..22) {
        let controller = EvenController { moves, ..EvenController::new(OpponentRecord::of_rating(1800.0)) };
        let (low, high) = (a.min(b), a.max(b));
        prop_assert!(controller.balance(low) <= controller.balance(high));
        prop_assert!(controller.balance(low) >= 0.0 && controller.balance(high) < 100.0);
    }

    #[test]
    fn the_same_lots_choose_the_same_move_and_it_is_one_of_the_candidates(
        expected in prop::collection::vec(0f64..1.0, 1..12), loss in 0f64..12.0, ply in 0u64..300,
    ) {
        let mut expected = expected;
        expected.sort_by(|a, b| b.total_cmp(a));
        let candidates = candidates(&expected);
        let choice = choose(aim(loss), &candidates, &mut Lots::of(3, 4, ply));
        prop_assert!(choice.place < candidates.len());
        prop_assert_eq!(choice, choose(aim(loss), &candidates, &mut Lots::of(3, 4, ply)));
    }
}
