//! Owns [`ExpectedScore`]: the chance that a value of one distribution beats one of another.

use super::histogram::Distribution;

/// P(X > Y) + ½·P(X = Y) for independent draws of X and Y, between 0 and 1.
///
/// Kept as a fraction of whole numbers, half-points over all pairs, so that nothing is rounded
/// before the division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedScore {
    half_points: u128,
    pairs: u128,
}

impl ExpectedScore {
    /// The score of `x` against `y`: the cross-correlation of the two distributions, Ferreira's
    /// Eq. (7), summed over positive shifts with half of the shift 0, Eq. (8).
    ///
    /// One pass over both histograms: as the bins of `x` go up, the values of `y` below them are
    /// carried along, which is the sum over shifts in another order.
    ///
    /// # Panics
    ///
    /// If the bins are of different widths.
    pub fn of(x: Distribution<'_>, y: Distribution<'_>) -> ExpectedScore {
        let (x, y) = (x.histogram(), y.histogram());
        assert_eq!(x.width(), y.width(), "histograms of one bin width");
        let mut lower = y.bins().peekable();
        let mut below = 0u128;
        let mut half_points = 0u128;
        for (centre, count) in x.bins() {
            while let Some((_, n)) = lower.next_if(|&(other, _)| other < centre) {
                below += u128::from(n);
            }
            let equal = lower.peek().filter(|&&(other, _)| other == centre).map_or(0, |&(_, n)| n);
            half_points += u128::from(count) * (2 * below + u128::from(equal));
        }
        ExpectedScore { half_points, pairs: u128::from(x.total()) * u128::from(y.total()) }
    }

    /// The score as a number between 0 and 1.
    pub fn value(self) -> f64 {
        self.half_points as f64 / (2.0 * self.pairs as f64)
    }

    /// Whether it is 0 or 1, and so without a finite Elo difference.
    pub fn is_certain(self) -> bool {
        self.half_points == 0 || self.half_points == 2 * self.pairs
    }

    /// The score with half a unit added to each side, where `moves` values stand behind it: never
    /// 0 or 1.
    pub fn padded(self, moves: u64) -> f64 {
        let n = moves as f64;
        (self.value() * n + 0.5) / (n + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stats::histogram::{BinWidth, Histogram};

    fn histogram(values: &[i64]) -> Histogram {
        Histogram::of(BinWidth::default(), values.iter().copied())
    }

    fn score(x: &Histogram, y: &Histogram) -> ExpectedScore {
        ExpectedScore::of(x.distribution().expect("values"), y.distribution().expect("values"))
    }

    #[test]
    fn of_nine_pairs_four_are_won_and_two_tied() {
        // X ∈ {0, 1, 2}, Y ∈ {0, 1, 1}: wins 1>0, 2>0, 2>1, 2>1; ties 0=0, 1=1, 1=1.
        let p = score(&histogram(&[0, 1, 2]), &histogram(&[0, 1, 1]));
        assert_eq!(p.value(), (4.0 + 1.5) / 9.0);
    }

    #[test]
    fn against_one_peak_at_zero_it_is_the_share_of_gains_and_half_of_zeros() {
        let p = score(&histogram(&[-3, -1, 0, 5]), &Histogram::delta(BinWidth::default()));
        assert_eq!(p.value(), 0.375);
    }

    #[test]
    fn mann_whitney_of_a_foreign_source_agrees() {
        // scipy.stats.mannwhitneyu([19,22,16,29,24], [20,11,17,12]).statistic = 17, over 5·4 pairs
        // (the example in the documentation of scipy 1.11).
        let p = score(&histogram(&[19, 22, 16, 29, 24]), &histogram(&[20, 11, 17, 12]));
        assert_eq!(p.value(), 17.0 / 20.0);
    }

    #[test]
    fn a_certain_score_is_padded_by_half_a_move_a_side() {
        let p = score(&histogram(&[1, 2, 3]), &histogram(&[0]));
        assert!(p.is_certain());
        assert_eq!(p.padded(3), 3.5 / 4.0);
    }

    proptest! {
        #[test]
        fn the_scores_of_both_sides_sum_to_one(
            x in prop::collection::vec(-30i64..30, 1..80), y in prop::collection::vec(-30i64..30, 1..80),
        ) {
            let (x, y) = (histogram(&x), histogram(&y));
            let (there, back) = (score(&x, &y), score(&y, &x));
            prop_assert_eq!(there.half_points + back.half_points, 2 * there.pairs);
            prop_assert!((there.value() + back.value() - 1.0).abs() < 1e-15);
        }

        #[test]
        fn against_itself_it_is_one_half(x in prop::collection::vec(-30i64..30, 1..80)) {
            prop_assert_eq!(score(&histogram(&x), &histogram(&x)).value(), 0.5);
        }

        #[test]
        fn it_is_the_share_of_pairs_counted_one_by_one(
            x in prop::collection::vec(-9i64..9, 1..30), y in prop::collection::vec(-9i64..9, 1..30),
        ) {
            let pairs = x.iter().flat_map(|a| y.iter().map(move |b| a.cmp(b) as i64 + 1));
            let half_points: i64 = pairs.sum();
            prop_assert_eq!(score(&histogram(&x), &histogram(&y)).half_points, half_points as u128);
        }
    }
}
