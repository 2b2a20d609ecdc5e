//! [`Clocks`]: gains of moves by the time left and by the time spent.

use std::{ops::AddAssign, time::Duration};

use crate::base::named::named;
use crate::numbers::ClusterSums;

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum ClockClass: name {
        /// The time left to the mover after the move.
        Left => "left",
        /// The time spent on the move.
        Spent => "spent",
    }
}

impl ClockClass {
    /// Returns the lower ends of the classes, in seconds.
    pub const fn bounds(self) -> &'static [u32; CLASSES] {
        match self {
            ClockClass::Left => &[0, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600],
            ClockClass::Spent => &[0, 1, 2, 3, 5, 10, 20, 30, 60, 120, 300],
        }
    }

    /// Returns the index of a time's class.
    pub fn class(self, time: Duration) -> usize {
        self.of(u32::try_from(time.as_millis() / 10).unwrap_or(u32::MAX))
    }

    /// Returns the name of a class for readers: `10 to 20 s`, `2 to 5 min`, `60 min and more`.
    pub fn label(self, class: usize) -> String {
        let bounds = self.bounds();
        let from = bounds[class];
        let (unit, name) = if from >= 60 { (60, "min") } else { (1, "s") };
        match bounds.get(class + 1) {
            Some(60) => format!("{from} s to 1 min"),
            Some(to) => format!("{} to {} {name}", from / unit, to / unit),
            None => format!("{} {name} and more", from / unit),
        }
    }

    /// Returns the class of a time in hundredths of a second.
    fn of(self, time: u32) -> usize {
        let classes = match self {
            ClockClass::Left => &LEFT,
            ClockClass::Spent => &SPENT,
        };
        usize::from(classes[(time as usize / 100).min(LONGEST)])
    }
}

/// All times of this many seconds or more are in the last class.
const LONGEST: usize = 3600;

/// The class of each number of seconds. A lookup avoids the unpredictable branches of a search.
static LEFT: [u8; LONGEST + 1] = classes(ClockClass::Left.bounds());
static SPENT: [u8; LONGEST + 1] = classes(ClockClass::Spent.bounds());

const fn classes(bounds: &[u32; CLASSES]) -> [u8; LONGEST + 1] {
    let mut classes = [0; LONGEST + 1];
    let (mut second, mut class) = (0, 0);
    while second <= LONGEST {
        while class + 1 < CLASSES && bounds[class + 1] as usize <= second {
            class += 1;
        }
        classes[second] = class as u8;
        second += 1;
    }
    classes
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockCounts {
    pub gains: ClusterSums,
    /// Half-points of the moves against a player who never gains or loses, summed by game.
    pub scores: ClusterSums,
}

/// Number of classes of each kind of time.
pub const CLASSES: usize = 11;

/// The sums over all games, by class of time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clocks(ByClass<ClockCounts>);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GameClocks(ByClass<ClassSums>);

/// One `T` for each class of each kind of time. The kinds are in the order of [`ClockClass::ALL`].
type ByClass<T> = [[T; CLASSES]; ClockClass::ALL.len()];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct ClassSums {
    moves: u32,
    half_points: u32,
    gain: i64,
}

impl GameClocks {
    /// Adds a move with its times left and spent in hundredths of a second, if known.
    pub(super) fn add(&mut self, left: Option<u32>, spent: Option<u32>, gain: i32, half_points: u32) {
        for (class, time) in ClockClass::ALL.into_iter().zip([left, spent]) {
            let Some(time) = time else { continue };
            let sums = &mut self.0[class as usize][class.of(time)];
            sums.moves += 1;
            sums.gain += i64::from(gain);
            sums.half_points += half_points;
        }
    }
}

impl Clocks {
    /// Adds the moves of a game.
    pub fn add(&mut self, game: &GameClocks) {
        for (counts, sums) in self.0.iter_mut().flatten().zip(game.0.iter().flatten()) {
            if sums.moves > 0 {
                counts.gains.add(sums.moves.into(), sums.gain);
                counts.scores.add(sums.moves.into(), sums.half_points.into());
            }
        }
    }

    /// Returns the counts of all classes of a kind of time, in the order of `ClockClass::bounds`.
    pub fn counts(&self, class: ClockClass) -> &[ClockCounts; CLASSES] {
        &self.0[class as usize]
    }

    #[cfg(feature = "program")]
    pub(crate) fn counts_mut(&mut self, class: ClockClass) -> &mut [ClockCounts; CLASSES] {
        &mut self.0[class as usize]
    }
}

impl AddAssign<&Clocks> for Clocks {
    fn add_assign(&mut self, more: &Clocks) {
        for (counts, more) in self.0.iter_mut().flatten().zip(more.0.iter().flatten()) {
            counts.gains += more.gains;
            counts.scores += more.scores;
        }
    }
}
