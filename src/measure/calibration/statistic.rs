//! Statistics for ratings: sums over moves, functions of their means, and their names in files.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, de};

use crate::measure::tournament::statistics::{Sign, Statistic, StatisticSource};

/// The statistics whose sums over moves are kept for calibrations, in the order of the files of sums.
pub const SUMMED: [Statistic; 5] = [
    Statistic::FirstChoice,
    Statistic::WinLoss,
    Statistic::EvaluationLoss,
    Statistic::Blunder100,
    Statistic::Blunder200,
];

/// The statistics allowed in a rating.
pub const FITTED: [Statistic; 5] = [
    Statistic::FirstChoice,
    Statistic::WinLoss,
    Statistic::EvaluationLoss,
    Statistic::LogWinLoss,
    Statistic::LogEvaluationLoss,
];

/// Smallest mean loss with a meaningful logarithm. The mean loss of every player is larger.
const LEAST_LOSS: f64 = 0.01;

impl Statistic {
    /// Returns the statistic that is summed over moves: for a logarithm, the statistic inside it; otherwise the
    /// statistic itself.
    pub(super) fn summed(self) -> Statistic {
        match self.facts().source {
            StatisticSource::Log(of) => of,
            _ => self,
        }
    }

    /// Returns the statistic's value if the underlying mean is `mean`.
    pub(super) fn at(self, mean: f64) -> f64 {
        if self.is_log() { mean.max(LEAST_LOSS).ln() } else { mean }
    }

    /// Returns the derivative of [`Statistic::at`].
    pub(super) fn slope(self, mean: f64) -> f64 {
        match self.is_log() {
            true if mean < LEAST_LOSS => 0.0,
            true => mean.recip(),
            false => 1.0,
        }
    }

    fn is_log(self) -> bool {
        matches!(self.facts().source, StatisticSource::Log(_))
    }
}

pub(super) fn named(name: &str, known: impl IntoIterator<Item = Statistic>) -> Option<Statistic> {
    known.into_iter().find(|statistic| statistic.name() == name)
}

impl fmt::Display for Statistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Statistic {
    type Err = String;

    /// Parses the name of a statistic allowed in a rating.
    fn from_str(name: &str) -> Result<Statistic, String> {
        let names = || FITTED.map(Statistic::name).join(", ");
        let unknown = || format!("{name:?} is not a statistic of play; choose from {}", names());
        named(name, FITTED).ok_or_else(unknown)
    }
}

impl<'de> Deserialize<'de> for Statistic {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Statistic, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl Sign {
    /// Returns whether a coefficient has this sign, or is 0.
    pub fn allows(self, coefficient: f64) -> bool {
        match self {
            Sign::Positive => coefficient >= 0.0,
            Sign::Negative => coefficient <= 0.0,
        }
    }
}

/// Rounds to nine significant digits, so that the number is the same on every machine.
#[cfg(feature = "program")]
pub(super) fn digits(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

/// Returns the jackknife variance (n − 1)/n·Σ(xᵢ − x̄)², where xᵢ is the estimate without part i; 0 without parts.
#[cfg(feature = "program")]
pub(crate) fn jackknife_variance(without: &[f64]) -> f64 {
    let n = without.len().max(1) as f64;
    let mean = without.iter().sum::<f64>() / n;
    (n - 1.0) / n * without.iter().map(|one| (one - mean).powi(2)).sum::<f64>()
}
