//! The text of a rating of play: its value with interval or margin, or the reason why it is refused.

use super::numbers::{MISSING, with_margin};
use crate::base::text::rounded;
use crate::measure::{RatingOfPlay, RatingRefusal};

/// Note on games of a server or a speed that has no calibration of its own.
pub(super) const FOREIGN: &str =
    " The players' own ratings are on another scale and cannot be compared with ratings of play.";

/// Returns a rating with its interval, or the reason why it is refused.
pub(super) fn rated(rating: &RatingOfPlay) -> String {
    let estimate = match (&rating.refusal, rating.outright) {
        (None, Some(outright)) => outright,
        // With too few moves, or beyond the calibrated range, a number would be meaningless.
        (refusal, _) => return refusal.as_ref().map_or(MISSING.to_owned(), ToString::to_string),
    };
    let interval = estimate.interval.map_or(String::new(), |interval| {
        format!(" (95 % interval {} to {})", rounded(interval.low, 0), rounded(interval.high, 0))
    });
    format!("{}{interval}", rounded(estimate.value, 0))
}

/// Returns the number with its margin, or `above` or `below` with the bound of a rating beyond the scale.
pub fn brief(rating: &RatingOfPlay) -> String {
    match (&rating.refusal, rating.outright) {
        (None, Some(outright)) => with_margin(outright, 0),
        (Some(RatingRefusal::Above { elo }), _) => format!("above {elo}"),
        (Some(RatingRefusal::Below { elo }), _) => format!("below {elo}"),
        // So few moves are consistent with any rating. A shrunken rating would be mistaken for the
        // player's own.
        _ => MISSING.to_owned(),
    }
}

pub(super) fn too_short<'r>(mut ratings: impl Iterator<Item = &'r RatingOfPlay>) -> Option<String> {
    ratings.any(RatingOfPlay::is_too_short).then(|| {
        format!(
            "{MISSING}: no rating of play (fewer than 100 moves, fewer than 3 games, or a margin above ± \
            1000)."
        )
    })
}
