//! Owns [`Estimate`]: a number together with how uncertain it is.

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The level of every interval unless asked otherwise.
pub const LEVEL: f64 = 0.95;

/// An estimated number with its uncertainty, where the data allow one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The number itself.
    pub value: f64,
    /// How many observations stand behind it.
    pub observations: usize,
    /// Its interval; `None` when there are too few observations for one.
    pub interval: Option<Interval>,
}

/// A confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Standard error of the value.
    pub standard_error: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence level between 0 and 1.
    pub level: f64,
}

impl Interval {
    /// Half of its width.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl Estimate {
    /// The mean of `values` with Student's t interval on n − 1 degrees of freedom, as under
    /// Ferreira's Table 6. `None` without values; one value has a mean and no interval.
    pub fn mean(values: &[f64], level: f64) -> Option<Estimate> {
        let n = values.len();
        if n == 0 {
            return None;
        }
        let mean = values.iter().sum::<f64>() / n as f64;
        let interval = (n > 1).then(|| {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            let standard_error = (squares / (n - 1) as f64 / n as f64).sqrt();
            let half_width = student_quantile(level, n - 1) * standard_error;
            Interval { standard_error, low: mean - half_width, high: mean + half_width, level }
        });
        Some(Estimate { value: mean, observations: n, interval })
    }
}

/// The t with `freedom` degrees of freedom that holds `level` of the probability within ±t.
fn student_quantile(level: f64, freedom: usize) -> f64 {
    StudentsT::new(0.0, 1.0, freedom as f64)
        .expect("at least one degree of freedom")
        .inverse_cdf(0.5 + level / 2.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
