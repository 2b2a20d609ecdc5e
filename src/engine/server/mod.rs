//! Owns an engine as a program: the half of UCI that engines speak, over any pair of streams, for whatever is served.
//!
//! ```text
//! serve → dialogue: one request after the other, read while a search goes on
//!           request (what a line asks for), set_up (positions)
//!           Served (whatever can be an engine): within (our own, with its settings)
//!           worker: the thread that searches, which is told what happens by control
//!           task: one search, telling by output
//!           listing (eval, d)
//! ```
//!
//! Whatever comes, it goes on: what cannot be done is said in an `info string`, and changes nothing. Every `go` that can be
//! read is answered by one `bestmove`. A command that needs the engine itself ends a search that is under way, as `stop`
//! does.

pub(crate) mod control;
mod dialogue;
mod listing;
pub(crate) mod output;
pub(crate) mod request;
mod set_up;
pub(crate) mod settings;
pub(crate) mod task;
#[cfg(test)]
mod tests;
mod within;
mod worker;

use std::{io::Write, sync::Arc, time::Instant};

use shakmaty::CastlingMode;

#[cfg(feature = "program")]
pub(crate) use self::dialogue::converse;
pub use self::dialogue::serve;
use self::{control::Control, output::Output, request::OwnRequest};
use crate::chess::GameSoFar;
use crate::engine::{uci::command::Go, uci::engine_line::EngineLine};

/// Whatever can be an engine for a user interface: the dialogue is the same for all of them.
pub(crate) trait Served {
    /// What is left to do for an option once nothing is searched.
    type Change;
    /// A search, or other work that may be stopped.
    type Task: ServedTask;

    fn introduction(&self) -> Vec<EngineLine>;

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
    Text(String),
    Task(T),
}

/// Work on the thread that searches.
pub(crate) trait ServedTask: Send + 'static {
    /// Does it, hears of what happens meanwhile, and tells of it.
    fn run<W: Write>(self, control: &Arc<Control>, output: &Output<W>);
}
