//! Owns the client of foreign engines, which speak UCI, and nothing that knows why they are asked.
//!
//! [`mod@line`], [`engine_line`] and [`command`] are the grammar of single lines, [`options`] what an engine can be set to,
//! [`session`] one dialogue over any pair of streams, [`play`] what is said in it when a game is
//! played, [`process`] an engine as a child process,
//! [`locate`] where one is installed.

pub mod command;
pub mod engine_line;
pub mod line;
pub mod locate;
pub mod options;
pub mod play;
pub mod process;
pub mod session;
