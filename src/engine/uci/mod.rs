//! Owns the client of foreign engines, which speak UCI, and nothing that knows why they are asked.
//!
//! [`mod@line`], [`engine_line`] and [`command`] are the grammar of single lines, [`options`] what an engine can be set to,
//! [`session`] one dialogue over any pair of streams, [`play`] what is said in it when a game is
//! played, [`process`] an engine as a child process,
//! [`locate`] where one is installed.

pub(crate) mod command;
pub(crate) mod engine_line;
pub(crate) mod line;
pub(crate) mod locate;
pub(crate) mod options;
pub(crate) mod play;
pub(crate) mod process;
pub(crate) mod session;
