//! Games of an engine against itself at fixed depths, after Section 2 of Ferreira 2013.

pub mod adjudicate;
pub mod config;
pub mod contestants;
pub mod entrant_player;
pub mod entrant_results;
pub mod entrants;
pub mod game_log;
pub mod game_pgn;
pub mod game_pool;
mod game_record;
pub mod openings;
pub mod pairs;
pub mod play;
pub mod results;
pub mod rules;
pub mod schedule;
pub mod sequential;
pub mod tally;

pub use game_record::{Contender, Ending, GameRecord, Side};
