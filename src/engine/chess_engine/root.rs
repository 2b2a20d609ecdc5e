//! [`Root`]: the position to search, with the game before it.

use shakmaty::{Chess, Move, Position, attacks};

use super::{position::KeyedPosition, upcoming::move_between, zobrist};

/// An illegal move in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("illegal move {0}")]
pub struct IllegalMove(pub Move);

/// A position to search, and the earlier positions of its game that could recur.
#[derive(Debug, Clone)]
pub struct Root {
    position: KeyedPosition,
    earlier_keys: Vec<u64>,
}

impl Root {
    /// Makes a root without a history.
    pub fn new(chess: Chess) -> Root {
        Root { position: KeyedPosition::new(chess), earlier_keys: Vec::new() }
    }

    /// Plays `moves` from `start`.
    ///
    /// # Errors
    ///
    /// If a move is illegal.
    pub fn after(start: Chess, moves: &[Move]) -> Result<Root, IllegalMove> {
        let mut root = Root::new(start);
        for &m in moves {
            root.play(m)?;
        }
        Ok(root)
    }

    /// Plays one more move of the game.
    ///
    /// # Errors
    ///
    /// If the move is illegal; the root then stays as it was.
    pub fn play(&mut self, m: Move) -> Result<(), IllegalMove> {
        if !self.position.chess().is_legal(m) {
            return Err(IllegalMove(m));
        }
        self.earlier_keys.push(self.position.key());
        self.position = self.position.play(m);
        if self.position.reversible_plies() == 0 {
            self.earlier_keys.clear();
        }
        Ok(())
    }

    /// Returns the position to search.
    pub fn position(&self) -> &KeyedPosition {
        &self.position
    }

    /// Returns the keys of the earlier positions that can still recur, oldest first.
    pub(super) fn earlier_keys(&self) -> &[u64] {
        &self.earlier_keys
    }
}

/// The keys of the positions before the current node, from the game and the search.
#[derive(Debug, Clone)]
pub(super) struct KeyPath {
    keys: Vec<u64>,
    root: usize,
}

impl KeyPath {
    pub(super) fn from(root: &Root) -> KeyPath {
        KeyPath { keys: root.earlier_keys().to_vec(), root: root.earlier_keys().len() }
    }

    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Returns whether a position below the root is drawn by dead position, fifty moves or repetition. A mate
    /// with the last of the fifty moves is no draw. Two occurrences are a repetition if both are in the
    /// search, because a side that repeats once can do so again. A position that occurred only before the
    /// root must occur three times, as in the rules.
    pub(super) fn is_draw(&self, position: &KeyedPosition) -> bool {
        let chess = position.chess();
        chess.is_insufficient_material()
            || chess.halfmoves() >= 100 && !chess.is_checkmate()
            || self.is_repetition(position)
    }

    /// Returns whether the side to move can reach an earlier position of the search with its next move.
    pub(super) fn can_repeat(&self, position: &KeyedPosition) -> bool {
        let end = self.keys.len();
        let first = end.saturating_sub(position.reversible_plies() as usize).max(self.root);
        let Some(&parent) = self.keys.last() else { return false };
        let mut by_opponent = parent ^ position.key() ^ zobrist::black_to_move();
        // The opponent is to move every second ply. All its moves since then must cancel out.
        (first..end.saturating_sub(2)).rev().step_by(2).any(|index| {
            by_opponent ^= self.keys[index] ^ self.keys[index + 1] ^ zobrist::black_to_move();
            let change = position.key() ^ self.keys[index] ^ zobrist::black_to_move();
            by_opponent == 0
                && move_between(change).is_some_and(|[one, other]| {
                    (attacks::between(one, other) & position.board().occupied()).is_empty()
                })
        })
    }

    fn is_repetition(&self, position: &KeyedPosition) -> bool {
        let reversible = position.reversible_plies() as usize;
        let end = self.keys.len();
        let first = end.saturating_sub(reversible);
        let mut seen = 0;
        // The same side is to move every second ply, and a repetition takes at least four plies.
        for index in (first..end.saturating_sub(3)).rev().step_by(2) {
            if self.keys[index] == position.key() {
                seen += 1;
                if seen == 2 || index >= self.root {
                    return true;
                }
            }
        }
        false
    }
}
