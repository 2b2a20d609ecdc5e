//! [`UsualPlay`]: averages of play statistics by rating, and their spread.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::statistic::{SUMMED, named};
use crate::measure::tournament::statistics::Statistic;
use crate::numbers::Interval;

/// The average of one statistic by rating. With u = (Elo − 2000)/400, the mean is c₀ + c₁·u + c₂·u² + year·y.
/// Here y is the number of years from the start of the drift to the player's year, minus the mean of this
/// number in the calibration. The standard deviation over n moves is √(lasting² + spread²/n). If `is_log`,
/// the mean and the standard deviation are those of the statistic's logarithm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsualPlay {
    #[serde(deserialize_with = "read_usual")]
    pub statistic: Statistic,
    pub is_log: bool,
    /// c₀, c₁ and c₂.
    pub coefficients: [f64; 3],
    /// The coefficient of y; `None` without a drift.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<f64>,
    pub lasting: f64,
    pub spread: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ExpectedPlay {
    pub statistic: Statistic,
    pub mean: f64,
    /// Lower end of the interval that contains 95 % of the players.
    pub low: f64,
    pub high: f64,
}

/// The rating at which u is 0.
pub(super) const CENTER: f64 = 2000.0;

/// The rating difference that changes u by 1.
pub(super) const STEP: f64 = 400.0;

impl UsualPlay {
    /// Returns the expected value of the statistic, with its interval, for a player of this rating over
    /// `moves` moves. `years` is the number of years from the start of the drift to the player's year, minus
    /// the mean of this number in the calibration; 0 for the mean.
    pub fn expected(&self, elo: f64, moves: u64, years: f64) -> ExpectedPlay {
        let center = self.center(elo) + self.year.map_or(0.0, |year| year * years);
        let variance = self.lasting.powi(2) + self.spread.powi(2) / moves.max(1) as f64;
        let interval = Interval::normal(center, variance.sqrt());
        let [mean, low, high] = [center, interval.low, interval.high].map(|value| match self.is_log {
            true => value.exp(),
            false => value,
        });
        let (least, most) = self.statistic.facts().bounds;
        ExpectedPlay { statistic: self.statistic, mean, low: low.max(least), high: high.min(most) }
    }

    /// Returns c₀ + c₁·u + c₂·u².
    pub(super) fn center(&self, elo: f64) -> f64 {
        powers(elo).iter().zip(self.coefficients).map(|(power, coefficient)| power * coefficient).sum()
    }

    pub(super) fn fault(&self) -> Option<String> {
        let numbers = [self.lasting, self.spread];
        let is_sound = numbers.iter().all(|size| size.is_finite() && *size >= 0.0)
            && self.coefficients.iter().chain(&self.year).all(|coefficient| coefficient.is_finite());
        (!is_sound).then(|| format!("the averages of {} have an impossible number", self.statistic))
    }
}

/// Parses the name of a statistic with averages in calibrations.
fn read_usual<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Statistic, D::Error> {
    let name = String::deserialize(deserializer)?;
    let found = named(&name, SUMMED.into_iter().chain([Statistic::Accuracy]));
    found.ok_or_else(|| D::Error::custom(format!("calibrations have no averages of {name:?}")))
}

/// Returns whether the logarithm of a statistic is averaged. It is for losses and blunders.
#[cfg(feature = "program")]
pub(super) fn is_log(statistic: Statistic) -> bool {
    !matches!(statistic, Statistic::FirstChoice | Statistic::Accuracy)
}

/// Returns 1, u and u².
pub(super) fn powers(elo: f64) -> [f64; 3] {
    let u = (elo - CENTER) / STEP;
    [1.0, u, u * u]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expectation_by_hand() {
        let usual = UsualPlay {
            statistic: Statistic::FirstChoice,
            is_log: false,
            coefficients: [45.0, 5.0, 1.0],
            year: Some(0.5),
            lasting: 3.0,
            spread: 80.0,
        };
        // u = 1: 45 + 5 + 1; 3² + 80²/400 = 25.
        let found = usual.expected(2400.0, 400, 0.0);
        assert_eq!(found.mean, 51.0);
        assert!((found.high - 51.0 - 5.0 * 1.959_963_985).abs() < 1e-6, "{found:?}");
        assert_eq!(usual.expected(2400.0, 400, 4.0).mean, 53.0);
        let one = usual.expected(2400.0, 1, 0.0);
        assert_eq!((one.low, one.high), (0.0, 100.0), "no share is beyond these");
        let loss = UsualPlay { is_log: true, statistic: Statistic::EvaluationLoss, ..usual };
        assert!((loss.expected(2000.0, 100, 0.0).mean - 45f64.exp()).abs() < 1e10);
    }
}
