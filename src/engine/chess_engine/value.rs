//! Values of positions in the search, for the side to move. A nearer mate has a greater absolute value.

use crate::chess::SignedScore;

/// The maximum distance from the root, in plies.
pub(super) const MAX_PLY: usize = 120;

/// A bound above every value.
pub(super) const INFINITE: i32 = 32_000;

/// The value of mate on the board, for the winner. A mate `n` plies away is worth `n` less.
pub(super) const MATE: i32 = 31_000;

/// The smallest value of a mate within the search's reach.
pub(super) const LEAST_MATE: i32 = MATE - 2 * MAX_PLY as i32;

/// The largest evaluation, below every mate.
pub(super) const MAX_EVALUATION: i32 = LEAST_MATE - 1;

pub(super) const DRAW: i32 = 0;

/// Returns the value of being mated `ply` plies from the root.
pub(super) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Returns whether a value is a mate for either side.
pub(super) const fn is_mate(value: i32) -> bool {
    value.abs() >= LEAST_MATE
}

/// Converts a value whose mates are counted from the root to a value whose mates are counted from the
/// position `ply` plies below the root. Tables store the converted values.
pub(super) const fn from_here(value: i32, ply: usize) -> i32 {
    if value >= LEAST_MATE {
        value + ply as i32
    } else if value <= -LEAST_MATE {
        value - ply as i32
    } else {
        value
    }
}

/// Inverts [`from_here`].
pub(super) const fn from_root(value: i32, ply: usize) -> i32 {
    if value >= LEAST_MATE {
        value - ply as i32
    } else if value <= -LEAST_MATE {
        value + ply as i32
    } else {
        value
    }
}

/// Converts a value to a score from the view of the side to move, with mates in moves.
pub(super) fn to_score(value: i32) -> SignedScore {
    if value >= LEAST_MATE {
        SignedScore::Mate((MATE - value + 1) / 2)
    } else if value <= -LEAST_MATE {
        SignedScore::Mate(-((MATE + value) / 2))
    } else {
        SignedScore::Cp(value)
    }
}
