//! Owns the counting of archives, and the verb `merge`, which adds such counts up.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{CmdError, Ending, check_method, choice::Wish, input, print, progress::Display, screen};
use crate::{
    archive::{
        Entry, Event, Grouping, Identity, Item, LeftOut, Progress, Survey, Tally, Terms, read_archive,
    },
    choice::Duplicates,
    cli::{AnalyzeArgs, MergeArgs, Plots, TableArgs},
    pgn,
    report::{
        archive::{
            self as files, ArchiveOptions,
            moves::{MovesWriter, write_moves},
            partial,
        },
        export::Format,
        files::{OutputDir, check_writable, write_file},
        tables,
    },
    stats::{bootstrap::Bootstrap, elo::EloCurve},
    text::{counted, path_text},
};

/// Games left out that are named one by one.
const NAMED: u64 = 10;

/// Counts the archive that `args` names by `terms`.
pub fn run(args: &AnalyzeArgs, by: Grouping) -> Result<Ending, CmdError> {
    args.archive_problem().map_or(Ok(()), |problem| Err(CmdError::Usage(problem)))?;
    check_method(&args.method)?;
    let display = Display::new(args.quiet);
    let terms = Terms {
        by,
        method: args.method.method(&args.filter, Bootstrap { samples: 0, ..Bootstrap::default() }),
        keep_moves: args.archive.moves,
        check_moves: args.archive.check_moves,
        players: args.report.player.clone(),
        ..Wish::of(&args.choice, args.bootstrap.seed)?.terms(by)
    };
    let paths = pgn::files(&args.pgn)?;
    if paths.is_empty() {
        return Err(CmdError::NoInput);
    }
    let dir = OutputDir::create(folder(&args.report.table, &input::name_together(&args.pgn)))?;
    args.archive.partial.as_deref().map_or(Ok(()), check_writable)?;
    let mut counter = Counter::new(&terms, args.archive.strict, &display);
    let read = |counter: &mut Counter<'_>, moves: Option<&mut MovesWriter>| {
        counter.read(&paths, args.engine.jobs(), moves)
    };
    let mut written = Vec::new();
    if args.archive.moves {
        let formats: Vec<Format> = args.report.table.format.clone();
        ((), written) = write_moves(&dir, &formats, |moves| read(&mut counter, Some(moves)))?;
    } else {
        read(&mut counter, None)?;
    }
    let tally = counter.finish()?;
    let output = Output {
        dir,
        table: &args.report.table,
        plots: &args.report.plots,
        partial: args.archive.partial.as_deref(),
    };
    output.write(&tally, &terms.identity(), terms.method.curve, &written, &display)
}

/// Adds up the parts that `args` names.
pub fn merge(args: &MergeArgs) -> Result<Ending, CmdError> {
    let display = Display::new(args.quiet);
    let mut merged: Option<(Identity, Tally)> = None;
    for path in &args.parts {
        let part = partial::read(path)?;
        match &mut merged {
            None => merged = Some((part.identity, part.tally)),
            Some((identity, tally)) if *identity == part.identity => *tally += &part.tally,
            Some((identity, _)) => {
                return Err(CmdError::Usage(format!(
                    "{} was counted otherwise than {}: {} there, {} here; count all parts by the same options",
                    path_text(&path.to_string_lossy()),
                    path_text(&args.parts[0].to_string_lossy()),
                    part.identity.to_json(),
                    identity.to_json()
                )));
            }
        }
    }
    let Some((identity, tally)) = merged else { return Err(CmdError::NoInput) };
    let dir = OutputDir::create(folder(&args.table, &input::name_together(&args.parts)))?;
    let output = Output { dir, table: &args.table, plots: &args.plots, partial: args.partial.as_deref() };
    output.write(&tally, &identity, args.elo_curve.into(), &[], &display)
}

fn folder(table: &TableArgs, name: &str) -> PathBuf {
    table.output.clone().unwrap_or_else(|| Path::new(input::REPORTS).join(name))
}

/// Where results go.
struct Output<'a> {
    dir: OutputDir,
    table: &'a TableArgs,
    plots: &'a [Plots],
    partial: Option<&'a Path>,
}

impl Output<'_> {
    fn write(
        &self,
        tally: &Tally,
        identity: &Identity,
        curve: EloCurve,
        written: &[PathBuf],
        display: &Display,
    ) -> Result<Ending, CmdError> {
        if tally.groups.values().all(|counts| counts.scores.count == 0) {
            return Err(CmdError::NoGames(nothing_counts(tally)));
        }
        let survey = Survey::of(tally, identity, curve);
        let options = ArchiveOptions {
            formats: self.table.format.iter().copied().collect(),
            plots: Plots::pictures(self.plots),
        };
        files::write(&self.dir, tally, &survey, identity, &options, written)?;
        if let Some(path) = self.partial {
            let frame = partial::frame(tally, identity)?;
            let failed = |source| crate::report::ReportError::Export { path: path.to_owned(), source };
            write_file(path, |file| Format::Parquet.write(&frame, file).map_err(failed))?;
        }
        print(&tables::archive(&survey, identity, screen()))?;
        display.note(&format!("see {}", self.dir.path().display()));
        Ok(Ending::Complete)
    }
}

/// Why there is no table.
fn nothing_counts(tally: &Tally) -> String {
    let left_out = tally.left_out.iter().map(|(reason, games)| format!("{games} {reason}"));
    let left_out: Vec<String> = left_out.collect();
    let mut reasons = vec![tally.games.to_string()];
    if !left_out.is_empty() {
        reasons.push(format!("left out: {}", left_out.join(", ")));
    }
    format!("no move counts: {}", reasons.join("; "))
}

/// Counts games as they come, copies once.
struct Counter<'a> {
    terms: &'a Terms,
    strict: bool,
    display: &'a Display,
    tally: Tally,
    seen: Duplicates,
    /// Games that were named as left out.
    named: u64,
    bar: Option<ProgressBar>,
    began: Instant,
    progress: Progress,
}

impl<'a> Counter<'a> {
    fn new(terms: &'a Terms, strict: bool, display: &'a Display) -> Counter<'a> {
        Counter {
            terms,
            strict,
            display,
            tally: Tally::default(),
            seen: Duplicates::new(),
            named: 0,
            bar: None,
            began: Instant::now(),
            progress: Progress::default(),
        }
    }

    fn read(
        &mut self,
        paths: &[PathBuf],
        jobs: usize,
        mut moves: Option<&mut MovesWriter>,
    ) -> Result<(), CmdError> {
        let flow = read_archive(paths, self.terms, jobs, |event| match event {
            Event::Game { file, number, item } => self.take(file, number, item, moves.as_deref_mut()),
            Event::Torn { file, games, error } => self.torn(file, games, error),
            Event::Advanced(progress) => {
                self.show(progress);
                ControlFlow::Continue(())
            }
        })?;
        match flow {
            ControlFlow::Break(Some(error)) => Err(error),
            ControlFlow::Break(None) | ControlFlow::Continue(()) => Ok(()),
        }
    }

    /// Breaks with an error, or without one where there are games enough.
    fn take(
        &mut self,
        file: &Path,
        number: u64,
        item: &Item,
        moves: Option<&mut MovesWriter>,
    ) -> ControlFlow<Option<CmdError>> {
        match item {
            Item::Refused(refusal) => self.tally.games.refuse(*refusal),
            Item::LeftOut(left_out) => return self.leave_out(file, number, left_out),
            Item::Entry(entry) => {
                if !self.terms.keep_duplicates && !self.seen.is_new(entry.fingerprint) {
                    self.tally.games.duplicates += 1;
                    return ControlFlow::Continue(());
                }
                self.count(file, number, entry, moves);
                if self.terms.max_games.is_some_and(|most| self.tally.games.chosen >= most) {
                    return ControlFlow::Break(None);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn count(&mut self, file: &Path, number: u64, entry: &Entry, moves: Option<&mut MovesWriter>) {
        self.tally.add(entry, self.terms.method.tie);
        if let Some(moves) = moves {
            moves.add(&file.to_string_lossy(), number, entry);
        }
    }

    fn leave_out(&mut self, file: &Path, number: u64, left_out: &LeftOut) -> ControlFlow<Option<CmdError>> {
        self.tally.leave_out(left_out.reason);
        if !left_out.reason.is_fault() {
            return ControlFlow::Continue(());
        }
        let place = format!("{}, game {number}", path_text(&file.to_string_lossy()));
        let told = match &left_out.bad {
            Some(bad) => bad.told(&place),
            None => format!("{place}: {}", left_out.reason),
        };
        if self.strict {
            return ControlFlow::Break(Some(CmdError::strict(&told)));
        }
        self.named += 1;
        if self.named <= NAMED {
            self.line(&format!("left out: {told}"));
        }
        ControlFlow::Continue(())
    }

    fn torn(&mut self, file: &Path, games: u64, error: &std::io::Error) -> ControlFlow<Option<CmdError>> {
        let told = input::breaks_off(file, games, error);
        if self.strict {
            return ControlFlow::Break(Some(CmdError::strict(&told)));
        }
        self.line(&told);
        ControlFlow::Continue(())
    }

    fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.display.warn(text)),
            None => self.display.warn(text),
        }
    }

    fn show(&mut self, progress: Progress) {
        self.progress = progress;
        if self.bar.is_none() && self.display.is_drawn() && self.began.elapsed() > Duration::from_millis(300)
        {
            self.bar = Some(bar(progress));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(progress.taken);
            bar.set_message(format!("{} games", progress.games));
        }
    }

    /// The counts, and words on what is not among them.
    fn finish(self) -> Result<Tally, CmdError> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let (tally, display) = (self.tally, self.display);
        if self.named > NAMED {
            display
                .warn(&format!("left out: {} more that cannot be read", counted(self.named - NAMED, "game")));
        }
        let size = HumanBytes(self.progress.taken);
        display.note(&format!(
            "{} read, {size} in {:.1} s; {}",
            counted(tally.read(), "game"),
            self.began.elapsed().as_secs_f64(),
            tally.games
        ));
        for (reason, &games) in &tally.left_out {
            display.note(&format!("left out: {} {reason}", counted(games, "game")));
        }
        for (count, what) in [
            (tally.without_gain, "first move without a gain, the position before it having no evaluation"),
            (tally.odd_evals, "[%eval] comment in no known form"),
            (tally.clocks_backwards, "move after which a clock shows more than it can"),
        ] {
            if count > 0 {
                display.note(&format!("{count} × {what}"));
            }
        }
        if self.seen.has_forgotten() {
            display.warn(&format!(
                "copies of a game were only looked for among the {} games before it",
                Duplicates::CAPACITY
            ));
        }
        if tally.read() == 0 {
            return Err(CmdError::NoGames("no games in what was read".to_owned()));
        }
        Ok(tally)
    }
}

fn bar(progress: Progress) -> ProgressBar {
    let template = match progress.size {
        Some(_) => "{bar:20} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left, {msg}",
        None => "{spinner} {bytes}, {bytes_per_sec}, {msg}",
    };
    let style = ProgressStyle::with_template(template).expect("a template of known keys");
    let bar = ProgressBar::with_draw_target(progress.size, ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar
}
