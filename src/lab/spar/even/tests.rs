//! Tests of the controller, and games of simulated players.

use proptest::prelude::*;
use shakmaty::uci::UciMove;

use super::*;
use crate::chess::SignedScore;
use crate::lab::spar::candidate::MoveTraits;

fn candidate(place: usize, expected: f64, score: SignedScore) -> Candidate {
    let uci = ["a2a3", "b2b3", "c2c3", "d2d3", "e2e3", "f2f3", "g2g3", "h2h3"][place % 8];
    let traits = MoveTraits { chance: 0.1, ..MoveTraits::default() };
    Candidate { uci: uci.parse::<UciMove>().expect("a move"), score, expected, traits }
}

fn candidates(expected: &[f64]) -> Vec<Candidate> {
    let of = |(place, &expected): (usize, &f64)| candidate(place, expected, SignedScore::Cp(0));
    expected.iter().enumerate().map(of).collect()
}

fn aim(loss: f64) -> EvenAim {
    let elo = HumanLosses::shipped().rating(loss);
    EvenAim { balance: loss, loss, most: 100.0, elo, opponent_elo: elo }
}

/// An own move with this loss from the expected score `expected`.
fn course_move(expected: f64, loss: f64) -> CourseMove {
    CourseMove { ply: 0, expected, loss, after: expected - loss / 100.0 }
}

#[test]
fn the_loss_aimed_at_by_hand() {
    let opponent = OpponentRecord { moves: 10.0, lost: 30.0 };
    let mut controller = EvenController::new(opponent, 0.5);
    // 50 + ½·(65 − 50) = 57.5; 3 + 0.3·(57.5 − 50); 65 − 40.
    let first = controller.aim(0.65);
    assert!((first.loss - 5.25).abs() < 1e-12, "{first:?}");
    let bound = HumanLosses::shipped().rare(HumanLosses::shipped().rating(3.0));
    assert!((first.most - bound).abs() < 1e-9 && bound < 25.0, "{first:?}");
    controller.played(first, &course_move(0.65, 0.0));
    // The opponent lost 4 points: 34/11. The mean is 63.25. Of 5.25 carried points, a third counts now.
    let second = controller.aim(0.69);
    let balance = 34.0 / 11.0 + 0.3 * 13.25;
    assert!((second.balance - balance).abs() < 1e-9, "{second:?} {balance}");
    assert!((second.loss - balance - 1.75).abs() < 1e-9, "{second:?}");
}

#[test]
fn what_one_did_not_see_coming_counts_against_what_the_opponent_loses() {
    let mut controller = EvenController::new(OpponentRecord { moves: 9.0, lost: 27.0 }, 0.5);
    controller.aim(0.5);
    controller.after = Some(0.5);
    controller.aim(0.43);
    // 27 − 7 points in ten moves.
    assert!((controller.opponent().mean() - 2.0).abs() < 1e-12);
    controller.after = Some(0.95);
    controller.aim(0.2);
    assert!((controller.opponent().mean() - 2.0).abs() < 1e-12, "a won game tells nothing");
}

/// Returns a controller with the random number `lot` at the turning point, after moves with the expected
/// score `before`. The score is `now` before the next move.
fn at_the_turning_point(before: f64, now: f64, lot: f64) -> EvenController {
    let opponent = OpponentRecord { moves: 10.0, lost: 30.0 };
    let sum = 100.0 * before * f64::from(TURNING_POINT);
    let smooth = Some(100.0 * now);
    let mut controller =
        EvenController { moves: TURNING_POINT, sum, smooth, ..EvenController::new(opponent, lot) };
    controller.aim(now);
    controller
}

#[test]
fn at_the_turning_point_the_lot_decides_and_later_whoever_is_clearly_better() {
    let wins = |before, now, lot| at_the_turning_point(before, now, lot).wins;
    // The mean is 50 + 15/37 = 50.41: 0.5 + 14.59/60 − 0.41/16 = 0.718.
    assert_eq!((wins(0.5, 0.65, 0.71), wins(0.5, 0.65, 0.72)), (Some(true), Some(false)));
    // The mean is 44.14: 0.5 + 4.86/60 + 5.86/16 = 0.948.
    assert_eq!((wins(0.44, 0.49, 0.94), wins(0.44, 0.49, 0.96)), (Some(true), Some(false)));
    assert_eq!((wins(0.5, 0.5, 0.49), wins(0.5, 0.5, 0.51)), (Some(true), Some(false)));
    assert_eq!((wins(0.6, 0.97, 0.99), wins(0.4, 0.25, 0.0)), (Some(true), Some(false)), "clearly better");
    let mut lost = at_the_turning_point(0.5, 0.45, 0.9);
    // The running means are 57.5, 77.75, 87.9, 92.9, 95.5, 67.7, 36.4 and 20.7.
    let course = [0.7, 0.98, 0.98, 0.98, 0.98, 0.4, 0.05, 0.05];
    let wins = course.map(|expected| {
        lost.aim(expected);
        lost.wins == Some(true)
    });
    assert_eq!(wins, [false, false, false, false, true, true, true, false]);
}

#[test]
fn a_game_goes_to_its_end_no_faster_than_the_opponent_plays_and_a_won_one_is_finished() {
    let balance = |wins, moves, smooth, lost| {
        let opponent = OpponentRecord { moves: 10.0, lost };
        EvenController { moves, wins: Some(wins), ..EvenController::new(opponent, 0.5) }.balance(smooth)
    };
    // At move 37 the target is 58 or 42: 3 + 0.6·(56 − 58) and 3 + 0.3·(50 − 42).
    assert!((balance(true, 37, 56.0, 30.0) - 1.8).abs() < 1e-12);
    assert!((balance(false, 37, 50.0, 30.0) - 5.4).abs() < 1e-12);
    // In the end the target is 100 or 0. The balance is at most 4 points from the opponent's loss, or half of
    // that loss.
    assert_eq!((balance(false, 60, 50.0, 30.0), balance(true, 60, 50.0, 30.0)), (7.0, 0.0));
    assert_eq!((balance(false, 60, 50.0, 120.0), balance(true, 60, 50.0, 120.0)), (18.0, 6.0));
    assert_eq!(balance(true, 60, 91.0, 120.0), 0.0, "finished");
}

#[test]
fn no_blunder_of_its_own_leaves_a_game_that_is_to_be_even() {
    let shallow = EvenAim { most: 5.0, ..aim(7.8) };
    for ply in 0..300 {
        let choice = choose(shallow, &candidates(&[0.47, 0.42, 0.3, 0.1]), &mut MoveRng::of(2, 1, ply));
        assert!(choice.loss <= 5.0 + 1e-9, "{choice:?}");
    }
}

#[test]
fn the_mean_loss_is_that_aimed_at_if_the_position_has_it() {
    // The spread of these candidates is 6 points.
    let menu = candidates(&[0.6, 0.57, 0.54, 0.51, 0.48, 0.45]);
    let losses: Vec<f64> = menu.iter().map(|one| one.loss(&menu[0])).collect();
    let factor = HumanLosses::shipped().factor(6.0);
    for loss in [1.0, 3.0, 6.0] {
        let weights = weights(aim(loss / factor), &menu);
        let sum: f64 = weights.iter().sum();
        let mean = weights.iter().zip(&losses).map(|(weight, loss)| weight * loss).sum::<f64>() / sum;
        // Candidates above the largest usual loss have the weight 0, and the mean is still reached.
        assert!((mean - loss).abs() < 0.01, "{loss}: {mean}");
    }
}

#[test]
fn a_tilt_by_hand() {
    // With losses of 0 and 1 and equal chances, the mean is e^θ/(1 + e^θ). A mean of 0.4 needs θ = ln(0.4/0.6).
    let weights = tilted(&[0.5, 0.5], &[0.0, 1.0], 0.4);
    assert!((weights[1] / weights[0] - 0.4 / 0.6).abs() < 1e-9, "{weights:?}");
    // Chances as they are have the mean 1.
    assert!(tilted(&[0.8, 0.2], &[0.0, 5.0], 1.0).iter().zip([0.8, 0.2]).all(|(a, b)| (a - b).abs() < 1e-9));
    // The tilt has its limits.
    let most = tilted(&[0.5, 0.5], &[0.0, 1.0], 9.0);
    assert!((most[1] / most[0] - TILT.1.exp()).abs() < 1e-9, "{most:?}");
}

#[test]
fn a_mate_that_such_a_player_sees_is_played_and_not_run_into() {
    let mut mate = candidates(&[0.97, 0.6, 0.5]);
    mate[0].score = SignedScore::Mate(1);
    for ply in 0..200 {
        assert_eq!(
            choose(aim(9.0), &mate, &mut MoveRng::of(1, 1, ply)).place,
            0,
            "no player overlooks a mate in one"
        );
    }
    let mut mated = candidates(&[0.3, 0.29, 0.03]);
    mated[2].score = SignedScore::Mate(-1);
    for ply in 0..200 {
        assert_ne!(choose(aim(9.0), &mated, &mut MoveRng::of(1, 1, ply)).place, 2);
    }
    let mut lost = candidates(&[0.03]);
    lost[0].score = SignedScore::Mate(-1);
    assert_eq!(choose(aim(1.0), &lost, &mut MoveRng::of(1, 1, 1)).place, 0, "there is no other");
}

#[test]
fn a_repetition_is_avoided_unless_it_saves_the_game() {
    let mut level = candidates(&[0.5, 0.48]);
    level[0].traits.repeats = true;
    assert_eq!(choose(aim(0.0), &level, &mut MoveRng::of(1, 1, 1)).place, 1);
    let mut bad = candidates(&[0.3, 0.28]);
    bad[0].traits.repeats = true;
    assert_eq!(choose(aim(0.0), &bad, &mut MoveRng::of(1, 1, 1)).place, 0);
}

#[test]
fn a_move_that_leaves_something_hanging_is_not_an_intended_loss_unless_the_opponent_overlooks_it() {
    let mut menu = candidates(&[0.6, 0.45]);
    menu[1].traits.hangs = true;
    let played = |opponent_elo| {
        let aim = EvenAim { opponent_elo, ..aim(15.0) };
        (0..100).any(|ply| choose(aim, &menu, &mut MoveRng::of(1, 1, ply)).place == 1)
    };
    assert!(!played(1500.0) && played(925.0));
}

#[test]
fn blunders_are_no_likelier_than_the_bound_allows() {
    let menu = candidates(&[0.6, 0.58, 0.55, 0.49, 0.45]);
    assert_eq!(chance_of_blunder(EvenAim { most: BLUNDER - 0.1, ..aim(9.0) }, &menu), 0.0);
    // The largest losses are 4 + 1.25·6 and 4 + 1.25·12.
    assert_eq!(chance_of_blunder(EvenAim { most: 25.0, ..aim(4.0) }, &menu), 0.0);
    let [some, more] = [6.0, 12.0].map(|loss| chance_of_blunder(EvenAim { most: 25.0, ..aim(loss) }, &menu));
    assert!(0.0 < some && some < more && more < 1.0, "{some} {more}");
}

#[test]
fn of_moves_with_like_losses_the_one_that_people_play_is_likelier() {
    let mut menu = candidates(&[0.6, 0.55, 0.549]);
    menu[1].traits.chance = 0.0;
    let places: Vec<usize> =
        (0..100).map(|ply| choose(aim(5.0), &menu, &mut MoveRng::of(1, 1, ply)).place).collect();
    assert!(places.contains(&2) && !places.contains(&1), "{places:?}");
    menu[0].traits.chance = 0.0;
    menu[2].traits.chance = 0.0;
    assert_eq!(choose(aim(5.0), &menu, &mut MoveRng::of(1, 1, 1)).place, 0, "the best is always possible");
}

/// The losses of the candidates in four kinds of positions, from nearly equal to very unequal moves. On
/// average over the four kinds, a player loses as usual.
const MENUS: [&[f64]; 4] = [
    &[0.0, 0.2, 0.4, 0.6, 1.0, 1.5, 2.5, 4.0, 7.0, 12.0, 20.0, 30.0],
    &[0.0, 0.6, 1.5, 2.5, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0, 30.0],
    &[0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0, 25.0, 30.0],
    &[0.0, 5.0, 9.0, 14.0, 17.0, 20.0, 22.0, 25.0, 28.0, 30.0],
];

/// Simulates a game. The controller has moves that lose nothing, a little, or much. The opponent loses like a
/// player of `elo`. A side that reaches an expected score of 0.97 wins; after 120 moves the game is drawn.
/// Returns the result, and the expected score before each move of the controller.
fn simulated(elo: f64, game: u64) -> (f64, Vec<f64>) {
    let people = HumanLosses::shipped();
    let lot = MoveRng::of(7, game, u64::MAX).share();
    let mut controller = EvenController::new(OpponentRecord::of_rating(elo), lot);
    let mut expected: f64 = 0.5;
    let mut course = Vec::new();
    for ply in 0..120 {
        let mut random = MoveRng::of(7, game, ply);
        course.push(expected);
        let steps = MENUS[ply as usize % MENUS.len()];
        let best = expected;
        // There is little to lose near 0.
        let menu: Vec<f64> = steps.iter().map(|step| best - step / 100.0 * best.min(0.5) * 2.0).collect();
        let aim = controller.aim(expected);
        let choice = choose(aim, &candidates(&menu), &mut random);
        assert!(choice.loss <= MOST.min(aim.most.max(TOLERANCE)) + 1e-9, "{elo}: {choice:?}");
        let after = menu[choice.place];
        controller.played(aim, &CourseMove { ply, expected, loss: choice.loss, after });
        expected = menu[choice.place];
        let room = (1.0 - expected).min(0.5) * 2.0;
        expected += people.loss(people.mean(elo), random.share()) / 100.0 * room;
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
        // Three standard errors of 400 games at ½ are 0.075. The controller's constants come from games with
        // engines, not from these games.
        assert!((0.38..=0.62).contains(&score), "{elo}: {score}");
        assert!(draws <= 100, "{elo}: {draws} draws");
        let at_move_20: Vec<f64> = games.iter().filter_map(|(_, course)| course.get(20).copied()).collect();
        let near = at_move_20.iter().filter(|expected| (0.2..=0.8).contains(*expected)).count();
        assert!(near * 10 >= at_move_20.len() * 9, "{elo}: {near} of {}", at_move_20.len());
    }
}

proptest! {
    #[test]
    fn no_intended_loss_exceeds_the_bound(
        course in prop::collection::vec((0f64..1.0, 0f64..1.0), 0..60), lost in 0f64..20.0,
        menu in prop::collection::vec(0f64..1.0, 1..30), ply in 0u64..300,
    ) {
        let played = |&(expected, after): &(f64, f64)| {
            let loss = 100.0 * (expected - after).max(0.0);
            CourseMove { ply: 0, expected, loss, after }
        };
        let course: Vec<CourseMove> = course.iter().map(played).collect();
        let mut controller = EvenController::after(OpponentRecord { moves: 4.0, lost: 4.0 * lost }, 0.5, &course);
        let mut menu = menu;
        menu.sort_by(|a, b| b.total_cmp(a));
        let aim = controller.aim(menu[0]);
        let choice = choose(aim, &candidates(&menu), &mut MoveRng::of(5, 6, ply));
        prop_assert!(aim.most <= bound(aim.opponent_elo) && bound(aim.opponent_elo) <= MOST);
        prop_assert!(choice.loss <= aim.most.max(TOLERANCE), "{:?} {:?}", aim, choice);
    }

    #[test]
    fn the_better_it_stands_the_more_it_gives_back(a in 0f64..89.0, b in 0f64..89.0, moves in 0u32..90, wins in any::<bool>()) {
        let wins = (moves >= TURNING_POINT).then_some(wins);
        let opponent = OpponentRecord::of_rating(1800.0);
        let controller = EvenController { moves, wins, ..EvenController::new(opponent, 0.5) };
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
        let choice = choose(aim(loss), &candidates, &mut MoveRng::of(3, 4, ply));
        prop_assert!(choice.place < candidates.len());
        prop_assert_eq!(choice, choose(aim(loss), &candidates, &mut MoveRng::of(3, 4, ply)));
    }
}
