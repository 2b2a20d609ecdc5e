//! Fits the weights of our own engine's evaluation to what a stronger engine says of positions.
//!
//! ```text
//! positions (games of the engine with itself) → labels (an engine's evaluations) → fit → Weights
//!                                                                              └→ chances of a win and a draw
//! ```
//!
//! The engine whose evaluations are the labels is named in the file of weights; nothing of it is taken but what it says
//! of these positions.

pub mod chances;
pub mod fit;
pub mod labels;
pub mod position_file;
pub mod positions;
mod training_game;
