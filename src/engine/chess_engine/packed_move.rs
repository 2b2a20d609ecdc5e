//! Owns [`PackedMove`]: a move in 16 bits, as tables keep it.

use shakmaty::{CastlingSide, Move, MoveList, Role, Square};

/// A move in 16 bits: squares from and to, and what a pawn becomes. Castling is the king's move onto its rook's
/// square. It means something only beside a list of legal moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PackedMove(u16);

impl PackedMove {
    /// No move: no piece goes from a1 to a1.
    pub(super) const NONE: PackedMove = PackedMove(0);

    pub(super) fn new(m: Move) -> PackedMove {
        let from = m.from().map_or(0, Square::to_u32);
        let promotion = m.promotion().map_or(0, |role| role as u32 - Role::Pawn as u32);
        PackedMove((from | m.to().to_u32() << 6 | promotion << 12) as u16)
    }

    pub(super) fn is_none(self) -> bool {
        self == PackedMove::NONE
    }

    /// Returns the number that a table keeps.
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// Takes a number that a table kept for a move, whatever it is worth.
    pub(super) fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits)
    }

    /// Finds the move among legal ones, so that one from a table can never be played where it is illegal.
    pub(super) fn among(self, legal: &MoveList) -> Option<Move> {
        legal.iter().copied().find(|&m| PackedMove::new(m) == self)
    }
}

/// Finds the square where the moved piece ends: the king's own when it castles.
pub(super) fn destination(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            Square::from_coords(side.king_to_file(), king.rank())
        }
        _ => m.to(),
    }
}

/// Tells whether a move takes nothing and promotes nothing.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}
