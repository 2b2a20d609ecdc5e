//! Players of a given rating: the probability with which such a player chooses each legal move.
//!
//! ```text
//! LevelPlayer (features of the moves, and a choice) → ChoiceNetwork (probabilities) → ChoiceFeatures → chess_engine
//! ```
//!
//! The network is trained by `examples/levels` on the games of data/learning.

mod features;
mod network;
mod player;

pub use self::{
    features::{COLUMNS, ChoiceFeatures, in_pawns},
    network::{ChoiceNetwork, ChoosingPlayer, HIDDEN, INPUTS, NetworkError, Units, WEIGHTS},
    player::{Level, LevelChoice, LevelPlayer, NoLevel, drawn},
};
