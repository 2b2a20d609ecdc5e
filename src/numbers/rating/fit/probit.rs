//! Fit of a normal curve by maximum likelihood, which weights each score by its number of games.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

use super::{FitError, NormalCurve, StraightLine, center, check, first_guess};
use crate::numbers::stats::estimate::Interval;
use crate::numbers::stats::newton::{Objective, inverse, minimum};

/// The games of one depth against a fixed depth: one cell of a column in the table of scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthGames {
    /// Search depth in plies.
    pub depth: f64,
    pub half_points: u32,
    /// Number of games; a depth with 0 carries no information.
    pub games: u32,
}

impl DepthGames {
    fn score(&self) -> f64 {
        f64::from(self.half_points) / (2.0 * f64::from(self.games))
    }
}

/// Fits Φ((d − μ)/σ) to `column` by maximum likelihood. A game is one trial; a draw is half a success and
/// half a failure (C. I. Bliss, "The Method of Probits", Science 79, 1934).
///
/// The intervals are normal, from the inverse of the information. They are a little too wide, because scores
/// with draws scatter less than trials without. A depth's score against itself is always ½ and does not
/// belong in the column.
pub fn fit(column: &[DepthGames]) -> Result<NormalCurve, FitError> {
    let column: Vec<DepthGames> = column.iter().copied().filter(|games| games.games > 0).collect();
    let scores: Vec<(f64, f64)> = column.iter().map(|games| (games.depth, games.score())).collect();
    check(&scores)?;
    let center = center(column.iter().map(|games| games.depth));
    let start = first_guess(&scores, center);
    let (best, objective) =
        minimum(start, |at| likelihood(&column, center, at)).ok_or(FitError::NotConverged)?;
    let inverse = inverse(&objective.hessian).ok_or(FitError::NotConverged)?;
    let covariance = [0, 1].map(|i| [0, 1].map(|j| inverse[i][j]));
    let line = StraightLine { center, coefficients: [best[0], best[1]], covariance };
    line.curve(column.len(), Interval::normal)
}

/// The limit for the argument of Φ. Φ(−30) is 10⁻¹⁹⁷. Somewhat farther out, Φ is rounded to 0, and its
/// logarithm is infinite.
const FARTHEST: f64 = 30.0;

/// Returns the negative log-likelihood with its gradient and the expected information.
fn likelihood(column: &[DepthGames], center: f64, at: &[f64]) -> Objective {
    let mut objective = Objective { value: 0.0, gradient: vec![0.0; 2], hessian: vec![vec![0.0; 2]; 2] };
    for games in column {
        let slopes = [1.0, games.depth - center];
        let z = (at[0] + at[1] * slopes[1]).clamp(-FARTHEST, FARTHEST);
        let (win, loss) = (Normal::standard().cdf(z), Normal::standard().cdf(-z));
        let (n, score, density) = (f64::from(games.games), games.score(), Normal::standard().pdf(z));
        objective.value -= n * (score * win.ln() + (1.0 - score) * loss.ln());
        // score/Φ − (1 − score)/Φ̄, without a difference of two numbers near 1.
        let pull = n * density * (score / win - (1.0 - score) / loss);
        let weight = n * (density / win) * (density / loss);
        for i in 0..2 {
            objective.gradient[i] -= pull * slopes[i];
            for j in 0..2 {
                objective.hessian[i][j] += weight * slopes[i] * slopes[j];
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

    fn column(half_points: &[u32], games: u32) -> Vec<DepthGames> {
        let depths = (6..).map(f64::from).zip(half_points);
        depths.map(|(depth, &half_points)| DepthGames { depth, half_points, games }).collect()
    }

    fn error(estimate: Estimate) -> f64 {
        estimate.interval.expect("an interval").standard_error
    }

    #[test]
    fn statsmodels_fits_the_same_curve_to_ferreiras_depth_13() {
        // y, d without the diagonal   # statsmodels 0.15.0, scipy 1.17.1
        // r = sm.GLM(np.column_stack([y*200, 200 - y*200]), sm.add_constant(d),
        //     family=sm.families.Binomial(link=sm.families.links.Probit())).fit(tol=1e-14, maxiter=100)
        // a, b = r.params; C = r.cov_params(); g = np.array([-1/b, a/b**2])
        // -a/b, np.sqrt(g@C@g), 1/b, np.sqrt(C[1,1])/b**2
        let half_points = [4, 9, 12, 22, 57, 81, 157, 200, 245, 291, 300, 345, 364, 366, 383];
        let mut games = column(&half_points, 200);
        games.remove(7);
        let fit = fit(&games).expect("a curve");
        let expected = [13.521978970349647, 0.10386992431815142, 3.328439315766562, 0.09910859485833627];
        let found = [fit.mu.value, error(fit.mu), fit.sigma.value, error(fit.sigma)];
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < 1e-8, "{found} is not {expected}");
        }
    }

    #[test]
    fn three_even_depths_by_hand() {
        // Symmetric around depth 7, so μ = 7, and Φ(1/σ) = 0.75 fits both sides: σ = 1/0.67449 = 1.48260.
        let fit = fit(&column(&[1, 2, 3], 2)).expect("a curve");
        assert!((fit.mu.value - 7.0).abs() < 1e-9 && (fit.sigma.value - 1.482602).abs() < 1e-6, "{fit:?}");
    }

    #[test]
    fn columns_without_a_curve_are_refused() {
        assert_eq!(fit(&column(&[0, 0, 0], 4)), Err(FitError::NoFiniteSpread));
        assert_eq!(fit(&column(&[8, 8, 8, 8], 4)), Err(FitError::NoFiniteSpread));
        assert_eq!(fit(&column(&[0, 4, 8], 4)), Err(FitError::NoFiniteSpread));
        assert_eq!(fit(&column(&[2, 4], 4)), Err(FitError::TooFewDepths(2)));
        assert_eq!(fit(&column(&[2, 4, 9], 4)), Err(FitError::NotAScore(9.0 / 8.0)));
        assert_eq!(fit(&column(&[6, 4, 2], 4)), Err(FitError::NotRising));
        assert_eq!(fit(&column(&[6, 4, 2], 0)), Err(FitError::TooFewDepths(0)));
    }

    proptest! {
        #[test]
        fn four_times_the_games_halve_the_errors(
            rises in prop::collection::vec(0u32..9, 4..12), times in 1u32..50,
        ) {
            let mut points = 1;
            let points: Vec<u32> = rises.iter().map(|by| { points += by + 1; points }).collect();
            let most = points.iter().max().expect("depths") + 1;
            let few = fit(&column(&points.iter().map(|p| p * times).collect::<Vec<_>>(), most * times));
            let many = fit(&column(&points.iter().map(|p| 4 * p * times).collect::<Vec<_>>(), 4 * most * times));
            let (few, many) = (few.expect("a curve"), many.expect("a curve"));
            prop_assert!((few.sigma.value / many.sigma.value - 1.0).abs() < 1e-6);
            prop_assert!((error(few.sigma) / error(many.sigma) / 2.0 - 1.0).abs() < 1e-6);
        }
    }
}
