//! Fits to scores: a curve through the scores of depths against one fixed depth, or a rating for each side.

pub mod clustered;
pub mod lsq;
pub mod pairwise;
pub mod probit;

use std::f64::consts::SQRT_2;

use statrs::distribution::{ContinuousCDF, Normal};

use crate::numbers::stats::estimate::{Estimate, Interval};

/// A fitted curve Φ((d − μ)/σ): the score of depth d against one fixed depth (Ferreira 2013, Section 3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalCurve {
    /// The depth whose score is ½.
    pub mu: Estimate,
    /// The standard deviation in plies, above 0.
    pub sigma: Estimate,
}

#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum FitError {
    #[error("a fit needs at least three different depths, not {0}")]
    TooFewDepths(usize),
    #[error("a score of {0} is not between 0 and 1")]
    NotAScore(f64),
    /// All scores below some depth are 0 and all scores above it are 1, or the reverse. A steeper curve then
    /// always fits better. A fit by least squares also rejects scores close to this.
    #[error("the scores are 0 or 1 at all depths, or at all but one, so no curve fits best")]
    NoFiniteSpread,
    #[error("the scores do not rise with depth, so no σ above 0 fits")]
    NotRising,
    /// The fit found no minimum: none exists at a finite place, or the numbers are too extreme.
    #[error("the fit does not converge")]
    NotConverged,
    /// A side, or a group of sides, won or lost all games against the other sides, or never met them. After
    /// only wins or only losses, a larger rating difference always fits better.
    #[error(
        "no finite rating fits side {0}: it, or a group that includes it, won or lost all games against the \
         other sides, or never met them"
    )]
    NoFiniteRating(usize),
}

impl NormalCurve {
    /// Returns the score of `depth`, between 0 and 1.
    pub fn score(&self, depth: f64) -> f64 {
        Normal::standard().cdf((depth - self.mu.value) / self.sigma.value)
    }

    /// Computes η = 200√2/σ, the Elo points per ply (Ferreira 2013, Section 3). With σ' and σ'' the ends of
    /// σ's interval, η lies between 200√2/σ'' and 200√2/σ'. There is no interval if σ' is not above 0.
    pub fn elo_per_ply(&self) -> Estimate {
        let elo = |sigma: f64| 200.0 * SQRT_2 / sigma;
        let sigma = self.sigma;
        let interval = sigma.interval.filter(|interval| interval.low > 0.0).map(|interval| Interval {
            standard_error: elo(sigma.value) * interval.standard_error / sigma.value,
            low: elo(interval.high),
            high: elo(interval.low),
            ..interval
        });
        Estimate { value: elo(sigma.value), interval, ..sigma }
    }
}

/// The line a + b·(x − center), which is the argument of Φ in [`NormalCurve`]. Newton's method is more stable
/// with a and b than with μ and σ.
struct StraightLine {
    center: f64,
    coefficients: [f64; 2],
    covariance: [[f64; 2]; 2],
}

impl StraightLine {
    /// Converts the line to μ = center − a/b and σ = 1/b, with standard errors to first order. `interval`
    /// makes an interval from a value and its standard error. Returns an error for a line that does not rise.
    fn curve(
        &self,
        observations: usize,
        interval: impl Fn(f64, f64) -> Interval,
    ) -> Result<NormalCurve, FitError> {
        let ([a, b], [[aa, ab], [_, bb]]) = (self.coefficients, self.covariance);
        // A flat line is seldom flat to the last bit.
        if b < LEVEL_SLOPE {
            return Err(FitError::NotRising);
        }
        let mu_variance = (aa - 2.0 * a / b * ab + (a / b).powi(2) * bb) / (b * b);
        let estimate = |value: f64, standard_error: f64| Estimate {
            value,
            observations,
            interval: Some(interval(value, standard_error)),
        };
        Ok(NormalCurve {
            mu: estimate(self.center - a / b, mu_variance.max(0.0).sqrt()),
            sigma: estimate(1.0 / b, bb.sqrt() / (b * b)),
        })
    }
}

/// A [`StraightLine`] that rises by less than this per ply counts as flat.
const LEVEL_SLOPE: f64 = 1e-9;

/// Rejects scores outside 0 to 1, fewer than three depths, and scores for which no finite σ is the best fit.
/// Each item of `scores` is a pair of a depth and a score.
///
/// No finite σ is the best fit if the scores are all 0, all 1, or a step (up or down) with at most one depth
/// in between. In this case, A. Albert and J. A. Anderson call the points won and lost completely or
/// quasi-completely separated ("On the existence of maximum likelihood estimates", Biometrika 71, 1984).
fn check(scores: &[(f64, f64)]) -> Result<(), FitError> {
    if let Some(&(_, bad)) = scores.iter().find(|(_, score)| !(0.0..=1.0).contains(score)) {
        return Err(FitError::NotAScore(bad));
    }
    let mut depths: Vec<f64> = scores.iter().map(|&(depth, _)| depth).collect();
    depths.sort_by(f64::total_cmp);
    depths.dedup();
    if depths.len() < 3 {
        return Err(FitError::TooFewDepths(depths.len()));
    }
    let range = |counts: fn(f64) -> bool| {
        let depths = scores.iter().filter(|&&(_, score)| counts(score)).map(|&(depth, _)| depth);
        depths
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), depth| (low.min(depth), high.max(depth)))
    };
    let (won, lost) = (range(|score| score > 0.0), range(|score| score < 1.0));
    if won.0 >= lost.1 || lost.0 >= won.1 { Err(FitError::NoFiniteSpread) } else { Ok(()) }
}

/// Returns the mean depth. With this center, the two coefficients of [`StraightLine`] are least correlated.
fn center(depths: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = depths.len() as f64;
    depths.sum::<f64>() / count
}

/// Returns the start of the iteration: a gentle rise that reaches ½ at the depth with the score nearest to ½.
fn first_guess(scores: &[(f64, f64)], center: f64) -> Vec<f64> {
    let nearest = scores.iter().min_by(|a, b| (a.1 - 0.5).abs().total_cmp(&(b.1 - 0.5).abs()));
    let spread = scores.iter().map(|(depth, _)| (depth - center).abs()).fold(0.0, f64::max);
    let slope = 1.0 / spread.max(f64::MIN_POSITIVE);
    vec![nearest.map_or(0.0, |&(depth, _)| slope * (center - depth)), slope]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eta_of_a_sigma_of_two_plies_is_141() {
        // 200·1.41421356/2, and /2.5 and /1.5 at the ends.
        let sigma = Estimate { value: 2.0, observations: 9, interval: Some(Interval::normal(2.0, 0.25)) };
        let eta = NormalCurve { mu: sigma, sigma }.elo_per_ply();
        let interval = eta.interval.expect("a σ above 0");
        assert!((eta.value - 141.421356).abs() < 1e-6);
        assert!((interval.low - 282.842712 / 2.489991).abs() < 1e-3, "{interval:?}");
        assert!((interval.high - 282.842712 / 1.510009).abs() < 1e-3, "{interval:?}");
        let wide = Estimate { interval: Some(Interval::normal(2.0, 2.0)), ..sigma };
        assert_eq!(NormalCurve { mu: sigma, sigma: wide }.elo_per_ply().interval, None);
    }

    #[test]
    fn what_has_no_fit_says_why() {
        let of =
            |scores: &[f64]| check(&(6..).map(f64::from).zip(scores.iter().copied()).collect::<Vec<_>>());
        for step in [[0.0, 0.0, 0.0, 0.0], [1.0; 4], [0.0, 0.0, 1.0, 1.0], [0.0, 0.5, 1.0, 1.0]] {
            assert_eq!(of(&step), Err(FitError::NoFiniteSpread), "{step:?}");
        }
        assert_eq!(of(&[1.0, 0.3, 0.0, 0.0]), Err(FitError::NoFiniteSpread));
        assert_eq!(of(&[0.0, 0.5]), Err(FitError::TooFewDepths(2)));
        assert_eq!(of(&[0.0, 0.5, 1.2]), Err(FitError::NotAScore(1.2)));
        assert!(matches!(of(&[0.0, 0.5, f64::NAN]), Err(FitError::NotAScore(_))));
        assert_eq!(of(&[0.0, 0.2, 0.5, 1.0]), Ok(()));
        assert_eq!(of(&[0.0, 1.0, 0.0, 1.0]), Ok(()));
    }
}
