//! Owns [`Clocks`]: what moves gain by the time left and by the time spent.

use std::{fmt, ops::AddAssign};

use super::entry::Move;
use crate::stats::sums::ClusterSums;

/// What a class of moves is told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClockClass {
    /// The time left to the mover after the move.
    Left,
    /// The time spent on the move.
    Spent,
}

impl ClockClass {
    /// Both.
    pub const ALL: [ClockClass; 2] = [ClockClass::Left, ClockClass::Spent];

    /// Where the classes begin, in seconds.
    pub fn bounds(self) -> &'static [u32; CLASSES] {
        match self {
            ClockClass::Left => &[0, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600],
            ClockClass::Spent => &[0, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300],
        }
    }

    fn of(self, played: &Move) -> Option<usize> {
        let time = match self {
            ClockClass::Left => played.left,
            ClockClass::Spent => played.spent,
        }?;
        // All bounds are compared: no search among them can be foretold, and this one needs no branches.
        Some(self.bounds().iter().filter(|&&bound| bound * 100 <= time).count() - 1)
    }
}

impl fmt::Display for ClockClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClockClass::Left => "left",
            ClockClass::Spent => "spent",
        })
    }
}

/// The moves of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockCounts {
    /// Gains, by game.
    pub gains: ClusterSums,
    /// Half-points against a player who never gains and never loses, by game.
    pub scores: ClusterSums,
}

/// Classes of one kind.
pub const CLASSES: usize = 11;

/// What was counted by clocks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clocks {
    left: [ClockCounts; CLASSES],
    spent: [ClockCounts; CLASSES],
}

impl Clocks {
    /// Adds the moves of a game; `half_points` tells what a gain scores.
    pub fn add(&mut self, moves: &[Move], half_points: impl Fn(i32) -> i64) {
        for class in ClockClass::ALL {
            // Moves, gains and half-points of each class in this game.
            let mut sums = [(0, 0, 0); CLASSES];
            for played in moves {
                if let Some(at) = class.of(played) {
                    let (count, gains, scores) = &mut sums[at];
                    *count += 1;
                    *gains += i64::from(played.gain);
                    *scores += half_points(played.gain);
                }
            }
            for (counts, (count, gains, scores)) in self.counts_mut(class).iter_mut().zip(sums) {
                if count > 0 {
                    counts.gains.add(count, gains);
                    counts.scores.add(count, scores);
                }
            }
        }
    }

    /// The classes of a kind, in the order of [`ClockClass::bounds`].
    pub fn counts(&self, class: ClockClass) -> &[ClockCounts; CLASSES] {
        match class {
            ClockClass::Left => &self.left,
            ClockClass::Spent => &self.spent,
        }
    }

    /// The same, to be changed.
    pub fn counts_mut(&mut self, class: ClockClass) -> &mut [ClockCounts; CLASSES] {
        match class {
            ClockClass::Left => &mut self.left,
            ClockClass::Spent => &mut self.spent,
        }
    }
}

impl AddAssign<&Clocks> for Clocks {
    fn add_assign(&mut self, more: &Clocks) {
        for class in ClockClass::ALL {
            for (counts, more) in self.counts_mut(class).iter_mut().zip(more.counts(class)) {
                counts.gains += more.gains;
                counts.scores += more.scores;
            }
        }
    }
}
