//! [`Estimate`]: a number with its uncertainty.

use std::fmt;

use serde::{Serialize, Serializer};
use statrs::distribution::{Beta, ContinuousCDF, Normal, StudentsT};

/// The confidence level of every interval.
pub const LEVEL: f64 = 0.95;

/// An estimated number, with an interval if the data allow it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Number of observations.
    pub observations: usize,
    /// The interval; `None` if the data do not allow one.
    pub interval: Option<Interval>,
}

/// A confidence interval. All its numbers are finite.
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
    /// The method by which the interval was computed.
    pub method: IntervalMethod,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IntervalMethod {
    /// Student's t around the mean of independent values.
    StudentT { freedom: usize },
    /// Student's t around a mean of values in independent clusters.
    ClusterT {
        /// Degrees of freedom: clusters − 1.
        freedom: usize,
    },
    /// Student's t around a mean of values in two crossed kinds of clusters.
    TwoWay {
        /// Degrees of freedom by Satterthwaite, to the nearest whole number.
        freedom: usize,
    },
    /// Fisher's F, for a ratio of mean squares.
    MeanSquares { freedom: [usize; 2] },
    /// The exact interval of a share of 0 or 1, with a cluster as one trial (Clopper and Pearson, 1934).
    ClopperPearson {
        /// Number of clusters.
        trials: usize,
    },
    /// The normal distribution, with the standard error taken as known.
    Normal,
    /// For a sum of two terms: the margins of the terms are added in quadrature, separately for each end (Zou
    /// and Donner, Statistics in Medicine 27, 2008).
    Quadrature,
    /// For a sum of two terms: the margins of the terms are added, separately for each end (Ferreira 2013,
    /// Table 8).
    Added,
    /// The score test, for a share (E. B. Wilson, Journal of the American Statistical Association 22, 1927).
    Wilson { trials: usize },
    /// Percentiles of a bootstrap over clusters.
    Percentile {
        /// Number of samples with a value.
        samples: usize,
    },
    /// Fisher's z, for a product-moment correlation.
    FisherZ { pairs: usize },
}

impl fmt::Display for IntervalMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntervalMethod::StudentT { freedom } => write!(f, "Student's t, {freedom} degrees of freedom"),
            IntervalMethod::ClusterT { freedom } => {
                write!(f, "clusters, Student's t, {freedom} degrees of freedom")
            }
            IntervalMethod::TwoWay { freedom } => {
                write!(f, "two ways of clustering, Student's t, {freedom} degrees of freedom")
            }
            IntervalMethod::MeanSquares { freedom: [above, below] } => {
                write!(f, "Fisher's F, {above} and {below} degrees of freedom")
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
    /// Returns half of the width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Makes `value ± t·standard_error`, with the degrees of freedom of `method`.
    pub(crate) fn student(value: f64, standard_error: f64, method: IntervalMethod) -> Interval {
        let (IntervalMethod::StudentT { freedom }
        | IntervalMethod::ClusterT { freedom }
        | IntervalMethod::TwoWay { freedom }) = method
        else {
            unreachable!("one of Student's intervals")
        };
        let half_width = student_quantile(freedom) * standard_error;
        Interval { standard_error, low: value - half_width, high: value + half_width, level: LEVEL, method }
    }

    /// Makes the interval of a mean of values in `clusters` clusters; `None` for fewer than two.
    pub fn clustered(value: f64, standard_error: f64, clusters: usize) -> Option<Interval> {
        let method = IntervalMethod::ClusterT { freedom: clusters.checked_sub(1).filter(|&n| n > 0)? };
        Some(Interval::student(value, standard_error, method))
    }

    /// Makes the normal interval of a value whose standard error is taken as known.
    pub fn normal(value: f64, standard_error: f64) -> Interval {
        let half_width = normal_quantile(LEVEL) * standard_error;
        let (low, high) = (value - half_width, value + half_width);
        Interval { standard_error, low, high, level: LEVEL, method: IntervalMethod::Normal }
    }

    /// Makes `value ± margin`. The standard error follows from the margin and the normal distribution.
    pub fn of_margin(value: f64, margin: f64) -> Interval {
        let standard_error = margin / normal_quantile(LEVEL);
        Interval { low: value - margin, high: value + margin, ..Interval::normal(value, standard_error) }
    }

    /// Makes the interval of a share that is 0 or 1 in `clusters` trials. One end is the share itself. The
    /// tail beyond the other end is (1 − level)/2.
    pub fn certain(value: f64, clusters: usize) -> Interval {
        let n = clusters.max(1) as f64;
        let far = Beta::new(1.0, n).expect("a positive shape").inverse_cdf((1.0 + LEVEL) / 2.0);
        let (low, high) = if value < 0.5 { (0.0, far) } else { (1.0 - far, 1.0) };
        let method = IntervalMethod::ClopperPearson { trials: clusters };
        Interval { standard_error: 0.0, low, high, level: LEVEL, method }
    }

    /// Makes an interval from percentiles of bootstrap values; `None` for fewer than two.
    pub fn percentile(mut samples: Vec<f64>) -> Option<Interval> {
        let n = samples.len();
        if n < 2 {
            return None;
        }
        let standard_error = standard_deviation(&samples);
        samples.sort_by(f64::total_cmp);
        let tail = (1.0 - LEVEL) / 2.0;
        Some(Interval {
            standard_error,
            low: quantile(&samples, tail),
            high: quantile(&samples, 1.0 - tail),
            level: LEVEL,
            method: IntervalMethod::Percentile { samples: n },
        })
    }

    /// Makes the interval of a product-moment correlation `r` of `pairs` pairs; `None` for fewer than four.
    ///
    /// artanh r is nearly normal with a standard error of 1/√(pairs − 3) (R. A. Fisher, "On the 'Probable
    /// Error' of a Coefficient of Correlation", Metron 1, 1921). The standard error of r is computed to first
    /// order. If r is ±1, both ends are r.
    pub fn of_correlation(r: f64, pairs: usize) -> Option<Interval> {
        let freedom = pairs.checked_sub(3).filter(|&n| n > 0)?;
        let error = 1.0 / (freedom as f64).sqrt();
        let margin = normal_quantile(LEVEL) * error;
        Some(Interval {
            standard_error: (1.0 - r * r) * error,
            low: (r.atanh() - margin).tanh(),
            high: (r.atanh() + margin).tanh(),
            level: LEVEL,
            method: IntervalMethod::FisherZ { pairs },
        })
    }

    /// Makes the interval of a sum `value` of two independent terms. Each term is a value with its interval.
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

    /// Makes the interval of a sum by adding the margins of its terms, as if both terms erred in the same
    /// direction. This is the interval of Ferreira's Table 8, wider than [`Interval::of_sum`].
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

    /// Returns the interval with its ends clamped to `low..=high`.
    pub fn within(self, low: f64, high: f64) -> Interval {
        Interval { low: self.low.clamp(low, high), high: self.high.clamp(low, high), ..self }
    }

    /// Returns the interval of `map`(value), given the interval of the value. `map` is increasing. The
    /// standard error is multiplied by `slope`, the derivative of `map` at the value (delta method).
    pub fn mapped(self, map: impl Fn(f64) -> f64, slope: f64) -> Interval {
        Interval {
            standard_error: self.standard_error * slope,
            low: map(self.low),
            high: map(self.high),
            ..self
        }
    }
}

/// Returns the mean; `None` without values.
pub(crate) fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

impl Estimate {
    /// Returns the mean of `values` with Student's t interval on n − 1 degrees of freedom, as in Ferreira's
    /// Table 6. `None` without values; a single value has a mean but no interval.
    pub fn mean(values: &[f64]) -> Option<Estimate> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let interval = (n > 1).then(|| {
            let standard_error = standard_deviation(values) / (n as f64).sqrt();
            Interval::student(mean, standard_error, IntervalMethod::StudentT { freedom: n - 1 })
        });
        Some(Estimate { value: mean, observations: n, interval })
    }

    /// Returns the share of `successes` among `trials` with Wilson's interval; `None` without trials.
    ///
    /// The standard error is √(p(1 − p)/n). It is 0 for a share of 0 or 1, but the interval still has a
    /// width.
    pub fn share(successes: u64, trials: u64) -> Option<Estimate> {
        let (n, observations) = (trials as f64, usize::try_from(trials).ok()?);
        if trials == 0 {
            return None;
        }
        let (p, z) = (successes as f64 / n, normal_quantile(LEVEL));
        let (middle, squared) = ((p + z * z / (2.0 * n)) / (1.0 + z * z / n), p * (1.0 - p) / n);
        let margin = z * (squared + (z / (2.0 * n)).powi(2)).sqrt() / (1.0 + z * z / n);
        let (low, high) = ((middle - margin).max(0.0), (middle + margin).min(1.0));
        let method = IntervalMethod::Wilson { trials: observations };
        let interval = Interval { standard_error: squared.sqrt(), low, high, level: LEVEL, method };
        Some(Estimate { value: p, observations, interval: Some(interval) })
    }
}

/// Returns z such that the standard normal distribution has `level` within ±z.
fn normal_quantile(level: f64) -> f64 {
    Normal::standard().inverse_cdf(0.5 + level / 2.0)
}

/// Degrees of freedom above which Student's t is computed by expansion around the normal quantile.
const MANY: usize = 10_000;
/// Returns t such that Student's distribution with `freedom` degrees of freedom has [`LEVEL`] within ±t.
fn student_quantile(freedom: usize) -> f64 {
    if freedom > MANY {
        // Abramowitz and Stegun, 26.7.5: the neglected terms are below 10⁻⁷ here. The quantile in statrs gets
        // slower with the degrees of freedom.
        let z = normal_quantile(LEVEL);
        return z + (z.powi(3) + z) / (4.0 * freedom as f64);
    }
    StudentsT::new(0.0, 1.0, freedom as f64)
        .expect("at least one degree of freedom")
        .inverse_cdf(0.5 + LEVEL / 2.0)
}

/// Returns the standard deviation of a sample of at least two values, n − 1 in the denominator.
pub fn standard_deviation(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
}

/// Returns a quantile of sorted values, interpolated between ranks (Hyndman and Fan's type 7).
fn quantile(sorted: &[f64], p: f64) -> f64 {
    let place = p * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests;
