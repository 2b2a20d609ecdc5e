//! History tables of quiet moves: success counts, alone and after previous moves.

use shakmaty::{Color, Move, Square};

use super::{packed_move::destination, zobrist::piece_index};

/// The bound of every count. A bonus has less effect near the bound.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// The number of previous moves in continuations: the opponent's last move and the mover's own move before it.
pub(super) const CONTINUATIONS: usize = 2;

const ROLES_ON_SQUARES: usize = 6 * 64;
const PIECES_ON_SQUARES: usize = 2 * ROLES_ON_SQUARES;

/// A piece and the square it moved to, the key of a continuation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    pub(super) fn new(m: Move, color: Color) -> PieceTo {
        PieceTo((piece_index(m.role().of(color)) * 64 + destination(m).to_usize()) as u16)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the index without colour, which an earlier move implies.
    fn index_of_role(self) -> usize {
        self.index() % ROLES_ON_SQUARES
    }
}

/// Moves a count towards ±[`MAX_HISTORY`], never past it.
fn pull(count: &mut i16, bonus: i32) {
    let value = i32::from(*count);
    *count = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
}

/// Returns the bonus of a quiet move that refuted a search of `depth`, and the malus of those tried before
/// it.
pub(super) fn bonus(depth: i32) -> i32 {
    (160 * depth - 80).clamp(0, 1600)
}

/// The counts of quiet moves.
pub(super) struct QuietHistory {
    by_squares: Box<[[i16; 64 * 64]; 2]>,
    /// Counts by distance of the previous move, the previous move, and the move itself.
    continuations: [Vec<[i16; ROLES_ON_SQUARES]>; CONTINUATIONS],
}

/// The counts for the moves of one position.
pub(super) struct QuietCounts<'a> {
    by_squares: Option<&'a [i16; 64 * 64]>,
    after: [Option<&'a [i16; ROLES_ON_SQUARES]>; CONTINUATIONS],
}

impl QuietCounts<'_> {
    /// Returns the sum of a move's counts.
    #[inline(always)]
    pub(super) fn of(&self, m: Move) -> i32 {
        let role_to = (m.role() as usize - 1) * 64 + destination(m).to_usize();
        let by_squares = self.by_squares.map_or(0, |counts| i32::from(counts[squares(m)]));
        self.after.iter().flatten().fold(by_squares, |sum, counts| sum + i32::from(counts[role_to]))
    }
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

    /// Selects the counts of a side's moves: those by squares if wanted, and those after each of the
    /// `previous` moves.
    pub(super) fn counts(
        &self,
        color: Color,
        by_squares: bool,
        previous: [Option<PieceTo>; CONTINUATIONS],
    ) -> QuietCounts<'_> {
        let after = |back: usize| Some(&self.continuations[back][previous[back]?.index()]);
        QuietCounts {
            by_squares: by_squares.then(|| &self.by_squares[color as usize]),
            after: std::array::from_fn(after),
        }
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
