//! [`PackedMove`]: a move in 16 bits, for tables.

use shakmaty::{Board, CastlingSide, Move, MoveList, Role, Square};

/// A move in 16 bits: origin, target and promotion. Castling is stored as the king's move onto its rook's
/// square. To be played, a packed move must be found among the legal moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PackedMove(u16);

impl PackedMove {
    /// No move: no piece moves from a1 to a1.
    pub(super) const NONE: PackedMove = PackedMove(0);

    pub(super) fn new(m: Move) -> PackedMove {
        let from = m.from().map_or(0, Square::to_u32);
        let promotion = m.promotion().map_or(0, |role| role as u32 - Role::Pawn as u32);
        PackedMove((from | m.to().to_u32() << 6 | promotion << 12) as u16)
    }

    pub(super) fn is_none(self) -> bool {
        self == PackedMove::NONE
    }

    /// Returns the bits to store in a table.
    pub(super) fn bits(self) -> u16 {
        self.0
    }

    /// Makes a packed move from a table's bits. There may be no legal move with these bits.
    pub(super) fn from_bits(bits: u16) -> PackedMove {
        PackedMove(bits)
    }

    /// Returns the move if it is a quiet move of the piece on its origin, other than castling. Returns `None`
    /// if that square is empty. The move may be illegal.
    pub(super) fn quiet_on(self, board: &Board) -> Option<Move> {
        let [from, to] = [self.0, self.0 >> 6].map(|square| Square::new(u32::from(square & 63)));
        let role = board.role_at(from)?;
        let captures = board.role_at(to).is_some() || role == Role::Pawn && from.file() != to.file();
        let m = Move::Normal { role, from, capture: None, to, promotion: None };
        (!captures && PackedMove::new(m) == self).then_some(m)
    }

    /// Finds the move among the legal moves, so that a move from a table is never played in a position where
    /// it is illegal. Returns `None` if it is not among them.
    pub(super) fn among(self, legal: &MoveList) -> Option<Move> {
        legal.iter().copied().find(|&m| PackedMove::new(m) == self)
    }
}

/// Returns the target square of the moved piece. For castling, it is the king's target square.
pub(super) fn destination(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            Square::from_coords(side.king_to_file(), king.rank())
        }
        _ => m.to(),
    }
}

/// Returns whether a move is neither a capture nor a promotion.
pub(super) fn is_quiet(m: Move) -> bool {
    !m.is_capture() && !m.is_promotion()
}
