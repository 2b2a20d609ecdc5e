//! [`BoardClock`]: the clocks of a game in the terminal.

use std::{str::FromStr, time::Duration};

use shakmaty::{ByColor, Color};

use crate::chess::{BaseAndIncrement, Clock};

/// The longest time of a side without increments, in minutes.
const MOST_MINUTES: f64 = 1440.0;

/// The time control of a game, as players write it: minutes for the game, and seconds added per move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardTime(pub BaseAndIncrement);

impl FromStr for BoardTime {
    type Err = String;

    fn from_str(text: &str) -> Result<BoardTime, String> {
        let unknown = || {
            format!("{text:?} is not a time control: write MINUTES+SECONDS, such as 10+5 (at most 1440+3600)")
        };
        let (minutes, increment) = text.split_once('+').unwrap_or((text, "0"));
        let minutes: f64 = minutes.parse().map_err(|_| unknown())?;
        let increment: u32 = increment.parse().map_err(|_| unknown())?;
        let base = (60.0 * minutes).round();
        if !(1.0..=60.0 * MOST_MINUTES).contains(&base) || increment > 3600 {
            return Err(unknown());
        }
        Ok(BoardTime(BaseAndIncrement { base: base as u32, increment }))
    }
}

impl BoardTime {
    /// Returns the value of the PGN tag `TimeControl`.
    pub fn tag(self) -> String {
        format!("{}+{}", self.0.base, self.0.increment)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardClock(Clock);

impl BoardClock {
    pub fn new(BoardTime(control): BoardTime) -> BoardClock {
        let [base, increment] = [control.base, control.increment].map(|s| Duration::from_secs(s.into()));
        BoardClock(Clock::of(base, increment))
    }

    /// Sets the remaining time of `side`.
    pub fn set(&mut self, side: Color, left: Duration) {
        *self.0.left.get_mut(side) = left;
    }

    pub fn left(&self, side: Color) -> Duration {
        *self.0.left.get(side)
    }

    /// Subtracts the time of a move, and adds the increment. Returns the remaining time; `None` if the move
    /// used up the time.
    pub fn spend(&mut self, side: Color, time: Duration) -> Option<Duration> {
        // PGN files store milliseconds.
        let time = Duration::from_millis(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let left = self.left(side).checked_sub(time).filter(|left| !left.is_zero());
        self.set(side, left.map_or(Duration::ZERO, |left| left + *self.0.increment.get(side)));
        left.map(|_| self.left(side))
    }

    pub fn clock(&self) -> Clock {
        self.0
    }

    /// Returns both clocks as text, such as `9:58`; below ten seconds, with tenths, such as `0:09.9`.
    pub fn shown(&self) -> ByColor<String> {
        self.0.left.map(|left| match left.as_secs() {
            seconds @ 10.. => format!("{}:{:02}", seconds / 60, seconds % 60),
            _ => format!("0:{:04.1}", left.as_secs_f64()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_minutes_and_seconds() {
        let tag = |text: &str| text.parse::<BoardTime>().map(BoardTime::tag);
        assert_eq!(tag("10+5"), Ok("600+5".to_owned()));
        assert_eq!(tag("3"), Ok("180+0".to_owned()));
        assert_eq!(tag("0.5+1"), Ok("30+1".to_owned()));
        for text in ["", "+5", "0+5", "ten", "10+x", "-3+2", "NaN", "1e9", "5+9999", "5+2+1"] {
            assert!(tag(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_takes_its_time_and_adds_the_increment_until_the_time_is_over() {
        let mut clock = BoardClock::new("1+2".parse().expect("a time"));
        let seconds = Duration::from_secs;
        assert_eq!(clock.spend(Color::White, seconds(10)), Some(seconds(52)));
        assert_eq!(clock.shown(), ByColor { white: "0:52".into(), black: "1:00".into() });
        clock.set(Color::White, Duration::from_millis(9_940));
        assert_eq!(clock.shown().white, "0:09.9");
        assert_eq!(clock.spend(Color::White, seconds(10)), None);
        assert_eq!((clock.left(Color::White), clock.left(Color::Black)), (seconds(0), seconds(60)));
    }
}
