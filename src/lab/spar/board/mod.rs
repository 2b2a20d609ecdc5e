//! A game of a person against the player at one board: what the person may say, and the game itself.

mod game;
mod request;

pub use self::{
    game::{BoardGame, GameOver, Names},
    request::{BoardRequest, requests},
};
