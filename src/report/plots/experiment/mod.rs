//! Owns the pictures of an experiment: fitted curves, Elo points, neighbouring depths, best moves.

pub mod best_moves;
pub mod chart;
pub mod curves;
pub mod elo;
pub mod matches;
