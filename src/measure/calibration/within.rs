//! [`WithinEvents`]: the errors of rating differences between players of one event, in which the common
//! errors of the event cancel.

use serde::{Deserialize, Serialize};

use super::{model::RatingModel, play::GamePlay};
use crate::numbers::{Estimate, Interval};

/// The scatter of players within the events of a calibration.
///
/// Let d be a player's rating of play minus the rating of play of the other players together, and t the
/// player's rating minus the mean rating of the other players. For n moves, the variance of d − t is lasting² +
/// spread²/n. Errors of year, pool and engine cancel, because they are the same for all players of an event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WithinEvents {
    pub players: usize,
    /// The standard deviation of d − t in Elo points that would remain with unlimited games.
    pub lasting: f64,
    /// The standard deviation of d − t in Elo points, times √moves, due to the random choice of moves.
    pub spread: f64,
    /// The standard deviation of ratings within an event, in Elo points.
    pub rating_sd: f64,
}

/// A player compared with the other players of the event, without the common errors of year, pool and engine.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FieldRating {
    /// Number of other players with a known rating and a counted move.
    pub others: usize,
    /// The mean rating of the other players, weighted by moves.
    pub mean: f64,
    /// The player's rating of play minus the rating of play of all moves of the other players, in Elo points.
    pub above: f64,
    /// The standard error of `above`, in Elo points.
    pub standard_error: f64,
    /// The player's expected rating given `mean` and `above`, with its 95 % interval. It is `mean` plus a
    /// fraction of `above`.
    pub rating: Estimate,
}

/// Another player of the event: the rating, and the sums over all games of this player.
#[derive(Debug, Clone, Copy)]
pub struct Other {
    pub rating: f64,
    pub total: GamePlay,
}

/// The other players of an event, and a player's lead over them.
pub(super) struct Gap {
    others: usize,
    pub(super) mean: f64,
    /// Unbiased variance of the others' ratings.
    variance: f64,
    /// The rating of play of the player, in Elo points.
    pub(super) own: f64,
    /// The rating of play of all moves of the others, in Elo points.
    pub(super) theirs: f64,
    pub(super) moves: u64,
    /// Number of moves of the others.
    #[cfg(feature = "program")]
    pub(super) their_moves: u64,
}

/// Smallest number of other players in a field.
const LEAST_OTHERS: usize = 4;

/// Smallest number of moves of the other players together.
const LEAST_MOVES: u64 = 1000;

/// Smallest number of a player's own moves for the fit of the scatter.
#[cfg(feature = "program")]
const LEAST_OWN: u64 = 100;

/// The smallest value of [`WithinEvents::lasting`], in Elo points. No difference of two ratings in tags is
/// assumed to be more exact.
#[cfg(feature = "program")]
const LEAST_LASTING: f64 = 50.0;

/// Weight of [`WithinEvents::rating_sd`], in players, when it is combined with the scatter of ratings in a
/// single event.
const USUAL_OTHERS: f64 = 8.0;

impl Gap {
    /// Returns the lead of a player over the `others`; `None` if the player has no moves, if there are too
    /// few other players, or if these have too few moves together.
    pub fn of(model: &RatingModel, own: &[GamePlay], others: impl IntoIterator<Item = Other>) -> Option<Gap> {
        let others: Vec<Other> = others.into_iter().filter(|other| other.total.moves() > 0).collect();
        let theirs: Vec<GamePlay> = others.iter().map(|other| other.total).collect();
        let all: GamePlay = theirs.iter().sum();
        if others.len() < LEAST_OTHERS || all.moves() < LEAST_MOVES {
            return None;
        }
        let mean_of = |of: &dyn Fn(f64) -> f64| {
            let part = |other: &Other| other.total.moves() as f64 * of(other.rating);
            others.iter().map(part).sum::<f64>() / all.moves() as f64
        };
        let mean = mean_of(&|rating| rating);
        let count = others.len() as f64;
        let variance = mean_of(&|rating| (rating - mean).powi(2)) * count / (count - 1.0);
        let total: GamePlay = own.iter().sum();
        let (own, theirs) = (model.elo(&total, own)?, model.elo(&all, &theirs)?);
        Some(Gap {
            others: others.len(),
            mean,
            variance,
            own,
            theirs,
            moves: total.moves(),
            #[cfg(feature = "program")]
            their_moves: all.moves(),
        })
    }
}

impl WithinEvents {
    /// Fits the scatter to the players of `events`. Each event is a list of its rated players with their
    /// ratings and games. Returns `None` if too few players have enough moves and enough other rated players
    /// in their event.
    #[cfg(feature = "program")]
    pub(super) fn fit(model: &RatingModel, events: &[Vec<(f64, Vec<GamePlay>)>]) -> Option<WithinEvents> {
        use super::statistic::digits;
        let (mut errors, mut variances) = (Vec::new(), Vec::new());
        for players in events {
            for (place, (rating, games)) in players.iter().enumerate() {
                let Some(gap) = Gap::of(model, games, others(players, place)) else { continue };
                variances.push(gap.variance);
                if gap.moves >= LEAST_OWN {
                    errors.push((gap.moves as f64, gap.own - gap.theirs - (rating - gap.mean)));
                }
            }
        }
        let scatter = crate::numbers::VarianceByCount::fit(&errors, LEAST_LASTING)?;
        Some(WithinEvents {
            players: errors.len(),
            lasting: digits(scatter.lasting),
            spread: digits(scatter.spread),
            rating_sd: digits((variances.iter().sum::<f64>() / variances.len() as f64).sqrt()),
        })
    }

    /// Returns the expected rating of a player from the player's `own` games and the ratings of the `others`
    /// in the event; `None` if the player has no moves, or if the others or their moves are too few.
    ///
    /// Ratings within an event are assumed to be normal about their mean with variance v. With d as in
    /// [`WithinEvents`], the expected rating is mean + b·d with b = v/(v + lasting² + spread²/n), and its
    /// variance is v·(1 − b). The player's own rating is not used. A rating of play beyond the scale counts as
    /// the bound that is printed in its place.
    pub fn seen_from(
        &self,
        model: &RatingModel,
        own: &[GamePlay],
        others: impl IntoIterator<Item = Other>,
    ) -> Option<FieldRating> {
        let gap = Gap::of(model, own, others)?;
        if gap.moves == 0 {
            return None;
        }
        let (known, count) = ((gap.others - 1) as f64, gap.others as f64);
        let width = (known * gap.variance + USUAL_OTHERS * self.rating_sd.powi(2)) / (known + USUAL_OTHERS);
        // The factor adds the error of the others' mean as an estimate of the mean of their pool.
        let width = width * (1.0 + count.recip());
        let scatter = self.lasting.powi(2) + self.spread.powi(2) / gap.moves as f64;
        let part = width / (width + scatter);
        let [low, high] = model.printed_range();
        let above = gap.own.clamp(low, high) - gap.theirs;
        let value = gap.mean + part * above;
        let interval = Some(Interval::normal(value, (width * (1.0 - part)).sqrt()));
        let observations = usize::try_from(gap.moves).unwrap_or(usize::MAX);
        Some(FieldRating {
            others: gap.others,
            mean: gap.mean,
            above,
            standard_error: scatter.sqrt(),
            rating: Estimate { value, observations, interval },
        })
    }

    pub(super) fn fault(&self) -> Option<String> {
        let sizes = [self.lasting, self.spread, self.rating_sd];
        let is_sound = sizes.iter().all(|size| size.is_finite() && *size >= 0.0) && self.rating_sd > 0.0;
        (!is_sound).then(|| "the numbers of the scatter within events should be above 0".to_owned())
    }
}

/// Returns all `players` except the player at `place`.
#[cfg(feature = "program")]
pub(super) fn others(players: &[(f64, Vec<GamePlay>)], place: usize) -> impl Iterator<Item = Other> {
    let all = players.iter().enumerate().filter(move |(other, _)| *other != place);
    all.map(|(_, (rating, games))| Other { rating: *rating, total: games.iter().sum() })
}
