//! Games of an engine against itself at fixed depths, after Section 2 of Ferreira 2013.

mod outcome;
pub mod results;

pub use outcome::{Contender, Ending, Outcome, Side};
