//! Owns the histories of quiet moves: how often each refuted a position, alone and after the moves before it.

use shakmaty::{Color, Move, Square};

use super::{packed_move::destination, zobrist::piece_index};

/// The bound of every count: a bonus has less effect the nearer a count is to it.
pub(super) const MAX_HISTORY: i32 = 16_384;

const PIECES_ON_SQUARES: usize = 12 * 64;

/// A piece and the square it moved to: what a continuation remembers of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    pub(super) fn new(m: Move, color: Color) -> PieceTo {
        PieceTo((piece_index(m.role().of(color)) * 64 + destination(m).to_usize()) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A count that moves towards ±[`MAX_HISTORY`] and never past it.
fn pull(count: &mut i16, bonus: i32) {
    let value = i32::from(*count);
    *count = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
}

/// What a quiet move that refuted a search of `depth` is given, and those tried before it lose.
pub(super) fn bonus(depth: i32) -> i32 {
    (160 * depth - 80).clamp(0, 1600)
}

/// The counts of quiet moves.
pub(super) struct QuietHistory {
    by_squares: Box<[[i16; 64 * 64]; 2]>,
    continuations: Vec<[i16; PIECES_ON_SQUARES]>,
}

impl QuietHistory {
    pub(super) fn new() -> QuietHistory {
        QuietHistory {
            by_squares: Box::new([[0; 64 * 64]; 2]),
            continuations: vec![[0; PIECES_ON_SQUARES]; PIECES_ON_SQUARES],
        }
    }

    pub(super) fn clear(&mut self) {
        self.by_squares.iter_mut().for_each(|side| side.fill(0));
        self.continuations.iter_mut().for_each(|counts| counts.fill(0));
    }

    /// The count of a move by its squares.
    pub(super) fn of_squares(&self, color: Color, m: Move) -> i32 {
        i32::from(self.by_squares[color as usize][squares(m)])
    }

    /// The count of a move after an earlier one.
    pub(super) fn after(&self, previous: PieceTo, piece_to: PieceTo) -> i32 {
        i32::from(self.continuations[previous.index()][piece_to.index()])
    }

    pub(super) fn reward_squares(&mut self, color: Color, m: Move, bonus: i32) {
        pull(&mut self.by_squares[color as usize][squares(m)], bonus);
    }

    pub(super) fn reward_after(&mut self, previous: PieceTo, piece_to: PieceTo, bonus: i32) {
        pull(&mut self.continuations[previous.index()][piece_to.index()], bonus);
    }
}

fn squares(m: Move) -> usize {
    m.from().map_or(0, Square::to_usize) * 64 + destination(m).to_usize()
}
