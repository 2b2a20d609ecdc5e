//! [`RatingOfPlay`]: the rating of a player's moves, and the reasons why there may be none.

use serde::{Serialize, Serializer};

use crate::measure::tournament::BoundSide;
use crate::numbers::{Estimate, Interval};

/// A rating by the quality of moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatingOfPlay {
    /// Number of counted moves.
    pub moves: u64,
    /// Number of games with a counted move.
    pub games: usize,
    /// Number of moves of games without a date, if the calibration depends on the year; otherwise 0.
    pub undated: u64,
    /// The rating by the moves alone, with its 95 % interval; `None` without moves, or if no model applies.
    /// If `refusal` is set, reports show the refusal with the rating or instead of it.
    pub outright: Option<Estimate>,
    /// Half the width that the interval would have with unlimited games, in Elo points. It is not 0, because
    /// players with the same rating play differently in two events, and ratings are inexact.
    pub lasting: f64,
    /// The expected rating of a player from the calibration's pool, with its 95 % interval. It is the
    /// outright rating, shrunk toward the pool's mean rating. A more uncertain outright rating is shrunk
    /// more. Without moves, it is the mean. For a player of another pool, it is the outright rating.
    pub shrunken: Estimate,
    /// The reason why the outright rating is missing or unreliable; `None` if it is accepted.
    pub refusal: Option<RatingRefusal>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RatingRefusal {
    #[error("fewer than {least} moves ({moves})", least = RatingRefusal::LEAST_MOVES)]
    FewMoves { moves: u64 },
    #[error("fewer than {least} games ({games})", least = RatingRefusal::LEAST_GAMES)]
    FewGames { games: usize },
    #[error("a margin of ± {margin}, above ± {most}", most = RatingRefusal::MOST_MARGIN)]
    Wide { margin: u32 },
    /// The rating is above the scale by more than a tenth of the scale's width.
    #[error("above {elo}, far beyond the scale")]
    Above { elo: u32 },
    /// The rating is below the scale by more than a tenth of the scale's width.
    #[error("below {elo}, far beyond the scale")]
    Below { elo: u32 },
    #[error("{of} outside the range of the calibration")]
    OtherPlay { of: String },
    #[error("the engine does not behave like {calibrated}, whose evaluations were calibrated")]
    OtherEngine { calibrated: String },
    #[error("calibrated with {calibrated}, but evaluated with {found}")]
    OtherSetting { calibrated: String, found: String },
    #[error("the calibration cannot rate {of} separately")]
    NoModel { of: String },
}

impl RatingOfPlay {
    /// Converts the rating to the rating of a player of another pool. The calibration's mean does not apply
    /// to that pool, so the expected rating becomes the rating by the moves alone.
    pub(crate) fn of_another_pool(self) -> RatingOfPlay {
        RatingOfPlay { shrunken: self.outright.unwrap_or(self.shrunken), ..self }
    }

    /// Returns the outright rating with its interval; `None` if it is refused.
    pub fn accepted(&self) -> Option<Estimate> {
        self.outright.filter(|_| self.refusal.is_none())
    }

    /// Returns the outright rating, or the bound that is printed in its place if it is beyond the scale. A
    /// bound keeps the interval's standard error. `None` without moves, or if no model applies.
    pub fn bounded(&self) -> Option<(Estimate, Option<BoundSide>)> {
        let outright = self.outright?;
        let bound = |elo: u32, side| (Estimate { value: f64::from(elo), ..outright }, Some(side));
        Some(match self.refusal {
            Some(RatingRefusal::Above { elo }) => bound(elo, BoundSide::Above),
            Some(RatingRefusal::Below { elo }) => bound(elo, BoundSide::Below),
            _ => (outright, None),
        })
    }

    /// Returns whether the expected rating is shrunk to the mean of the calibration's players.
    pub fn is_drawn_to_mean(&self) -> bool {
        self.outright != Some(self.shrunken)
    }

    /// Returns whether there are too few moves or games for an outright rating with a small enough margin.
    pub fn is_too_short(&self) -> bool {
        use RatingRefusal::{FewGames, FewMoves, Wide};
        matches!(self.refusal, Some(FewMoves { .. } | FewGames { .. } | Wide { .. }))
    }
}

impl Serialize for RatingRefusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl RatingRefusal {
    pub const LEAST_MOVES: u64 = 100;

    pub const LEAST_GAMES: usize = 3;

    /// Largest half width of the interval of a rating, in Elo points.
    pub const MOST_MARGIN: u32 = 1000;

    /// The reason why no player of a field has a rating, although a calibration applies.
    pub const TOO_SHORT: &str = "no player has the 100 moves and 3 games that a rating needs";

    pub fn key(&self) -> &'static str {
        match self {
            RatingRefusal::FewMoves { .. } => "few_moves",
            RatingRefusal::FewGames { .. } => "few_games",
            RatingRefusal::Wide { .. } => "wide",
            RatingRefusal::Above { .. } => "above",
            RatingRefusal::Below { .. } => "below",
            RatingRefusal::OtherPlay { .. } => "other_play",
            RatingRefusal::OtherEngine { .. } => "other_engine",
            RatingRefusal::OtherSetting { .. } => "other_setting",
            RatingRefusal::NoModel { .. } => "no_model",
        }
    }
}

/// The normal distribution of ratings before any move is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prior {
    pub mean: f64,
    pub sd: f64,
}

impl Prior {
    pub fn shrunken(self, value: f64, variance: f64, observations: usize) -> Estimate {
        let weights = [variance.recip(), self.sd.powi(-2)];
        let mean = (weights[0] * value + weights[1] * self.mean) / (weights[0] + weights[1]);
        let error = (weights[0] + weights[1]).sqrt().recip();
        Estimate { value: mean, observations, interval: Some(Interval::normal(mean, error)) }
    }

    /// Returns the rating expected before any move is seen.
    pub fn alone(self) -> Estimate {
        let interval = Some(Interval::normal(self.mean, self.sd));
        Estimate { value: self.mean, observations: 0, interval }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_sure_a_rating_as_the_prior_is_drawn_half_of_the_way() {
        let prior = Prior { mean: 2200.0, sd: 300.0 };
        let drawn = prior.shrunken(2600.0, 300.0f64.powi(2), 500);
        assert!((drawn.value - 2400.0).abs() < 1e-9);
        assert!((drawn.interval.expect("an interval").standard_error - 300.0 / 2f64.sqrt()).abs() < 1e-9);
        let sure = prior.shrunken(2600.0, 1e-6, 500);
        assert!((sure.value - 2600.0).abs() < 1e-6);
        let nothing = prior.alone().interval.expect("an interval");
        assert_eq!((prior.alone().value, nothing.standard_error), (2200.0, 300.0));
    }

    #[test]
    fn refusals_are_told_in_plain_words() {
        let told = |refusal: RatingRefusal| refusal.to_string();
        assert_eq!(told(RatingRefusal::FewMoves { moves: 42 }), "fewer than 100 moves (42)");
        assert_eq!(told(RatingRefusal::Above { elo: 2800 }), "above 2800, far beyond the scale");
        assert_eq!(
            told(RatingRefusal::OtherSetting {
                calibrated: "depth 8, forward, segments of 16".to_owned(),
                found: "depth 12, backward, segments of 16".to_owned(),
            }),
            "calibrated with depth 8, forward, segments of 16, but evaluated with depth 12, backward, segments of 16"
        );
    }
}
