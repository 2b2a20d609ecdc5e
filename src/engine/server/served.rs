//! Owns [`Served`]: whatever can be an engine for a user interface.

use std::{io::Write, sync::Arc, time::Instant};

use shakmaty::CastlingMode;

use super::{control::Control, output::Output, request::OwnRequest};
use crate::chess::GameSoFar;
use crate::engine::{uci::command::Go, uci::engine_line::EngineLine};

/// Whatever can be an engine for a user interface: the dialogue is the same for all of them.
pub(crate) trait Served {
    /// What is left to do for an option once nothing is searched.
    type Change;
    /// A search, or other work that may be stopped.
    type Task: ServedTask;

    /// Returns its name, its author and its options.
    fn introduction(&self) -> Vec<EngineLine>;

    /// Returns how castling is played and written.
    fn mode(&self) -> CastlingMode;

    /// Sets an option, and returns what is left to do; the text of an error says what there is.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<Self::Change>, String>;

    /// Does what is left to do, while nothing is searched; the text of an error says what went wrong.
    fn change(&mut self, change: Self::Change) -> Result<(), String>;

    /// Gets ready to search, unless a search is under way.
    fn get_ready(&mut self);

    /// Forgets the game before, while nothing is searched.
    fn new_game(&mut self);

    /// Makes a search of a `go` that came at `begun`, with what is to be said of it first.
    fn search(&self, go: &Go, game: &GameSoFar, begun: Instant) -> (Self::Task, Option<String>);

    /// Answers what only some engines know; `None` where this one does not.
    fn own(&self, request: OwnRequest, game: &GameSoFar) -> Option<OwnAnswer<Self::Task>>;
}

/// What comes of a request that is no command of UCI.
pub(crate) enum OwnAnswer<T> {
    /// Lines at once.
    Text(String),
    /// Work.
    Task(T),
}

/// Work on the thread that searches.
pub(crate) trait ServedTask: Send + 'static {
    /// Does it, hears of what happens meanwhile, and tells of it.
    fn run<W: Write>(self, control: &Arc<Control>, output: &Output<W>);
}
