//! Results while games are being played: [`SequentialMatch`], a match that a sequential test may end, and
//! [`RunningScores`].

use std::collections::BTreeMap;

use shakmaty::Color;

use super::{entrants::EntrantNumber, game_record::Contender, game_record::GameRecord};
use crate::numbers::{GamePairs, Sprt, SprtVerdict};

/// A match of two entrants under a sequential test, from the first entrant's view.
///
/// Pairs of games count in the order of the schedule, not in the order in which they end. A finished pair
/// counts as soon as all earlier pairs count. No pair counts after the decision. So the decision is the same
/// for any number of simultaneous games.
#[derive(Debug, Clone, PartialEq)]
pub struct SequentialMatch {
    test: Sprt,
    /// Half-points of the first entrant in games whose pairs do not count yet.
    ahead: BTreeMap<u32, u32>,
    /// Numbers of pairs that count, by half-points of the first entrant.
    counts: [u32; 5],
    log_likelihood_ratio: f64,
}

impl SequentialMatch {
    pub fn new(test: Sprt) -> SequentialMatch {
        SequentialMatch { test, ahead: BTreeMap::new(), counts: [0; 5], log_likelihood_ratio: 0.0 }
    }

    /// Tests recorded games, up to the decision. Two consecutive games of one opening with exchanged colors are
    /// a pair; other games do not count.
    pub fn of_recorded(test: Sprt, records: &[GameRecord<EntrantNumber>]) -> SequentialMatch {
        let runs = records.chunk_by(|one, other| other.opening == one.opening && other.white == one.black);
        let mut found = SequentialMatch::new(test);
        for (game, record) in (0..).zip(runs.flat_map(|run| run.chunks_exact(2)).flatten()) {
            found.add(&GameRecord { game, ..*record });
        }
        found
    }

    /// Takes a finished game; games 2n and 2n + 1 are a pair.
    pub fn add(&mut self, record: &GameRecord<EntrantNumber>) {
        let first = Color::from_white(record.white < record.black);
        self.ahead.insert(record.game, record.result.half_points(first).unwrap_or_default());
        while self.verdict() == SprtVerdict::Open {
            let next = 2 * self.pairs();
            let (Some(one), Some(other)) = (self.ahead.get(&next), self.ahead.get(&(next + 1))) else {
                return;
            };
            self.counts[(one + other) as usize] += 1;
            self.ahead.remove(&next);
            self.ahead.remove(&(next + 1));
            if let Some(pairs) = self.game_pairs() {
                self.log_likelihood_ratio = self.test.log_likelihood_ratio(pairs);
            }
        }
    }

    pub fn test(&self) -> Sprt {
        self.test
    }

    pub fn pairs(&self) -> u32 {
        self.counts.iter().sum()
    }

    /// Returns the pairs that count; `None` before the first pair.
    pub fn game_pairs(&self) -> Option<GamePairs> {
        GamePairs::new(self.counts)
    }

    /// Returns the log-likelihood ratio of the pairs that count; 0 before the first pair.
    pub fn log_likelihood_ratio(&self) -> f64 {
        self.log_likelihood_ratio
    }

    pub fn verdict(&self) -> SprtVerdict {
        self.test.verdict(self.log_likelihood_ratio)
    }

    /// Returns the number of games from the first game to the decision; `None` before the decision.
    pub fn decided_after(&self) -> Option<u32> {
        (self.verdict() != SprtVerdict::Open).then(|| 2 * self.pairs())
    }
}

/// The scores so far, updated game by game. Games of a contender against itself do not change its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunningScores<C = Contender>(BTreeMap<C, (u64, u64)>);

impl<C: Copy + Ord> RunningScores<C> {
    pub fn add(&mut self, record: &GameRecord<C>) {
        if record.white == record.black {
            return;
        }
        for (contender, color) in [(record.white, Color::White), (record.black, Color::Black)] {
            let (games, half_points) = self.0.entry(contender).or_default();
            *games += 1;
            *half_points += u64::from(record.result.half_points(color).unwrap_or_default());
        }
    }

    /// Returns each contender with its share of points, from 0 to 1.
    pub fn shares(&self) -> impl Iterator<Item = (C, f64)> {
        let share = |(games, half_points): (u64, u64)| half_points as f64 / (2 * games) as f64;
        self.0.iter().map(move |(&contender, &counts)| (contender, share(counts)))
    }
}

impl<'a, C: Copy + Ord + 'a> FromIterator<&'a GameRecord<C>> for RunningScores<C> {
    fn from_iter<T: IntoIterator<Item = &'a GameRecord<C>>>(records: T) -> RunningScores<C> {
        let mut scores = RunningScores(BTreeMap::new());
        records.into_iter().for_each(|record| scores.add(record));
        scores
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};

    use super::*;
    use crate::chess::{Ending, GameResult};
    use crate::numbers::EloCurve;

    /// Returns a game in which the first entrant scores `half_points` against the second. The first entrant
    /// has White in games with even numbers.
    fn game(number: u32, half_points: u32) -> GameRecord<EntrantNumber> {
        let has_white = number.is_multiple_of(2);
        let result = match (half_points, has_white) {
            (1, _) => GameResult::Draw,
            (2, true) | (0, false) => GameResult::WhiteWins,
            _ => GameResult::BlackWins,
        };
        let [first, second] = [0, 1].map(EntrantNumber);
        let (white, black) = if has_white { (first, second) } else { (second, first) };
        let ending = Ending::Checkmate;
        GameRecord { game: number, white, black, opening: None, result, ending, plies: 9, line: 0 }
    }

    fn logistic(elo1: f64) -> Sprt {
        format!("model=logistic,elo1={elo1}").parse().expect("a test")
    }

    fn after(games: impl IntoIterator<Item = (u32, u32)>) -> SequentialMatch {
        let mut found = SequentialMatch::new(logistic(100.0));
        games.into_iter().for_each(|(number, half_points)| found.add(&game(number, half_points)));
        found
    }

    #[test]
    fn a_pair_counts_once_all_before_it_do() {
        let found = after([(3, 2), (2, 1), (0, 2)]);
        assert_eq!((found.pairs(), found.log_likelihood_ratio()), (0, 0.0));
        let found = after([(3, 2), (2, 1), (0, 2), (1, 0)]);
        assert_eq!(found.game_pairs().map(GamePairs::counts), Some([0, 0, 1, 1, 0]));
        assert_eq!(found.decided_after(), None);
    }

    #[test]
    fn nothing_counts_after_the_pair_that_decided() {
        let won = after((0..400).map(|number| (number, 2)));
        assert_eq!(won.verdict(), SprtVerdict::H1);
        let games = won.decided_after().expect("a decision");
        assert!((4..60).contains(&games), "{games}");
        let lost_later = (0..400).map(|number| (number, if number < games { 2 } else { 0 }));
        assert_eq!(after(lost_later).decided_after(), Some(games));
    }

    /// Plays matches in which the first entrant is `elo` Elo points stronger, with a third of the games drawn
    /// if possible. Returns the number of matches that accept H1, and the mean number of pairs.
    fn accepted(test: Sprt, elo: f64, matches: u32, random: &mut ChaCha8Rng) -> (u32, f64) {
        let score = EloCurve::Logistic.expected_score(elo);
        let wins = score - 1.0 / 6.0;
        let (mut accepted, mut pairs) = (0, 0);
        for _ in 0..matches {
            let mut played = SequentialMatch::new(test);
            for number in 0.. {
                let draw = random.next_u64() as f64 / u64::MAX as f64;
                let half_points = if draw < wins { 2 } else { u32::from(draw < wins + 1.0 / 3.0) };
                played.add(&game(number, half_points));
                if played.decided_after().is_some() {
                    break;
                }
            }
            accepted += u32::from(played.verdict() == SprtVerdict::H1);
            pairs += played.pairs();
        }
        (accepted, f64::from(pairs) / f64::from(matches))
    }

    #[test]
    fn a_test_errs_about_as_often_as_it_is_allowed_to() {
        let mut random = ChaCha8Rng::seed_from_u64(14);
        let test = logistic(80.0);
        // 5 % of 400 matches are 20, with a standard error of 4.4. After few pairs the bounds are overshot,
        // and the spread is still unknown.
        let (wrong, pairs) = accepted(test, 0.0, 400, &mut random);
        assert!(wrong < 40, "{wrong} of 400 accept H1 where H0 holds, after {pairs} pairs");
        let (right, pairs) = accepted(test, 80.0, 400, &mut random);
        assert!(right > 360, "{right} of 400 accept H1 where it holds, after {pairs} pairs");
        // A score s with a third of the games drawn has the variance 1/4 − 1/12 − (s − ½)². 80 logistic Elo are
        // s = .6131 and 800/ln 10 · .1131/.3922 = 100.2 normalized Elo.
        let test = Sprt { elo1: 100.2, ..Sprt::default() };
        let (wrong, pairs) = accepted(test, 0.0, 400, &mut random);
        assert!(wrong < 40, "{wrong} of 400 accept H1 where H0 holds, after {pairs} pairs");
        let (right, pairs) = accepted(test, 80.0, 400, &mut random);
        assert!(right > 360, "{right} of 400 accept H1 where it holds, after {pairs} pairs");
    }

    #[test]
    fn recorded_games_are_tested_like_played_ones_and_single_games_do_not_count() {
        let points = |number: u32| [2, 0, 1, 2, 2][(number % 5) as usize];
        let played: Vec<_> = (0..60).map(|number| game(number, points(number))).collect();
        let test = logistic(100.0);
        let mut found = SequentialMatch::new(test);
        played.iter().for_each(|record| found.add(record));
        let renumbered =
            |record: &GameRecord<EntrantNumber>| GameRecord { game: 3 * record.game + 1, ..*record };
        let mut recorded: Vec<_> = played.iter().map(renumbered).collect();
        assert_eq!(SequentialMatch::of_recorded(test, &recorded).game_pairs(), found.game_pairs());
        recorded.insert(0, GameRecord { opening: Some(7), ..game(0, 2) });
        assert_eq!(SequentialMatch::of_recorded(test, &recorded).verdict(), found.verdict());
        assert_eq!(SequentialMatch::of_recorded(test, &recorded).game_pairs(), found.game_pairs());
    }

    proptest! {
        #[test]
        fn the_order_in_which_games_end_makes_no_difference(
            points in prop::collection::vec(0u32..3, 2..120), seed in any::<u64>(),
        ) {
            let played: Vec<(u32, u32)> = (0..).zip(points).collect();
            let mut mixed = played.clone();
            mixed.sort_by_key(|&(number, _)| (u64::from(number) + 1).wrapping_mul(seed | 1).rotate_left(17));
            let (one, other) = (after(played), after(mixed));
            prop_assert_eq!(one.game_pairs(), other.game_pairs());
            prop_assert_eq!(one.verdict(), other.verdict());
            prop_assert_eq!(one.log_likelihood_ratio(), other.log_likelihood_ratio());
        }
    }
}
