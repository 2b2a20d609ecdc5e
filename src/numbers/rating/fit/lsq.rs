//! Ferreira's fit: a normal curve through scores by unweighted least squares.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

use super::{FitError, NormalCurve, StraightLine, center, check, first_guess};
use crate::numbers::stats::estimate::{Interval, IntervalMethod};
use crate::numbers::stats::newton::{Objective, inverse, minimum};

/// Fits Φ((d − μ)/σ) to `scores` by least squares (Ferreira 2013, Table 4). Each score is a pair of a depth
/// and a score between 0 and 1.
///
/// The intervals are ±t·se, Student's t with n − 2 degrees of freedom; se comes from the residuals' mean
/// square and the derivatives at the best fit. Ferreira includes the score ½ of a depth against itself.
/// Returns an error if there are fewer than three depths, if a score is not between 0 and 1, or if no rising
/// curve is the best fit (see [`FitError`]).
pub fn fit(scores: &[(f64, f64)]) -> Result<NormalCurve, FitError> {
    check(scores)?;
    let center = center(scores.iter().map(|&(depth, _)| depth));
    let start = first_guess(scores, center);
    let (best, objective) = minimum(start, |at| squares(scores, center, at)).ok_or(FitError::NotConverged)?;
    // If the best curve is a step, the minimization stops when at most one depth is still on its rise.
    let on_the_rise = |depth: f64| (best[0] + best[1] * (depth - center)).abs() < 5.0;
    if scores.iter().filter(|&&(depth, _)| on_the_rise(depth)).count() < 2 {
        return Err(FitError::NoFiniteSpread);
    }
    let inverse = inverse(&objective.hessian).ok_or(FitError::NotConverged)?;
    let freedom = scores.len() - 2;
    let mean_square = objective.value / freedom as f64;
    let line = StraightLine {
        center,
        coefficients: [best[0], best[1]],
        covariance: [0, 1].map(|i| [0, 1].map(|j| inverse[i][j] * mean_square)),
    };
    let method = IntervalMethod::StudentT { freedom };
    line.curve(scores.len(), |value, error| Interval::student(value, error, method))
}

/// Returns the sum of squared residuals at the coefficients `at` of the line, with the gradient and the
/// Gauss–Newton Hessian of half the sum.
fn squares(scores: &[(f64, f64)], center: f64, at: &[f64]) -> Objective {
    let mut objective = Objective { value: 0.0, gradient: vec![0.0; 2], hessian: vec![vec![0.0; 2]; 2] };
    for &(depth, score) in scores {
        let slopes = [1.0, depth - center];
        let z = at[0] + at[1] * slopes[1];
        let (residual, density) = (score - Normal::standard().cdf(z), Normal::standard().pdf(z));
        objective.value += residual * residual;
        for i in 0..2 {
            objective.gradient[i] -= density * residual * slopes[i];
            for j in 0..2 {
                objective.hessian[i][j] += density * density * slopes[i] * slopes[j];
            }
        }
    }
    objective
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numbers::stats::estimate::Estimate;

    fn column(scores: &[f64]) -> Vec<(f64, f64)> {
        (6..).map(f64::from).zip(scores.iter().copied()).collect()
    }

    fn half_width(estimate: Estimate) -> f64 {
        estimate.interval.expect("an interval").half_width()
    }

    #[test]
    fn scores_on_a_curve_give_it_back() {
        // Φ(−1) = 0.158655, Φ(0), Φ(1): μ = 7, σ = 1, no residuals.
        let fit = fit(&column(&[0.158655254, 0.5, 0.841344746])).expect("a curve");
        assert!((fit.mu.value - 7.0).abs() < 1e-8 && (fit.sigma.value - 1.0).abs() < 1e-8, "{fit:?}");
        assert!(half_width(fit.sigma) < 1e-7);
    }

    #[test]
    fn scipy_fits_the_same_curve_to_ferreiras_depth_13() {
        // d, y = np.arange(6, 21.), np.array([...])/400   # scipy 1.17.1
        // p, cov = curve_fit(lambda x, m, s: norm.cdf((x - m)/s), d, y, p0=[13, 3],
        //                    ftol=1e-14, xtol=1e-14, gtol=1e-14); p, np.sqrt(np.diag(cov))
        // [13.2773751796  3.2683232549] [0.1105127630  0.1573406156]
        let scores = [4, 9, 12, 22, 57, 81, 157, 200, 245, 291, 300, 345, 364, 366, 383];
        let fit = fit(&column(&scores.map(|x| f64::from(x) / 400.0))).expect("a curve");
        let error = |estimate: Estimate| estimate.interval.expect("an interval").standard_error;
        assert!((fit.mu.value - 13.2773751796).abs() < 1e-7, "{fit:?}");
        assert!((fit.sigma.value - 3.2683232549).abs() < 1e-7, "{fit:?}");
        assert!((error(fit.mu) - 0.1105127630).abs() < 1e-7, "{fit:?}");
        assert!((error(fit.sigma) - 0.1573406156).abs() < 1e-7, "{fit:?}");
        // Ferreira 2013, Section 3: σ is 3.2683 ± 0.3399.
        assert_eq!((half_width(fit.sigma) * 1e4).round(), 3399.0);
    }

    #[test]
    fn scores_that_fall_or_stay_are_refused() {
        assert_eq!(fit(&column(&[0.5; 5])), Err(FitError::NotRising));
        assert_eq!(fit(&column(&[0.9, 0.6, 0.3, 0.2])), Err(FitError::NotRising));
        assert_eq!(fit(&column(&[0.0, 0.0, 0.5, 1.0])), Err(FitError::NoFiniteSpread));
        assert_eq!(fit(&column(&[0.0, 0.01, 0.0, 1.0, 0.99, 1.0])), Err(FitError::NoFiniteSpread));
        assert_eq!(fit(&column(&[0.2, 0.7])), Err(FitError::TooFewDepths(2)));
    }

    proptest! {
        #[test]
        fn deeper_depths_shift_mu_and_mirrored_scores_mirror_it(
            mu in 8.0f64..16.0, sigma in 1.5f64..6.0, noise in prop::collection::vec(-0.02f64..0.02, 15), shift in -5f64..50.0,
        ) {
            let score = |depth: f64, by: f64| (Normal::standard().cdf((depth - mu) / sigma) + by).clamp(0.0, 1.0);
            let scores: Vec<_> = (6..21).map(f64::from).zip(&noise).map(|(d, by)| (d, score(d, *by))).collect();
            let moved: Vec<_> = scores.iter().map(|&(depth, score)| (depth + shift, score)).collect();
            let mirrored: Vec<_> = scores.iter().map(|&(depth, score)| (-depth, 1.0 - score)).collect();
            let [here, there, behind] = [scores, moved, mirrored].map(|s| fit(&s).expect("a curve"));
            prop_assert!((here.mu.value + shift - there.mu.value).abs() < 1e-6);
            prop_assert!((here.mu.value + behind.mu.value).abs() < 1e-6);
            for other in [there, behind] {
                prop_assert!((here.sigma.value - other.sigma.value).abs() < 1e-6);
                prop_assert!((half_width(here.sigma) - half_width(other.sigma)).abs() < 1e-6);
            }
        }
    }
}
