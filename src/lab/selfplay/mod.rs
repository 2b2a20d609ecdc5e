//! Self-play: games of an engine at fixed depths against itself or an opponent, after Section 2 of Ferreira
//! 2013, and matches and round robins of several engines.

pub(crate) mod adjudicate;
pub(crate) mod config;
pub mod contestants;
pub(crate) mod entrants;
pub(crate) mod game_log;
pub mod game_pgn;
pub mod game_pool;
mod game_record;
pub mod openings;
pub(crate) mod pairs;
pub(crate) mod play;
pub(crate) mod results;
pub mod schedule;
pub(crate) mod sequential;

pub use game_record::{Contender, GameRecord, Side};
