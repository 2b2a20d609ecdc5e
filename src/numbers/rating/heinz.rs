//! Heinz's statistics of a match: the score, its standard error and the confident difference.

use serde::{Serialize, Serializer};

use super::elo::EloCurve;

/// Quantile of the normal distribution for 90 %, two-sided, as Heinz rounds it (2000, Section 3).
pub const Z_90: f64 = 1.645;

/// Quantile of the normal distribution for 95 %, two-sided.
pub const Z_95: f64 = 1.96;

/// Wins, draws and losses of one side in a match of at least one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchRecord {
    wins: u32,
    draws: u32,
    losses: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    pub low: f64,
    pub high: f64,
}

impl Serialize for Range {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        [self.low, self.high].serialize(serializer)
    }
}

impl Range {
    /// Returns the intersection of all `ranges`. `None` if it is empty or there are no ranges.
    pub fn intersection(ranges: impl IntoIterator<Item = Range>) -> Option<Range> {
        let common =
            ranges.into_iter().reduce(|a, b| Range { low: a.low.max(b.low), high: a.high.min(b.high) })?;
        (common.low <= common.high).then_some(common)
    }
}

impl MatchRecord {
    /// Makes the record of a match; `None` without games.
    pub fn new(wins: u32, draws: u32, losses: u32) -> Option<MatchRecord> {
        let record = MatchRecord { wins, draws, losses };
        (record.games() > 0).then_some(record)
    }

    pub fn games(self) -> u64 {
        [self.wins, self.draws, self.losses].map(u64::from).iter().sum()
    }

    pub fn wins(self) -> u32 {
        self.wins
    }

    pub fn draws(self) -> u32 {
        self.draws
    }

    pub fn losses(self) -> u32 {
        self.losses
    }

    /// Returns the points, wins + draws/2.
    pub fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    /// Returns the shares of wins, draws and losses, which sum to 1.
    pub fn shares(self) -> [f64; 3] {
        [self.wins, self.draws, self.losses].map(|count| f64::from(count) / self.games() as f64)
    }

    /// Returns w, the points per game, between 0 and 1.
    pub fn score(self) -> f64 {
        self.points() / self.games() as f64
    }

    /// Returns the Elo difference by the logistic curve, as in Heinz's Table 5. (With the normal curve, six
    /// of the table's seven rows would round to other values.) `None` if no finite difference fits.
    pub fn elo_difference(self) -> Option<f64> {
        let score = self.score();
        (score > 0.0 && score < 1.0).then(|| EloCurve::Logistic.difference(score))
    }

    /// Computes s(w) = √(w(1 − w)/n), Heinz's standard error, which ignores draws.
    pub fn binomial_error(self) -> f64 {
        let w = self.score();
        (w * (1.0 - w) / self.games() as f64).sqrt()
    }

    /// Returns the standard error of w for games with three outcomes, √((W + D/4)/n − w²)/√n. It is at most
    /// [`MatchRecord::binomial_error`], because draws scatter less.
    pub fn three_outcome_error(self) -> f64 {
        let [wins, draws, _] = self.shares();
        // Rounding may give a value below 0 if all games end alike.
        let variance = (wins + draws / 4.0 - self.score().powi(2)).max(0.0);
        (variance / self.games() as f64).sqrt()
    }

    /// Returns the confident Δw, the range 2w − 1 ∓ 2·z·s(w) of the lead over the opponent in points per game
    /// (Heinz 2000, Section 3).
    pub fn confident_difference(self, z: f64) -> Range {
        let (middle, margin) = (2.0 * self.score() - 1.0, 2.0 * z * self.binomial_error());
        Range { low: middle - margin, high: middle + margin }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn record(wins: u32, draws: u32, losses: u32) -> MatchRecord {
        MatchRecord::new(wins, draws, losses).expect("games")
    }

    #[test]
    fn sixteen_games_by_hand() {
        // 6 + 6/2 = 9 of 16: w = 0.5625, w(1 − w)/16 = 0.2461/16; (6 + 1.5)/16 − w² = 0.15234.
        let record = record(6, 6, 4);
        assert_eq!((record.points(), record.score()), (9.0, 0.5625));
        assert!((record.binomial_error() - (0.24609375f64 / 16.0).sqrt()).abs() < 1e-15);
        assert!((record.three_outcome_error() - (0.15234375f64 / 16.0).sqrt()).abs() < 1e-15);
        let range = record.confident_difference(2.0);
        assert!((range.low - (0.125 - 4.0 * record.binomial_error())).abs() < 1e-15);
    }

    #[test]
    fn the_first_row_of_heinzs_tables() {
        // Heinz 2000, Tables 5 and 6: 6⇔5.
        let record = record(1686, 915, 399);
        assert_eq!(record.elo_difference().map(f64::round), Some(159.0));
        let thousandths = |value: f64| (value * 1000.0).round();
        let (at_90, at_95) = (record.confident_difference(Z_90), record.confident_difference(Z_95));
        assert_eq!([at_90.low, at_90.high].map(thousandths), [402.0, 456.0]);
        assert_eq!([at_95.low, at_95.high].map(thousandths), [397.0, 461.0]);
    }

    #[test]
    fn scipy_has_the_same_error_of_three_outcomes() {
        // scipy.stats.sem([1.0]*1686 + [0.5]*915 + [0.0]*399, ddof=0)   # scipy 1.17.1
        assert!((record(1686, 915, 399).three_outcome_error() - 0.006525328855059082).abs() < 1e-14);
    }

    #[test]
    fn matches_without_a_finite_difference_have_none() {
        assert_eq!(MatchRecord::new(0, 0, 0), None);
        for certain in [record(3, 0, 0), record(0, 0, 3)] {
            assert_eq!((certain.elo_difference(), certain.binomial_error()), (None, 0.0));
            assert_eq!(certain.three_outcome_error(), 0.0);
        }
    }

    #[test]
    fn ranges_that_do_not_meet_have_nothing_in_common() {
        let range = |low: f64, high: f64| Range { low, high };
        let met = Range::intersection([range(0.0, 0.5), range(0.25, 1.0)]);
        assert_eq!(met, Some(range(0.25, 0.5)));
        assert_eq!(Range::intersection([range(0.0, 0.5), range(0.75, 1.0)]), None);
        assert_eq!(Range::intersection([]), None);
    }

    proptest! {
        #[test]
        fn the_other_sides_numbers_mirror(wins in 0u32..500, draws in 0u32..500, losses in 1u32..500) {
            let (one, other) = (record(wins, draws, losses), record(losses, draws, wins));
            prop_assert!((one.score() + other.score() - 1.0).abs() < 1e-12);
            prop_assert!((one.binomial_error() - other.binomial_error()).abs() < 1e-12);
            prop_assert!(one.three_outcome_error() <= one.binomial_error() + 1e-12);
            let (here, there) = (one.confident_difference(Z_95), other.confident_difference(Z_95));
            prop_assert!((here.low + there.high).abs() < 1e-12 && (here.high + there.low).abs() < 1e-12);
        }
    }
}
