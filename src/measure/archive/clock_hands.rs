//! Owns [`ClockHands`]: how long each move of a game took by what the clocks show.

use shakmaty::{ByColor, Color};

use crate::chess::BaseAndIncrement;

pub struct ClockHands {
    /// Hundredths of a second after each move, where the time control tells it.
    increment: Option<u32>,
    /// What each clock showed last; `None` before the first move, which runs no clock.
    shown: ByColor<Option<u32>>,
}

/// A clock that shows whole seconds may seem to run backwards by that much.
const ROUNDING: u32 = 100;

impl ClockHands {
    /// Returns the clocks of a game of that time control, as its tag has it, before the first move.
    pub fn of(time_control: Option<&str>) -> ClockHands {
        let control = time_control.and_then(BaseAndIncrement::of_tag);
        ClockHands {
            increment: control.and_then(|control| control.increment.checked_mul(100)),
            shown: ByColor { white: None, black: None },
        }
    }

    /// Returns the hundredths of a second that the next move took, by what the mover's clock shows after it; `None` where
    /// that is not known, and where the clock ran `backwards`, which is counted.
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
