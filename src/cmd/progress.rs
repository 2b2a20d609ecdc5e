//! Owns what a user sees on standard error while a search runs.

use std::{
    fmt,
    io::{IsTerminal, stderr},
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::{say, standings::Standings, takes_colours};
use crate::{evaluate::Progress, gain::EvaluatedGame, report::tables::Screen};

/// Time between two lines where there is no terminal to draw a bar on.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Time between two drawings of the bar while nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// Remarks and progress on standard error.
pub struct Display {
    quiet: bool,
    kind: Kind,
    /// What is shown below the bar.
    standings: Option<Standings>,
}

enum Kind {
    Nothing,
    Bar(ProgressBar),
    Lines { what: &'static str, start: Instant, done_at_start: u64, last: Instant },
}

impl Display {
    /// A display for the whole run; quiet shows warnings only.
    pub fn new(quiet: bool) -> Display {
        Display { quiet, kind: Kind::Nothing, standings: None }
    }

    /// A remark that `--quiet` leaves out.
    pub fn note(&self, text: &str) {
        if !self.quiet {
            self.line(text);
        }
    }

    /// A warning.
    pub fn warn(&self, text: &str) {
        let head = console::style("warning:").yellow().force_styling(takes_colours(&stderr()));
        self.line(&format!("{head} {text}"));
    }

    fn line(&self, text: &str) {
        match &self.kind {
            Kind::Bar(bar) => bar.suspend(|| say(text)),
            _ => say(text),
        }
    }

    /// Whether progress is drawn on a terminal.
    pub fn is_drawn(&self) -> bool {
        !self.quiet && stderr().is_terminal()
    }

    /// Shows this ranking, or none, below the bars from now on.
    pub fn rank(&mut self, standings: Option<Standings>) {
        self.standings = standings;
    }

    /// Takes a game that is done into the ranking.
    pub fn complete(&mut self, game: &EvaluatedGame) {
        if let Some(standings) = &mut self.standings {
            standings.add(game);
        }
    }

    /// Begins to show the progress of a search, which is for `what`.
    pub fn start(&mut self, what: &'static str, progress: Progress) {
        self.kind = match () {
            () if self.quiet => Kind::Nothing,
            () if stderr().is_terminal() => Kind::Bar(bar(what, progress)),
            () => {
                let now = Instant::now();
                Kind::Lines { what, start: now, done_at_start: progress.positions_done, last: now }
            }
        };
    }

    /// Shows how far a search is.
    pub fn advance(&mut self, progress: Progress) {
        match &mut self.kind {
            Kind::Nothing => {}
            Kind::Bar(bar) => {
                bar.set_length(progress.positions);
                bar.set_position(progress.positions_done);
                let is_end = progress.games_done == progress.games;
                let standings = self.standings.as_mut().map(|standings| below_the_bar(standings, is_end));
                bar.set_message(games_left(progress) + &standings.unwrap_or_default());
            }
            Kind::Lines { what, start, done_at_start, last } => {
                let finished = progress.positions_done == progress.positions;
                if last.elapsed() >= LINE_EVERY || finished {
                    *last = Instant::now();
                    say(&plain_line(what, progress, start.elapsed(), *done_at_start));
                }
            }
        }
    }

    /// Ends the display of a search.
    pub fn finish(&mut self) {
        if let Kind::Bar(bar) = std::mem::replace(&mut self.kind, Kind::Nothing) {
            bar.finish_and_clear();
        }
    }
}

fn bar(what: &'static str, progress: Progress) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:20} {pos}/{len} {prefix}, {rate}, {eta} left, {msg}")
        .expect("a template of known keys")
        .with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
            // A bar that cannot be written is not worth an error.
            let _ = write!(text, "{:.1} a second", state.per_sec());
        });
    let bar = ProgressBar::with_draw_target(Some(progress.positions), ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar.set_prefix(what);
    bar.set_position(progress.positions_done);
    bar.set_message(games_left(progress));
    // What the store had does not tell how fast the engine is.
    bar.reset_eta();
    bar.enable_steady_tick(TICK);
    bar
}

/// Lines that the bar itself takes, and one that stays free so that nothing scrolls.
const TAKEN: usize = 3;

/// The ranking as lines below the bar, as many as the terminal has room for.
fn below_the_bar(standings: &mut Standings, is_end: bool) -> String {
    let (lines, columns) = console::Term::stderr().size();
    // The last column stays free: some terminals go to the next line when it is written.
    let screen = Screen { columns: Some(columns.saturating_sub(1)), colours: takes_colours(&stderr()) };
    match standings.shown(usize::from(lines).saturating_sub(TAKEN), screen, is_end) {
        "" => String::new(),
        shown => format!("\n{shown}"),
    }
}

fn games_left(progress: Progress) -> String {
    format!("{} of {} games left", progress.games - progress.games_done, progress.games)
}

fn plain_line(what: &str, progress: Progress, elapsed: Duration, done_at_start: u64) -> String {
    let Progress { positions, positions_done, .. } = progress;
    let speed = (positions_done - done_at_start) as f64 / elapsed.as_secs_f64().max(1e-3);
    let left = if speed > 0.0 {
        let seconds = ((positions - positions_done) as f64 / speed).round();
        HumanDuration(Duration::from_secs(seconds as u64)).to_string()
    } else {
        "unknown time".to_owned()
    };
    format!(
        "{positions_done} of {positions} {what}, {speed:.1} a second, {left} left, {}",
        games_left(progress)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_line_counts_only_what_this_run_searched_as_speed() {
        let progress = Progress { positions: 300, positions_done: 200, games: 4, games_done: 1 };
        let line = plain_line("positions", progress, Duration::from_secs(10), 100);
        assert_eq!(line, "200 of 300 positions, 10.0 a second, 10 seconds left, 3 of 4 games left");
    }
}
