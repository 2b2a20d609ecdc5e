//! Tests of the uncertainty: clustered intervals cover the true scores, and small cases agree with
//! calculations by hand.

use std::collections::BTreeMap;

use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use shakmaty::Color;

use super::*;
use crate::chess::{Phase, Score, Valuation};
use crate::measure::tournament::facts::PlayerFacts;
use crate::numbers::Bootstrap;

/// Returns a move that changes the mover's evaluation of a level position by `gain`.
fn facts(game: u32, player: u32, gain: i32) -> MoveFacts {
    let mover = if player.is_multiple_of(2) { Color::White } else { Color::Black };
    let said = |cp| Valuation { score: Score::Cp(cp), wdl: None };
    MoveFacts {
        factor: 1.0,
        game,
        player,
        mover,
        number: 20,
        round: None,
        year: None,
        phase: Phase::Middlegame,
        forced: false,
        before: Some(said(0)),
        after: said(mover.fold_wb(gain, -gain)),
        first_choice: None,
        own: None,
        verdict: Default::default(),
    }
}

/// Returns a sample of two players who meet in every game.
fn sample(games: usize, moves: Vec<MoveFacts>) -> MoveSample {
    let player = |name: &str| PlayerFacts { name: name.to_owned(), is_nobody: false, elo_tags: vec![2500] };
    MoveSample { players: vec![player("Anand"), player("Bird")], games, moves, ..MoveSample::default() }
}

fn tables(sample: &MoveSample, samples: u32) -> Tournament {
    let method = Method { bootstrap: Bootstrap { samples, seed: 1 }, ..Method::default() };
    Tournament::of_sample(sample, &BTreeMap::new(), &method)
}

/// Returns games of 20 to 60 moves a side, in which both players have good and bad days. In each game, a
/// player's probability of a gain is drawn uniformly between 0.1 and 0.4; the probability of a tie is 0.15.
/// The true expected score is 0.25 + 0.075.
fn simulated(random: &mut ChaCha8Rng, games: u32) -> MoveSample {
    let mut uniform = || f64::from(random.next_u32()) / f64::from(u32::MAX);
    let mut moves = Vec::new();
    for game in 0..games {
        let days = [0.1 + 0.3 * uniform(), 0.1 + 0.3 * uniform()];
        for _ in 0..20 + (40.0 * uniform()) as u32 {
            for (player, day) in (0..).zip(days) {
                let draw = uniform();
                let gain = if draw < day {
                    7
                } else if draw < day + 0.15 {
                    0
                } else {
                    -7
                };
                moves.push(facts(game, player, gain));
            }
        }
    }
    sample(games as usize, moves)
}

const TRUE_SCORE: f64 = 0.325;

#[test]
fn the_interval_by_game_holds_the_true_score_and_the_one_by_move_does_not() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut by_game, mut by_bootstrap, mut by_move, mut apart, mut total) = (0, 0, 0, 0, 0.0);
    let within = |low: f64, high: f64| usize::from((low..=high).contains(&TRUE_SCORE));
    for _ in 0..500 {
        let tournament = tables(&simulated(&mut random, 14), 200);
        for player in &tournament.players {
            let p = player.expected_score.expect("moves").value;
            let cluster = player.expected_score.expect("moves").intervals.cluster.expect("games");
            let bootstrap = player.expected_score.expect("moves").intervals.bootstrap.expect("samples");
            // The interval if moves were independent and ties counted half a point.
            let signs = player.histogram.signs();
            let n = player.moves() as f64;
            let square = (signs.positive as f64 + 0.25 * signs.zero as f64) / n;
            let margin = 1.96 * ((square - p * p) / n).sqrt();
            by_game += within(cluster.low, cluster.high);
            by_bootstrap += within(bootstrap.low, bootstrap.high);
            by_move += within(p - margin, p + margin);
            total += 1.0;
        }
        apart += tournament.pairs.iter().filter(|pair| pair.p.is_some_and(|p| p < 0.05)).count();
    }
    let share = |count: usize| count as f64 / total;
    assert!((0.93..=0.97).contains(&share(by_game)), "by game {}", share(by_game));
    assert!((0.88..=0.97).contains(&share(by_bootstrap)), "by bootstrap {}", share(by_bootstrap));
    assert!(share(by_move) < 0.85, "by move {}", share(by_move));
    // One pair per tournament, of equal players.
    assert!((0.02..=0.08).contains(&(apart as f64 / 500.0)), "told apart {apart} of 500");
}

#[test]
fn three_games_by_hand() {
    // Anand: two gains and a loss, a tie, a loss: ψ sums 2, ½, 0 over 3, 1, 1 moves: p = ½, shifts (2 −
    // 1.5)/5, 0, −0.5/5; SE² = 3/2·(0.01 + 0 + 0.01) = 0.03.
    let moves = [(0, 5), (0, 9), (0, -4), (1, 0), (2, -1)];
    let mut moves: Vec<MoveFacts> = moves.map(|(game, gain)| facts(game, 0, gain)).to_vec();
    moves.extend((0..3).map(|game| facts(game, 1, -10)));
    let tournament = tables(&sample(3, moves), 50);
    let [anand, bird] = &tournament.players[..] else { panic!("two players") };
    assert_eq!((anand.name.as_str(), anand.expected_score.expect("moves").value), ("Anand", 0.5));
    let interval = anand.expected_score.expect("moves").intervals.cluster.expect("three games");
    assert!((interval.standard_error - 0.03f64.sqrt()).abs() < 1e-12);
    // dΔ/dp at ½ is 200√2·√(2π).
    let slope = 200.0 * 2f64.sqrt() * std::f64::consts::TAU.sqrt();
    let difference = anand.elo_difference.expect("moves").intervals.cluster.expect("three games");
    assert!((difference.standard_error - slope * 0.03f64.sqrt()).abs() < 1e-6);
    // Bird lost every move: exact interval over three games, 1 − 0.025^(1/3).
    let lost = bird.expected_score.expect("moves").intervals.cluster.expect("an exact one");
    assert!((lost.low, lost.high) == (0.0, lost.high) && (lost.high - 0.707_598).abs() < 1e-5, "{lost:?}");
    assert!(bird.elo_difference.expect("moves").intervals.cluster.expect("finite").low.is_finite());
    // Every gain of Anand is greater than every gain of Bird, in every sample,
    let [pair] = tournament.pairs[..] else { panic!("one pair") };
    // and the sign test over three games has a p of 2/2³.
    assert_eq!((pair.score, pair.z, pair.p), (1.0, None, Some(0.25)));
    // The exception is a sample of three times game 2, in which both lost every move.
    let ranks = anand.ranks.expect("samples");
    assert!((ranks.low, ranks.high) == (1, 1) && ranks.first > 0.9, "{ranks:?}");
}

#[test]
fn of_players_with_one_game_each_nothing_is_said() {
    let moves = vec![facts(0, 0, 5), facts(0, 0, -3), facts(0, 1, -5), facts(0, 1, 0)];
    let tournament = tables(&sample(1, moves), 50);
    for player in &tournament.players {
        assert_eq!(player.expected_score.expect("moves").intervals, Default::default());
        assert_eq!(player.performance.map(|p| p.intervals).unwrap_or_default(), Default::default());
        assert_eq!(player.ranks, None);
    }
    assert_eq!(tournament.sampling, Default::default());
    assert!(tournament.pairs.iter().all(|pair| pair.standard_error.is_none() && pair.p_holm.is_none()));
    assert!(tournament.engine_strength.expect("two ratings").interval.is_some(), "the spread is known");
}

#[test]
fn with_too_few_samples_the_errors_of_pairs_come_from_influences_and_a_large_field_has_no_pairs() {
    // The same two players once alone, once with 59 others in separate games.
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let few = simulated(&mut random, 14);
    let mut many = few.clone();
    for other in 0..59u32 {
        let name = format!("Other {other:02}");
        many.players.push(PlayerFacts { name, is_nobody: false, elo_tags: vec![] });
        for game in 0..2 {
            let place = many.games as u32;
            many.moves.extend([-3, 2, game].map(|gain| facts(place, 2 + other, gain)));
            many.games += 1;
        }
    }
    let error = |tournament: &Tournament| {
        let is_theirs = |&place: &usize| ["Anand", "Bird"].contains(&tournament.players[place].name.as_str());
        let pair = tournament.pairs.iter().find(|pair| pair.players.iter().all(is_theirs));
        pair.expect("their pair").standard_error.expect("fourteen games")
    };
    let (resampled, influence) = (tables(&few, 4000), tables(&few, 50));
    assert!(tables(&many, 50).pairs.is_empty());
    let ratio = error(&resampled) / error(&influence);
    assert!((0.9..1.05).contains(&ratio), "{ratio}");
}

#[test]
fn the_engines_own_gains_take_the_place_of_the_peak() {
    // Anand gains −5 and 0. The engine's own gains are −5, 0, 5 and 0.
    let own = |facts: MoveFacts, gain: i32| MoveFacts {
        own: Some(Valuation { score: Score::Cp(facts.mover.fold_wb(gain, -gain)), wdl: None }),
        ..facts
    };
    let moves = vec![
        own(facts(0, 0, -5), -5),
        own(facts(1, 0, 0), 0),
        own(facts(0, 1, -9), 5),
        own(facts(1, 1, -9), 0),
    ];
    let method = Method { engine_histogram: EngineHistogram::Own, ..Method::default() };
    let tournament = Tournament::of_sample(&sample(2, moves), &BTreeMap::new(), &method);
    let anand = &tournament.players[0];
    // −5 ties one of four; 0 beats one and ties two: (½ + 1 + 1)/8.
    assert_eq!(anand.expected_score.expect("moves").value, 2.5 / 8.0);
    assert_eq!(anand.against_zero.map(|score| score.value), Some(0.25));
    let engine = tournament.engine.expect("its own gains");
    assert_eq!((engine.against_zero.value, engine.histogram.total()), (0.5, 4));
}
