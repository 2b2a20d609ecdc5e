//! [`Raters`]: joint rating of the same targets by several raters. Each rater has its own level.

use std::collections::BTreeMap;

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::{
    clusters::{Influence, standard_error},
    estimate::{Estimate, Interval, IntervalMethod, LEVEL},
};

#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    pub value: f64,
    /// The shift of the rating by each cluster of cases, in ascending order. All raters share the clusters.
    pub influences: Vec<Influence>,
}

/// A two-way layout without repetition: I targets, each rated once by each of J raters. Each rater has its
/// own level, so only differences between targets within a rater count.
#[derive(Debug, Clone, PartialEq)]
pub struct Raters {
    /// The ratings by rater, then by target.
    ratings: Vec<Vec<Rating>>,
}

/// The share of the variance between targets that is not scatter between raters. It is the expected
/// correlation with another rater, or with another panel of as many raters, on the same cases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reliability {
    /// Reliability of one rater: ICC(3,1) of Shrout and Fleiss.
    pub one: Estimate,
    /// Reliability of the mean of all raters, by Spearman and Brown: ICC(3,J), Cronbach's α.
    pub mean: Estimate,
}

/// The mean squares of a two-way analysis of variance.
#[derive(Debug, Clone, Copy, PartialEq)]
struct MeanSquares {
    between_targets: f64,
    residual: f64,
    targets: usize,
    raters: usize,
}

impl Raters {
    /// Makes the layout; `None` for fewer than two raters or two targets.
    ///
    /// # Panics
    ///
    /// If the raters have different numbers of targets.
    pub fn new(ratings: Vec<Vec<Rating>>) -> Option<Raters> {
        let targets = ratings.first()?.len();
        assert!(ratings.iter().all(|rater| rater.len() == targets), "each target by each rater");
        (ratings.len() > 1 && targets > 1).then_some(Raters { ratings })
    }

    fn raters(&self) -> usize {
        self.ratings.len()
    }

    fn targets(&self) -> usize {
        self.ratings[0].len()
    }

    /// Returns each rating minus the mean of its rater, by rater and then by target.
    pub fn deviations(&self) -> Vec<Vec<f64>> {
        let of_rater = |rater: &Vec<Rating>| {
            let mean = rater.iter().map(|rating| rating.value).sum::<f64>() / rater.len() as f64;
            rater.iter().map(|rating| rating.value - mean).collect()
        };
        self.ratings.iter().map(of_rater).collect()
    }

    fn mean_squares(&self) -> MeanSquares {
        let (deviations, means) = (self.deviations(), self.values());
        let (i, j) = (self.targets() as f64, self.raters() as f64);
        let between: f64 = means.iter().map(|mean| mean * mean).sum();
        let residuals = deviations.iter().flat_map(|rater| rater.iter().zip(&means));
        let residual: f64 = residuals.map(|(value, mean)| (value - mean).powi(2)).sum();
        MeanSquares {
            between_targets: j * between / (i - 1.0),
            residual: residual / ((i - 1.0) * (j - 1.0)),
            targets: self.targets(),
            raters: self.raters(),
        }
    }

    /// Returns one value for each target: the mean of its deviations ([`Raters::deviations`]) over all
    /// raters. The values sum to 0.
    pub fn values(&self) -> Vec<f64> {
        let deviations = self.deviations();
        let mean =
            |target: usize| deviations.iter().map(|rater| rater[target]).sum::<f64>() / self.raters() as f64;
        (0..self.targets()).map(mean).collect()
    }

    /// Returns [`Raters::values`] with intervals that generalize to other cases and other raters. A target
    /// has no interval if the scatter of its cases is unknown.
    ///
    /// Clusters are of two crossed kinds, cases and raters. The variance is the variance between cases plus
    /// the variance between raters; a part that belongs to both variances counts once (A. C. Cameron, J. B.
    /// Gelbach and D. L. Miller, Journal of Business & Economic Statistics 29, 2011). The variance between
    /// raters comes from the residual mean square and is the same for all targets: with few raters, separate
    /// values would be too noisy. Student's t has the degrees of freedom of Satterthwaite (Biometrics
    /// Bulletin 2, 1946).
    pub fn estimates(&self) -> Vec<Estimate> {
        let (i, j) = (self.targets() as f64, self.raters() as f64);
        let scatters: Vec<CaseScatter> = (0..self.targets()).map(|target| self.scatter(target)).collect();
        let residual = (1.0 - 1.0 / i) * self.mean_squares().residual / j;
        let in_both = scatters.iter().map(|scatter| scatter.within_raters).sum::<f64>() / i;
        let between_raters = (residual - in_both).max(0.0);
        let estimate = |(value, scatter): (f64, CaseScatter)| {
            let freedom = scatter.clusters.checked_sub(1).filter(|&freedom| freedom > 0 && scatter.is_known);
            let interval = freedom.map(|freedom| {
                let variance = scatter.of_mean + between_raters;
                let of_raters = if between_raters > 0.0 { residual } else { 0.0 };
                let lost =
                    scatter.of_mean.powi(2) / freedom as f64 + of_raters.powi(2) / ((i - 1.0) * (j - 1.0));
                let freedom = ((variance.powi(2) / lost).round() as usize).max(1);
                let method = IntervalMethod::TwoWay { freedom };
                Interval::student(value, variance.sqrt(), method)
            });
            Estimate { value, observations: scatter.clusters, interval }
        };
        self.values().into_iter().zip(scatters).map(estimate).collect()
    }

    fn scatter(&self, target: usize) -> CaseScatter {
        let (i, j) = (self.targets() as f64, self.raters() as f64);
        // The shifts of the target's deviation from the rater's mean. The cases of all targets shift the
        // mean.
        let mut shifts: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for (place, rater) in self.ratings.iter().enumerate() {
            for (other, rating) in rater.iter().enumerate() {
                let part = if other == target { 1.0 - 1.0 / i } else { -1.0 / i };
                for &(cluster, shift) in &rating.influences {
                    shifts.entry(cluster).or_insert_with(|| vec![0.0; self.raters()])[place] += part * shift;
                }
            }
        }
        let (mut of_mean, mut within_raters) = (0.0, 0.0);
        for by_rater in shifts.values() {
            let mean = by_rater.iter().sum::<f64>() / j;
            of_mean += mean * mean;
            within_raters +=
                by_rater.iter().map(|shift| (shift - mean).powi(2)).sum::<f64>() / (j * (j - 1.0));
        }
        let own = || self.ratings.iter().map(|rater| &rater[target].influences);
        CaseScatter {
            of_mean,
            within_raters,
            clusters: own().map(Vec::len).min().unwrap_or_default(),
            is_known: own().all(|influences| standard_error(influences).is_some()),
        }
    }

    /// Returns the expected correlation with another rater, or with another panel, on the same cases. `None`
    /// if the targets do not differ, or if the raters differ only in their levels.
    pub fn reliability(&self) -> Option<Reliability> {
        self.mean_squares().reliability()
    }
}

/// The scatter of a target's mean that is due to its cases.
#[derive(Debug, Clone, Copy, PartialEq)]
struct CaseScatter {
    /// The variance of the target's mean over all raters of the layout.
    of_mean: f64,
    /// The part of the variance that is specific to each rater.
    within_raters: f64,
    clusters: usize,
    is_known: bool,
}

/// Returns the reliability of the mean of `raters` raters, given the reliability `one` of a single rater (C.
/// Spearman and W. Brown, both British Journal of Psychology 3, 1910).
pub fn spearman_brown(one: f64, raters: f64) -> f64 {
    raters * one / (1.0 + (raters - 1.0) * one)
}

impl MeanSquares {
    /// Returns the intraclass correlations with intervals from Fisher's F (P. E. Shrout and J. L. Fleiss,
    /// Psychological Bulletin 86, 1979).
    fn reliability(&self) -> Option<Reliability> {
        let f = self.between_targets / self.residual;
        if !f.is_finite() || f <= 0.0 {
            return None;
        }
        let (raters, targets) = (self.raters as f64, self.targets as f64);
        let freedom = [targets - 1.0, (targets - 1.0) * (raters - 1.0)];
        let tail = |freedom: [f64; 2]| {
            let f = FisherSnedecor::new(freedom[0], freedom[1]).expect("degrees of freedom above 0");
            f.inverse_cdf(0.5 + LEVEL / 2.0)
        };
        let (low, high) = (f / tail(freedom), f * tail([freedom[1], freedom[0]]));
        // ln F has about this standard error. The slopes below follow from the delta method.
        let error = (2.0 / freedom[0] + 2.0 / freedom[1]).sqrt();
        let method = IntervalMethod::MeanSquares { freedom: freedom.map(|freedom| freedom as usize) };
        let estimate = |of: &dyn Fn(f64) -> f64, slope: f64| {
            let interval = Interval {
                standard_error: slope * error,
                low: of(low),
                high: of(high),
                level: LEVEL,
                method,
            };
            Estimate { value: of(f), observations: self.targets, interval: Some(interval) }
        };
        // A reliability below 0 counts as 0.
        let one = |f: f64| ((f - 1.0) / (f + raters - 1.0)).max(0.0);
        let mean = |f: f64| spearman_brown(one(f), raters);
        Some(Reliability {
            one: estimate(&one, f * raters / (f + raters - 1.0).powi(2)),
            mean: estimate(&mean, 1.0 / f),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
    use statrs::distribution::Normal;

    use super::*;
    use crate::numbers::stats::clusters::ClusteredMean;

    fn ratings(values: &[f64], influences: &[Influence]) -> Vec<Rating> {
        values.iter().map(|&value| Rating { value, influences: influences.to_vec() }).collect()
    }

    /// Table 2 of Shrout and Fleiss 1979: six targets by four judges, here with almost no scatter of cases.
    fn shrout_and_fleiss() -> Raters {
        let by_judge = [
            [9.0, 6.0, 8.0, 7.0, 10.0, 6.0],
            [2.0, 1.0, 4.0, 1.0, 5.0, 2.0],
            [5.0, 3.0, 6.0, 2.0, 6.0, 4.0],
            [8.0, 2.0, 8.0, 6.0, 9.0, 7.0],
        ];
        let certain = [(0, 1e-8), (1, -1e-8)];
        Raters::new(by_judge.iter().map(|values| ratings(values, &certain)).collect()).expect("judges")
    }

    #[track_caller]
    fn assert_interval(estimate: &Estimate, expected: [f64; 3]) {
        let interval = estimate.interval.expect("an interval");
        for (value, expected) in [estimate.value, interval.low, interval.high].into_iter().zip(expected) {
            assert!((value - expected).abs() < 1e-6, "{estimate:?} is not {expected}");
        }
    }

    #[test]
    fn the_reliabilities_of_shrout_and_fleiss_come_out() {
        // Their Table 4: ICC(3,1) = .71, ICC(3,4) = .91.
        // pingouin.intraclass_corr(data, 't', 'j', 'y')   # pingouin 0.7.0: C,1 and C,k, the ends by hand from scipy's F
        let found = shrout_and_fleiss().reliability().expect("it varies");
        assert_interval(&found.one, [0.7148407148407149, 0.3424647650339253, 0.9458582599553595]);
        assert_interval(&found.mean, [0.9093155423770695, 0.6756747138163046, 0.9858916781690623]);
        assert!((spearman_brown(found.one.value, 4.0) - found.mean.value).abs() < 1e-12);
    }

    #[test]
    fn between_raters_alone_the_intervals_are_those_of_least_squares() {
        // statsmodels.formula.api.ols('y ~ C(t, Sum) + C(j, Sum)', data).fit().conf_int()   # statsmodels 0.15.0
        let estimates = shrout_and_fleiss().estimates();
        assert_interval(&estimates[0], [0.708333333, -0.273948590, 1.690615257]);
        assert_interval(&estimates[4], [2.208333333, 1.226051410, 3.190615257]);
        let method = estimates[0].interval.expect("an interval").method;
        assert_eq!(method, IntervalMethod::TwoWay { freedom: 15 });
    }

    #[test]
    fn two_raters_of_two_targets_by_hand() {
        // The differences are ±5 and ±3, the means ±4 and the residuals ±1. So the mean square is 4, and (1 −
        // ½)·4/2 = 1 for a mean. The cases shift the first target's difference by half of 3 and of 1, which
        // gives (1.5 + 0.5)/2 = 1 and −1, and a variance of 2. Of this variance, 2·(0.5² + 0.5²)/2 = 0.5 is
        // specific to each rater. The sum is 2 + 1 − 0.5 = 2.5, with 2.5²/(2²/1 + 1²/1) = 1.25 degrees of
        // freedom.
        let of = |value: f64, shift: f64| {
            let influences = if shift > 0.0 { vec![(0, shift), (1, -shift)] } else { Vec::new() };
            Rating { value, influences }
        };
        let ratings = vec![vec![of(10.0, 3.0), of(0.0, 0.0)], vec![of(6.0, 1.0), of(0.0, 0.0)]];
        let raters = Raters::new(ratings).expect("two of each");
        let [first, second] = raters.estimates().try_into().expect("two targets");
        let margin = 12.706_204_736 * 2.5f64.sqrt();
        assert_interval(&first, [4.0, 4.0 - margin, 4.0 + margin]);
        assert_eq!((second.value, second.interval), (-4.0, None));
        // F = 2·32/4 = 16 with 1 and 1 degrees of freedom: 15/17 and 15/16.
        let found = raters.reliability().expect("it varies");
        assert_eq!((found.one.value, found.mean.value), (15.0 / 17.0, 15.0 / 16.0));
    }

    #[test]
    fn one_rater_is_no_panel_and_raters_of_one_mind_have_no_reliability_to_estimate() {
        assert_eq!(Raters::new(vec![ratings(&[1.0, 2.0], &[])]), None);
        assert_eq!(Raters::new(vec![ratings(&[1.0], &[]), ratings(&[2.0], &[])]), None);
        assert_eq!(Raters::new(Vec::new()), None);
        let alike = Raters::new(vec![ratings(&[1.0, 2.0], &[]), ratings(&[5.0, 6.0], &[])]).expect("two");
        assert_eq!(alike.reliability(), None);
        assert_eq!(alike.values(), [-0.5, 0.5]);
    }

    struct Random(ChaCha8Rng);

    impl Random {
        fn normal(&mut self, deviation: f64) -> f64 {
            let uniform = ((self.0.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            deviation * Normal::standard().inverse_cdf(uniform)
        }
    }

    /// Returns the share of intervals that contain the true value 0. Eight players meet each other twice.
    /// Their play differs by game, by rater, and by combination of game and rater.
    fn coverage(judges: usize, [of_judges, in_both]: [f64; 2], tournaments: usize) -> f64 {
        let mut random = Random(ChaCha8Rng::seed_from_u64(34));
        let (mut held, mut intervals) = (0, 0);
        for _ in 0..tournaments {
            let pairs = (0..8usize).flat_map(|a| (0..8).filter(move |&b| a != b).map(move |b| [a, b]));
            let games: Vec<[(usize, f64); 2]> =
                pairs.map(|pair| pair.map(|player| (player, random.normal(1.0)))).collect();
            let of_judge = |random: &mut Random| {
                let mut means = vec![ClusteredMean::default(); 8];
                let own: Vec<f64> = (0..8).map(|_| random.normal(of_judges)).collect();
                for (number, game) in (0..).zip(&games) {
                    for &(player, play) in game {
                        means[player].add(number, play + own[player] + random.normal(in_both));
                    }
                }
                let rating = |mean: &ClusteredMean| Rating {
                    value: mean.mean().expect("games"),
                    influences: mean.influences(),
                };
                means.iter().map(rating).collect::<Vec<_>>()
            };
            let raters = Raters::new((0..judges).map(|_| of_judge(&mut random)).collect()).expect("judges");
            for interval in raters.estimates().into_iter().filter_map(|estimate| estimate.interval) {
                intervals += 1;
                held += usize::from(interval.low <= 0.0 && 0.0 <= interval.high);
            }
        }
        f64::from(held as u32) / f64::from(intervals as u32)
    }

    #[test]
    fn the_interval_of_the_mean_holds_the_truth_95_times_in_100() {
        for (judges, tournaments) in [(2, 300), (5, 150)] {
            for scatter in [[0.0, 0.0], [0.3, 1.0], [1.0, 0.5]] {
                let share = coverage(judges, scatter, tournaments);
                assert!((share - 0.95).abs() < 0.02, "{judges} judges, {scatter:?}: {share}");
            }
        }
    }

    proptest! {
        #[test]
        fn levels_and_the_order_of_raters_change_nothing_and_means_sum_to_nothing(
            values in prop::collection::vec(prop::collection::vec(-300.0..300.0, 5), 2..6), level in -500.0..500.0,
        ) {
            let raters = |values: &[Vec<f64>]| {
                Raters::new(values.iter().map(|rater| ratings(rater, &[(0, 1.0), (1, -1.0)])).collect()).expect("two")
            };
            let plain = raters(&values);
            prop_assert!(plain.values().iter().sum::<f64>().abs() < 1e-9);
            let mut others = values.clone();
            others.reverse();
            others[0].iter_mut().for_each(|value| *value += level);
            let moved = raters(&others);
            for (one, other) in plain.estimates().iter().zip(moved.estimates()) {
                prop_assert!((one.value - other.value).abs() < 1e-9);
                let [one, other] = [one.interval, other.interval].map(|ends| ends.expect("an interval").half_width());
                prop_assert!((one - other).abs() < 1e-6 * one);
            }
            if let (Some(one), Some(other)) = (plain.reliability(), moved.reliability()) {
                prop_assert!((one.mean.value - other.mean.value).abs() < 1e-6);
                prop_assert!(one.one.value <= one.mean.value.max(one.one.value));
            }
        }
    }
}
