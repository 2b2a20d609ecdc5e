//! UCI server: the engine's side of the protocol over any pair of streams, for any engine.
//!
//! ```text
//! serve → dialogue: handles one request after the other, also during a search
//!           request: parsed lines, positions
//!           Served (any engine): builtin (the built-in engine, with its settings)
//!           worker: the searching thread and its signals
//!           task: one search, reporting to output
//!           listing (eval, d)
//! ```
//!
//! Invalid input never ends the dialogue: it is reported in an `info string` and changes nothing. Only a
//! `position` with an illegal move sets up the position before that move. Every valid `go` is answered by one
//! `bestmove`. A command that needs the engine itself ends a running search, as `stop` does.

mod builtin;
mod dialogue;
mod listing;
pub(crate) mod output;
pub(crate) mod request;
pub(crate) mod settings;
pub(crate) mod task;
#[cfg(test)]
mod tests;
pub(crate) mod worker;

use std::{io::Write, sync::Arc, time::Instant};

use shakmaty::CastlingMode;

#[cfg(feature = "program")]
pub(crate) use self::dialogue::converse;
pub use self::dialogue::serve;
use self::{output::Output, request::OwnRequest, worker::Control};
use crate::chess::GameSoFar;
use crate::engine::{uci::command::Go, uci::engine_line::EngineLine};

/// An engine that a user interface talks to. The same dialogue code serves every engine.
pub(crate) trait Served {
    /// A change of an option. It must wait until no search runs.
    type Change;
    /// A search, or other work that can be stopped.
    type Task: ServedTask;

    fn introduction(&self) -> Vec<EngineLine>;

    fn mode(&self) -> CastlingMode;

    /// Sets an option. If a change must wait until no search runs, returns the change for [`Served::change`].
    /// The error text explains the fault.
    fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<Self::Change>, String>;

    /// Applies a change. It is called while no search runs. The error text says what failed.
    fn change(&mut self, change: Self::Change) -> Result<(), String>;

    /// Gets ready to search, unless a search is running.
    fn get_ready(&mut self);

    /// Forgets the previous game. It is called while no search runs.
    fn new_game(&mut self);

    /// Makes a search from a `go` received at `begun`, with an optional remark about it.
    fn search(&self, go: &Go, game: &GameSoFar, begun: Instant) -> (Self::Task, Option<String>);

    /// Answers a request beyond UCI; `None` if this engine does not support it.
    fn own(&self, request: OwnRequest, game: &GameSoFar) -> Option<OwnAnswer<Self::Task>>;
}

/// The answer to a request beyond UCI.
pub(crate) enum OwnAnswer<T> {
    Text(String),
    Task(T),
}

/// Work on the searching thread.
pub(crate) trait ServedTask: Send + 'static {
    /// Does the work, watches `control` and reports to `output`.
    fn run<W: Write>(self, control: &Arc<Control>, output: &Output<W>);
}
