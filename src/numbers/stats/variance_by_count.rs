//! [`VarianceByCount`]: a squared error as a function of the number of observations.

/// Variance = lasting² + spread²/n for n observations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VarianceByCount {
    /// The standard deviation that remains with unlimited observations.
    pub lasting: f64,
    /// The standard deviation of a single observation, without the lasting part.
    pub spread: f64,
}

/// The number of steps. Each step computes weights from the previous fit and fits again. The weights change
/// little after the first step.
const STEPS: usize = 20;

impl VarianceByCount {
    /// Fits squared errors as a linear function of 1/n by least squares. `errors` are pairs of a number of
    /// observations and an error. Each squared error is weighted by the inverse of its variance. For normal
    /// errors, this variance is proportional to the square of the squared error's expectation. `lasting` is
    /// at least `floor`. `None` without errors, or if all errors are 0.
    pub fn fit(errors: &[(f64, f64)], floor: f64) -> Option<VarianceByCount> {
        let mean = errors.iter().map(|(_, error)| error * error).sum::<f64>() / errors.len() as f64;
        if !(mean.is_finite() && mean > 0.0) {
            return None;
        }
        // Starts with `lasting` at `floor`. With a single n, all other variance is spread.
        let count = errors.iter().map(|(n, _)| n).sum::<f64>() / errors.len() as f64;
        let mut variance = (floor * floor, (mean - floor * floor).max(mean / 100.0) * count);
        for _ in 0..STEPS {
            variance = step(errors, variance, floor * floor);
        }
        Some(VarianceByCount { lasting: variance.0.sqrt(), spread: variance.1.sqrt() })
    }

    pub fn at(self, n: f64) -> f64 {
        self.lasting.powi(2) + self.spread.powi(2) / n
    }
}

/// Returns the squares of `lasting` and `spread`, fitted by least squares with weights from the previous
/// squares. `floor` is squared too.
fn step(errors: &[(f64, f64)], (lasting, spread): (f64, f64), floor: f64) -> (f64, f64) {
    let rows =
        || errors.iter().map(|&(n, error)| ((lasting + spread / n).powi(-2), n.recip(), error * error));
    let sum = |of: &dyn Fn(f64, f64) -> f64| rows().map(|(weight, x, y)| weight * of(x, y)).sum::<f64>();
    let (w, wx, wy) = (sum(&|_, _| 1.0), sum(&|x, _| x), sum(&|_, y| y));
    let (wxx, wxy) = (sum(&|x, _| x * x), sum(&|x, y| x * y));
    let determinant = w * wxx - wx * wx;
    let slope = (w * wxy - wx * wy) / determinant;
    let height = (wy - slope * wx) / w;
    if determinant > 1e-12 * w * wxx && slope >= 0.0 && height >= floor {
        (height, slope)
    } else if slope < 0.0 {
        // More observations do not help.
        ((wy / w).max(floor), 0.0)
    } else {
        (floor, ((wxy - floor * wx) / wxx).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_counts_by_hand() {
        // 4 = a² + b²/100 and 2.5 = a² + b²/400: b² = 200, a² = 2.
        let errors = [(100.0, 2.0), (400.0, 2.5f64.sqrt()), (100.0, -2.0)];
        let found = VarianceByCount::fit(&errors, 0.0).expect("errors");
        assert!((found.lasting - 2f64.sqrt()).abs() < 1e-9 && (found.spread - 200f64.sqrt()).abs() < 1e-9);
        assert!((found.at(100.0) - 4.0).abs() < 1e-9);
        let floored = VarianceByCount::fit(&errors, 3.0).expect("errors");
        assert_eq!(floored.lasting, 3.0);
        assert_eq!(VarianceByCount::fit(&[], 0.0), None);
        assert_eq!(VarianceByCount::fit(&[(10.0, 0.0)], 0.0), None);
    }

    proptest! {
        #[test]
        fn the_two_parts_are_found_again(lasting in 20.0f64..300.0, spread in 500.0f64..6000.0) {
            let errors: Vec<(f64, f64)> = [144.0, 271.0, 526.0, 1015.0]
                .into_iter()
                .map(|n: f64| (n, (lasting.powi(2) + spread.powi(2) / n).sqrt()))
                .collect();
            let found = VarianceByCount::fit(&errors, 10.0).expect("errors");
            prop_assert!((found.lasting / lasting - 1.0).abs() < 1e-6, "{found:?}");
            prop_assert!((found.spread / spread - 1.0).abs() < 1e-6, "{found:?}");
        }
    }
}
