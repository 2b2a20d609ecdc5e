//! A game of a person against the player at one board: what the person may say, and the game itself.

mod game;
mod request;

pub use game::{BoardGame, BoardGameError, GameOver, Names};
pub use request::{BadRequest, BoardRequest, requests};
