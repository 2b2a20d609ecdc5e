//! Counting of an archive's games while they are read, with messages to the user.

use std::{num::NonZeroUsize, ops::ControlFlow, path::Path, path::PathBuf, time::Instant};

use indicatif::HumanBytes;

use crate::base::text::{NAMED, counted, games_path};
use crate::chess::{Duplicates, FileFault, RepairTally};
use crate::measure::{
    ArchiveCounts, ArchiveEvent, ArchiveProgress, CountOptions, GameCounts, GameOutcome, Inputs, LeftOut,
    archive::read_archive,
};
use crate::verbs::{error::VerbError, input, observer::Observer};

/// A receiver of the moves of each counted game. The arguments are the game's file, the game's number in the
/// file, and the moves.
pub type MoveSink<'m> = dyn FnMut(&Path, u64, &GameCounts) + Send + 'm;

/// A counter of games in the order of reading. Recognized copies of earlier games are not counted.
pub struct Counter<'a> {
    terms: &'a CountOptions,
    observer: &'a mut dyn Observer,
    tally: ArchiveCounts,
    repairs: RepairTally,
    inputs: Inputs,
    /// True if a copy may have been counted because its original was forgotten.
    forgetful: bool,
    /// The fault of the first file without games.
    useless: Option<FileFault>,
    /// Number of games that cannot be read. Only the first [`NAMED`] are reported by name.
    named: u64,
    began: Instant,
    progress: ArchiveProgress,
}

impl<'a> Counter<'a> {
    pub fn new(terms: &'a CountOptions, observer: &'a mut dyn Observer) -> Counter<'a> {
        Counter {
            terms,
            observer,
            tally: ArchiveCounts::default(),
            repairs: RepairTally::default(),
            inputs: Inputs::default(),
            forgetful: false,
            useless: None,
            named: 0,
            began: Instant::now(),
            progress: ArchiveProgress::default(),
        }
    }

    /// Reads `paths` with `jobs` threads. If there is a receiver `moves`, it gets the moves of each counted
    /// game.
    pub fn read(
        &mut self,
        paths: &[PathBuf],
        jobs: NonZeroUsize,
        mut moves: Option<&mut MoveSink<'_>>,
    ) -> Result<(), VerbError> {
        let flow =
            read_archive(paths, self.terms, jobs, |event| match self.hear(event, moves.as_deref_mut()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            });
        flow.break_value().map_or(Ok(()), Err)
    }

    fn hear(&mut self, event: ArchiveEvent<'_>, moves: Option<&mut MoveSink<'_>>) -> Result<(), VerbError> {
        match event {
            ArchiveEvent::Game { file, number, item } => match item {
                GameOutcome::Refused(refusal) => self.tally.games.refuse(*refusal),
                GameOutcome::LeftOut(left_out) => self.leave_out(file, number, left_out)?,
                GameOutcome::Copy => self.tally.games.duplicates += 1,
                GameOutcome::Counted(entry) => {
                    self.tally.add(entry);
                    let title = || format!("{}, game {number}", games_path(file));
                    self.repairs.add(entry.repairs, title);
                    moves.into_iter().for_each(|moves| moves(file, number, entry));
                }
            },
            ArchiveEvent::Torn(torn) => self.file_fault(&torn.to_string())?,
            ArchiveEvent::Useless(fault) => {
                self.file_fault(&input::passed_over(&fault))?;
                self.useless.get_or_insert(fault);
            }
            ArchiveEvent::Forgetful => self.forgetful = true,
            ArchiveEvent::Ended(input) => self.inputs.add(input, 1),
            ArchiveEvent::Advanced(progress) => {
                self.progress = progress;
                self.observer.advance_reading(progress);
            }
        }
        Ok(())
    }

    fn leave_out(&mut self, file: &Path, number: u64, left_out: &LeftOut) -> Result<(), VerbError> {
        self.tally.leave_out(left_out.reason);
        if !left_out.reason.is_fault() {
            return Ok(());
        }
        let place = format!("{}, game {number}", games_path(file));
        let told = match &left_out.bad {
            Some(bad) => bad.describe(&place),
            None => format!("{place}: {}", left_out.reason),
        };
        if self.terms.selection.strict {
            return Err(VerbError::strict(told));
        }
        self.named += 1;
        if self.named <= NAMED as u64 {
            self.observer.warn(&format!("left out: {told}"));
        }
        Ok(())
    }

    fn file_fault(&self, told: &str) -> Result<(), VerbError> {
        if self.terms.selection.strict {
            return Err(VerbError::strict(told));
        }
        self.observer.warn(told);
        Ok(())
    }

    /// Returns the counts with their files, and reports the games that are not counted. Fails if no game was
    /// read.
    pub fn finish(self) -> Result<(ArchiveCounts, Inputs), VerbError> {
        self.observer.finish();
        let (tally, inputs, observer) = (self.tally, self.inputs, self.observer);
        let more = self.named.saturating_sub(NAMED as u64);
        if more > 0 {
            observer.warn(&format!("left out: {} that cannot be read", counted(more, "more game")));
        }
        let size = HumanBytes(self.progress.taken);
        let (read, seconds) = (counted(tally.read(), "game"), self.began.elapsed().as_secs_f64());
        observer.note(&format!("{read} read, {size} in {seconds:.1} s; {} counted", tally.games.chosen));
        let note = |before: &str, count: u64, what: &str, after: &str| {
            if count > 0 {
                observer.note(&format!("{before}{}{after}", counted(count, what)));
            }
        };
        for (refusal, &games) in &tally.games.refused {
            note("not chosen: ", games, "game", &format!(" by {refusal}"));
        }
        note("left out as copies of other games: ", tally.games.duplicates, "game", "");
        for (reason, &games) in &tally.left_out {
            note("left out: ", games, "game", &format!(" ({reason})"));
        }
        let unevaluated = ", because the start position has no evaluation";
        note("not counted: ", tally.without_gain, "first move", unevaluated);
        note("not used: ", tally.odd_evals, "[%eval] comment", " in an unknown form");
        note("at ", tally.clocks_backwards, "move", ", the clock shows more time than possible");
        self.repairs.sentences().for_each(|repaired| observer.note(&repaired));
        // Reading stops at the largest number of games, so the remaining players are unknown.
        let read_on = self.terms.selection.max_games.is_none_or(|most| tally.games.chosen < most);
        if let Some(unmet) = self.terms.selection.unmet_aliases().filter(|_| read_on) {
            observer.warn(&unmet);
        }
        if self.forgetful {
            observer.warn(&format!(
                "a copy of a game is recognized only if the same game is among the {} games before it; other copies are counted",
                Duplicates::<()>::CAPACITY
            ));
        }
        if tally.read() == 0 {
            let none = || VerbError::no_games("the input has no games");
            return Err(self.useless.map_or_else(none, VerbError::from));
        }
        Ok((tally, inputs))
    }
}
