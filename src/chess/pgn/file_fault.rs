//! [`FileFault`]: the reason why a file has no readable games; and [`FileCount`], which determines the
//! reason.

use std::{io, path::Path};

use thiserror::Error;

use super::{bad::BadGame, source::ReadError};
use crate::base::text::{counted, games_path};

#[derive(Debug, Error)]
pub enum FileFault {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{}: contains no games", games_path(.0))]
    NoGames(String),
    #[error("no game of {} can be read; the first problem is {first}", games_path(.file))]
    NoneReadable { file: String, first: Box<BadGame> },
}

#[derive(Debug, Error)]
#[error("{} breaks off after {}: {error}", games_path(.file), counted(*.games, "game"))]
pub struct TornFile {
    pub file: String,
    pub games: u64,
    pub error: io::Error,
}

/// A summary of the part of a file that was read.
#[derive(Debug, Default)]
pub struct FileCount {
    index: usize,
    /// Number of games so far, including unwanted and unreadable games.
    pub games: usize,
    first_bad: Option<Box<BadGame>>,
    has_readable: bool,
    has_text: bool,
    fault: Option<FileFault>,
}

impl FileCount {
    /// Starts a new summary if `index` is the index of another file.
    pub fn enter(&mut self, index: usize) {
        if index != self.index {
            *self = FileCount { index, ..FileCount::default() };
        }
    }

    /// Records a text. `blank` is true if it is only white space.
    pub fn add_text(&mut self, blank: bool) {
        self.has_text |= !blank;
    }

    /// Records an unreadable game.
    pub fn add_bad(&mut self, bad: &BadGame) {
        if !self.has_readable && self.first_bad.is_none() {
            self.first_bad = Some(Box::new(bad.clone()));
        }
    }

    /// Records a game that was read, or skipped as unwanted.
    pub fn add_readable(&mut self) {
        (self.has_readable, self.first_bad) = (true, None);
    }

    /// Records that the file cannot be opened.
    pub fn fail(&mut self, error: ReadError) {
        self.fault = Some(error.into());
    }

    /// Records that reading failed in the middle of the file. If the file had a game before that place,
    /// returns the fault to report. Otherwise [`FileCount::end`] returns the fault.
    pub fn tear(&mut self, file: &Path, error: io::Error) -> Option<TornFile> {
        let file = file.to_string_lossy().into_owned();
        if self.games == 0 {
            self.fail(ReadError::Io(file, error));
            return None;
        }
        Some(TornFile { file, games: self.games as u64, error })
    }

    /// Returns the reason why the file has no readable game; `None` if it has one. Call this at the end of
    /// the file.
    pub fn end(&mut self, file: &Path) -> Option<FileFault> {
        let file = file.to_string_lossy().into_owned();
        match (self.fault.take(), self.first_bad.take()) {
            (Some(fault), _) => Some(fault),
            (None, Some(first)) => Some(FileFault::NoneReadable { file, first }),
            (None, None) if self.games > 0 => None,
            (None, None) if self.has_text => Some(FileFault::NoGames(file)),
            (None, None) => Some(ReadError::Empty(file).into()),
        }
    }
}
