//! [`SignedRegression`]: a weighted ridge regression with sign constraints on its coefficients.

use super::newton::inverse;

#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    pub features: Vec<f64>,
    pub value: f64,
    /// Weight, above 0.
    pub weight: f64,
    /// Observations of one cluster may depend on each other; clusters are independent.
    pub cluster: u32,
}

/// The linear model value = intercept + Σ coefficient·feature.
///
/// The fit minimizes the weighted squared residuals, with weights that add up to 1, plus `ridge` times the
/// squared coefficients of the standardized features (A. E. Hoerl and R. W. Kennard, Technometrics 12, 1970).
/// Coefficients with the wrong sign are set to 0, and the remaining coefficients are fitted again.
#[derive(Debug, Clone, PartialEq)]
pub struct SignedRegression {
    /// The value if every feature is 0.
    pub intercept: f64,
    pub coefficients: Vec<f64>,
    /// The weighted mean of each feature.
    pub means: Vec<f64>,
    /// The weighted standard deviation of each feature.
    pub sds: Vec<f64>,
    pub mean: f64,
}

impl SignedRegression {
    /// Fits the coefficients of `signs.len()` features. Features whose coefficients have signs that `signs`
    /// does not allow are dropped step by step; their coefficients are 0.
    ///
    /// `None` without observations, if a feature is constant, or if the covariance of the features plus `ridge`
    /// is not positive definite.
    pub fn fit(
        observations: &[Observation],
        signs: &[impl Fn(f64) -> bool],
        ridge: f64,
    ) -> Option<SignedRegression> {
        let all: f64 = observations.iter().map(|one| one.weight).sum();
        let mean_of = |of: &dyn Fn(&Observation) -> f64| {
            observations.iter().map(|one| one.weight * of(one)).sum::<f64>() / all
        };
        let mean = mean_of(&|one| one.value);
        let means: Vec<f64> = (0..signs.len()).map(|at| mean_of(&|one| one.features[at])).collect();
        let sds: Vec<f64> = (0..signs.len())
            .map(|at| mean_of(&|one| (one.features[at] - means[at]).powi(2)).sqrt())
            .collect();
        if !sds.iter().all(|sd| *sd > 0.0) {
            return None;
        }
        let standard = |one: &Observation, at: usize| (one.features[at] - means[at]) / sds[at];
        let mut kept: Vec<usize> = (0..signs.len()).collect();
        let mut coefficients = vec![0.0; signs.len()];
        while !kept.is_empty() {
            let gram = |row: usize, column: usize| {
                let ridge = if row == column { ridge } else { 0.0 };
                mean_of(&|one| standard(one, row) * standard(one, column)) + ridge
            };
            let gram: Vec<Vec<f64>> =
                kept.iter().map(|&row| kept.iter().map(|&column| gram(row, column)).collect()).collect();
            let moments: Vec<f64> =
                kept.iter().map(|&at| mean_of(&|one| standard(one, at) * (one.value - mean))).collect();
            let solution: Vec<f64> = inverse(&gram)?
                .iter()
                .map(|row| row.iter().zip(&moments).map(|(entry, moment)| entry * moment).sum())
                .collect();
            let allowed: Vec<bool> =
                kept.iter().zip(&solution).map(|(&at, &found)| signs[at](found)).collect();
            if allowed.iter().all(|&allowed| allowed) {
                kept.iter().zip(solution).for_each(|(&at, found)| coefficients[at] = found / sds[at]);
                break;
            }
            let mut allowed = allowed.into_iter();
            kept.retain(|_| allowed.next() == Some(true));
        }
        let intercept = mean - coefficients.iter().zip(&means).map(|(slope, mean)| slope * mean).sum::<f64>();
        Some(SignedRegression { intercept, coefficients, means, sds, mean })
    }

    pub fn predicted(&self, features: &[f64]) -> f64 {
        self.intercept
            + self.coefficients.iter().zip(features).map(|(slope, feature)| slope * feature).sum::<f64>()
    }

    /// Returns the stretched regression, whose predictions are right on average at each value.
    ///
    /// Classical calibration regresses the features on the value, and inverts this regression by least
    /// squares with the residual covariance. Its predictions are a linear function of the direct regression's
    /// predictions (C. Krutchkoff, Technometrics 9, 1967, compares the two; linearity follows from the
    /// inverse of a sum of a matrix and an outer product). So the direct predictions are stretched about the
    /// mean until their slope on the value is 1. `None` if their slope is not above 0 before the stretch.
    ///
    /// If `circumstance` is true, the last feature is a circumstance of the observation, such as its date,
    /// and not a measurement. The other features are then regressed on both the value and the circumstance,
    /// so predictions are right on average at each value in each circumstance.
    pub fn stretched(&self, observations: &[Observation], circumstance: bool) -> Option<SignedRegression> {
        let measured = self.coefficients.len() - usize::from(circumstance);
        let part = |one: &Observation| -> f64 {
            (0..measured).map(|at| self.coefficients[at] * (one.features[at] - self.means[at])).sum()
        };
        let covariate = |one: &Observation| match circumstance {
            true => one.features[measured] - self.means[measured],
            false => 0.0,
        };
        let sum = |of: &dyn Fn(f64, f64, f64) -> f64| -> f64 {
            let term = |one: &Observation| one.weight * of(part(one), one.value - self.mean, covariate(one));
            observations.iter().map(term).sum()
        };
        let (pv, vv) = (sum(&|part, value, _| part * value), sum(&|_, value, _| value * value));
        let (slope, shift) = if circumstance {
            let (pb, bb) =
                (sum(&|part, _, covariate| part * covariate), sum(&|_, _, covariate| covariate * covariate));
            let vb = sum(&|_, value, covariate| value * covariate);
            let determinant = vv * bb - vb * vb;
            ((pv * bb - pb * vb) / determinant, (pb * vv - pv * vb) / determinant)
        } else {
            (pv / vv, 0.0)
        };
        (slope > 0.0).then(|| {
            let mut coefficients: Vec<f64> =
                self.coefficients[..measured].iter().map(|of| of / slope).collect();
            coefficients.extend(circumstance.then_some(-shift / slope));
            let at_means: f64 = coefficients.iter().zip(&self.means).map(|(slope, mean)| slope * mean).sum();
            SignedRegression { intercept: self.mean - at_means, coefficients, ..self.clone() }
        })
    }

    /// Returns the covariance matrix of the prediction at mean features and of the coefficients. Clusters are
    /// independent (the sandwich of K.-Y. Liang and S. L. Zeger, Biometrika 73, 1986). A coefficient of 0 has
    /// no variance. `None` for collinear features.
    pub fn covariance(&self, observations: &[Observation]) -> Option<Vec<Vec<f64>>> {
        let kept: Vec<usize> =
            (0..self.coefficients.len()).filter(|&at| self.coefficients[at] != 0.0).collect();
        let row = |one: &Observation| -> Vec<f64> {
            let centered = kept.iter().map(|&at| one.features[at] - self.means[at]);
            std::iter::once(1.0).chain(centered).collect()
        };
        let size = kept.len() + 1;
        let mut bread = vec![vec![0.0; size]; size];
        let mut scores: std::collections::BTreeMap<u32, Vec<f64>> = std::collections::BTreeMap::new();
        for one in observations {
            let row = row(one);
            let residual = one.value - self.predicted(&one.features);
            let score = scores.entry(one.cluster).or_insert_with(|| vec![0.0; size]);
            for i in 0..size {
                score[i] += one.weight * residual * row[i];
                for j in 0..size {
                    bread[i][j] += one.weight * row[i] * row[j];
                }
            }
        }
        let bread = inverse(&bread)?;
        let influences: Vec<Vec<f64>> = scores
            .values()
            .map(|score| bread.iter().map(|row| row.iter().zip(score).map(|(a, b)| a * b).sum()).collect())
            .collect();
        let places: Vec<usize> = std::iter::once(0).chain(kept.iter().map(|at| at + 1)).collect();
        let mut covariance = vec![vec![0.0; self.coefficients.len() + 1]; self.coefficients.len() + 1];
        for (i, &row) in places.iter().enumerate() {
            for (j, &column) in places.iter().enumerate() {
                covariance[row][column] =
                    influences.iter().map(|influence: &Vec<f64>| influence[i] * influence[j]).sum();
            }
        }
        Some(covariance)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any(_: f64) -> bool {
        true
    }

    fn negative(slope: f64) -> bool {
        slope <= 0.0
    }

    fn observed(features: &[f64], value: f64, cluster: u32) -> Observation {
        Observation { features: features.to_vec(), value, weight: 1.0, cluster }
    }

    #[test]
    fn a_line_through_three_points_by_hand() {
        // x is 0, 1, 2 and y is 1, 2, 4, so the slope is 1.5 and the intercept 5/6. The inverse of the slope
        // of x on y is 14/9, because Σ(y − ȳ)² = 14/3 and Σ(x − x̄)(y − ȳ) = 3.
        let points = [(0.0, 1.0), (1.0, 2.0), (2.0, 4.0)];
        let points: Vec<Observation> = (0..).zip(points).map(|(at, (x, y))| observed(&[x], y, at)).collect();
        let fit = SignedRegression::fit(&points, &[any], 0.0).expect("a line");
        assert!((fit.coefficients[0] - 1.5).abs() < 1e-12 && (fit.intercept - 5.0 / 6.0).abs() < 1e-12);
        let classical = fit.stretched(&points, false).expect("a slope");
        assert!((classical.coefficients[0] - 14.0 / 9.0).abs() < 1e-12, "{classical:?}");
        assert!((classical.predicted(&[1.0]) - 7.0 / 3.0).abs() < 1e-12, "the mean stays");
        let wrong = SignedRegression::fit(&points, &[negative], 0.0).expect("a mean");
        assert_eq!(wrong.coefficients, [0.0]);
        assert!((wrong.intercept - 7.0 / 3.0).abs() < 1e-12);
        assert_eq!(SignedRegression::fit(&points[..1], &[any], 0.0), None, "one point has no slope");
    }

    #[test]
    fn numpy_finds_the_same_plane_and_errors() {
        // x = np.array([[1, 5], [2, 3], [3, 8], [4, 4], [5, 9], [6, 2.]]); y = np.array([3, 4, 9, 8, 14, 9.])
        // w = np.array([1, 2, 1, 3, 1, 2.]); g = np.array([0, 0, 1, 1, 2, 2])     # numpy
        // X = np.column_stack([np.ones(6), x - np.average(x, axis=0, weights=w)])
        // B = np.linalg.inv((X*w[:,None]).T @ X); b = B @ (X*w[:,None]).T @ y; r = y - X @ b
        // s = [((X*(w*r)[:,None])[g == k]).sum(0) for k in range(3)]; b; np.sqrt(np.diag(B @ sum(np.outer(v, v) for v in s) @ B))
        let rows = [([1.0, 5.0], 3.0, 1.0, 0), ([2.0, 3.0], 4.0, 2.0, 0), ([3.0, 8.0], 9.0, 1.0, 1)];
        let more = [([4.0, 4.0], 8.0, 3.0, 1), ([5.0, 9.0], 14.0, 1.0, 2), ([6.0, 2.0], 9.0, 2.0, 2)];
        let rows: Vec<Observation> = rows
            .into_iter()
            .chain(more)
            .map(|(features, value, weight, cluster)| Observation {
                weight,
                ..observed(&features, value, cluster)
            })
            .collect();
        let fit = SignedRegression::fit(&rows, &[any, any], 0.0).expect("a plane");
        let errors = fit.covariance(&rows).expect("a covariance");
        let errors: Vec<f64> = (0..3).map(|at| errors[at][at].sqrt()).collect();
        let found: Vec<f64> = std::iter::once(fit.mean).chain(fit.coefficients.clone()).collect();
        for (found, expected) in found.iter().zip(NUMPY_PLANE) {
            assert!((found - expected).abs() < 1e-8, "{fit:?}");
        }
        for (found, expected) in errors.iter().zip(NUMPY_ERRORS) {
            assert!((found - expected).abs() < 1e-8, "{errors:?}");
        }
    }

    const NUMPY_PLANE: [f64; 3] = [7.6, 1.641_597_03, 0.842_850_51];
    const NUMPY_ERRORS: [f64; 3] = [0.040_858_56, 0.037_568_39, 0.081_490_6];

    proptest! {
        #[test]
        fn a_plane_is_found_whatever_the_weights(
            slopes in prop::array::uniform2(-3.0f64..3.0), at in -9.0f64..9.0,
            points in prop::collection::vec((-5.0f64..5.0, -5.0f64..5.0, 0.1f64..4.0), 6..40),
        ) {
            let rows: Vec<Observation> = points
                .iter()
                .map(|&(x, y, weight)| {
                    let value = at + slopes[0] * x + slopes[1] * y;
                    Observation { features: vec![x, y], value, weight, cluster: 0 }
                })
                .collect();
            let fit = SignedRegression::fit(&rows, &[any, any], 0.0);
            prop_assume!(fit.is_some());
            let fit = fit.expect("a plane");
            prop_assert!((fit.coefficients[0] - slopes[0]).abs() < 1e-6, "{fit:?}");
            prop_assert!((fit.coefficients[1] - slopes[1]).abs() < 1e-6, "{fit:?}");
            let signed = SignedRegression::fit(&rows, &[negative, negative], 0.01).expect("a plane");
            prop_assert!(signed.coefficients.iter().all(|&slope| slope <= 0.0));
        }
    }
}
