//! [`ClockHands`]: the time of each move of a game from clock readings.

use shakmaty::{ByColor, Color};

use super::time_control::BaseAndIncrement;

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
