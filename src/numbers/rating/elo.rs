//! Conversion between expected scores and Elo differences.

use std::f64::consts::{LN_10, SQRT_2};

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

use crate::numbers::{stats::estimate::Estimate, stats::expected_score::ExpectedScore};

/// The curve that relates an Elo difference to an expected score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum EloCurve {
    /// d = 200√2·Φ⁻¹(p), Elo's own model: a player's strength in one game is normal with a standard deviation
    /// of 200 (Ferreira's Eq. 2).
    #[default]
    #[cfg_attr(feature = "program", value(help = "200√2·Φ⁻¹(p), as in Ferreira's paper"))]
    Normal,
    /// d = 400·log₁₀(p/(1 − p)), as in most rating lists.
    #[cfg_attr(feature = "program", value(help = "400·log₁₀(p/(1 − p))"))]
    Logistic,
}

impl EloCurve {
    /// Returns the curve's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            EloCurve::Normal => "normal",
            EloCurve::Logistic => "logistic",
        }
    }

    /// Returns the Elo difference at which a score of `p` is expected. It is infinite for 0 and 1.
    pub fn difference(self, p: f64) -> f64 {
        match self {
            EloCurve::Normal => 200.0 * SQRT_2 * Normal::standard().inverse_cdf(p),
            EloCurve::Logistic => 400.0 * (p / (1.0 - p)).log10(),
        }
    }

    /// Returns the Elo difference of a score `p` over `moves` moves. The difference is always finite, because
    /// `p` is first limited to the range from ½/(`moves` + 1) to 1 − ½/(`moves` + 1).
    pub fn bounded_difference(self, p: f64, moves: u64) -> f64 {
        let least = 0.5 / (moves as f64 + 1.0);
        self.difference(p.clamp(least, 1.0 - least))
    }

    /// Converts an estimated score and its interval to an Elo difference with an interval. All numbers are
    /// finite. Without an interval of the score, the difference has none.
    pub fn estimate(self, score: Estimate) -> Estimate {
        let map = |p: f64| self.bounded_difference(p, score.observations as u64);
        let value = map(score.value);
        let interval = score.interval.map(|interval| interval.mapped(map, self.slope(value)));
        Estimate { value, interval, ..score }
    }

    /// Returns the derivative of [`EloCurve::difference`] at `difference`, in Elo points per unit of expected
    /// score.
    pub fn slope(self, difference: f64) -> f64 {
        match self {
            EloCurve::Normal => 200.0 * SQRT_2 / Normal::standard().pdf(difference / (200.0 * SQRT_2)),
            EloCurve::Logistic => {
                let p = self.expected_score(difference);
                400.0 / (LN_10 * p * (1.0 - p))
            }
        }
    }

    /// Returns the expected score of a side that is `difference` Elo points stronger.
    pub fn expected_score(self, difference: f64) -> f64 {
        match self {
            EloCurve::Normal => Normal::standard().cdf(difference / (200.0 * SQRT_2)),
            EloCurve::Logistic => 1.0 / (1.0 + 10f64.powf(-difference / 400.0)),
        }
    }
}

/// A difference in Elo points, always finite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EloDifference {
    /// Elo points, positive if the player is stronger. A score near 0 or 1 is first limited as in
    /// [`EloCurve::bounded_difference`].
    pub value: f64,
    /// True if the score is 0 or 1. No finite difference fits such a score.
    pub unbounded: bool,
}

impl EloDifference {
    /// Returns the difference for an expected score over `moves` moves.
    pub fn of(score: ExpectedScore, moves: u64, curve: EloCurve) -> EloDifference {
        let value = curve.bounded_difference(score.value(), moves);
        EloDifference { value, unbounded: score.is_certain() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numbers::{stats::band::Band, stats::histogram::BinWidth, stats::histogram::Histogram};

    #[test]
    fn the_printed_differences_of_ferreiras_table_5_follow_from_its_scores() {
        // Ferreira 2013, Table 5: Carlsen and Radjabov.
        let rounded = |p| (EloCurve::Normal.difference(p) * 10.0).round() / 10.0;
        assert_eq!(rounded(0.370287), -93.6);
        assert_eq!(rounded(0.313953), -137.1);
    }

    #[test]
    fn a_score_of_three_quarters_is_191_points_on_each_curve() {
        // Φ⁻¹(0.75) = 0.674490 (any normal table); log10(3) = 0.477121.
        assert!((EloCurve::Normal.difference(0.75) - 190.775).abs() < 1e-3);
        assert!((EloCurve::Logistic.difference(0.75) - 190.848).abs() < 1e-3);
    }

    #[test]
    fn a_certain_score_has_a_finite_difference_that_says_so() {
        let gains = Histogram::of(BinWidth::default(), [1, 2, 3, 4]);
        let engine = Histogram::delta(BinWidth::default());
        let [gains, engine] = [&gains, &engine].map(|h| h.distribution().expect("values"));
        let all = ExpectedScore::of(gains, engine, Band::default());
        let difference = EloDifference::of(all, 4, EloCurve::Logistic);
        assert!(difference.unbounded);
        assert!((difference.value - 400.0 * 9f64.log10()).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn the_slope_is_the_quotient_of_small_steps(p in 0.05f64..0.95) {
            for curve in [EloCurve::Normal, EloCurve::Logistic] {
                let quotient = (curve.difference(p + 1e-6) - curve.difference(p - 1e-6)) / 2e-6;
                prop_assert!((curve.slope(curve.difference(p)) / quotient - 1.0).abs() < 1e-4);
            }
        }

        #[test]
        fn score_and_difference_are_inverses(p in 0.001f64..0.999) {
            for curve in [EloCurve::Normal, EloCurve::Logistic] {
                prop_assert!((curve.expected_score(curve.difference(p)) - p).abs() < 1e-9);
                prop_assert!((curve.difference(p) + curve.difference(1.0 - p)).abs() < 1e-6);
            }
        }
    }
}
