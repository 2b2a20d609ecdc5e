//! Owns the replaying of a game whose moves were read in the fast way.

use shakmaty::{Chess, Position, san::SanPlus};

use crate::chess::{Evaluation, FastMove, Phase, Score};

/// What only the board tells of a game.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Replayed {
    /// The score of the last position, where that has no legal moves.
    pub end: Option<Score>,
    /// Of each position in which a move was played: the phase, and whether that was the only one; empty
    /// where nobody asked.
    pub positions: Vec<(Phase, bool)>,
}

/// Plays `moves` from the usual start; `None` where one of them cannot be played, or mates in words and
/// not on the board.
pub fn replay(moves: &[FastMove<'_>], tell_positions: bool) -> Option<Replayed> {
    let mut position = Chess::default();
    let mut positions = Vec::with_capacity(if tell_positions { moves.len() } else { 0 });
    for played in moves {
        if tell_positions {
            positions.push((Phase::of(&position), position.legal_moves().len() == 1));
        }
        let san: SanPlus = played.san.parse().ok()?;
        let m = san.san.to_move(&position).ok()?;
        position.play_unchecked(m);
    }
    let end = Evaluation::terminal(&position).map(|terminal| terminal.score);
    let says_mate = moves.last().is_some_and(|last| last.san.ends_with('#'));
    (!says_mate || position.is_checkmate()).then_some(Replayed { end, positions })
}
