//! [`GamePairs`]: the results of a match by pairs of games. The two games of a pair have the same opening,
//! with colors reversed.

/// Counts of game pairs by one side's half-points, 0 to 4; at least one pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GamePairs {
    counts: [u32; 5],
}

impl GamePairs {
    /// Makes counts from `counts[h]` pairs with `h` half-points; `None` without a pair.
    pub fn new(counts: [u32; 5]) -> Option<GamePairs> {
        let pairs = GamePairs { counts };
        (pairs.pairs() > 0).then_some(pairs)
    }

    /// Returns the number of pairs for each number of half-points, from 0 to 4.
    pub fn counts(self) -> [u32; 5] {
        self.counts
    }

    /// Returns the total number of pairs.
    pub fn pairs(self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    /// Returns w, the points per game, between 0 and 1.
    pub fn score(self) -> f64 {
        self.mean(|points| points)
    }

    /// Returns the standard error of w with the pair as unit, √(Σ n_h·(h/4 − w)²)/N. Of the N pairs, n_h have
    /// h half-points.
    ///
    /// An opening that favors one color is won once and lost once. So a pair scatters less than two
    /// independent games.
    pub fn standard_error(self) -> f64 {
        let w = self.score();
        (self.mean(|points| (points - w).powi(2)) / self.pairs() as f64).sqrt()
    }

    /// Applies `of` to the points per game of each pair, and returns the mean.
    fn mean(self, of: impl Fn(f64) -> f64) -> f64 {
        let sum: f64 =
            (0u32..).zip(self.counts).map(|(h, count)| f64::from(count) * of(f64::from(h) / 4.0)).sum();
        sum / self.pairs() as f64
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(counts: [u32; 5]) -> GamePairs {
        GamePairs::new(counts).expect("a pair")
    }

    #[test]
    fn four_pairs_by_hand() {
        // Points a game ¼, ½, ½, ¾: mean ½, squares 1/16 + 0 + 0 + 1/16 = 1/8; √(1/8/4)/√4.
        let four = pairs([0, 1, 2, 1, 0]);
        assert_eq!((four.pairs(), four.score()), (4, 0.5));
        assert!((four.standard_error() - (1.0f64 / 32.0).sqrt() / 2.0).abs() < 1e-15);
        assert_eq!(GamePairs::new([0; 5]), None);
        assert_eq!(pairs([0, 0, 9, 0, 0]).standard_error(), 0.0);
    }

    #[test]
    fn scipy_has_the_same_error() {
        // x = np.repeat(np.arange(5)/4, [7, 31, 120, 68, 24])   # scipy 1.17.1
        // x.mean(), scipy.stats.sem(x, ddof=0)
        let many = pairs([7, 31, 120, 68, 24]);
        assert!((many.score() - 0.571).abs() < 1e-14, "{}", many.score());
        assert!((many.standard_error() - 0.014242050414178429).abs() < 1e-14, "{}", many.standard_error());
    }

    proptest! {
        #[test]
        fn pairs_of_independent_games_scatter_as_the_games_do(w in 0u32..40, d in 0u32..40, l in 1u32..40) {
            // All products of the three outcomes, as often as two independent games give them.
            let of = |a: u32, b: u32| a * b;
            let counts = [of(l, l), 2 * of(l, d), 2 * of(w, l) + of(d, d), 2 * of(w, d), of(w, w)];
            let n = f64::from(w + d + l);
            let share = |count: u32| f64::from(count) / n;
            let variance = share(w) + share(d) / 4.0 - (share(w) + share(d) / 2.0).powi(2);
            let expected = (variance.max(0.0) / (2.0 * n * n)).sqrt();
            prop_assert!((pairs(counts).standard_error() - expected).abs() < 1e-7);
        }

        #[test]
        fn the_other_side_mirrors(counts in prop::array::uniform5(0u32..50)) {
            let mut turned = counts;
            turned.reverse();
            if let (Some(one), Some(other)) = (GamePairs::new(counts), GamePairs::new(turned)) {
                prop_assert!((one.score() + other.score() - 1.0).abs() < 1e-12);
                prop_assert!((one.standard_error() - other.standard_error()).abs() < 1e-12);
            }
        }
    }
}
