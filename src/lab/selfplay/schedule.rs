//! The schedule: an experiment's games and their order.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use serde::{Deserialize, Serialize};

use super::game_record::Contender;
use crate::numbers::stats::bootstrap::below;

/// Two contenders who meet. A contender paired with itself shows White's advantage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Matchup<C = Contender> {
    /// The player with White in the first game.
    pub first: C,
    pub second: C,
}

impl<C: PartialEq> Matchup<C> {
    /// Returns whether both contenders are the same, so that exchanging colors changes nothing.
    pub fn is_mirror(&self) -> bool {
        self.first == self.second
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledGame<C = Contender> {
    /// The game's index in the schedule, from 0.
    pub game: u32,
    pub white: C,
    pub black: C,
    /// Index of the opening; `None` for the initial position.
    pub opening: Option<u32>,
    /// The index of the turn, from 0. In a turn, one pair of contenders plays consecutive games, usually two,
    /// with colors exchanged.
    pub turn: u32,
}

/// Returns the games of an experiment in order, `games` for each pair.
///
/// The pairs take turns of two games each, so that a stopped experiment has about the same number of games of
/// each pair. Colors alternate. The order of the openings depends on `seed` and is the same for every pair.
/// The openings repeat when all are used. Both games of a turn have the same opening, unless a contender
/// plays itself: then the same opening would repeat the game.
pub fn schedule<C: Copy + PartialEq>(
    pairs: &[Matchup<C>],
    games: u32,
    openings: u32,
    seed: u64,
) -> Vec<ScheduledGame<C>> {
    let order = shuffled(openings, seed);
    let opening = |place: u32| (!order.is_empty()).then(|| order[place as usize % order.len()]);
    let mut scheduled_games = Vec::with_capacity(pairs.len() * games as usize);
    let rounds = (0..games.div_ceil(2)).flat_map(|round| pairs.iter().map(move |&pair| (round, pair)));
    for (turn, (round, pair)) in (0..).zip(rounds) {
        for number in (2 * round..games).take(2) {
            let reversed = number % 2 == 1;
            let (white, black) = if reversed { (pair.second, pair.first) } else { (pair.first, pair.second) };
            let game = u32::try_from(scheduled_games.len()).expect("fewer games than a u32 counts");
            let opening = opening(if pair.is_mirror() { number } else { round });
            scheduled_games.push(ScheduledGame { game, white, black, opening, turn });
        }
    }
    scheduled_games
}

/// Returns the number of different openings that a schedule of `games` per pair can use.
pub fn openings_needed<C: PartialEq>(pairs: &[Matchup<C>], games: u32) -> u32 {
    match pairs.iter().any(|pair| pair.is_mirror()) {
        true => games,
        false => games.div_ceil(2),
    }
}

/// Returns the numbers from 0 to `count` − 1, in an order determined by `seed`.
fn shuffled(count: u32, seed: u64) -> Vec<u32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers: Vec<u32> = (0..count).collect();
    // Fisher and Yates: each place, from the last to the second, gets a random item from the places up to it.
    for last in (1..numbers.len()).rev() {
        numbers.swap(last, below(&mut random, last + 1));
    }
    numbers
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::{super::game_record::Side, *};

    fn depth(depth: u32) -> Contender {
        Contender { side: Side::Engine, depth }
    }

    fn pair(first: u32, second: u32) -> Matchup {
        Matchup { first: depth(first), second: depth(second) }
    }

    #[test]
    fn pairs_take_turns_and_exchange_colors_with_the_same_opening() {
        let games = schedule(&[pair(1, 2), pair(2, 2)], 3, 0, 1);
        let depths: Vec<(u32, u32)> = games.iter().map(|game| (game.white.depth, game.black.depth)).collect();
        assert_eq!(depths, [(1, 2), (2, 1), (2, 2), (2, 2), (1, 2), (2, 2)]);
        assert!(games.iter().all(|game| game.opening.is_none()));
        assert!(games.iter().map(|game| game.turn).eq([0, 0, 1, 1, 2, 3]));
        let games = schedule(&[pair(1, 2), pair(2, 2)], 4, 100, 1);
        let openings: Vec<u32> = games.iter().filter_map(|game| game.opening).collect();
        let [a, b, c, d, e, f, g, h] = openings[..] else { panic!("eight games: {openings:?}") };
        assert_eq!((a, e), (b, f), "both colors");
        assert_eq!((a, e), (c, d), "the same openings for every pair, as far as they go");
        assert!(a != e && ![a, e].contains(&g) && ![a, e, g].contains(&h));
    }

    #[test]
    fn other_seeds_give_other_orders() {
        let openings = |seed| schedule(&[pair(1, 2)], 100, 50, seed).into_iter().map(|game| game.opening);
        assert!(openings(1).eq(openings(1)));
        assert!(openings(1).ne(openings(2)));
    }

    /// Generates distinct pairs of contenders from one to five depths.
    fn any_pairs() -> impl Strategy<Value = Vec<Matchup>> {
        (1u32..6, any::<u32>()).prop_map(|(depths, chosen)| {
            let all = (1..=depths).flat_map(|a| (a..=depths).map(move |b| pair(a, b)));
            all.enumerate().filter(|(bit, _)| chosen >> bit & 1 == 1).map(|(_, pair)| pair).collect()
        })
    }

    proptest! {
        #[test]
        fn every_pair_has_all_its_games_with_balanced_colors(
            pairs in any_pairs(), games in 0u32..30, openings in 0u32..20, seed in any::<u64>(),
        ) {
            let scheduled_games = schedule(&pairs, games, openings, seed);
            prop_assert_eq!(scheduled_games.len(), pairs.len() * games as usize);
            prop_assert!(scheduled_games.iter().enumerate().all(|(place, game)| game.game as usize == place));
            for pair in &pairs {
                let count = |white, black| {
                    let is = |game: &&ScheduledGame| game.white == white && game.black == black;
                    scheduled_games.iter().filter(is).count() as u32
                };
                let first = count(pair.first, pair.second);
                if pair.is_mirror() {
                    prop_assert_eq!(first, games);
                } else {
                    prop_assert_eq!((first, count(pair.second, pair.first)), (games.div_ceil(2), games / 2));
                }
            }
        }

        #[test]
        fn every_opening_is_played_with_both_colors(
            pairs in any_pairs(), turns in 1u32..12, openings in 1u32..20, seed in any::<u64>(),
        ) {
            let mut balance = BTreeMap::new();
            for game in schedule(&pairs, 2 * turns, openings, seed) {
                prop_assert!(game.opening.is_some_and(|opening| opening < openings));
                let (low, high) = (game.white.min(game.black), game.white.max(game.black));
                if low != high {
                    *balance.entry((low, high, game.opening)).or_insert(0) += if game.white == low { 1 } else { -1 };
                }
            }
            prop_assert!(balance.into_values().all(|colors| colors == 0));
        }

        #[test]
        fn no_opening_comes_again_before_all_were_played(
            pairs in any_pairs(), games in 0u32..30, openings in 1u32..20, seed in any::<u64>(),
        ) {
            for pair in &pairs {
                let scheduled_games = schedule(&[*pair], games, openings, seed);
                let mut times = vec![0; openings as usize];
                let step = if pair.is_mirror() { 1 } else { 2 };
                for game in scheduled_games.iter().step_by(step) {
                    times[game.opening.expect("an opening") as usize] += 1;
                }
                let (most, least) = (times.iter().max(), times.iter().min());
                prop_assert!(most.zip(least).is_some_and(|(most, least)| most - least <= 1));
            }
        }

        #[test]
        fn the_openings_needed_are_those_that_are_used(pairs in any_pairs(), games in 0u32..30) {
            let needed = openings_needed(&pairs, games);
            let used = schedule(&pairs, games, needed, 1).into_iter().filter_map(|game| game.opening);
            let used = used.collect::<std::collections::BTreeSet<_>>().len() as u32;
            prop_assert_eq!(used, if pairs.is_empty() { 0 } else { needed });
        }
    }
}
