//! [`Form`]: the difference between a player's rating of play and the player's rating, with a significance
//! adjusted for the number of players.

use serde::Serialize;

use crate::measure::{
    calibration::{FieldRating, RatingOfPlay},
    tournament::BoundSide,
};
use crate::numbers::{
    Estimate, Interval, stats::estimate::LEVEL, stats::multiple::holm, stats::multiple::normal_p,
};

/// A player's rating of play minus the player's rating: above or below the rating. If the other players of the
/// event are known, both numbers are relative to these players.
///
/// The difference alone is no evidence of cheating: a rising player's rating lags behind, and on average one
/// of twenty honest players is outside the interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Form {
    /// The difference in Elo points, above 0 if the play was better than the rating, with its 95 % interval.
    pub difference: Estimate,
    /// The side on which the difference is a bound, because the rating of play is beyond the scale.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<BoundSide>,
    /// The difference divided by its standard error.
    pub z: f64,
    /// The probability of a difference at least as large in either direction, for a player who plays as
    /// rated.
    pub p: f64,
    /// The p-value adjusted for the number of players who have a p-value (Holm 1979).
    pub p_holm: f64,
}

impl Form {
    /// Returns the [`Form`] of a player with the rating `elo`; `None` if the rating of play is unknown, or
    /// refused for another reason than being beyond the scale. With a `field`, the difference is the player's
    /// lead over the other players in play, minus the lead in rating.
    ///
    /// Errors of year, pool and engine are common to all players of an event and cancel. So the difference is
    /// more precise with a `field`. A bound is tested as if it were the rating of play; a bound on the wrong
    /// side of `elo` shows nothing, so its p is 1.
    pub fn of(rating: &RatingOfPlay, field: Option<&FieldRating>, elo: f64) -> Option<Form> {
        let (outright, bound) =
            rating.bounded().filter(|(_, bound)| bound.is_some() || rating.refusal.is_none())?;
        let (value, error) = match field {
            Some(field) => (field.mean + field.above - elo, field.standard_error),
            None => (outright.value - elo, outright.interval?.standard_error),
        };
        let z = value / error;
        let is_shown = match bound {
            Some(BoundSide::Above) => z > 0.0,
            Some(BoundSide::Below) => z < 0.0,
            None => true,
        };
        let p = if is_shown { normal_p(z) } else { 1.0 };
        let interval = Some(Interval::normal(value, error));
        Some(Form { difference: Estimate { value, interval, ..outright }, bound, z, p, p_holm: p })
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
