//! Owns everything that talks to a UCI engine, and nothing that knows why it is asked.
//!
//! [`mod@line`] and [`uci`] are the grammar of single lines, [`options`] what an engine can be set to,
//! [`session`] one dialogue over any pair of streams, [`play`] what is said in it when a game is
//! played, [`process`] an engine as a child process,
//! [`pool`] many of them working off [segments](crate::segment), [`locate`] where one is installed.

pub mod line;
pub mod locate;
pub mod options;
pub mod play;
pub mod pool;
pub mod process;
pub mod session;
pub mod uci;
