//! The user's console: notes and progress on standard error during a run, results on standard output at its
//! end.

mod progress_line;
mod signals;

use std::{fmt, io, io::IsTerminal, io::Write, io::stderr, time::Duration, time::Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::base::text::{counted, legible, wrapped};
use crate::chess::EvaluatedGame;
use crate::measure::{ArchiveProgress, Calibration};
use crate::report::table::{Screen, TableForm};
use crate::store::SearchProgress;
use crate::verbs::{
    args::ConsoleArgs, console::progress_line::Beginning, console::progress_line::columns,
    console::progress_line::left, console::progress_line::lines_below, console::progress_line::plain_line,
    console::progress_line::progress_line, error::Result, error::VerbError, observer::Interrupts,
    observer::Observer, observer::Steps, runs::LiveRanking, runs::Viewer,
};

/// Time between two lines of progress if there is no terminal for a progress bar.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Time between two drawings of the bar without other events.
const TICK: Duration = Duration::from_millis(500);

/// Time after which progress of reading an archive is shown.
const SOON: Duration = Duration::from_millis(300);

pub struct Console {
    quiet: bool,
    form: TableForm,
    kind: Kind,
    ranking: Option<LiveRanking>,
}

enum Kind {
    Nothing,
    /// The start of work that gets a bar only if it takes long.
    Soon(Instant),
    Bar(ProgressBar),
    Lines {
        what: &'static str,
        start: Beginning,
        last: Instant,
    },
}

impl Console {
    /// Returns the console of a whole run. A quiet console shows no notes and no progress.
    pub fn of(args: &ConsoleArgs) -> Console {
        Console { quiet: args.quiet, ..Console::new(args.export.form()) }
    }

    /// Returns a console that is not quiet and shows tables in this `form`.
    pub fn new(form: TableForm) -> Console {
        Console { quiet: false, form, kind: Kind::Nothing, ranking: None }
    }

    fn line(&self, text: &str) {
        match &self.kind {
            Kind::Bar(bar) => bar.suspend(|| say(text)),
            _ => say(text),
        }
    }

    fn is_drawn(&self) -> bool {
        !self.quiet && stderr().is_terminal()
    }

    fn begin(&mut self, what: &'static str, steps: Steps, message: String) {
        self.kind = match () {
            () if self.quiet => Kind::Nothing,
            () if stderr().is_terminal() => Kind::Bar(bar(what, steps, message)),
            () => Kind::Lines { what, start: Beginning::of(steps), last: Instant::now() },
        };
    }

    /// Shows the progress of any work. `message` makes the text; its argument is true if the text is for a
    /// terminal.
    fn step(&mut self, steps: Steps, message: impl FnOnce(bool) -> String) {
        match &mut self.kind {
            Kind::Nothing | Kind::Soon(_) => {}
            Kind::Bar(bar) => {
                bar.set_length(steps.of);
                bar.set_position(steps.done);
                bar.set_message(lines_below(&message(true), columns()));
            }
            Kind::Lines { what, start, last } => {
                if last.elapsed() >= LINE_EVERY || steps.done == steps.of {
                    *last = Instant::now();
                    say(&plain_line(what, steps, start.speed(steps), &message(false)));
                }
            }
        }
    }
}

impl Observer for Console {
    fn note(&self, text: &str) {
        match self.is_drawn() {
            true => self.line(&wrapped(&legible(text), columns())),
            false if self.quiet => {}
            false => self.line(&legible(text)),
        }
    }

    fn warn(&self, text: &str) {
        let head = ::console::style("warning:").yellow().force_styling(takes_colors(&stderr()));
        self.line(&format!("{head} {}", legible(text)));
    }

    fn begin_search(&mut self, what: &'static str, progress: SearchProgress) {
        let SearchProgress { positions, positions_done, .. } = progress;
        self.begin(what, Steps { done: positions_done, of: positions }, games_done(progress));
    }

    fn advance_search(&mut self, progress: SearchProgress) {
        let SearchProgress { positions, positions_done, games, games_done } = progress;
        let mut ranking = self.ranking.take();
        self.step(Steps { done: positions_done, of: positions }, |is_drawn| {
            let shown = ranking.as_mut().filter(|_| is_drawn);
            let shown = shown.map(|ranking| below_the_bar(ranking, games_done == games));
            self::games_done(progress) + &shown.unwrap_or_default()
        });
        self.ranking = ranking;
    }

    fn rate_by(&mut self, calibration: &Calibration) {
        self.ranking.iter_mut().for_each(|ranking| ranking.rate_by(calibration));
    }

    fn complete(&mut self, game: &EvaluatedGame) {
        if let Some(ranking) = &mut self.ranking {
            ranking.add(game);
        }
    }

    fn begin_games(&mut self, games: Steps, scores: &str) {
        self.begin("games", games, scores.to_owned());
    }

    /// Shows a bar if reading takes longer than `SOON`.
    fn advance_reading(&mut self, progress: ArchiveProgress) {
        match &self.kind {
            Kind::Nothing if self.is_drawn() => self.kind = Kind::Soon(Instant::now()),
            Kind::Soon(since) if since.elapsed() > SOON => self.kind = Kind::Bar(reading_bar(progress)),
            Kind::Bar(bar) => {
                bar.set_position(progress.taken);
                bar.set_message(format!("{} games", progress.games));
            }
            Kind::Nothing | Kind::Soon(_) | Kind::Lines { .. } => {}
        }
    }

    fn advance_games(&mut self, games: Steps, scores: &str) {
        self.step(games, |is_drawn| if is_drawn { wrapped(scores, columns()) } else { scores.to_owned() });
    }

    fn advance_tree(&mut self, searches: Steps, told: &str) {
        if matches!(self.kind, Kind::Nothing) {
            self.begin("searches", searches, told.to_owned());
        }
        self.step(searches, |_| told.to_owned());
    }

    fn finish(&mut self) {
        if let Kind::Bar(bar) = std::mem::replace(&mut self.kind, Kind::Nothing) {
            bar.finish_and_clear();
        }
    }

    fn interrupts(&self, finishing: &'static str) -> io::Result<Interrupts> {
        signals::interrupts(finishing)
    }
}

impl Viewer for Console {
    fn screen(&self) -> Screen {
        screen(self.form)
    }

    /// Makes the ranking that is shown below the bar. Without a terminal there is no bar, so no ranking is
    /// made.
    fn rank(&mut self, make: &mut dyn FnMut() -> Option<LiveRanking>) {
        self.ranking = if self.is_drawn() { make() } else { None };
    }
}

fn bar(what: &'static str, steps: Steps, message: String) -> ProgressBar {
    let start = Beginning::of(steps);
    let style = ProgressStyle::with_template("{line}{msg}").expect("a template of known keys").with_key(
        "line",
        move |state: &ProgressState, text: &mut dyn fmt::Write| {
            let steps = Steps { done: state.pos(), of: state.len().unwrap_or_default() };
            let speed = start.speed(steps);
            let line = progress_line(what, steps, speed, left(steps, speed), columns());
            // A bar that cannot be written is not worth an error.
            let _ = text.write_str(&line);
        },
    );
    let bar = ProgressBar::with_draw_target(Some(steps.of), ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar.set_position(steps.done);
    bar.set_message(lines_below(&message, columns()));
    bar.enable_steady_tick(TICK);
    bar
}

/// Columns needed for the full progress line of reading an archive.
const WIDE: usize = 78;

fn reading_bar(progress: ArchiveProgress) -> ProgressBar {
    let template = match progress.size {
        _ if columns() < WIDE => "{bytes}, {msg}",
        Some(_) => "{bar:10} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left, {msg}",
        None => "{spinner} {bytes}, {bytes_per_sec}, {msg}",
    };
    let style = ProgressStyle::with_template(template).expect("a template of known keys");
    let bar = ProgressBar::with_draw_target(progress.size, ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar
}

/// Number of terminal lines that the ranking cannot use: the lines of the bar, and an empty line that
/// prevents scrolling.
const TAKEN: usize = 3;

/// Returns the ranking as lines below the bar, limited to the lines that the terminal has room for.
fn below_the_bar(ranking: &mut LiveRanking, is_end: bool) -> String {
    let (lines, _) = ::console::Term::stderr().size();
    let columns = u16::try_from(columns()).ok();
    let screen = Screen { columns, colors: takes_colors(&stderr()), form: TableForm::Columns };
    match ranking.shown(usize::from(lines).saturating_sub(TAKEN), screen, is_end) {
        "" => String::new(),
        shown => format!("\n{shown}"),
    }
}

/// Returns the number of finished games as text; empty for work without games.
fn games_done(progress: SearchProgress) -> String {
    match progress.games {
        0 => String::new(),
        games => format!("{} of {} done", progress.games_done, counted(games as u64, "game")),
    }
}

/// Returns the screen for results. If standard output is not a terminal, the screen has unlimited width and
/// no colors, so that nothing is cut or added.
fn screen(form: TableForm) -> Screen {
    if form == TableForm::Markdown {
        return Screen::markdown();
    }
    let terminal = io::stdout().is_terminal().then(|| ::console::Term::stdout().size_checked());
    Screen {
        columns: terminal.flatten().map(|(_, columns)| columns),
        colors: takes_colors(&io::stdout()),
        form,
    }
}

/// Returns whether a stream is a terminal on which the user accepts colors (<https://no-color.org>).
pub fn takes_colors(stream: &impl IsTerminal) -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    stream.is_terminal() && !refused && !dumb
}

/// Prints the error that ends the program, with its hint and further help.
pub fn print_error(error: &VerbError, more: &str) {
    let head = ::console::style("error:").red().bold().force_styling(takes_colors(&io::stderr()));
    say(&format!("{head} {}{more}", legible(&format!("{error}{}", error.hint()))));
}

/// Writes a line to standard error. A failure to write is ignored, because there is nowhere to report it.
pub fn say(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Writes results to standard output. It is not an error if the reader has closed the pipe, as `head` does.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(VerbError::system("write to standard output", error))
        }
        _ => Ok(()),
    }
}
