//! [`RatingModel`]: conversion of the statistics of some games to a rating with its interval.

use super::{
    drift::Drift,
    phase_means::PhaseMeans,
    play::GamePlay,
    rating_of_play::{Prior, RatingOfPlay, RatingRefusal},
};
use crate::measure::tournament::statistics::{Sign, Statistic};
use crate::numbers::{Estimate, Interval};
use serde::{Deserialize, Serialize};

use crate::base::named::named;

/// A rating as a linear function of statistics: Elo = intercept + Σ coefficient·statistic, plus the [`Drift`]
/// of the year.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingModel {
    pub statistics: Vec<FittedStatistic>,
    /// The rating, in Elo points, if every statistic is 0.
    pub intercept: f64,
    /// The drift with the year of the games; `None` if no drift is fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drift: Option<Drift>,
    /// The expected value of each statistic as a function of rating and year.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slopes: Vec<Slopes>,
    /// Standard deviation of a rating's error that would remain with unlimited games, in Elo points. It is
    /// not 0, because events differ and ratings are inexact.
    pub tau: f64,
    /// Standard deviation of a rating's error due to the random choice of moves, in Elo points, times √moves.
    pub s: f64,
    /// Variance of a rating due to the differences between the games of an average player, in squared Elo
    /// points, times the number of moves. The scatter of a player's own games is compared with this value.
    pub scatter: f64,
    pub prior_mean: f64,
    pub prior_sd: f64,
    /// Lowest and highest rating among the blocks of the fit.
    pub elo_range: [f64; 2],
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FittedStatistic {
    pub name: Statistic,
    /// The sign that the coefficient must have.
    pub sign: Sign,
    pub mean: f64,
    /// The statistic's standard deviation over the blocks.
    pub sd: f64,
    /// Elo points per unit of the statistic.
    pub coefficient: f64,
    /// The statistic's lowest and highest value among the blocks, adjusted by `usual`.
    pub range: [f64; 2],
    /// The means by which the statistic is adjusted to the usual mix of phases.
    pub usual: PhaseMeans,
}

/// The expected value of a statistic as a linear function of rating and year:
/// constant + elo·(Elo − 2000)/100 + year·max(0, y − from) in the year y.
///
/// Here `from` is the last year before the [`Drift`]. The standard errors treat the events as independent
/// clusters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slopes {
    pub name: Statistic,
    /// Expected value at 2000 Elo points in the years before the drift.
    pub constant: f64,
    /// Change per 100 Elo points.
    pub elo: f64,
    pub elo_se: f64,
    /// Change per year of the drift; `None` without a drift.
    pub year: Option<f64>,
    pub year_se: Option<f64>,
}

/// A statistic or a rating may lie outside the calibration's range by this fraction of the range.
const BEYOND: f64 = 0.1;

/// Weight of the usual scatter, in games, when it is combined with the scatter of a player's own games.
const USUAL_GAMES: f64 = 20.0;

/// Smallest number of games for which a player's own scatter is used.
const OWN_SCATTER_FROM: usize = 10;

impl RatingModel {
    /// Rates a player, or any group of moves, from the sums of each game.
    pub fn rate(&self, games: &[GamePlay]) -> RatingOfPlay {
        let games: Vec<GamePlay> = games.iter().filter(|game| game.moves() > 0).copied().collect();
        self.rated(&games, &games.iter().sum(), games.len(), self.variance(&games))
    }

    /// Rates `games` whole games by the sums `total` over all of them, as if one player had played them. The
    /// interval assumes the usual scatter of games.
    pub fn rate_total(&self, total: &GamePlay, games: usize) -> RatingOfPlay {
        let sampling = self.s.powi(2) / total.moves() as f64;
        let parts = std::slice::from_ref(total);
        self.rated(parts, total, games, self.tau.powi(2) + sampling + self.shift(parts).1)
    }

    /// Returns the drift term for the years of these games, and the variance of this term.
    fn shift(&self, games: &[GamePlay]) -> (f64, f64) {
        self.drift.as_ref().map_or((0.0, 0.0), |drift| drift.shift(games))
    }

    fn rated(&self, parts: &[GamePlay], total: &GamePlay, games: usize, variance: f64) -> RatingOfPlay {
        let moves = total.moves();
        let undated = self.drift.as_ref().map_or(0, |_| moves - total.dated());
        let lasting = Interval::normal(0.0, self.tau).half_width();
        let prior = Prior { mean: self.prior_mean, sd: self.prior_sd };
        let rating = |outright, shrunken, refusal| RatingOfPlay {
            moves,
            games,
            undated,
            outright,
            lasting,
            shrunken,
            refusal,
        };
        let Some(value) = self.elo(total, parts) else {
            return rating(None, prior.alone(), Some(RatingRefusal::FewMoves { moves }));
        };
        let observations = usize::try_from(moves).unwrap_or(usize::MAX);
        let interval = Some(Interval::normal(value, variance.sqrt()));
        let outright = Estimate { value, observations, interval };
        let shrunken = prior.shrunken(value, variance, observations);
        rating(Some(outright), shrunken, self.refusal(total, games, &outright))
    }

    /// Returns the rating for the sums `total` of some `games`; `None` without moves.
    pub fn elo(&self, total: &GamePlay, games: &[GamePlay]) -> Option<f64> {
        let parts = self.statistics.iter().map(|fitted| Some(fitted.coefficient * fitted.of(total)?));
        Some(self.intercept + parts.sum::<Option<f64>>()? + self.shift(games).0)
    }

    /// Returns the lowest and the highest rating that is printed as a number instead of a bound.
    pub fn printed_range(&self) -> [f64; 2] {
        let [low, high] = self.elo_range;
        let reach = BEYOND * (high - low);
        [(low - reach).round().max(0.0), (high + reach).round()]
    }

    /// Returns the variance of a rating from these games: τ² + s²/n, plus the variance of the drift term.
    /// With at least `OWN_SCATTER_FROM` games, the part s²/n is scaled by the games' scatter relative to the
    /// usual scatter. This scale is averaged with 1, which has the weight of `USUAL_GAMES` games.
    pub fn variance(&self, games: &[GamePlay]) -> f64 {
        let moves = games.iter().map(GamePlay::moves).sum::<u64>() as f64;
        let sampling = self.s.powi(2) / moves;
        let usual = self.scatter / moves;
        let relative = match self.own_scatter(games) {
            Some(own) if games.len() >= OWN_SCATTER_FROM && usual > 0.0 => {
                let freedom = games.len() as f64 - 1.0;
                (USUAL_GAMES + freedom * own / usual) / (USUAL_GAMES + freedom)
            }
            _ => 1.0,
        };
        self.tau.powi(2) + sampling * relative + self.shift(games).1
    }

    /// Returns the variance of the rating, estimated from the differences between the games; `None` for fewer
    /// than two games, and without moves.
    pub(super) fn own_scatter(&self, games: &[GamePlay]) -> Option<f64> {
        let mut shifts = vec![0.0; games.len()];
        for fitted in &self.statistics {
            let of_one = fitted.usual.influences(fitted.name, games)?;
            shifts.iter_mut().zip(of_one).for_each(|(shift, one)| *shift += fitted.coefficient * one);
        }
        (games.len() > 1).then(|| shifts.iter().map(|shift| shift * shift).sum())
    }

    fn refusal(&self, total: &GamePlay, games: usize, outright: &Estimate) -> Option<RatingRefusal> {
        let (moves, value) = (total.moves(), outright.value);
        if moves < RatingRefusal::LEAST_MOVES {
            return Some(RatingRefusal::FewMoves { moves });
        }
        if games < RatingRefusal::LEAST_GAMES {
            return Some(RatingRefusal::FewGames { games });
        }
        let margin = outright.interval.map_or(0.0, |interval| interval.half_width());
        if margin > f64::from(RatingRefusal::MOST_MARGIN) {
            return Some(RatingRefusal::Wide { margin: margin.round() as u32 });
        }
        let [low, high] = self.printed_range();
        if value > high {
            return Some(RatingRefusal::Above { elo: high as u32 });
        }
        if value < low {
            return Some(RatingRefusal::Below { elo: low as u32 });
        }
        let title =
            self.statistics.iter().find(|fitted| fitted.is_beyond(total))?.name.summed().facts().title;
        // The title without its unit.
        Some(RatingRefusal::OtherPlay { of: title.split(',').next()?.to_lowercase() })
    }

    pub(super) fn fault(&self) -> Option<String> {
        let sizes =
            [("tau", self.tau), ("s", self.s), ("scatter", self.scatter), ("prior_sd", self.prior_sd)];
        let negative = sizes.into_iter().find(|(_, size)| !(size.is_finite() && *size >= 0.0));
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        let rising = |[low, high]: [f64; 2]| low.is_finite() && high.is_finite() && low <= high;
        let statistics = || self.statistics.iter();
        if let Some(fault) = self.drift.as_ref().and_then(Drift::fault) {
            Some(fault)
        } else if self.statistics.is_empty() {
            Some("a model without statistics".to_owned())
        } else if let Some((name, size)) = negative {
            Some(format!("{name} is {size}, expected 0 or more"))
        } else if self.prior_sd == 0.0 || self.s == 0.0 {
            Some("s and prior_sd should be above 0".to_owned())
        } else if !finite(&[self.intercept, self.prior_mean]) || !rising(self.elo_range) {
            Some(
                "intercept, prior_mean and elo_range should be numbers, the range in ascending order"
                    .to_owned(),
            )
        } else if let Some(wrong) = statistics().find(|fitted| !fitted.sign.allows(fitted.coefficient)) {
            Some(format!("the coefficient of {} has the wrong sign: {}", wrong.name, wrong.coefficient))
        } else if let Some(wrong) = statistics().find(|fitted| fitted.sign != fitted.name.facts().better) {
            Some(format!("the sign of {} should be reversed", wrong.name))
        } else {
            let is_wrong = |fitted: &&FittedStatistic| {
                !finite(&[fitted.mean, fitted.coefficient])
                    || !rising(fitted.range)
                    || fitted.sd.is_nan()
                    || fitted.sd < 0.0
                    || !fitted.usual.is_sound()
            };
            let wrong = statistics().find(is_wrong)?;
            Some(format!("the mean, sd, coefficient and range of {} are not valid", wrong.name))
        }
    }
}

impl FittedStatistic {
    /// Returns the statistic of the moves in `total`, adjusted to the usual mix of phases.
    fn of(&self, total: &GamePlay) -> Option<f64> {
        self.usual.adjusted(self.name, total)
    }

    fn is_beyond(&self, total: &GamePlay) -> bool {
        let [low, high] = self.range;
        let reach = BEYOND * (high - low);
        self.of(total).is_none_or(|value| value < low - reach || value > high + reach)
    }
}

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[cfg_attr(feature = "program", derive(clap::ValueEnum))]
    pub enum Direction: name {
        /// Elo regressed on the statistics: minimal squared error, and ratings shrunk to the mean.
        #[cfg_attr(
            feature = "program",
            value(help = "Elo regressed on statistics: the smallest error, but shrunk to the mean")
        )]
        Regression => "regression",
        /// The statistics regressed on Elo, and inverted: right on average at every rating.
        #[default]
        #[cfg_attr(
            feature = "program",
            value(help = "Statistics regressed on Elo, inverted: right on average at each rating")
        )]
        Classical => "classical",
    }
}
