//! Owns what makes positions the same for a repetition, and those that a game has had.

use std::collections::HashSet;

use shakmaty::{Chess, Position};

use crate::chess::{GameSoFar, game};

/// Returns what makes positions the same for a repetition.
pub(super) fn place_of(position: &Chess) -> String {
    let fen = game::fen(position);
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Returns the positions of a game.
pub(super) fn positions(game: &GameSoFar) -> HashSet<String> {
    let mut position = game.start().clone();
    let mut seen = HashSet::from([place_of(&position)]);
    for uci in game.moves() {
        if let Ok(m) = uci.to_move(&position) {
            position.play_unchecked(m);
            seen.insert(place_of(&position));
        }
    }
    seen
}
