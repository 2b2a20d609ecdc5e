//! Owns [`Estimate`]: a number together with how uncertain it is.

use std::fmt;

use serde::{Serialize, Serializer};
use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};

/// The level of every interval.
pub const LEVEL: f64 = 0.95;

/// An estimated number with its uncertainty, where the data allow one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number itself.
    pub value: f64,
    /// How many observations stand behind it.
    pub observations: usize,
    /// Its interval; `None` when there are too few observations for one.
    pub interval: Option<Interval>,
}

/// A confidence interval. Every number in it is finite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// Standard error of the value.
    pub standard_error: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence level between 0 and 1.
    pub level: f64,
    /// How it was found.
    pub method: IntervalMethod,
}

/// How an interval was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalMethod {
    /// Student's t around the mean of independent values.
    StudentT {
        /// Degrees of freedom.
        freedom: usize,
    },
    /// Student's t around a mean of values that come in clusters, the clusters being independent.
    ClusterT {
        /// Degrees of freedom: clusters − 1.
        freedom: usize,
    },
    /// The exact interval of a share that is 0 or 1, a cluster being one trial (Clopper and
    /// Pearson, 1934).
    ClopperPearson {
        /// Clusters.
        trials: usize,
    },
    /// The normal distribution around a value whose standard error is taken to be known.
    Normal,
    /// The margins of the two terms of a sum, added in quadrature end by end (Zou and Donner,
    /// Statistics in Medicine 27, 2008).
    Quadrature,
    /// The margins of the two terms of a sum, added end by end (Ferreira 2013, Table 8).
    Added,
    /// Of a share, by the score test (E. B. Wilson, Journal of the American Statistical Association 22,
    /// 1927).
    Wilson {
        /// Trials.
        trials: usize,
    },
    /// Percentiles of a bootstrap over clusters.
    Percentile {
        /// Samples that had a value.
        samples: usize,
    },
    /// Of a product-moment correlation, by Fisher's z.
    FisherZ {
        /// Pairs of values.
        pairs: usize,
    },
}

impl fmt::Display for IntervalMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntervalMethod::StudentT { freedom } => write!(f, "Student's t, {freedom} degrees of freedom"),
            IntervalMethod::ClusterT { freedom } => {
                write!(f, "clusters, Student's t, {freedom} degrees of freedom")
            }
            IntervalMethod::ClopperPearson { trials } => write!(f, "Clopper-Pearson, {trials} trials"),
            IntervalMethod::Normal => f.write_str("normal distribution"),
            IntervalMethod::Quadrature => f.write_str("margins added in quadrature"),
            IntervalMethod::Added => f.write_str("margins added"),
            IntervalMethod::Wilson { trials } => write!(f, "Wilson, {trials} trials"),
            IntervalMethod::Percentile { samples } => write!(f, "bootstrap percentiles, {samples} samples"),
            IntervalMethod::FisherZ { pairs } => write!(f, "Fisher's z, {pairs} pairs"),
        }
    }
}

impl Serialize for IntervalMethod {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Interval {
    /// Returns half of its width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// `value ± t·standard_error`, with as many degrees of freedom as `method` has.
    pub(crate) fn student(value: f64, standard_error: f64, method: IntervalMethod, level: f64) -> Interval {
        let (IntervalMethod::StudentT { freedom } | IntervalMethod::ClusterT { freedom }) = method else {
            unreachable!("one of Student's intervals")
        };
        let half_width = student_quantile(level, freedom) * standard_error;
        Interval { standard_error, low: value - half_width, high: value + half_width, level, method }
    }

    /// Puts an interval around a mean of values in `clusters` clusters; `None` for fewer than two.
    pub fn clustered(value: f64, standard_error: f64, clusters: usize, level: f64) -> Option<Interval> {
        let method = IntervalMethod::ClusterT { freedom: clusters.checked_sub(1).filter(|&n| n > 0)? };
        Some(Interval::student(value, standard_error, method, level))
    }

    /// Puts an interval around a value whose standard error is taken to be known.
    pub fn normal(value: f64, standard_error: f64, level: f64) -> Interval {
        let half_width = Normal::standard().inverse_cdf(0.5 + level / 2.0) * standard_error;
        let (low, high) = (value - half_width, value + half_width);
        Interval { standard_error, low, high, level, method: IntervalMethod::Normal }
    }

    /// Makes `value ± margin`, where only that is known: the standard error is what a normal distribution
    /// has.
    pub fn of_margin(value: f64, margin: f64, level: f64) -> Interval {
        let standard_error = margin / Normal::standard().inverse_cdf(0.5 + level / 2.0);
        Interval {
            low: value - margin,
            high: value + margin,
            ..Interval::normal(value, standard_error, level)
        }
    }

    /// Puts an interval around a share that is 0 or 1 in `clusters` trials: the far end leaves (1 − level)/2.
    pub fn certain(value: f64, clusters: usize, level: f64) -> Interval {
        let n = clusters.max(1) as f64;
        let far = Beta::new(1.0, n).expect("a positive shape").inverse_cdf((1.0 + level) / 2.0);
        let (low, high) = if value < 0.5 { (0.0, far) } else { (1.0 - far, 1.0) };
        let method = IntervalMethod::ClopperPearson { trials: clusters };
        Interval { standard_error: 0.0, low, high, level, method }
    }

    /// Takes percentiles of the values that a bootstrap gave; `None` for fewer than two.
    pub fn percentile(mut samples: Vec<f64>, level: f64) -> Option<Interval> {
        let n = samples.len();
        if n < 2 {
            return None;
        }
        let standard_error = standard_deviation(&samples);
        samples.sort_by(f64::total_cmp);
        let tail = (1.0 - level) / 2.0;
        Some(Interval {
            standard_error,
            low: quantile(&samples, tail),
            high: quantile(&samples, 1.0 - tail),
            level,
            method: IntervalMethod::Percentile { samples: n },
        })
    }

    /// Puts an interval around a product-moment correlation `r` of so many `pairs`; `None` for fewer than
    /// four.
    ///
    /// artanh r is near normal with a standard error of 1/√(pairs − 3) (R. A. Fisher, "On the
    /// 'Probable Error' of a Coefficient of Correlation", Metron 1, 1921). The standard error is
    /// that of r to first order. Both ends are r where it is ±1.
    pub fn of_correlation(r: f64, pairs: usize, level: f64) -> Option<Interval> {
        let freedom = pairs.checked_sub(3).filter(|&n| n > 0)?;
        let error = 1.0 / (freedom as f64).sqrt();
        let margin = Normal::standard().inverse_cdf(0.5 + level / 2.0) * error;
        Some(Interval {
            standard_error: (1.0 - r * r) * error,
            low: (r.atanh() - margin).tanh(),
            high: (r.atanh() + margin).tanh(),
            level,
            method: IntervalMethod::FisherZ { pairs },
        })
    }

    /// Puts an interval around the sum of `value`s two terms that are independent of each other, around that
    /// sum.
    pub fn of_sum(value: f64, terms: [(f64, Interval); 2]) -> Interval {
        let margin = |end: fn(&Interval) -> f64| {
            terms.iter().map(|(value, interval)| (end(interval) - value).powi(2)).sum::<f64>().sqrt()
        };
        Interval {
            standard_error: terms[0].1.standard_error.hypot(terms[1].1.standard_error),
            low: value - margin(|interval| interval.low),
            high: value + margin(|interval| interval.high),
            level: terms[0].1.level,
            method: IntervalMethod::Quadrature,
        }
    }

    /// Returns the same with the margins of the terms added, as if both were off in one direction: what
    /// Ferreira's Table 8 has, and wider than [`Interval::of_sum`].
    pub fn of_added(terms: [Interval; 2]) -> Interval {
        let [a, b] = terms;
        Interval {
            standard_error: a.standard_error + b.standard_error,
            low: a.low + b.low,
            high: a.high + b.high,
            level: a.level,
            method: IntervalMethod::Added,
        }
    }

    /// Returns the same with its ends within `low..=high`.
    pub fn within(self, low: f64, high: f64) -> Interval {
        Interval { low: self.low.clamp(low, high), high: self.high.clamp(low, high), ..self }
    }

    /// Returns the interval of a quantity that grows with this one: `map` of its ends, and the standard error
    /// times `slope`, the derivative of `map` at the value (the delta method).
    pub fn mapped(self, map: impl Fn(f64) -> f64, slope: f64) -> Interval {
        Interval {
            standard_error: self.standard_error * slope,
            low: map(self.low),
            high: map(self.high),
            ..self
        }
    }
}

impl Estimate {
    /// Returns the mean of `values` with Student's t interval on n − 1 degrees of freedom, as under
    /// Ferreira's Table 6. `None` without values; one value has a mean and no interval.
    pub fn mean(values: &[f64], level: f64) -> Option<Estimate> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let interval = (n > 1).then(|| {
            let standard_error = standard_deviation(values) / (n as f64).sqrt();
            Interval::student(mean, standard_error, IntervalMethod::StudentT { freedom: n - 1 }, level)
        });
        Some(Estimate { value: mean, observations: n, interval })
    }
}

impl Estimate {
    /// Returns the share of `successes` among `trials`, with Wilson's interval; `None` without a trial.
    ///
    /// The standard error is √(p(1 − p)/n), 0 for a share of 0 or 1, whose interval has a width all the
    /// same.
    pub fn share(successes: u64, trials: u64, level: f64) -> Option<Estimate> {
        let (n, observations) = (trials as f64, usize::try_from(trials).ok()?);
        if trials == 0 {
            return None;
        }
        let (p, z) = (successes as f64 / n, Normal::standard().inverse_cdf(0.5 + level / 2.0));
        let (middle, squared) = ((p + z * z / (2.0 * n)) / (1.0 + z * z / n), p * (1.0 - p) / n);
        let margin = z * (squared + (z / (2.0 * n)).powi(2)).sqrt() / (1.0 + z * z / n);
        let (low, high) = ((middle - margin).max(0.0), (middle + margin).min(1.0));
        let method = IntervalMethod::Wilson { trials: observations };
        let interval = Interval { standard_error: squared.sqrt(), low, high, level, method };
        Some(Estimate { value: p, observations, interval: Some(interval) })
    }
}

/// Degrees of freedom above which Student's t is taken from its expansion around the normal.
const MANY: usize = 10_000;
/// Returns the t with `freedom` degrees of freedom that holds `level` of the probability within ±t.
fn student_quantile(level: f64, freedom: usize) -> f64 {
    if freedom > MANY {
        // Abramowitz and Stegun, 26.7.5: what is left out is below 10⁻⁷ here, where statrs takes ever
        // longer.
        let z = Normal::standard().inverse_cdf(0.5 + level / 2.0);
        return z + (z.powi(3) + z) / (4.0 * freedom as f64);
    }
    StudentsT::new(0.0, 1.0, freedom as f64)
        .expect("at least one degree of freedom")
        .inverse_cdf(0.5 + level / 2.0)
}

/// Returns the standard deviation of a sample of at least two values, n − 1 in the denominator.
pub fn standard_deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// Returns the quantile of sorted values, those between two ranks interpolated (Hyndman and Fan's type 7).
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = p * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_expansion_of_students_t_goes_on_from_its_quantiles() {
        // scipy 1.17.1: t.ppf(0.975, 100_000) is 1.959987708, t.ppf(0.975, 1e6) is 1.959966357.
        assert!((student_quantile(0.95, 100_000) - 1.959_987_708).abs() < 1e-8);
        assert!((student_quantile(0.95, 1_000_000) - 1.959_966_357).abs() < 1e-8);
    }

    #[test]
    fn three_values_have_the_interval_of_a_textbook() {
        // mean 2, s = 1, t(0.975, 2) = 4.303: 2 ± 4.303/√3.
        let estimate = Estimate::mean(&[1.0, 2.0, 3.0], LEVEL).expect("values");
        let interval = estimate.interval.expect("more than one value");
        assert_eq!(estimate.value, 2.0);
        assert!((interval.half_width() - 4.302653 / 3f64.sqrt()).abs() < 1e-5);
    }

    #[test]
    fn one_value_has_no_interval_and_none_has_no_mean() {
        assert_eq!(Estimate::mean(&[7.0], LEVEL).expect("a value").interval, None);
        assert_eq!(Estimate::mean(&[], LEVEL), None);
        assert_eq!(Interval::clustered(0.5, 0.1, 1, LEVEL), None);
        assert_eq!(Interval::percentile(vec![1.0], LEVEL), None);
    }

    #[test]
    fn a_share_of_nothing_in_ten_has_the_exact_interval_of_r() {
        // R 4.3: binom.test(0, 10)$conf.int is 0.0000000 0.3084971.
        let interval = Interval::certain(0.0, 10, LEVEL);
        assert_eq!(interval.low, 0.0);
        assert!((interval.high - 0.3084971).abs() < 1e-6, "{interval:?}");
        let mirrored = Interval::certain(1.0, 10, LEVEL);
        assert!((mirrored.low - (1.0 - 0.3084971)).abs() < 1e-6 && mirrored.high == 1.0);
    }

    #[test]
    fn a_known_error_of_one_has_the_interval_of_the_normal_distribution() {
        // from statistics import NormalDist   # python 3.11
        // NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.95)
        for (level, z) in [(0.95, 1.9599639845400536), (0.9, 1.6448536269514715)] {
            let interval = Interval::normal(10.0, 2.0, level);
            assert!((interval.high - 10.0 - 2.0 * z).abs() < 1e-9, "{interval:?}");
            assert!((interval.low - 10.0 + 2.0 * z).abs() < 1e-9, "{interval:?}");
        }
    }

    #[test]
    fn percentiles_are_those_of_r() {
        // R 4.3: quantile(c(1, 2, 4, 8, 16), c(0.025, 0.975)) is 1.1 15.2 (type 7).
        let interval = Interval::percentile(vec![16.0, 1.0, 8.0, 2.0, 4.0], LEVEL).expect("values");
        assert!((interval.low - 1.1).abs() < 1e-12 && (interval.high - 15.2).abs() < 1e-12);
        assert!((interval.standard_error - 37.2f64.sqrt()).abs() < 1e-12, "R: var() is 37.2");
    }

    #[test]
    fn a_correlation_has_the_interval_of_scipy() {
        // scipy.stats.pearsonr(x, y).confidence_interval(0.95)   # scipy 1.17.1; Elo and expected
        // score of Ferreira's Table 5, r = 0.2809935055513193 of 8 pairs
        let interval = Interval::of_correlation(0.2809935055513193, 8, LEVEL).expect("four pairs or more");
        assert!((interval.low + 0.5282841919938503).abs() < 1e-9, "{interval:?}");
        assert!((interval.high - 0.8227541127385798).abs() < 1e-9, "{interval:?}");
        // python: (1 - r*r)/5**0.5
        assert!((interval.standard_error - 0.4119028).abs() < 1e-6, "{interval:?}");
        assert_eq!(Interval::of_correlation(0.9, 3, LEVEL), None);
        for r in [1.0, -1.0] {
            let certain = Interval::of_correlation(r, 4, LEVEL).expect("four pairs");
            assert_eq!((certain.low, certain.high, certain.standard_error), (r, r, 0.0));
        }
    }

    #[test]
    fn margins_of_three_and_four_make_five() {
        let term = |value: f64, margin: f64| {
            let interval =
                Interval { low: value - margin, high: value + margin, ..Interval::certain(0.0, 2, LEVEL) };
            (value, interval)
        };
        let sum = Interval::of_sum(10.0, [term(2.0, 3.0), term(8.0, 4.0)]);
        assert_eq!((sum.low, sum.high), (5.0, 15.0));
    }

    #[test]
    fn statsmodels_has_the_same_interval_of_a_share() {
        // statsmodels.stats.proportion.proportion_confint(k, n, method='wilson')   # statsmodels 0.15.0
        for (k, n, low, high) in [
            (0, 10, 0.0, 0.27753279986288926),
            (7, 50, 0.06950833427016288, 0.26186193710585537),
            (81, 263, 0.2552885198782742, 0.36620957698280004),
        ] {
            let share = Estimate::share(k, n, LEVEL).expect("trials");
            let ends = share.interval.expect("an interval");
            assert!((ends.low - low).abs() < 1e-9 && (ends.high - high).abs() < 1e-9, "{share:?}");
        }
        assert_eq!(Estimate::share(0, 0, LEVEL), None);
    }

    #[test]
    fn added_margins_of_three_and_four_make_seven() {
        let around = |value: f64, margin: f64| Interval {
            low: value - margin,
            high: value + margin,
            ..Interval::certain(0.0, 2, LEVEL)
        };
        let sum = Interval::of_added([around(2.0, 3.0), around(8.0, 4.0)]);
        assert_eq!((sum.low, sum.high), (3.0, 17.0));
    }

    proptest! {
        #[test]
        fn the_interval_moves_along_with_the_values(
            values in prop::collection::vec(-500f64..500.0, 2..30), shift in -500f64..500.0,
        ) {
            let moved: Vec<f64> = values.iter().map(|value| value + shift).collect();
            let (here, there) = (Estimate::mean(&values, LEVEL), Estimate::mean(&moved, LEVEL));
            let width = |e: Option<Estimate>| e.and_then(|e| e.interval).expect("an interval").half_width();
            prop_assert!((width(here) - width(there)).abs() < 1e-6);
        }
    }
}
