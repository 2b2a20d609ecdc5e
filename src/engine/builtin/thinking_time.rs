//! Time management of the built-in engine: its clock, the time limits of a move, and the end of a search.

use std::{num::NonZeroU32, ops::ControlFlow, time::Duration};

use shakmaty::{Color, Move};

use crate::chess::Clock;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use self::timeless::Instant;

/// WebAssembly in a browser has no clock that the standard library knows. There, all times are equal, so only
/// depths and nodes limit a search.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod timeless {
    use std::time::Duration;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Instant;

    impl Instant {
        pub fn now() -> Instant {
            Instant
        }

        pub fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
    }
}

/// Expected number of remaining moves of a game, unless the clock gives a smaller number.
const MOVES_TO_GO: u32 = 25;

/// Time kept on the clock besides the overhead, for delays of a busy machine before or after a search.
const RESERVE: Duration = Duration::from_millis(200);

/// An upper bound of times, longer than any game. It keeps sums and products of untrusted times within range.
const LONGEST: Duration = Duration::from_hours(30 * 24);

/// Percentages of the soft limit, by the number of successive depths that kept the best move of the depth
/// before. A stable best move needs less time.
const PERCENT_BY_STABILITY: [u32; 5] = [160, 125, 100, 85, 75];

/// The time limits of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThinkingTime {
    /// Begin no new depth after about this time; `None` to use all of `hard`.
    soft: Option<Duration>,
    /// Stop at once after this time.
    hard: Duration,
}

impl ThinkingTime {
    /// Allows `time` for the move, minus `overhead`, the delay from a move until the clock stops. At least
    /// half of `time` remains.
    pub fn exactly(time: Duration, overhead: Duration) -> ThinkingTime {
        let time = time.min(LONGEST);
        ThinkingTime { soft: None, hard: time.saturating_sub(overhead).max(time / 2) }
    }

    /// Uses a share of the remaining thinking time of `side`. That time is the clock plus most of the
    /// increments, minus a reserve and the `overhead` of this move and of later moves. The overheads of later
    /// moves take at most half of the time, because they may exceed a short clock. No limit exceeds half of
    /// the clock above the reserve and one `overhead`.
    pub fn of_clock(clock: &Clock, side: Color, overhead: Duration) -> ThinkingTime {
        let left = *clock.left.get(side).min(&LONGEST);
        let increment = *clock.increment.get(side).min(&LONGEST);
        let overhead = overhead.min(LONGEST);
        let moves = clock.moves_to_go.map_or(MOVES_TO_GO, NonZeroU32::get).clamp(1, MOVES_TO_GO);
        let most = left.saturating_sub(RESERVE + overhead) / 2;
        // One move more than the expected number, so that the last move does not use all the time.
        let total = (left + increment * moves * 3 / 4).saturating_sub(RESERVE + overhead);
        let total = total - (overhead * moves).min(total / 2);
        let share = total / (moves + 1);
        ThinkingTime { soft: Some((share / 2).min(most)), hard: (share * 2).min(most) }
    }

    /// Reduces the soft limit, if any, to zero if there is only one legal move or none.
    pub fn among(self, legal_moves: usize) -> ThinkingTime {
        let soft = if legal_moves < 2 { self.soft.map(|_| Duration::ZERO) } else { self.soft };
        ThinkingTime { soft, ..self }
    }

    /// Returns the usual time of a move, without shortening or extension.
    pub fn usual(&self) -> Duration {
        self.soft.unwrap_or(self.hard)
    }

    /// Returns the maximum time of a move.
    pub fn most(&self) -> Duration {
        self.hard
    }

    /// Returns the soft limit after `stable_depths` depths that kept the best move; `None` without a soft
    /// limit.
    fn soft_when(&self, stable_depths: usize) -> Option<Duration> {
        let percent = PERCENT_BY_STABILITY[stable_depths.min(PERCENT_BY_STABILITY.len() - 1)];
        Some((self.soft? * percent / 100).min(self.hard))
    }
}

/// The clock of a search, which decides when the time is over.
#[derive(Debug)]
pub struct Stopwatch {
    begun: Instant,
    time: Option<ThinkingTime>,
    /// Start of the engine's own thinking time; `None` while pondering.
    clock_since: Option<Instant>,
    best: Option<Move>,
    stable_depths: usize,
}

impl Stopwatch {
    /// Starts a clock at `begun` in the engine's own time. A `time` of `None` means no limit.
    pub fn start(begun: Instant, time: Option<ThinkingTime>) -> Stopwatch {
        Stopwatch { begun, time, clock_since: Some(begun), best: None, stable_depths: 0 }
    }

    /// Starts a clock at `begun` in the opponent's time.
    #[cfg(feature = "native")]
    pub fn pondering(begun: Instant, time: Option<ThinkingTime>) -> Stopwatch {
        Stopwatch { begun, clock_since: None, ..Stopwatch::start(begun, time) }
    }

    /// Starts the engine's own time at `at`, unless it already runs.
    #[cfg(feature = "native")]
    pub fn start_clock(&mut self, at: Instant) {
        self.clock_since.get_or_insert(at);
    }

    /// Returns the duration of the search.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns whether to stop at once.
    pub fn is_over(&self) -> bool {
        self.limits().is_some_and(|(time, since)| since.elapsed() >= time.hard)
    }

    /// Receives the best move of a finished depth. `Break` means that no further depth should begin.
    ///
    /// The soft limit includes the time of pondering, because a search during pondering is just as useful.
    pub fn depth_finished(&mut self, best: Option<Move>) -> ControlFlow<()> {
        self.stable_depths = if best == self.best { self.stable_depths + 1 } else { 0 };
        self.best = best;
        let soft = self.limits().and_then(|(time, _)| time.soft_when(self.stable_depths));
        match soft.is_some_and(|soft| self.elapsed() >= soft) || self.is_over() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Returns the limits and the start of the engine's own time; `None` without limits or while pondering.
    fn limits(&self) -> Option<(ThinkingTime, Instant)> {
        self.time.zip(self.clock_since)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{ByColor, Role, Square};

    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const NONE: Duration = Duration::ZERO;

    fn clock(left: Duration, increment: Duration, moves_to_go: u32) -> Clock {
        Clock {
            left: ByColor::new_with(|_| left),
            increment: ByColor::new_with(|_| increment),
            moves_to_go: NonZeroU32::new(moves_to_go),
        }
    }

    fn quiet(to: Square) -> Option<Move> {
        Some(Move::Normal { role: Role::Queen, from: Square::D1, capture: None, to, promotion: None })
    }

    #[test]
    fn a_clock_of_a_minute_gives_a_twenty_sixth_of_it_without_the_reserve() {
        let time = ThinkingTime::of_clock(&clock(52_200 * MS, NONE, 0), Color::White, NONE);
        assert_eq!(time, ThinkingTime { soft: Some(1_000 * MS), hard: 4_000 * MS });
        // 52,110 + ¾·12·400 − 200 − 10 − 12·10 is 13·4,260.
        let time = ThinkingTime::of_clock(&clock(52_110 * MS, 400 * MS, 12), Color::Black, 10 * MS);
        assert_eq!(time, ThinkingTime { soft: Some(2_130 * MS), hard: 8_520 * MS });
    }

    #[test]
    fn a_clock_that_is_nearly_over_asks_for_a_move_at_once() {
        // 210 is the reserve and one overhead.
        for (left, increment) in [(0, 0), (10, 0), (210, 1_000)] {
            let time = ThinkingTime::of_clock(&clock(left * MS, increment * MS, 0), Color::White, 10 * MS);
            assert_eq!(time, ThinkingTime { soft: Some(NONE), hard: NONE }, "{left} + {increment}");
            let mut watch = Stopwatch::start(Instant::now(), Some(time));
            assert!(watch.is_over() && watch.depth_finished(None).is_break());
        }
    }

    #[test]
    fn a_short_clock_with_a_large_overhead_still_gives_time() {
        // 2,000 + ¾·25·20 − 200 − 100 is 2,075. Half of it, 1,037.5 / 26 / 2, is 19.95.
        let time = ThinkingTime::of_clock(&clock(2_000 * MS, 20 * MS, 0), Color::White, 100 * MS);
        assert!((19 * MS..20 * MS).contains(&time.usual()), "{time:?}");
    }

    #[test]
    fn a_clock_lasts_for_its_moves_though_each_is_late_by_the_overhead() {
        let (mut left, overhead) = (5_000 * MS, 100 * MS);
        for moves_to_go in (1..=40).rev() {
            let time = ThinkingTime::of_clock(&clock(left, NONE, moves_to_go), Color::White, overhead);
            let spent = time.usual() + overhead;
            assert!(spent < left, "{moves_to_go} moves to go: {spent:?} of {left:?}");
            left -= spent;
        }
    }

    #[test]
    fn long_increments_are_spent_but_never_more_than_half_of_what_is_left() {
        let time = ThinkingTime::of_clock(&clock(400 * MS, 10_000 * MS, 0), Color::White, 10 * MS);
        assert_eq!(time, ThinkingTime { soft: Some(95 * MS), hard: 95 * MS });
    }

    #[test]
    fn a_fixed_time_is_used_up_but_for_the_overhead() {
        assert_eq!(ThinkingTime::exactly(100 * MS, 10 * MS), ThinkingTime { soft: None, hard: 90 * MS });
        assert_eq!(ThinkingTime::exactly(10 * MS, 10 * MS), ThinkingTime { soft: None, hard: 5 * MS });
        let mut watch =
            Stopwatch::start(Instant::now(), Some(ThinkingTime::exactly(LONGEST, 10 * MS).among(1)));
        assert!((0..9).all(|_| watch.depth_finished(quiet(Square::D2)).is_continue()));
    }

    #[test]
    fn an_only_move_takes_no_time_of_a_clock() {
        let time = ThinkingTime::of_clock(&clock(LONGEST, NONE, 0), Color::White, 10 * MS);
        assert!(Stopwatch::start(Instant::now(), Some(time.among(1))).depth_finished(None).is_break());
        assert!(Stopwatch::start(Instant::now(), Some(time.among(2))).depth_finished(None).is_continue());
    }

    #[test]
    fn the_longer_the_best_move_stays_the_less_time_is_left() {
        let time = ThinkingTime { soft: Some(100 * MS), hard: 1_000 * MS };
        let limits: Vec<Option<Duration>> = (0..7).map(|depths| time.soft_when(depths)).collect();
        assert_eq!(limits[0], Some(160 * MS));
        assert_eq!(limits[6], Some(75 * MS));
        assert!(limits.is_sorted_by(|a, b| a >= b));
    }

    #[test]
    fn another_best_move_begins_the_count_anew() {
        let mut watch = Stopwatch::start(Instant::now(), None);
        for (to, stable) in
            [(Square::D2, 0), (Square::D2, 1), (Square::D3, 0), (Square::D3, 1), (Square::D3, 2)]
        {
            assert!(watch.depth_finished(quiet(to)).is_continue(), "without a clock it never ends");
            assert_eq!(watch.stable_depths, stable);
        }
    }

    #[test]
    fn the_opponents_time_is_no_limit_until_it_is_our_own() {
        let begun = Instant::now();
        let time = ThinkingTime { soft: Some(NONE), hard: NONE };
        let mut watch = Stopwatch::pondering(begun, Some(time));
        assert!(!watch.is_over() && watch.depth_finished(None).is_continue());
        watch.start_clock(begun);
        assert!(watch.is_over() && watch.depth_finished(None).is_break());
    }

    proptest! {
        #[test]
        fn no_move_takes_half_of_what_is_left_above_the_reserve(
            left in prop_oneof![any::<u64>(), 0u64..1_000],
            increment in prop_oneof![any::<u64>(), 0u64..1_000],
            moves_to_go in any::<u32>(),
            overhead in 0u64..6_000,
        ) {
            let [left, increment, overhead] = [left, increment, overhead].map(Duration::from_millis);
            let time = ThinkingTime::of_clock(&clock(left, increment, moves_to_go), Color::White, overhead);
            prop_assert!(time.soft.expect("a soft limit") <= time.hard);
            prop_assert!(time.hard <= left.saturating_sub(overhead + RESERVE) / 2);
            prop_assert!((0..6).all(|depths| time.soft_when(depths).expect("a soft limit") <= time.hard));
            let without = ThinkingTime::of_clock(&clock(left, NONE, moves_to_go), Color::White, overhead);
            prop_assert!(without.soft <= time.soft && without.hard <= time.hard, "increments count");
        }

        #[test]
        fn no_clock_runs_out_though_each_move_takes_all_it_may_and_one_is_kept_waiting(
            base in 1_000u64..60_000, increment in 10u64..2_000, overhead in 0u64..=10, waits in 0usize..300,
        ) {
            let [mut left, increment, overhead] = [base, increment, overhead].map(Duration::from_millis);
            for number in 0..300 {
                let time = ThinkingTime::of_clock(&clock(left, increment, 0), Color::White, overhead);
                let waited = if number == waits { RESERVE * 9 / 10 } else { NONE };
                let spent = time.hard + overhead + waited;
                prop_assert!(spent < left, "move {}: {:?} of {:?}", number, spent, left);
                left = left - spent + increment;
            }
        }

        #[test]
        fn the_longest_times_there_are_do_no_harm(moves_to_go in any::<u32>()) {
            let clock = clock(Duration::MAX, Duration::MAX, moves_to_go);
            let time = ThinkingTime::of_clock(&clock, Color::Black, Duration::MAX);
            prop_assert_eq!(time.hard, Duration::ZERO);
            let _ = Stopwatch::start(Instant::now(), Some(ThinkingTime::exactly(Duration::MAX, Duration::ZERO))).is_over();
        }
    }
}
