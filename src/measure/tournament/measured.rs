//! [`Measured`]: a player's statistic with intervals by two methods.

use serde::Serialize;

use crate::numbers::{EloDifference, Estimate, ExpectedScore, Interval};

/// Intervals by two methods; `None` if there are too few games, or if the interval was not computed.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Intervals {
    /// Interval clustered by game, from the differences between games.
    pub cluster: Option<Interval>,
    /// Interval from bootstrap samples of whole games.
    pub bootstrap: Option<Interval>,
}

/// A player's statistic with its intervals.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// The value of the statistic.
    pub value: f64,
    /// Number of moves. In the intervals, the observations are games.
    pub moves: u64,
    /// The uncertainty of the value.
    pub intervals: Intervals,
    /// Set if the expected score is 0 or 1, so that no finite Elo difference fits. The value is then a bound.
    pub bound: Option<BoundSide>,
    /// For the lower and the upper end of `intervals.cluster`: true if the end is a bound, because the interval
    /// of the expected score reaches 0 or 1 there.
    pub open: [bool; 2],
}

/// The side of a bound on which the true value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum BoundSide {
    /// The true value is larger.
    Above,
    /// The true value is smaller.
    Below,
}

impl From<Estimate> for Measured {
    fn from(estimate: Estimate) -> Measured {
        let intervals = Intervals { cluster: estimate.interval, bootstrap: None };
        Measured { intervals, ..Measured::new(estimate.value, estimate.observations as u64) }
    }
}

impl Measured {
    /// Returns a statistic without intervals.
    pub fn new(value: f64, moves: u64) -> Measured {
        Measured { value, moves, intervals: Intervals::default(), bound: None, open: [false; 2] }
    }

    /// Returns an expected score over `moves` moves.
    pub fn of_score(score: ExpectedScore, moves: u64) -> Measured {
        Measured::new(score.value(), moves)
    }

    /// Returns the Elo difference of an expected score over `moves` moves.
    pub fn of_difference(difference: EloDifference, moves: u64) -> Measured {
        let side = if difference.value > 0.0 { BoundSide::Above } else { BoundSide::Below };
        Measured { bound: difference.unbounded.then_some(side), ..Measured::new(difference.value, moves) }
    }

    /// Returns `base` + this statistic, without intervals. The sum is a bound if this statistic is a bound.
    pub fn added_to(self, base: f64) -> Measured {
        Measured { bound: self.bound, ..Measured::new(base + self.value, self.moves) }
    }

    /// Returns `base` − this statistic, without intervals. If this statistic is a bound, the difference is a
    /// bound on the other side.
    pub fn taken_from(self, base: f64) -> Measured {
        let bound = self.bound.map(|bound| match bound {
            BoundSide::Above => BoundSide::Below,
            BoundSide::Below => BoundSide::Above,
        });
        Measured { bound, ..Measured::new(base - self.value, self.moves) }
    }

    /// Returns the statistic with its interval clustered by game. Its `observations` are the moves.
    pub fn estimate(self) -> Estimate {
        let observations = usize::try_from(self.moves).unwrap_or(usize::MAX);
        Estimate { value: self.value, observations, interval: self.intervals.cluster }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_of_the_difference_is_one_of_the_other_side_for_the_engine() {
        let lost = Measured::of_difference(EloDifference { value: -400.0, unbounded: true }, 12);
        assert_eq!(
            (lost.bound, lost.added_to(2800.0).bound),
            (Some(BoundSide::Below), Some(BoundSide::Below))
        );
        let engine = lost.taken_from(2500.0);
        assert_eq!((engine.value, engine.bound, engine.moves), (2900.0, Some(BoundSide::Above), 12));
        let even = Measured::of_difference(EloDifference { value: 0.0, unbounded: false }, 12);
        assert_eq!(even.taken_from(2500.0).bound, None);
    }
}
