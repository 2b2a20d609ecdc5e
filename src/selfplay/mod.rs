//! Games of an engine against itself at fixed depths, after Section 2 of Ferreira 2013.

pub mod adjudicate;
pub mod crew;
pub mod design;
pub mod entrants;
pub mod journal;
pub mod openings;
mod outcome;
pub mod pairs;
pub mod play;
pub mod record;
pub mod results;
pub mod rules;
pub mod schedule;
pub mod tally;

pub use outcome::{Contender, Ending, Outcome, Side};
