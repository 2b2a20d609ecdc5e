//! Client of external UCI engines, independent of the purpose of their answers.
//!
//! [`mod@line`], [`engine_line`] and [`command`] are the grammar of single lines. [`options`] describes an
//! engine's options. [`session`] is one dialogue over any pair of streams. [`play`] adds the choice of moves
//! in a game. [`process`] runs an engine as a child process, and [`locate`] finds installed engines.

pub(crate) mod command;
pub(crate) mod engine_line;
pub(crate) mod line;
pub(crate) mod locate;
pub(crate) mod options;
pub(crate) mod play;
pub(crate) mod process;
pub(crate) mod session;
