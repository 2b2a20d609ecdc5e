//! Owns [`Form`]: how far a player's rating of play is from the player's rating, and how surprising that is among all players.

use serde::Serialize;

use crate::measure::calibration::{FieldRating, RatingOfPlay};
use crate::numbers::{
    Estimate, Interval,
    stats::estimate::LEVEL,
    stats::multiple::{holm, normal_p},
};

/// A rating of play minus a rating, both seen from the other players of the event where these are known.
///
/// It is no evidence of cheating by itself: whoever is on the way up has a rating that lags behind, and of twenty honest
/// players one is beyond the interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Form {
    /// The difference in Elo points, above 0 of who played above the rating, with its 95 % interval.
    pub difference: Estimate,
    /// It in standard errors.
    pub z: f64,
    /// The chance of a distance as large to either side, of a player who plays as the rating says.
    pub p: f64,
    /// The same adjusted for the number of players who have one (Holm 1979).
    pub p_holm: f64,
}

impl Form {
    /// Returns the form of a player of that `elo`: as far as the moves are better than those of the other players of the event
    /// less what the rating is above theirs, where they are known. `None` where the rating of play is refused.
    ///
    /// The share of year, pool and engine, the same for all players of an event, cancels: this is surer than the rating of play alone.
    pub fn of(rating: &RatingOfPlay, field: Option<&FieldRating>, elo: f64) -> Option<Form> {
        let outright = rating.outright.filter(|_| rating.refusal.is_none())?;
        let (value, error) = match field {
            Some(field) => (field.mean + field.above - elo, field.standard_error),
            None => (outright.value - elo, outright.interval?.standard_error),
        };
        let z = value / error;
        let p = normal_p(z);
        let interval = Some(Interval::normal(value, error, LEVEL));
        Some(Form { difference: Estimate { value, interval, ..outright }, z, p, p_holm: p })
    }

    pub fn is_significant(&self) -> bool {
        self.p_holm < 1.0 - LEVEL
    }
}

pub(super) fn adjust<'a>(forms: impl Iterator<Item = &'a mut Form>) {
    let forms: Vec<&mut Form> = forms.collect();
    let adjusted = holm(&forms.iter().map(|form| form.p).collect::<Vec<_>>());
    for (form, p) in forms.into_iter().zip(adjusted) {
        form.p_holm = p;
    }
}
