//! Owns the counting of games as an archive streams by, and what is said of it on the way.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{CmdError, console::Console, input};
use crate::{
    archive::{
        ArchiveCounts, ArchiveEvent, ArchiveProgress, CountOptions, GameCounts, GameOutcome, LeftOut,
        read_archive,
    },
    choice::Duplicates,
    report::archive::moves::MovesWriter,
    text::{counted, path_text},
};

/// Games left out that are named one by one.
const NAMED: u64 = 10;

/// Counts games as they come, copies once.
pub struct Counter<'a> {
    terms: &'a CountOptions,
    strict: bool,
    console: &'a Console,
    tally: ArchiveCounts,
    seen: Duplicates,
    /// Games that were named as left out.
    named: u64,
    bar: Option<ProgressBar>,
    began: Instant,
    progress: ArchiveProgress,
}

impl<'a> Counter<'a> {
    /// One that has counted nothing.
    pub fn new(terms: &'a CountOptions, strict: bool, console: &'a Console) -> Counter<'a> {
        Counter {
            terms,
            strict,
            console,
            tally: ArchiveCounts::default(),
            seen: Duplicates::new(),
            named: 0,
            bar: None,
            began: Instant::now(),
            progress: ArchiveProgress::default(),
        }
    }

    /// Reads `paths` by `jobs` workers, and hands the moves on where somebody writes them.
    pub fn read(
        &mut self,
        paths: &[PathBuf],
        jobs: usize,
        mut moves: Option<&mut MovesWriter>,
    ) -> Result<(), CmdError> {
        let flow = read_archive(paths, self.terms, jobs, |event| match event {
            ArchiveEvent::Game { file, number, item } => self.take(file, number, item, moves.as_deref_mut()),
            ArchiveEvent::Torn { file, games, error } => self.torn(file, games, error),
            ArchiveEvent::Advanced(progress) => {
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
        item: &GameOutcome,
        moves: Option<&mut MovesWriter>,
    ) -> ControlFlow<Option<CmdError>> {
        match item {
            GameOutcome::Refused(refusal) => self.tally.games.refuse(*refusal),
            GameOutcome::LeftOut(left_out) => return self.leave_out(file, number, left_out),
            GameOutcome::Counted(entry) => {
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

    fn count(&mut self, file: &Path, number: u64, entry: &GameCounts, moves: Option<&mut MovesWriter>) {
        self.tally.add(entry);
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
            Some(bad) => bad.describe(&place),
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
            Some(bar) => bar.suspend(|| self.console.warn(text)),
            None => self.console.warn(text),
        }
    }

    fn show(&mut self, progress: ArchiveProgress) {
        self.progress = progress;
        if self.bar.is_none() && self.console.is_drawn() && self.began.elapsed() > Duration::from_millis(300)
        {
            self.bar = Some(bar(progress));
        }
        if let Some(bar) = &self.bar {
            bar.set_position(progress.taken);
            bar.set_message(format!("{} games", progress.games));
        }
    }

    /// The counts, and words on what is not among them.
    pub fn finish(self) -> Result<ArchiveCounts, CmdError> {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let (tally, console) = (self.tally, self.console);
        if self.named > NAMED {
            console
                .warn(&format!("left out: {} more that cannot be read", counted(self.named - NAMED, "game")));
        }
        let size = HumanBytes(self.progress.taken);
        let (read, seconds) = (counted(tally.read(), "game"), self.began.elapsed().as_secs_f64());
        console.note(&format!("{read} read, {size} in {seconds:.1} s; {} counted", tally.games.chosen));
        for (refusal, &games) in &tally.games.refused {
            console.note(&format!("not chosen: {} by {refusal}", counted(games, "game")));
        }
        if tally.games.duplicates > 0 {
            console
                .note(&format!("there again, and counted once: {}", counted(tally.games.duplicates, "game")));
        }
        for (reason, &games) in &tally.left_out {
            console.note(&format!("left out: {} {reason}", counted(games, "game")));
        }
        for (count, what) in [
            (tally.without_gain, "first move without a gain, the position before it having no evaluation"),
            (tally.odd_evals, "[%eval] comment in no known form"),
            (tally.clocks_backwards, "move after which a clock shows more than it can"),
        ] {
            if count > 0 {
                console.note(&format!("{count} × {what}"));
            }
        }
        if self.seen.has_forgotten() {
            console.warn(&format!(
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

fn bar(progress: ArchiveProgress) -> ProgressBar {
    let template = match progress.size {
        Some(_) => "{bar:20} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left, {msg}",
        None => "{spinner} {bytes}, {bytes_per_sec}, {msg}",
    };
    let style = ProgressStyle::with_template(template).expect("a template of known keys");
    let bar = ProgressBar::with_draw_target(progress.size, ProgressDrawTarget::stderr());
    bar.set_style(style);
    bar
}
