//! Owns [`Patience`]: how long an engine is waited for that searches.

use std::time::{Duration, Instant};

use super::SessionError;
use crate::engine::uci::engine_line::MAX_DEPTH;

/// How much longer than for one depth a search may last as a whole.
const WHOLE: u32 = 30;

/// What was written while nobody read is heard for so long, after the deadline.
const BACKLOG: Duration = Duration::from_secs(1);

/// How long an engine is waited for: so long from one depth to the next, whatever it says between them, and so long for
/// all of a search. Both count from its start.
#[derive(Debug)]
pub struct Patience {
    timeout: Duration,
    end: Instant,
    /// Deepest search that was told of, in plies.
    depth: u32,
    deadline: Instant,
    is_late: bool,
}

impl Patience {
    /// Begins to wait: for `timeout` between two depths, and thirty times that for all of the search.
    pub fn of(timeout: Duration) -> Patience {
        let start = Instant::now();
        let end = start + timeout.saturating_mul(WHOLE).min(FOREVER);
        Patience { timeout, end, depth: 0, deadline: start + timeout.min(FOREVER), is_late: false }
    }

    /// When the engine must have said more.
    pub fn deadline(&self) -> Instant {
        self.deadline
    }

    /// Hears of a depth, which puts the deadline off where it is a new one.
    pub fn hear(&mut self, depth: Option<u32>) {
        if let Some(depth) = depth.filter(|depth| (self.depth + 1..=MAX_DEPTH).contains(depth)) {
            self.depth = depth;
            self.deadline = (Instant::now() + self.timeout.min(FOREVER)).min(self.end);
        }
    }

    /// Asked after each line: where there is always another one to read, no wait for it ever runs out. An error after the
    /// deadline, and a second in which all is read that was written while this process slept.
    pub fn check(&mut self) -> Result<(), SessionError> {
        let now = Instant::now();
        if now < self.deadline {
            return Ok(());
        }
        if self.is_late {
            return Err(self.exhausted());
        }
        self.is_late = true;
        self.deadline = now + BACKLOG;
        Ok(())
    }

    /// Returns the error of a search that has lasted too long.
    pub fn exhausted(&self) -> SessionError {
        match Instant::now() < self.end {
            true => SessionError::Stalled(self.timeout),
            false => SessionError::Endless(self.timeout.saturating_mul(WHOLE)),
        }
    }
}

/// Longer than anything lasts, and short enough to be added to a time.
const FOREVER: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

#[cfg(test)]
mod tests {
    use super::*;

    /// Patience of which so much is left, for the next depth and for all of the search.
    fn left(deadline: i64, end: i64) -> Patience {
        let at = |seconds: i64| {
            let now = Instant::now();
            let time = Duration::from_secs(seconds.unsigned_abs());
            if seconds < 0 {
                now.checked_sub(time).expect("a time since the machine was started")
            } else {
                now + time
            }
        };
        let timeout = Duration::from_secs(60);
        Patience { timeout, end: at(end), depth: 5, deadline: at(deadline), is_late: false }
    }

    #[test]
    fn a_new_depth_puts_the_deadline_off_and_nothing_else_does() {
        for (depth, is_put_off) in [
            (None, false),
            (Some(4), false),
            (Some(5), false),
            (Some(6), true),
            (Some(245), true),
            (Some(246), false),
        ] {
            let mut patience = left(10, 1_000);
            patience.hear(depth);
            assert_eq!(patience.deadline > Instant::now() + Duration::from_secs(30), is_put_off, "{depth:?}");
        }
        let mut patience = left(1, 20);
        patience.hear(Some(9));
        assert_eq!(patience.deadline, patience.end, "never beyond the end of all");
    }

    #[test]
    fn what_was_written_while_nobody_read_is_heard_and_no_more() {
        let mut patience = left(-1, 100);
        patience.check().expect("a second to read what is there");
        patience.deadline = Instant::now();
        let error = patience.check().expect_err("late").to_string();
        assert_eq!(error, "the engine came to no new depth for 60 s");
        let mut patience = left(10, 100);
        patience.check().expect("in time");
        assert!(!patience.is_late);
        assert_eq!(left(-1, -1).exhausted().to_string(), "the engine did not end its search for 1800 s");
    }

    #[test]
    fn no_timeout_is_too_long() {
        assert!(Patience::of(Duration::MAX).deadline() > Instant::now());
    }
}
