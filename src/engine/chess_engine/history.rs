//! History tables: counts of the success of moves, on their own and after previous moves.

use shakmaty::{Color, Move, Square};

use super::{heuristics::Heuristics, packed_move::destination, zobrist::piece_index};

/// The largest absolute value of a count. Updates toward this limit shrink as a count approaches it.
pub(super) const MAX_HISTORY: i32 = 16_384;

/// The previous moves after which a move has separate counts, by their distance in plies: the opponent's last
/// move, and the mover's own last two moves.
pub(super) const CONTINUATIONS: [usize; 3] = [1, 2, 4];

/// Number of possible victims: no piece, or one of the five kinds that can be captured.
const VICTIMS: usize = 6;

const ROLES_ON_SQUARES: usize = 6 * 64;
const PIECES_ON_SQUARES: usize = 2 * ROLES_ON_SQUARES;

/// A piece with its color, and the square to which it moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PieceTo(u16);

impl PieceTo {
    pub(super) fn new(m: Move, color: Color) -> PieceTo {
        PieceTo((piece_index(m.role().of(color)) * 64 + destination(m).to_usize()) as u16)
    }

    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the index of the role and the square only. The previous move implies the color.
    fn index_of_role(self) -> usize {
        self.index() % ROLES_ON_SQUARES
    }
}

/// Adds `bonus` to a count, and pulls the count toward 0 so that it never passes ±[`MAX_HISTORY`].
fn pull(count: &mut i16, bonus: i32) {
    let value = i32::from(*count);
    *count = (value + bonus - value * bonus.abs() / MAX_HISTORY) as i16;
}

/// Returns the bonus for the best move of a search to `depth`. The other moves tried lose the same amount.
pub(super) fn bonus(depth: i32) -> i32 {
    (209 * depth - 41).clamp(0, 1675)
}

/// Returns the bonus for a table move that causes a cut-off, or for a move after which no reply raises alpha.
pub(super) fn small_bonus(depth: i32) -> i32 {
    bonus(depth) * 2 / 3
}

/// The counts of moves.
pub(super) struct History {
    by_squares: Box<[[i16; 64 * 64]; 2]>,
    /// Counts by the index in [`CONTINUATIONS`], then by the previous move, then by the move itself.
    continuations: [Vec<[i16; ROLES_ON_SQUARES]>; CONTINUATIONS.len()],
    /// Counts of captures and promotions by piece, target square and captured piece.
    captures: Vec<[i16; VICTIMS]>,
}

/// The counts of a heuristic that is disabled, or after a move that was not played.
static NO_COUNTS: ([i16; 64 * 64], [i16; ROLES_ON_SQUARES]) = ([0; 64 * 64], [0; ROLES_ON_SQUARES]);

/// The counts for the moves of one position.
pub(super) struct MoveCounts<'a> {
    turn: Color,
    by_squares: &'a [i16; 64 * 64],
    after: [&'a [i16; ROLES_ON_SQUARES]; CONTINUATIONS.len()],
    captures: Option<&'a [[i16; VICTIMS]]>,
}

impl MoveCounts<'_> {
    /// Returns the sum of a quiet move's counts.
    #[inline(always)]
    pub(super) fn of_quiet(&self, m: Move) -> i32 {
        let role_to = (m.role() as usize - 1) * 64 + destination(m).to_usize();
        let after: i32 = self.after.iter().map(|counts| i32::from(counts[role_to])).sum();
        i32::from(self.by_squares[squares(m)]) + after
    }

    /// Returns the count of a capture or promotion.
    #[inline(always)]
    pub(super) fn of_capture(&self, m: Move) -> i32 {
        self.captures.map_or(0, |counts| i32::from(counts[PieceTo::new(m, self.turn).index()][victim(m)]))
    }
}

impl History {
    pub(super) fn new() -> History {
        History {
            by_squares: Box::new([[0; 64 * 64]; 2]),
            continuations: std::array::from_fn(|_| vec![[0; ROLES_ON_SQUARES]; PIECES_ON_SQUARES]),
            captures: vec![[0; VICTIMS]; PIECES_ON_SQUARES],
        }
    }

    pub(super) fn clear(&mut self) {
        self.by_squares.iter_mut().for_each(|side| side.fill(0));
        self.continuations.iter_mut().for_each(|counts| counts.fill([0; ROLES_ON_SQUARES]));
        self.captures.fill([0; VICTIMS]);
    }

    /// Returns the counts for the moves of `turn`. `previous` has the moves at the distances
    /// [`CONTINUATIONS`]; the counts after a `None` are left out. The counts by squares and of captures are
    /// left out if their heuristic is disabled.
    pub(super) fn counts(
        &self,
        turn: Color,
        heuristics: &Heuristics,
        previous: [Option<PieceTo>; CONTINUATIONS.len()],
    ) -> MoveCounts<'_> {
        let after = |back: usize| {
            previous[back].map_or(&NO_COUNTS.1, |played| &self.continuations[back][played.index()])
        };
        MoveCounts {
            turn,
            by_squares: if heuristics.history { &self.by_squares[turn as usize] } else { &NO_COUNTS.0 },
            after: std::array::from_fn(after),
            captures: heuristics.capture_history.then_some(&self.captures),
        }
    }

    pub(super) fn reward_squares(&mut self, color: Color, m: Move, bonus: i32) {
        pull(&mut self.by_squares[color as usize][squares(m)], bonus);
    }

    /// Adds `bonus` to the count of the quiet move `piece_to` after `previous`, the move played
    /// `CONTINUATIONS[index]` plies earlier.
    pub(super) fn reward_after(&mut self, index: usize, previous: PieceTo, piece_to: PieceTo, bonus: i32) {
        pull(&mut self.continuations[index][previous.index()][piece_to.index_of_role()], bonus);
    }

    pub(super) fn reward_capture(&mut self, color: Color, m: Move, bonus: i32) {
        pull(&mut self.captures[PieceTo::new(m, color).index()][victim(m)], bonus);
    }
}

/// Returns the index of the captured piece; 0 if the move captures nothing.
fn victim(m: Move) -> usize {
    m.capture().map_or(0, |role| role as usize)
}

fn squares(m: Move) -> usize {
    m.from().map_or(0, Square::to_usize) * 64 + destination(m).to_usize()
}
