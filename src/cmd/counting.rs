//! Owns the counting of games as an archive streams by, and what is said of it on the way.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use indicatif::{HumanBytes, ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{CmdError, console::Console, input};
use crate::{
    app::Observer,
    archive::{
        ArchiveCounts, ArchiveEvent, ArchiveProgress, CountOptions, GameOutcome, LeftOut, read_archive,
    },
    choice::Duplicates,
    pgn::FileFault,
    report::archive::moves::MovesWriter,
    text::{NAMED, counted, path_text},
};

/// Counts games as they come, copies once.
pub struct Counter<'a> {
    terms: &'a CountOptions,
    strict: bool,
    console: &'a Console,
    tally: ArchiveCounts,
    /// Whether copies may have been counted again.
    forgetful: bool,
    /// The first file that gave no game.
    useless: Option<FileFault>,
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
            forgetful: false,
            useless: None,
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
            ArchiveEvent::Torn(torn) => self.file_fault(&torn.to_string()),
            ArchiveEvent::Useless(fault) => {
                let flow = self.file_fault(&input::passed_over(&fault));
                self.useless.get_or_insert(fault);
                flow
            }
            ArchiveEvent::Forgetful => {
                self.forgetful = true;
                ControlFlow::Continue(())
            }
            ArchiveEvent::Advanced(progress) => {
                self.show(progress);
                ControlFlow::Continue(())
            }
        });
        match flow {
            ControlFlow::Break(error) => Err(error),
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    fn take(
        &mut self,
        file: &Path,
        number: u64,
        item: &GameOutcome,
        moves: Option<&mut MovesWriter>,
    ) -> ControlFlow<CmdError> {
        match item {
            GameOutcome::Refused(refusal) => self.tally.games.refuse(*refusal),
            GameOutcome::LeftOut(left_out) => return self.leave_out(file, number, left_out),
            GameOutcome::Copy => self.tally.games.duplicates += 1,
            GameOutcome::Counted(entry) => {
                self.tally.add(entry);
                if let Some(moves) = moves {
                    moves.add(&file.to_string_lossy(), number, entry);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn leave_out(&mut self, file: &Path, number: u64, left_out: &LeftOut) -> ControlFlow<CmdError> {
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
            return ControlFlow::Break(CmdError::strict(&told));
        }
        self.named += 1;
        if self.named <= NAMED as u64 {
            self.line(&format!("left out: {told}"));
        }
        ControlFlow::Continue(())
    }

    /// Tells what is wrong with a file.
    fn file_fault(&self, told: &str) -> ControlFlow<CmdError> {
        if self.strict {
            return ControlFlow::Break(CmdError::strict(&told));
        }
        self.line(told);
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
        let more = self.named.saturating_sub(NAMED as u64);
        if more > 0 {
            console.warn(&format!("left out: {} more that cannot be read", counted(more, "game")));
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
        if self.forgetful {
            console.warn(&format!(
                "copies of a game were only looked for among the {} games before it",
                Duplicates::<()>::CAPACITY
            ));
        }
        if tally.read() == 0 {
            let fault = || CmdError::NoGames("no games in what was read".to_owned());
            return Err(self.useless.map_or_else(fault, CmdError::from));
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
