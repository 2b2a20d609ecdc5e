//! [`TimeClass`]: the speed class of a game; [`TimeControl`], a condition on a game's time control; and
//! [`ClockHands`], the times of its moves.

use std::{convert::Infallible, fmt, str::FromStr};

use shakmaty::{ByColor, Color};

use crate::base::named::named;

named! {
    /// lichess's speed classes. The class depends on the estimated time of a player for 40 moves, base + 40 ·
    /// increment (<https://lichess.org/faq#time-controls>). The bounds of ultrabullet and bullet are from
    /// lichess's source, `Speed.scala`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum TimeClass: name {
        /// Below 30 seconds.
        UltraBullet => "ultrabullet",
        /// Below 3 minutes.
        Bullet => "bullet",
        /// Below 8 minutes.
        Blitz => "blitz",
        /// Below 25 minutes.
        Rapid => "rapid",
        /// 25 minutes and more.
        Classical => "classical",
        /// Days for a move. No time control gives this class, only the name of a rating.
        Correspondence => "correspondence",
    }
}

/// Returns the time control of a game. `tag` returns the value of a tag by its name.
pub fn read_time_control<'a>(tag: impl Fn(&'static str) -> Option<&'a str>) -> Option<&'a str> {
    tag("TimeControl")
}

/// A time control of one period: a player's seconds for the game, and the seconds added for each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BaseAndIncrement {
    /// Seconds of each player for the game.
    pub base: u32,
    /// Seconds added for each move.
    pub increment: u32,
}

impl BaseAndIncrement {
    /// Parses a `TimeControl` tag such as `180+2` or `300`: the seconds, with an optional increment. `None`
    /// for anything else, such as several periods, or `-` for games without a clock.
    pub fn of_tag(tag: &str) -> Option<BaseAndIncrement> {
        let (base, increment) = tag.trim().split_once('+').unwrap_or((tag.trim(), "0"));
        let seconds = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            digits.then(|| text.parse::<u32>().ok()).flatten()
        };
        Some(BaseAndIncrement { base: seconds(base)?, increment: seconds(increment)? })
    }

    /// Returns the expected time of a player in seconds, by lichess's rule: the base and 40 increments.
    pub fn expected_seconds(self) -> u64 {
        u64::from(self.base) + 40 * u64::from(self.increment)
    }
}

impl TimeClass {
    /// The classes by time control.
    pub const BY_CLOCK: [TimeClass; 5] =
        [TimeClass::UltraBullet, TimeClass::Bullet, TimeClass::Blitz, TimeClass::Rapid, TimeClass::Classical];

    /// Returns the class of a `TimeControl` tag; `None` if [`BaseAndIncrement::of_tag`] cannot parse the tag.
    pub fn of(time_control: &str) -> Option<TimeClass> {
        Some(match BaseAndIncrement::of_tag(time_control)?.expected_seconds() {
            0..30 => TimeClass::UltraBullet,
            30..180 => TimeClass::Bullet,
            180..480 => TimeClass::Blitz,
            480..1500 => TimeClass::Rapid,
            1500.. => TimeClass::Classical,
        })
    }
}

/// A condition on the time control of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimeControl {
    /// Every time control of a class.
    Class(TimeClass),
    /// The exact text of the tag, such as `180+2`.
    Exact(String),
}

impl TimeControl {
    /// Returns whether a game with this `TimeControl` tag fits the condition.
    pub fn has(&self, tag: &str) -> bool {
        match self {
            TimeControl::Class(class) => TimeClass::of(tag) == Some(*class),
            TimeControl::Exact(exact) => tag.trim() == exact,
        }
    }
}

impl FromStr for TimeControl {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<TimeControl, Infallible> {
        let class =
            TimeClass::BY_CLOCK.into_iter().find(|class| text.eq_ignore_ascii_case(&class.to_string()));
        Ok(class.map_or_else(|| TimeControl::Exact(text.trim().to_owned()), TimeControl::Class))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Class(class) => class.fmt(f),
            TimeControl::Exact(exact) => f.write_str(exact),
        }
    }
}

/// The clocks of a game, from which the time of each move follows.
pub struct ClockHands {
    /// Increment per move in hundredths of a second, if the time control has one.
    increment: Option<u32>,
    /// The last reading of each clock; `None` before the player's first move, or if the last move has no
    /// reading.
    shown: ByColor<Option<u32>>,
}

/// A clock that shows whole seconds may seem to run backwards by this time, in hundredths of a second.
const ROUNDING: u32 = 100;

impl ClockHands {
    /// Returns the clocks of a game with the `TimeControl` tag `time_control`, before the first move.
    pub fn of(time_control: Option<&str>) -> ClockHands {
        let control = time_control.and_then(BaseAndIncrement::of_tag);
        ClockHands {
            increment: control.and_then(|control| control.increment.checked_mul(100)),
            shown: ByColor { white: None, black: None },
        }
    }

    /// Returns the time of the next move in hundredths of a second. `left` is the reading of the mover's
    /// clock after the move. Returns `None` if the time is unknown, or if the clock ran backwards by more
    /// than `ROUNDING`. In the latter case, adds 1 to `backwards`.
    pub fn spent(&mut self, mover: Color, left: Option<u32>, backwards: &mut u64) -> Option<u32> {
        let shown = std::mem::replace(self.shown.get_mut(mover), left);
        let (shown, left) = shown.zip(left)?;
        let before = shown.saturating_add(self.increment?);
        if left > before.saturating_add(ROUNDING) {
            *backwards += 1;
            return None;
        }
        Some(before.saturating_sub(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_by_the_seconds_of_forty_moves() {
        // The names of the classes in lichess's Event tags.
        for (tag, class) in [
            ("15+0", TimeClass::UltraBullet),
            ("60+0", TimeClass::Bullet),
            ("120+1", TimeClass::Bullet),
            ("180+0", TimeClass::Blitz),
            ("300+3", TimeClass::Blitz),
            ("300+5", TimeClass::Rapid),
            ("600", TimeClass::Rapid),
            ("900+15", TimeClass::Classical),
            ("5400+30", TimeClass::Classical),
        ] {
            assert_eq!(TimeClass::of(tag), Some(class), "{tag}");
        }
    }

    #[test]
    fn what_is_no_base_and_increment_has_no_class() {
        for tag in ["-", "?", "", "40/9000", "40/7200:3600", "*180", "1+", "180+-2", "99999999999+0"] {
            assert_eq!(TimeClass::of(tag), None, "{tag}");
        }
    }

    #[test]
    fn a_wanted_control_is_a_class_or_the_tag_itself() {
        let wanted = |text: &str| text.parse::<TimeControl>().expect("any text");
        assert!(wanted("Blitz").has("180+2") && !wanted("blitz").has("60+0"));
        assert!(wanted("40/9000").has("40/9000") && !wanted("180+2").has("180+0"));
    }
}
