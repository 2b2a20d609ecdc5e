//! The players of each event, in an archive counted by event: the names of their groups, their titles, blunders by the clock,
//! and upsets.

use std::ops::AddAssign;

use compact_str::{CompactString, format_compact};
use serde::Serialize;

use crate::base::text::folded_name;
use crate::chess::{Headers, RatingSystem, TimeClass};
use crate::measure::group::{Grouping, UNKNOWN};

/// A player of an event in one game.
#[derive(Debug, Clone, PartialEq)]
pub struct EntrantCounts {
    /// The name of the group of the event's player, by [`entrant_key`].
    pub group: CompactString,
    pub title: Option<CompactString>,
    pub timed: TimedBlunders,
}

/// Counted moves with a known clock, and the blunders among them by lichess's rule: first the moves with at least
/// [`TROUBLE`] left after them, then the moves in time trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimedBlunders {
    pub moves: [u64; 2],
    pub blunders: [u64; 2],
}

/// The time left below which a player is in time trouble, in hundredths of a second.
pub const TROUBLE: u32 = 6000;

impl TimedBlunders {
    /// Adds a move with this time left, in hundredths of a second.
    pub fn add(&mut self, left: u32, is_blunder: bool) {
        let class = usize::from(left < TROUBLE);
        self.moves[class] += 1;
        self.blunders[class] += u64::from(is_blunder);
    }

    /// Returns the share of blunders among the moves of a class: 0 with time, 1 in time trouble. `None` without moves.
    pub fn share(self, class: usize) -> Option<f64> {
        (self.moves[class] > 0).then(|| self.blunders[class] as f64 / self.moves[class] as f64)
    }
}

impl AddAssign for TimedBlunders {
    fn add_assign(&mut self, more: TimedBlunders) {
        for class in 0..2 {
            self.moves[class] += more.moves[class];
            self.blunders[class] += more.blunders[class];
        }
    }
}

/// A game that was won by the player with the lower rating.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Upset {
    /// Difference of the ratings in the game's tags, at least [`LEAST_UPSET`].
    pub difference: u32,
    pub winner: String,
    pub loser: String,
}

/// The smallest difference of ratings of an upset: the winner was expected to score a quarter of the points.
pub const LEAST_UPSET: u32 = 200;

/// Returns the group of a game's event. Blitz and rapid games over the board are events of their own. `clock` is the larger of
/// the clocks after the first two moves, in hundredths of a second.
pub(super) fn event_key(headers: &Headers<'_>, system: RatingSystem, clock: Option<u32>) -> CompactString {
    let Some(event) = headers.event.map(folded_name) else { return CompactString::const_new(UNKNOWN) };
    let speed = || TimeClass::of_fide(headers.time_control, clock.map(|clock| clock / 100));
    match speed().filter(|_| !system.is_of_server()) {
        Some(speed) if speed != TimeClass::Classical => format_compact!("{event} ({speed})"),
        _ => event.into(),
    }
}

/// Returns the group of a game's event, as archives are counted.
#[cfg(feature = "program")]
pub fn event_of_game(game: &crate::chess::Game) -> CompactString {
    let clock = game.moves.iter().take(2).filter_map(|played| played.clock).max();
    event_key(&Headers::of_game(game), game.tags.rating_system(), clock.map(crate::chess::pgn::hundredths))
}

/// The separator of event and player in the name of a group. Names in games have no such character, because their white space is
/// folded.
const BETWEEN: char = '\t';

/// Returns the name of the group of an event's player.
pub fn entrant_key(event: &str, player: &str) -> CompactString {
    format_compact!("{event}{BETWEEN}{player}")
}

/// Returns the event and the player of a group; `None` if the group is not an event's player.
pub fn split_entrant(key: &str) -> Option<(&str, &str)> {
    key.split_once(BETWEEN)
}

/// Splits the name of a group before the player's name; `None` if the groups of this kind have no players.
pub fn before_player(key: &str, by: Grouping) -> Option<(&str, &str)> {
    match by {
        Grouping::Player => Some(("", key)),
        Grouping::Event => key.find(BETWEEN).map(|at| key.split_at(at + BETWEEN.len_utf8())),
        _ => None,
    }
}
