//! Games of an engine against itself at fixed depths, after Section 2 of Ferreira 2013.

pub(crate) mod adjudicate;
#[cfg(feature = "program")]
pub(crate) mod config;
pub mod contestants;
#[cfg(feature = "program")]
pub(crate) mod entrant_player;
#[cfg(feature = "program")]
pub(crate) mod entrant_results;
#[cfg(feature = "program")]
pub(crate) mod entrants;
pub(crate) mod game_log;
pub mod game_pgn;
pub mod game_pool;
mod game_record;
pub mod openings;
#[cfg(feature = "program")]
pub(crate) mod pairs;
pub(crate) mod play;
#[cfg(feature = "program")]
pub mod results;
pub(crate) mod rules;
pub mod schedule;
#[cfg(feature = "program")]
pub(crate) mod sequential;
#[cfg(feature = "program")]
pub(crate) mod tally;

pub use game_record::{Contender, Ending, GameRecord, Side};
