//! Tests that several estimates have one common value: [`Pooled`] for known errors, [`Welch`] for errors
//! estimated from few clusters, [`Homogeneity`] for counts.

use serde::{Serialize, Serializer};
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

use super::estimate::{Estimate, Interval, IntervalMethod};

/// The precision-weighted mean of several estimates, assuming one common value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pooled {
    /// The weighted mean.
    pub value: f64,
    /// The standard error if the estimates are independent and have one common value.
    pub standard_error: f64,
    /// Number of estimates used.
    pub observations: usize,
    /// Cochran's test that all estimates have one common value.
    pub heterogeneity: Heterogeneity,
}

/// The scatter of several estimates, compared with the scatter that their standard errors explain.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Heterogeneity {
    /// Cochran's Q: the sum of squared distances from the weighted mean, in standard errors.
    pub q: f64,
    /// The degrees of freedom of Q: the number of estimates minus one.
    pub freedom: usize,
    /// The probability of a Q at least this large, given one common value.
    pub p: f64,
    /// I², the share of the variation that is not due to chance, from 0 to 1.
    pub i_squared: f64,
}

impl Pooled {
    /// Returns the mean with its interval, taking the standard errors as known. The number of observations is
    /// the number of estimates.
    pub fn estimate(&self) -> Estimate {
        let interval = Interval::normal(self.value, self.standard_error);
        Estimate { value: self.value, observations: self.observations, interval: Some(interval) }
    }
}

impl Heterogeneity {
    /// Computes p and I² for a value of Cochran's Q with `freedom` degrees of freedom, at least 1. p is the
    /// upper tail of χ²; I² = max(0, (Q − df)/Q) follows Higgins and Thompson, "Quantifying heterogeneity in
    /// a meta-analysis" (Statistics in Medicine 21, 2002).
    fn of(q: f64, freedom: usize) -> Heterogeneity {
        let df = freedom as f64;
        let p = ChiSquared::new(df).expect("at least one degree of freedom").sf(q);
        // With a Q of 0 the quotient is infinite, never 0/0.
        Heterogeneity { q, freedom, p, i_squared: (1.0 - df / q).max(0.0) }
    }
}

/// Returns the mean of `estimates` weighted by 1/SE², with Cochran's test of their heterogeneity (W. G.
/// Cochran, "The Combination of Estimates from Different Experiments", Biometrics 10, 1954). Each estimate is
/// a pair of a value and its standard error.
///
/// A pair is left out unless its value is finite and its standard error is finite and above 0. `None` if
/// fewer than two remain.
pub fn pooled(estimates: &[(f64, f64)]) -> Option<Pooled> {
    let usable = |&(value, error): &(f64, f64)| value.is_finite() && error.is_finite() && error > 0.0;
    let estimates: Vec<(f64, f64)> = estimates.iter().copied().filter(usable).collect();
    if estimates.len() < 2 {
        return None;
    }
    // Weights are relative to the most precise estimate, because 1/SE² of a tiny error would be infinite.
    let smallest = estimates.iter().fold(f64::INFINITY, |least, &(_, error)| least.min(error));
    let weight = |error: f64| (smallest / error).powi(2);
    let weights: f64 = estimates.iter().map(|&(_, error)| weight(error)).sum();
    let value: f64 = estimates.iter().map(|&(value, error)| weight(error) / weights * value).sum();
    let q: f64 = estimates.iter().map(|&(estimate, error)| ((estimate - value) / error).powi(2)).sum();
    Some(Pooled {
        value,
        standard_error: smallest / weights.sqrt(),
        observations: estimates.len(),
        heterogeneity: Heterogeneity::of(q.min(f64::MAX), estimates.len() - 1),
    })
}

/// Welch's test that several means are equal, each with an error estimated from a few clusters: B. L. Welch,
/// "On the Comparison of Several Mean Values" (Biometrika 38, 1951).
///
/// Cochran's Q takes the errors as known. With ten clusters per mean, a test by Q rejects equal means twice
/// as often as it should.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Welch {
    /// Number of means compared.
    #[serde(rename = "players")]
    pub observations: usize,
    /// Number of means left out. A mean needs at least [`Welch::CLUSTERS`] clusters that differ, and
    /// Student's t interval over clusters. A share of 0 or 1 has an interval of another kind.
    pub left_out: usize,
    /// Welch's F statistic, the weighted scatter of the means.
    pub f: f64,
    /// Degrees of freedom of F: of the means (numerator), and of their errors (denominator).
    #[serde(serialize_with = "as_fractions")]
    pub freedom: (usize, f64),
    /// The probability of an F at least this large if all means are equal.
    pub p: f64,
}

/// Serializes both degrees of freedom as floating-point numbers.
fn as_fractions<S: Serializer>(&(means, errors): &(usize, f64), serializer: S) -> Result<S::Ok, S::Error> {
    [means as f64, errors].serialize(serializer)
}

impl Welch {
    /// The smallest number of clusters per mean. With fewer, the test does not hold its level.
    pub const CLUSTERS: usize = 5;

    /// Runs the test on the usable `estimates`: those with a clustered interval from at least
    /// [`Welch::CLUSTERS`] clusters and a standard error above 0. `None` if fewer than two are usable.
    pub fn of(estimates: impl IntoIterator<Item = Estimate>) -> Option<Welch> {
        let estimates: Vec<Estimate> = estimates.into_iter().collect();
        let means: Vec<(f64, f64, f64)> = estimates.iter().filter_map(usable).collect();
        let k = means.len() as f64;
        if means.len() < 2 {
            return None;
        }
        let total: f64 = means.iter().map(|(_, weight, _)| weight).sum();
        let center: f64 = means.iter().map(|(value, weight, _)| weight * value).sum::<f64>() / total;
        let scatter: f64 = means.iter().map(|(value, weight, _)| weight * (value - center).powi(2)).sum();
        let lack: f64 =
            means.iter().map(|(_, weight, freedom)| (1.0 - weight / total).powi(2) / freedom).sum();
        let f = scatter / (k - 1.0) / (1.0 + 2.0 * (k - 2.0) / (k * k - 1.0) * lack);
        let freedom = (means.len() - 1, (k * k - 1.0) / (3.0 * lack));
        let distribution =
            FisherSnedecor::new(freedom.0 as f64, freedom.1).expect("positive degrees of freedom");
        let left_out = estimates.len() - means.len();
        Some(Welch { observations: means.len(), left_out, f, freedom, p: distribution.sf(f) })
    }
}

/// Returns value, weight 1/SE² and degrees of freedom; `None` for an estimate that the test cannot use.
fn usable(estimate: &Estimate) -> Option<(f64, f64, f64)> {
    let interval = estimate.interval?;
    let IntervalMethod::ClusterT { freedom } = interval.method else { return None };
    let enough = freedom + 1 >= Welch::CLUSTERS && interval.standard_error > 0.0;
    enough.then(|| (estimate.value, interval.standard_error.powi(-2), freedom as f64))
}

/// Counts of an event in several groups of equally many trials, and a test that they differ only by chance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Homogeneity {
    /// The mean count of a group.
    pub mean: f64,
    /// The standard deviation over groups, with denominator n − 1.
    pub sd: f64,
    /// The standard deviation by chance: √(n·p(1 − p)) for n trials per group, where p is the share in all
    /// trials.
    pub sd_by_chance: f64,
    /// K. Pearson's χ². Its degrees of freedom are the number of groups minus 1. It is infinite if
    /// `sd_by_chance` is 0 and `sd` is not.
    pub chi_squared: f64,
    /// The probability of a χ² at least this large if all groups are alike.
    pub p: f64,
}

impl Homogeneity {
    /// Tests the counts of groups with `trials` trials each; `None` for fewer than two groups, or without
    /// trials.
    pub fn of(counts: &[f64], trials: f64) -> Option<Homogeneity> {
        let groups = counts.len() as f64;
        let mean = counts.iter().sum::<f64>() / groups;
        let squares: f64 = counts.iter().map(|count| (count - mean).powi(2)).sum();
        Homogeneity::of_spread(mean, (squares / (groups - 1.0)).sqrt(), groups, trials)
    }

    /// Runs the test of [`Homogeneity::of`] from the printed mean and standard deviation of `groups` counts.
    pub fn of_spread(mean: f64, sd: f64, groups: f64, trials: f64) -> Option<Homogeneity> {
        // The printed mean is rounded, but the total count is a whole number.
        let share = (groups * mean).round() / (groups * trials);
        let distribution = ChiSquared::new(groups - 1.0).ok()?;
        let sd_by_chance = (trials * share * (1.0 - share)).sqrt();
        // An event that occurs never or always is equally frequent in all groups.
        let chi_squared = if sd == 0.0 { 0.0 } else { (groups - 1.0) * (sd / sd_by_chance).powi(2) };
        let p = distribution.sf(chi_squared);
        (trials > 0.0).then_some(Homogeneity { mean, sd, sd_by_chance, chi_squared, p })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numbers::stats::clusters::ClusteredMean;

    fn mean_of(values: &[f64]) -> Estimate {
        (0..).zip(values.iter().copied()).collect::<ClusteredMean>().estimate().expect("values")
    }

    #[test]
    fn welchs_test_is_that_of_scipy() {
        // scipy.stats.f_oneway(*groups, equal_var=False)   # scipy 1.17.1
        let groups = [
            mean_of(&[10.0, 12.0, 11.0, 14.0, 9.0]),
            mean_of(&[13.0, 17.0, 15.0, 18.0, 16.0, 12.0]),
            mean_of(&[9.0, 20.0, 7.0, 25.0, 14.0]),
        ];
        let test = Welch::of(groups).expect("three groups");
        assert!(
            (test.f - 4.581766406509).abs() < 1e-9 && (test.freedom.1 - 7.575837389253).abs() < 1e-9,
            "{test:?}"
        );
        assert!((test.p - 0.049634940996).abs() < 1e-9, "{test:?}");
        let few = Welch::of([groups[0], groups[1], mean_of(&[1.0, 2.0, 3.0, 4.0])]).expect("two groups");
        assert_eq!((few.observations, few.left_out), (2, 1));
        assert_eq!(Welch::of([groups[0], mean_of(&[1.0; 9])]), None, "one of them does not scatter");
    }

    #[track_caller]
    fn assert_close(value: f64, expected: f64) {
        assert!((value / expected - 1.0).abs() < 1e-10, "{value} is not {expected}");
    }

    #[test]
    fn two_estimates_by_hand() {
        // Weights 1 and 1/4: (10 + 20/4)/1.25 = 12, SE = 1/√1.25; Q = 2² + (8/2)² = 20, one degree.
        let pooled = pooled(&[(10.0, 1.0), (20.0, 2.0)]).expect("two estimates");
        assert_close(pooled.value, 12.0);
        assert_close(pooled.standard_error, 0.8f64.sqrt());
        let interval = pooled.estimate().interval.expect("a standard error");
        assert_close(interval.high, 12.0 + 1.9599639845400536 * 0.8f64.sqrt());
        assert_close(pooled.heterogeneity.q, 20.0);
        assert_eq!((pooled.observations, pooled.heterogeneity.freedom), (2, 1));
        assert_close(pooled.heterogeneity.i_squared, 0.95);
    }

    #[test]
    fn the_thirteen_trials_of_bcg_are_as_heterogeneous_as_published() {
        // Colditz and others (JAMA 271, 1994): cases and others, vaccinated and not; the log of the risk
        // ratio. Published results are Q(12) = 152.23 and I² = 92.12 %; by statsmodels 0.15.0:
        // yi = [log(a/(a+b) / (c/(c+d))) for a, b, c, d in trials]
        // vi = [1/a - 1/(a+b) + 1/c - 1/(c+d) for a, b, c, d in trials]
        // r = statsmodels.stats.meta_analysis.combine_effects(array(yi), array(vi))
        // r.mean_effect_fe, r.sd_eff_w_fe, r.q, r.i2, scipy.stats.chi2.sf(r.q, r.df)
        let trials = [
            [4, 119, 11, 128],
            [6, 300, 29, 274],
            [3, 228, 11, 209],
            [62, 13536, 248, 12619],
            [33, 5036, 47, 5761],
            [180, 1361, 372, 1079],
            [8, 2537, 10, 619],
            [505, 87886, 499, 87892],
            [29, 7470, 45, 7232],
            [17, 1699, 65, 1600],
            [186, 50448, 141, 27197],
            [5, 2493, 3, 2338],
            [27, 16886, 29, 17825],
        ];
        let log_risk_ratios = trials.map(|counts| {
            let [a, b, c, d] = counts.map(f64::from);
            let variance = 1.0 / a - 1.0 / (a + b) + 1.0 / c - 1.0 / (c + d);
            ((a / (a + b) / (c / (c + d))).ln(), variance.sqrt())
        });
        let Pooled { value, standard_error, observations, heterogeneity } =
            pooled(&log_risk_ratios).expect("thirteen trials");
        assert_close(value, -0.43028516365409053);
        assert_close(standard_error, 0.04049875171086381);
        assert_close(heterogeneity.q, 152.23300808237337);
        assert_close(heterogeneity.i_squared, 0.9211734685456205);
        assert_close(heterogeneity.p, 1.996764590845891e-26);
        assert_eq!((observations, heterogeneity.freedom), (13, 12));
    }

    #[test]
    fn scipy_agrees_on_the_upper_tail_of_chi_square() {
        // from scipy.stats import chi2   # scipy 1.17.1
        // [(q, df, chi2.sf(q, df)) for q, df in ((8.5,7), (1100,999), (0.001,3), (300,2))]
        let foreign = [
            (8.5, 7, 0.29057273610434653),
            (1100.0, 999, 0.013818467525532353),
            (0.001, 3, 0.9999915920809419),
            (300.0, 2, 7.175095973164448e-66),
        ];
        for (q, freedom, p) in foreign {
            assert_close(Heterogeneity::of(q, freedom).p, p);
        }
    }

    #[test]
    fn estimates_that_agree_are_not_heterogeneous() {
        let heterogeneity = pooled(&[(5.0, 1.0), (5.0, 1.0)]).expect("two estimates").heterogeneity;
        assert_eq!(heterogeneity, Heterogeneity { q: 0.0, freedom: 1, p: 1.0, i_squared: 0.0 });
    }

    #[test]
    fn an_estimate_without_a_standard_error_has_no_weight() {
        let without = [(1.0, 0.0), (1.0, -1.0), (1.0, f64::NAN), (1.0, f64::INFINITY), (f64::NAN, 1.0)];
        let with = [(10.0, 1.0), (20.0, 2.0)];
        assert_eq!(pooled(&[&without[..], &with].concat()), pooled(&with));
        assert_eq!(pooled(&[&without[..], &with[..1]].concat()), None);
    }

    #[test]
    fn tiny_errors_leave_everything_finite() {
        let Pooled { value, standard_error, heterogeneity, .. } =
            pooled(&[(1.0, 1e-300), (2.0, 1e-300), (3.0, 1.0)]).expect("three estimates");
        assert_close(value, 1.5);
        assert_close(standard_error, 1e-300 / 2f64.sqrt());
        assert_eq!((heterogeneity.q, heterogeneity.p, heterogeneity.i_squared), (f64::MAX, 0.0, 1.0));
    }

    proptest! {
        #[test]
        fn pooling_moves_along_with_the_values_and_sharpens(
            estimates in prop::collection::vec((-500f64..500.0, 0.1f64..50.0), 2..30), shift in -500f64..500.0,
        ) {
            let moved: Vec<_> = estimates.iter().map(|&(value, error)| (value + shift, error)).collect();
            let (here, there) = (pooled(&estimates), pooled(&moved));
            let (here, there) = here.zip(there).expect("two estimates or more");
            prop_assert!((there.value - here.value - shift).abs() < 1e-9);
            prop_assert!((there.heterogeneity.q / here.heterogeneity.q - 1.0).abs() < 1e-6);
            prop_assert!(estimates.iter().all(|&(_, error)| here.standard_error < error));
            prop_assert!((0.0..=1.0).contains(&here.heterogeneity.p));
            prop_assert!((0.0..1.0).contains(&here.heterogeneity.i_squared));
        }
    }

    #[test]
    fn five_groups_by_hand() {
        // Mean 3 of 10, sd √(8/4); 0.3·0.7·10 = 2.1, so χ² = 8/2.1.
        let found = Homogeneity::of(&[1.0, 3.0, 5.0, 3.0, 3.0], 10.0).expect("five groups");
        assert!((found.mean - 3.0).abs() < 1e-12 && (found.sd - 2f64.sqrt()).abs() < 1e-12);
        assert!((found.chi_squared - 8.0 / 2.1).abs() < 1e-12, "{found:?}");
        // With four degrees of freedom the tail is e^(−x/2)·(1 + x/2). Kennedy's numbers are checked against
        // scipy in `papers`.
        let tail = (-4.0f64 / 2.1).exp() * (1.0 + 4.0 / 2.1);
        assert!((found.p - tail).abs() < 1e-12, "{}", found.p);
    }

    #[test]
    fn what_never_occurs_is_alike_everywhere_and_one_group_has_nothing_beside_it() {
        let never = Homogeneity::of(&[0.0; 4], 30.0).expect("four groups");
        assert_eq!((never.sd, never.chi_squared, never.p), (0.0, 0.0, 1.0));
        assert_eq!(Homogeneity::of(&[3.0], 30.0), None);
        assert_eq!(Homogeneity::of(&[0.0, 0.0], 0.0), None);
    }

    proptest! {
        #[test]
        fn the_order_of_groups_is_nothing_and_wins_and_what_is_no_win_are_as_homogeneous(
            mut counts in prop::collection::vec(0u32..=30, 2..15),
        ) {
            let of = |counts: &[u32]| {
                let counts: Vec<f64> = counts.iter().map(|&count| count.into()).collect();
                Homogeneity::of(&counts, 30.0).expect("groups")
            };
            let found = of(&counts);
            let others: Vec<u32> = counts.iter().map(|count| 30 - count).collect();
            prop_assert!((found.chi_squared - of(&others).chi_squared).abs() < 1e-6 * (1.0 + found.chi_squared));
            counts.reverse();
            prop_assert!((found.p - of(&counts).p).abs() < 1e-9);
        }
    }
}
