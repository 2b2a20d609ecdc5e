//! Owns the pictures of weights learned from players' moves.

pub mod boards;
pub mod values;
