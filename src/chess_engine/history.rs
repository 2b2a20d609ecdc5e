//! Owns the histories of quiet moves: how often each refuted a position, alone and after the moves before it.

use shakmaty::{Color, Move, Square};

use super::{packed_move::destination, zobrist::piece_index};

/// The bound of every count: a bonus has less effect the nearer a count is to it.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// How many moves back the continuations reach: the other side's last one, and the own one before it.
pub(super) const CONTINUATIONS: usize = 2;

const ROLES_ON_SQUARES: usize = 6 * 64;
const PIECES_ON_SQUARES: usize = 2 * ROLES_ON_SQUARES;

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

    /// The same without the colour, which is known beside an earlier move.
    fn index_of_role(self) -> usize {
        self.index() % ROLES_ON_SQUARES
    }
}

/// Moves a count towards ±[`MAX_HISTORY`], never past it.
fn pull(count: &mut i16, bonus: i32) {
    let value = i32::from(*count);
    *count = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
}

/// Weighs what a quiet move that refuted a search of `depth` is given, and those tried before it lose.
pub(super) fn bonus(depth: i32) -> i32 {
    (160 * depth - 80).clamp(0, 1600)
}

/// The counts of quiet moves.
pub(super) struct QuietHistory {
    by_squares: Box<[[i16; 64 * 64]; 2]>,
    /// By how far back the earlier move is, the earlier move, and the move itself.
    continuations: [Vec<[i16; ROLES_ON_SQUARES]>; CONTINUATIONS],
}

impl QuietHistory {
    pub(super) fn new() -> QuietHistory {
        QuietHistory {
            by_squares: Box::new([[0; 64 * 64]; 2]),
            continuations: std::array::from_fn(|_| vec![[0; ROLES_ON_SQUARES]; PIECES_ON_SQUARES]),
        }
    }

    pub(super) fn clear(&mut self) {
        self.by_squares.iter_mut().for_each(|side| side.fill(0));
        self.continuations.iter_mut().for_each(|counts| counts.fill([0; ROLES_ON_SQUARES]));
    }

    /// Returns the count of a move by its squares.
    pub(super) fn of_squares(&self, color: Color, m: Move) -> i32 {
        i32::from(self.by_squares[color as usize][squares(m)])
    }

    /// Returns the count of a move after the one that was played `back` plies before it, 1 or 2.
    pub(super) fn after(&self, back: usize, previous: PieceTo, piece_to: PieceTo) -> i32 {
        i32::from(self.continuations[back - 1][previous.index()][piece_to.index_of_role()])
    }

    pub(super) fn reward_squares(&mut self, color: Color, m: Move, bonus: i32) {
        pull(&mut self.by_squares[color as usize][squares(m)], bonus);
    }

    pub(super) fn reward_after(&mut self, back: usize, previous: PieceTo, piece_to: PieceTo, bonus: i32) {
        pull(&mut self.continuations[back - 1][previous.index()][piece_to.index_of_role()], bonus);
    }
}

fn squares(m: Move) -> usize {
    m.from().map_or(0, Square::to_usize) * 64 + destination(m).to_usize()
}
