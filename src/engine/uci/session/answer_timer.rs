//! [`AnswerTimer`]: timeouts for an engine. Pauses of this process do not count.

use std::{future::Future, future::ready, pin::pin, time::Duration, time::Instant};

use tokio::{task::yield_now, time::timeout};

use super::SessionError;
use crate::engine::uci::engine_line::MAX_DEPTH;

/// Time limit of a whole search, as a multiple of the limit for one depth.
const WHOLE: u32 = 30;

/// Time to read output that was written before the deadline but not yet read.
const BACKLOG: Duration = Duration::from_secs(1);

/// Longest time between two looks at the clock while this process runs.
const TICK: Duration = Duration::from_millis(250);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// `uciok`.
    Greeting,
    /// The answer `readyok`, or the end of a write, for which the engine must read its input.
    Readiness,
    /// The end of a search.
    Search,
}

/// A timeout. A search has a timeout for each depth, and a timeout thirty times as long for the whole search,
/// whatever the engine reports. Every other answer has a single timeout.
#[derive(Debug)]
pub struct AnswerTimer {
    awaited: Awaited,
    timeout: Duration,
    clock: RunningTime,
    /// The running time at which the engine is too late.
    deadline: Duration,
    /// Deepest depth reported, in plies.
    depth: u32,
}

/// The running time of this process. A gap between two looks at the clock counts for at most a [`TICK`].
/// During a longer gap, this process was probably stopped (SIGSTOP, a frozen container, a suspended job), and
/// the engine with it.
#[derive(Debug)]
struct RunningTime {
    spent: Duration,
    seen: Instant,
}

impl RunningTime {
    fn begin() -> RunningTime {
        RunningTime { spent: Duration::ZERO, seen: Instant::now() }
    }

    /// Returns the running time until now.
    fn look(&mut self) -> Duration {
        let now = Instant::now();
        self.spent += (now - self.seen).min(TICK);
        self.seen = now;
        self.spent
    }
}

impl AnswerTimer {
    /// Starts the timeout of a search: `timeout` between two depths, and thirty times as long for the whole
    /// search.
    pub fn of(timeout: Duration) -> AnswerTimer {
        AnswerTimer::with(Awaited::Search, timeout)
    }

    /// Starts the timeout of `uciok`.
    pub fn of_greeting(timeout: Duration) -> AnswerTimer {
        AnswerTimer::with(Awaited::Greeting, timeout)
    }

    /// Starts the timeout of `readyok`, or of input that the engine must read.
    pub fn of_readiness(timeout: Duration) -> AnswerTimer {
        AnswerTimer::with(Awaited::Readiness, timeout)
    }

    fn with(awaited: Awaited, timeout: Duration) -> AnswerTimer {
        AnswerTimer { awaited, timeout, clock: RunningTime::begin(), deadline: timeout, depth: 0 }
    }

    /// Receives a depth. If it is greater than all earlier depths, and at most [`MAX_DEPTH`], the deadline is
    /// extended, but not beyond the limit of the whole search.
    pub fn reached(&mut self, depth: Option<u32>) {
        if let Some(depth) = depth.filter(|depth| (self.depth + 1..=MAX_DEPTH).contains(depth)) {
            self.depth = depth;
            self.deadline = self.clock.look().saturating_add(self.timeout).min(self.whole());
        }
    }

    /// Waits for `done`, an answer of the engine or the end of a write. After the deadline, only output
    /// already written is accepted.
    pub async fn wait<T>(&mut self, done: impl Future<Output = T>) -> Result<T, SessionError> {
        let mut done = pin!(done);
        loop {
            if let Some(done) = at_once(done.as_mut()).await {
                return Ok(done);
            }
            let left = self.deadline.saturating_sub(self.clock.look());
            if left.is_zero() {
                // This process may have slept: ask the system once more for input.
                yield_now().await;
                return at_once(done).await.ok_or_else(|| self.exhausted());
            }
            if let Ok(done) = timeout(left.min(TICK), done.as_mut()).await {
                return Ok(done);
            }
        }
    }

    /// Returns an error if the deadline passed more than [`BACKLOG`] ago. It must be called for each line:
    /// while there is always another line to read, no wait times out.
    pub fn check(&mut self) -> Result<(), SessionError> {
        match self.clock.look() < self.deadline.saturating_add(BACKLOG) {
            true => Ok(()),
            false => Err(self.exhausted()),
        }
    }

    /// Returns the time limit of a whole search.
    fn whole(&self) -> Duration {
        self.timeout.saturating_mul(WHOLE)
    }

    fn exhausted(&self) -> SessionError {
        match self.awaited {
            Awaited::Greeting => SessionError::NotUci,
            Awaited::Readiness => SessionError::NotReady(self.timeout),
            Awaited::Search if self.deadline < self.whole() => SessionError::Stalled(self.timeout),
            Awaited::Search => SessionError::Endless(self.whole()),
        }
    }
}

/// Returns the result of `work` if it is immediately available. A timeout of zero would not do, because tokio
/// rounds it up to a millisecond. A move at a low depth takes a fraction of a millisecond.
pub async fn at_once<T>(work: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        done = work => Some(done),
        () = ready(()) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMEOUT: Duration = Duration::from_secs(60);

    /// Returns the timer of a search that has reached depth 5, with `spent` seconds on its clock, and with a
    /// deadline at `deadline` seconds.
    fn after(spent: u64, deadline: u64) -> AnswerTimer {
        let clock = RunningTime { spent: Duration::from_secs(spent), ..RunningTime::begin() };
        AnswerTimer { clock, deadline: Duration::from_secs(deadline), depth: 5, ..AnswerTimer::of(TIMEOUT) }
    }

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        crate::base::work::event_loop().expect("an event loop").block_on(work)
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
            let mut timer = after(50, 60);
            timer.reached(depth);
            assert_eq!(timer.deadline >= Duration::from_secs(110), is_put_off, "{depth:?}");
        }
        let mut timer = after(1_795, 1_799);
        timer.reached(Some(9));
        assert_eq!(timer.deadline.as_secs(), 1_800, "never beyond the end of all");
    }

    #[test]
    fn lines_without_end_are_read_for_a_second_after_the_deadline() {
        after(59, 60).check().expect("in time");
        after(60, 60).check().expect("a second to read what is there");
        let error = after(61, 60).check().expect_err("late").to_string();
        assert_eq!(error, "the engine reached no new depth for 60 s");
        let error = after(1_801, 1_800).check().expect_err("late").to_string();
        assert_eq!(error, "the engine did not end its search within 1800 s");
        AnswerTimer::of(Duration::MAX).check().expect("no timeout is too long");
    }

    #[test]
    fn time_in_which_this_process_did_not_run_is_not_the_engines() {
        let mut timer = AnswerTimer::of(TIMEOUT);
        let an_hour_ago = Instant::now().checked_sub(Duration::from_secs(3_600));
        timer.clock.seen = an_hour_ago.unwrap_or(timer.clock.seen);
        timer.check().expect("timer as before");
        assert!(timer.clock.spent <= 2 * TICK);
    }

    #[test]
    fn after_the_deadline_only_what_is_there_is_taken() {
        assert_eq!(block_on(after(60, 60).wait(ready("an answer"))).expect("an answer"), "an answer");
        let error =
            block_on(after(60, 60).wait(std::future::pending::<()>())).expect_err("silence").to_string();
        assert_eq!(error, "the engine reached no new depth for 60 s");
        let mut short = AnswerTimer::of_readiness(Duration::from_millis(300));
        let begun = Instant::now();
        assert!(block_on(short.wait(std::future::pending::<()>())).is_err());
        assert!(begun.elapsed() >= Duration::from_millis(300), "the time is over, and not before");
    }
}
