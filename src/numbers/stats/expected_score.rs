//! [`ExpectedScore`]: the probability that a value of one distribution beats a value of another, with ties
//! counting half.

use std::iter::Peekable;

use super::{band::Band, histogram::Distribution};

/// P(X > Y) + ½·P(X = Y) for independent draws of X and Y, between 0 and 1. Values within a tie band may
/// count as equal.
///
/// The score is stored as two whole numbers, half-points and pairs. So nothing is rounded before the
/// division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExpectedScore {
    half_points: u128,
    pairs: u128,
}

impl ExpectedScore {
    /// Returns the score of `x` against `y`, P(X > Y + t) + ½·P(|X − Y| ≤ t). Values are taken at bin
    /// centers, and t is the tie distance of `band` in the unit of the values.
    ///
    /// With a tie distance of 0, the score follows from the cross-correlation of the two distributions,
    /// Ferreira's Eq. (7). It is the sum over all positive shifts plus half of the term at shift 0, Eq. (8).
    /// With a larger tie distance, every shift within that distance counts half. For any band, the score of
    /// `x` against `y` and the score of `y` against `x` sum to 1.
    ///
    /// The function sums [`Band::half_points`] over all pairs of values, in one pass over both histograms.
    ///
    /// # Panics
    ///
    /// If the bin widths differ from that of `band`.
    pub fn of(x: Distribution<'_>, y: Distribution<'_>, band: Band) -> ExpectedScore {
        let (x, y) = (x.histogram(), y.histogram());
        assert_eq!([x.width(), y.width()], [band.width(); 2], "histograms of the band's bin width");
        let (mut beaten, mut beaten_or_tied) = (Cumulative::new(y.bins()), Cumulative::new(y.bins()));
        let half_points = x
            .bins()
            .map(|(center, count)| {
                // A win counts in both sums, a tie in one.
                let tied = band.tied_with(center);
                let half_points = beaten.below(*tied.start()) + beaten_or_tied.through(*tied.end());
                u128::from(count) * half_points
            })
            .sum();
        ExpectedScore { half_points, pairs: u128::from(x.total()) * u128::from(y.total()) }
    }

    /// Returns the score as a number between 0 and 1.
    pub fn value(self) -> f64 {
        self.half_points as f64 / (2.0 * self.pairs as f64)
    }

    /// Returns true if the score is 0 or 1. Then no finite Elo difference exists.
    pub fn is_certain(self) -> bool {
        self.half_points == 0 || self.half_points == 2 * self.pairs
    }
}

/// The running sum of counts over bins in ascending order.
struct Cumulative<B: Iterator<Item = (i64, u64)>> {
    bins: Peekable<B>,
    sum: u128,
}

impl<B: Iterator<Item = (i64, u64)>> Cumulative<B> {
    fn new(bins: B) -> Cumulative<B> {
        Cumulative { bins: bins.peekable(), sum: 0 }
    }

    /// Returns the sum of the counts of all bins with centers below `limit`, which must not decrease from one call
    /// to the next.
    fn below(&mut self, limit: i64) -> u128 {
        self.through(limit.saturating_sub(1))
    }

    /// Returns the sum of the counts of all bins with centers up to `limit`, which must not decrease from one call
    /// to the next.
    fn through(&mut self, limit: i64) -> u128 {
        while let Some((_, count)) = self.bins.next_if(|&(center, _)| center <= limit) {
            self.sum += u128::from(count);
        }
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numbers::{
        stats::correlation::midranks, stats::histogram::BinWidth, stats::histogram::Histogram,
    };

    fn histogram(values: &[i64]) -> Histogram {
        Histogram::of(BinWidth::default(), values.iter().copied())
    }

    fn score(x: &Histogram, y: &Histogram) -> ExpectedScore {
        score_with_ties(x, y, 0)
    }

    fn score_with_ties(x: &Histogram, y: &Histogram, tie: u32) -> ExpectedScore {
        let band = Band::new(x.width(), tie).expect("whole bins");
        ExpectedScore::of(x.distribution().expect("values"), y.distribution().expect("values"), band)
    }

    /// Returns twice the U of Mann and Whitney, from the sum of the midranks of `x` among all values.
    fn half_points_by_ranks(x: &[i64], y: &[i64]) -> u128 {
        let all: Vec<f64> = x.iter().chain(y).map(|&value| value as f64).collect();
        let rank_sum: f64 = midranks(&all)[..x.len()].iter().sum();
        let least = x.len() * (x.len() + 1);
        (2.0 * rank_sum) as u128 - least as u128
    }

    /// Computes Ferreira's Eqs. (7) and (8) as printed, but from counts. For each shift, it sums products
    /// over a dense grid. Shifts above 0 count twice, shift 0 counts once.
    fn half_points_by_convolution(x: &[i64], y: &[i64]) -> u128 {
        const REACH: i64 = 64;
        let dense = |values: &[i64]| {
            let mut counts = vec![0u128; 2 * REACH as usize];
            values.iter().for_each(|value| counts[(value + REACH) as usize] += 1);
            counts
        };
        let (x, y) = (dense(x), dense(y));
        let correlation = |shift: usize| -> u128 { x[shift..].iter().zip(&y).map(|(f, g)| f * g).sum() };
        correlation(0) + 2 * (1..x.len()).map(correlation).sum::<u128>()
    }

    #[test]
    fn of_nine_pairs_four_are_won_and_two_tied() {
        // X ∈ {0, 1, 2}, Y ∈ {0, 1, 1}: wins 1>0, 2>0, 2>1, 2>1; ties 0=0, 1=1, 1=1.
        let p = score(&histogram(&[0, 1, 2]), &histogram(&[0, 1, 1]));
        assert_eq!(p.value(), (4.0 + 1.5) / 9.0);
    }

    #[test]
    fn values_within_the_tie_of_each_other_count_half() {
        // X ∈ {0, 30}, Y ∈ {0, 10, 51}. Within 20: 0–0, 0–10; won by more: 30>0; tied at exactly 20: 30–10;
        // lost by more: 0<51; lost by 21: 30<51.
        let (x, y) = (histogram(&[0, 30]), histogram(&[0, 10, 51]));
        assert_eq!(score_with_ties(&x, &y, 20).value(), (1.0 + 1.5) / 6.0);
        assert_eq!(score_with_ties(&x, &y, 19).value(), (2.0 + 1.0) / 6.0);
        assert_eq!(score_with_ties(&x, &y, u32::MAX).value(), 0.5);
    }

    #[test]
    fn a_tie_is_measured_between_the_centers_of_bins() {
        // 14 lies in the bin of 10 and -14 in that of -10: the centers are 20 apart, the values 28.
        let of_ten = |value| Histogram::of(BinWidth::new(10).expect("a width above 0"), [value]);
        assert_eq!(score_with_ties(&of_ten(14), &of_ten(-14), 20).value(), 0.5);
        assert_eq!(score_with_ties(&of_ten(14), &of_ten(-14), 10).value(), 1.0);
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

    proptest! {
        #[test]
        fn the_scores_of_both_sides_sum_to_one(
            x in prop::collection::vec(-30i64..30, 1..80), y in prop::collection::vec(-30i64..30, 1..80),
            width in 1u32..12, bins in 0u32..6,
        ) {
            let of_width = |values| Histogram::of(BinWidth::new(width).expect("a width above 0"), values);
            let (x, y) = (of_width(x), of_width(y));
            let tie = bins * width;
            let (there, back) = (score_with_ties(&x, &y, tie), score_with_ties(&y, &x, tie));
            prop_assert_eq!(there.half_points + back.half_points, 2 * there.pairs);
            prop_assert!((there.value() + back.value() - 1.0).abs() < 1e-15);
        }

        #[test]
        fn histogram_ranks_and_convolution_agree(
            x in prop::collection::vec(-60i64..60, 1..120), y in prop::collection::vec(-60i64..60, 1..120),
        ) {
            let half_points = score(&histogram(&x), &histogram(&y)).half_points;
            prop_assert_eq!(half_points, half_points_by_ranks(&x, &y));
            prop_assert_eq!(half_points, half_points_by_convolution(&x, &y));
        }

        #[test]
        fn against_itself_it_is_one_half(x in prop::collection::vec(-30i64..30, 1..80)) {
            prop_assert_eq!(score(&histogram(&x), &histogram(&x)).value(), 0.5);
        }

        #[test]
        fn it_is_the_share_of_pairs_counted_one_by_one(
            x in prop::collection::vec(-99i64..99, 1..30), y in prop::collection::vec(-99i64..99, 1..30),
            width in 1u32..12, bins in 0u32..9,
        ) {
            let width = BinWidth::new(width).expect("a width above 0");
            let band = Band::new(width, bins * width.get()).expect("whole bins");
            let apart = |a: i64, b: i64| width.center(a) - width.center(b);
            let pairs = x.iter().flat_map(|&a| y.iter().map(move |&b| (a, b)));
            let half_points: u32 = pairs.map(|(a, b)| band.half_points(apart(a, b))).sum();
            let of_width = |values: &[i64]| Histogram::of(width, values.iter().copied());
            let score = score_with_ties(&of_width(&x), &of_width(&y), band.tie());
            prop_assert_eq!(score.half_points, u128::from(half_points));
        }
    }
}
