//! [`Trend`]: the test for a linear trend in numbers with known errors.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, Normal};

use super::estimate::{Estimate, Interval};

/// The slope of the line that fits best if each number is weighted by 1/SE².
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Trend {
    /// The change per unit of the abscissa. Its observations are the fitted points.
    pub slope: Estimate,
    /// The slope in standard errors.
    #[serde(skip)]
    pub z: f64,
    /// The probability of a z at least as far from 0 if there is no trend.
    pub p: f64,
}

impl Trend {
    /// Fits a line to `points`. A point is an abscissa, a number and the number's standard error. A point is
    /// left out unless all three are finite and the error is above 0. `None` unless three points at two or
    /// more abscissas remain.
    pub fn of(points: &[(f64, f64, f64)]) -> Option<Trend> {
        let weighted: Vec<(f64, f64, f64)> = points
            .iter()
            .filter(|(x, y, error)| x.is_finite() && y.is_finite() && error.is_finite() && *error > 0.0)
            .map(|&(x, y, error)| (x, y, error.powi(-2)))
            .collect();
        if weighted.len() < 3 {
            return None;
        }
        let sum = |of: &dyn Fn(f64, f64) -> f64| weighted.iter().map(|&(x, y, w)| w * of(x, y)).sum::<f64>();
        let weight = sum(&|_, _| 1.0);
        let (x_mean, y_mean) = (sum(&|x, _| x) / weight, sum(&|_, y| y) / weight);
        let spread = sum(&|x, _| (x - x_mean).powi(2));
        let value = sum(&|x, y| (x - x_mean) * (y - y_mean)) / spread;
        let error = spread.sqrt().recip();
        if !value.is_finite() || !error.is_finite() {
            return None;
        }
        let z = value / error;
        let interval = Some(Interval::normal(value, error));
        let slope = Estimate { value, observations: weighted.len(), interval };
        Some(Trend { slope, z, p: 2.0 * Normal::standard().sf(z.abs()) })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn error(trend: Trend) -> f64 {
        trend.slope.interval.expect("an interval").standard_error
    }

    #[test]
    fn three_equal_errors_by_hand() {
        // Slope (3 − 1)/2 = 1, spread 2/0.5²: the error is 0.5/√2.
        let trend = Trend::of(&[(0.0, 1.0, 0.5), (1.0, 2.0, 0.5), (2.0, 3.0, 0.5)]).expect("a trend");
        assert!((trend.slope.value - 1.0).abs() < 1e-12 && (error(trend) - 0.125f64.sqrt()).abs() < 1e-12);
        assert_eq!(Trend::of(&[(0.0, 1.0, 0.5), (1.0, 2.0, 0.5), (2.0, 3.0, 0.0)]), None);
        assert_eq!(Trend::of(&[(1.0, 1.0, 0.5); 4]), None);
    }

    #[test]
    fn statsmodels_finds_the_same_line() {
        // x = np.arange(6, 12.)   # statsmodels 0.15.0
        // y, e = np.array([.43, .45, .38, .33, .35, .28]), np.array([.016, .015, .016, .018, .017, .02])
        // r = sm.WLS(y, sm.add_constant(x), weights=1/e**2).fit(cov_type='fixed scale')
        // r.params[1], r.bse[1], r.pvalues[1]
        let (y, e) = ([0.43, 0.45, 0.38, 0.33, 0.35, 0.28], [0.016, 0.015, 0.016, 0.018, 0.017, 0.02]);
        let points: Vec<_> = (6..).map(f64::from).zip(y).zip(e).map(|((x, y), e)| (x, y, e)).collect();
        let trend = Trend::of(&points).expect("a trend");
        assert!((trend.slope.value - -0.031153913781899467).abs() < 1e-12, "{trend:?}");
        assert!((error(trend) - 0.004145028260204995).abs() < 1e-12, "{trend:?}");
        assert!((trend.p / 5.648991042873416e-14 - 1.0).abs() < 1e-6, "{trend:?}");
    }

    proptest! {
        #[test]
        fn a_line_is_found_whatever_the_weights(
            a in -5.0f64..5.0, b in -2.0f64..2.0, errors in prop::collection::vec(0.1f64..3.0, 3..20),
        ) {
            let points: Vec<_> = (0..).map(f64::from).zip(errors).map(|(x, e)| (x, a + b * x, e)).collect();
            let trend = Trend::of(&points).expect("a trend");
            prop_assert!((trend.slope.value - b).abs() < 1e-9);
        }
    }
}
