//! The progress line, as complete as the terminal's width permits.

use std::time::{Duration, Instant};

use ::console::Term;
use indicatif::HumanDuration;

use crate::base::text::{cut, width};
use crate::verbs::observer::Steps;

/// Cells of the bar in a wide terminal.
const LONG: usize = 20;

/// Cells of the bar in a narrow terminal.
const SHORT: usize = 10;

/// Returns the number of usable columns. The last one stays free, because some terminals start a new line
/// when it is written.
pub fn columns() -> usize {
    usize::from(Term::stderr().size().1).saturating_sub(1)
}

/// Returns a line of at most `columns`: a bar, the number of steps done, their name `what`, the speed and the
/// remaining time. If the line is too long, the bar gets shorter first. Then the speed is left out, the time
/// is abbreviated, and the bar is left out. A line that is still too long is cut.
pub fn progress_line(what: &str, steps: Steps, speed: f64, left: Option<Duration>, columns: usize) -> String {
    let Steps { done, of } = steps;
    let (long, short) = (bar(steps, LONG), bar(steps, SHORT));
    let fast = speed_in_words(speed);
    // Before the first step, the remaining time is unknown.
    let left = left.filter(|_| speed > 0.0);
    let whole = left.map_or(String::new(), |left| format!(", {} left", HumanDuration(left)));
    let briefly = left.map_or(String::new(), |left| format!(", {:#} left", HumanDuration(left)));
    let forms = [
        format!("{long} {done} of {of} {what}{fast}{whole}"),
        format!("{short} {done} of {of} {what}{fast}{whole}"),
        format!("{short} {done} of {of} {what}{whole}"),
        format!("{short} {done} of {of} {what}{briefly}"),
        format!("{done} of {of} {what}{briefly}"),
    ];
    let fitting = forms.iter().find(|form| width(form) <= columns).cloned();
    fitting.unwrap_or_else(|| cut(&format!("{done}/{of} {what}{briefly}"), columns))
}

/// The start of some work, and the number of steps done before it. These steps do not count for the speed:
/// stored evaluations say nothing about an engine's speed.
#[derive(Debug, Clone, Copy)]
pub struct Beginning {
    pub at: Instant,
    pub done: u64,
}

impl Beginning {
    pub fn of(steps: Steps) -> Beginning {
        Beginning { at: Instant::now(), done: steps.done }
    }

    /// Returns the steps per second since the start; 0 before [`FIRST_MOMENT`].
    pub fn speed(&self, steps: Steps) -> f64 {
        speed(steps.done.saturating_sub(self.done), self.at.elapsed())
    }
}

/// Time before which no speed is shown, because it would mean nothing.
const FIRST_MOMENT: Duration = Duration::from_millis(200);

fn speed(done: u64, elapsed: Duration) -> f64 {
    if elapsed < FIRST_MOMENT { 0.0 } else { done as f64 / elapsed.as_secs_f64() }
}

/// Returns the remaining time at `speed`, in steps per second; `None` if `speed` is 0 or no step remains.
pub fn left(steps: Steps, speed: f64) -> Option<Duration> {
    let seconds = steps.of.saturating_sub(steps.done) as f64 / speed;
    (speed > 0.0 && seconds > 0.0).then(|| Duration::from_secs_f64(seconds.round().min(1e9)))
}

/// Returns the progress line without a bar, for a log, with `message` at its end.
pub fn plain_line(what: &str, steps: Steps, speed: f64, message: &str) -> String {
    let Steps { done, of } = steps;
    let left = left(steps, speed).map_or(String::new(), |left| format!(", {} left", HumanDuration(left)));
    let message =
        if message.is_empty() { String::new() } else { format!(", {}", message.replace('\n', "; ")) };
    format!("{done} of {of} {what}{}{left}{message}", speed_in_words(speed))
}

/// Returns the lines of `text`, each after a line feed and cut to `columns`.
pub fn lines_below(text: &str, columns: usize) -> String {
    text.lines().map(|line| format!("\n{}", ::console::truncate_str(line, columns, "…"))).collect()
}

/// Returns a comma and the speed, per second, or per minute if it is slow; empty if the speed is 0.
fn speed_in_words(per_second: f64) -> String {
    match per_second {
        0.5.. => format!(", {per_second:.1} a second"),
        speed if speed > 0.0 => format!(", {:.1} a minute", 60.0 * speed),
        _ => String::new(),
    }
}

fn bar(steps: Steps, cells: usize) -> String {
    let share = if steps.of == 0 { 1.0 } else { (steps.done as f64 / steps.of as f64).min(1.0) };
    let full = (share * cells as f64) as usize;
    "█".repeat(full) + &"░".repeat(cells - full)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const STEPS: Steps = Steps { done: 1234, of: 4883 };

    fn shown(columns: usize) -> String {
        progress_line("positions", STEPS, 120.34, Some(Duration::from_secs(1800)), columns)
    }

    #[test]
    fn a_narrow_terminal_is_told_less_and_never_wraps() {
        assert_eq!(
            [79, 69, 59, 45, 39].map(shown),
            [
                "█████░░░░░░░░░░░░░░░ 1234 of 4883 positions, 120.3 a second, 30 minutes left",
                "██░░░░░░░░ 1234 of 4883 positions, 120.3 a second, 30 minutes left",
                "██░░░░░░░░ 1234 of 4883 positions, 30 minutes left",
                "██░░░░░░░░ 1234 of 4883 positions, 30m left",
                "1234 of 4883 positions, 30m left",
            ]
        );
    }

    #[test]
    fn a_line_in_a_log_has_its_message_behind_it() {
        let line = plain_line("positions", Steps { done: 200, of: 300 }, 10.0, "1 of 4 games done\nmore");
        assert_eq!(line, "200 of 300 positions, 10.0 a second, 10 seconds left, 1 of 4 games done; more");
        let line = plain_line("games", Steps { done: 3, of: 3 }, 2.0, "");
        assert_eq!(line, "3 of 3 games, 2.0 a second", "nothing is left");
        let line = plain_line("games", Steps { done: 0, of: 3 }, 0.0, "");
        assert_eq!(line, "0 of 3 games", "nobody knows before the first step");
    }

    #[test]
    fn what_the_store_had_is_no_speed() {
        let steps = Steps { done: 4000, of: 4883 };
        let start = Beginning { at: Instant::now() - Duration::from_secs(10), done: 3000 };
        assert!((start.speed(steps) - 100.0).abs() < 1.0);
        assert_eq!(left(steps, 100.0), Some(Duration::from_secs(9)));
        assert_eq!((Beginning::of(steps).speed(steps), left(steps, 0.0)), (0.0, None));
        assert_eq!(speed(20, Duration::from_micros(3)), 0.0, "nobody knows in the first moment");
    }

    #[test]
    fn what_is_slow_is_counted_by_the_minute() {
        assert_eq!([2.04, 0.05].map(speed_in_words), [", 2.0 a second", ", 3.0 a minute"]);
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_the_terminal(
            done in any::<u32>(), more in any::<u32>(), speed in 0.0..1e9, left in 0u64..1 << 40, columns in 1usize..130,
        ) {
            let steps = Steps { done: done.into(), of: u64::from(done) + u64::from(more) };
            let line = progress_line("own moves", steps, speed, Some(Duration::from_secs(left)), columns);
            prop_assert!(width(&line) <= columns, "{line}");
            let below = lines_below(&format!("{line}\n{line}"), columns);
            prop_assert!(below.lines().all(|line| width(line) <= columns));
        }
    }
}
