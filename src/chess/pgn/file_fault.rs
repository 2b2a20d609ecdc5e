//! Owns [`FileFault`]: why a file gives no game, and [`FileCount`], which finds it out.

use std::{io, path::Path};

use thiserror::Error;

use super::{
    bad::BadGame,
    source::{ReadError, shown},
};
use crate::chess::text::counted;

#[derive(Debug, Error)]
pub enum FileFault {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("{}: no games in it", shown(.0))]
    NoGames(String),
    #[error("no game of {} can be read; the first: {first}", shown(.file))]
    NoneReadable { file: String, first: Box<BadGame> },
}

#[derive(Debug, Error)]
#[error("{} breaks off after {}: {error}", shown(.file), counted(*.games, "game"))]
pub struct TornFile {
    pub file: String,
    pub games: u64,
    pub error: io::Error,
}

/// What there was of a file so far.
#[derive(Debug, Default)]
pub struct FileCount {
    index: usize,
    /// Its games, those that are not wanted or cannot be read included.
    pub games: usize,
    first_bad: Option<Box<BadGame>>,
    has_readable: bool,
    has_text: bool,
    fault: Option<FileFault>,
}

impl FileCount {
    /// Begins anew where `index` is that of another file.
    pub fn enter(&mut self, index: usize) {
        if index != self.index {
            *self = FileCount { index, ..FileCount::default() };
        }
    }

    /// Counts a text, which is `blank` where it has nothing but white space.
    pub fn add_text(&mut self, blank: bool) {
        self.has_text |= !blank;
    }

    /// Counts a game that cannot be read.
    pub fn add_bad(&mut self, bad: &BadGame) {
        if !self.has_readable && self.first_bad.is_none() {
            self.first_bad = Some(Box::new(bad.clone()));
        }
    }

    /// Counts a game that can be read, or that nobody wants to.
    pub fn add_readable(&mut self) {
        (self.has_readable, self.first_bad) = (true, None);
    }

    /// Notes that the file cannot be opened.
    pub fn fail(&mut self, error: ReadError) {
        self.fault = Some(error.into());
    }

    /// Notes that it breaks off; after a game or more, that is told at once.
    pub fn tear(&mut self, file: &Path, error: io::Error) -> Option<TornFile> {
        let file = file.to_string_lossy().into_owned();
        if self.games == 0 {
            self.fail(ReadError::Io(file, error));
            return None;
        }
        Some(TornFile { file, games: self.games as u64, error })
    }

    /// Returns why it gave no game, at its end; `None` where it gave one.
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
