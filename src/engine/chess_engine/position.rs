//! [`KeyedPosition`]: a position with incrementally updated hash keys.

use shakmaty::{
    Bitboard, Board, ByColor, CastlingSide, Chess, Color, EnPassantMode, Move, Piece, Position, Role, Square,
};

use super::zobrist;

/// A position with Zobrist keys: of the whole position, of its pawns, and of each side's king and pieces.
///
/// Two positions have the same key if they are equal by the rule of repetition. So an en passant square
/// counts only if the capture is legal.
#[derive(Debug, Clone)]
pub struct KeyedPosition {
    chess: Chess,
    key: u64,
    pawn_key: u64,
    piece_keys: ByColor<u64>,
    reversible_plies: u32,
    in_check: bool,
}

impl KeyedPosition {
    /// Computes the keys from scratch. The position has no history, so no earlier position can be repeated.
    pub fn new(chess: Chess) -> KeyedPosition {
        let mut position = KeyedPosition {
            in_check: chess.is_check(),
            chess,
            key: 0,
            pawn_key: 0,
            piece_keys: ByColor::default(),
            reversible_plies: 0,
        };
        for (square, piece) in position.chess.board().clone() {
            position.toggle(piece, square);
        }
        position.toggle_castling(position.chess.castles().castling_rights());
        position.toggle_en_passant();
        if position.chess.turn() == Color::Black {
            position.key ^= zobrist::black_to_move();
        }
        position
    }

    /// Returns the position without its keys.
    pub fn chess(&self) -> &Chess {
        &self.chess
    }

    /// Returns the pieces on their squares.
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// Returns the side to move.
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// Returns whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.in_check
    }

    /// Returns the key of the whole position.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the key of the pawns alone.
    pub fn pawn_key(&self) -> u64 {
        self.pawn_key
    }

    /// Returns a key for each side, of its king and pieces without its pawns.
    pub(super) fn piece_keys(&self) -> ByColor<u64> {
        self.piece_keys
    }

    /// Returns the number of plies since the last capture, pawn move, loss of a castling right or null move,
    /// or since [`KeyedPosition::new`]. Repetitions are looked for only within these plies.
    pub fn reversible_plies(&self) -> u32 {
        self.reversible_plies
    }

    /// Returns whether the side to move has a piece besides pawns and king. Without such a piece, passing may
    /// be best (zugzwang).
    pub fn has_pieces(&self) -> bool {
        let board = self.board();
        (self.chess.us() & !board.pawns() & !board.kings()).any()
    }

    /// Returns the position after a legal move.
    pub fn play(&self, m: Move) -> KeyedPosition {
        self.play_with_key(m, |_| ())
    }

    /// Returns the position after a legal move. `key_is_near` receives the key of the new position early, for
    /// a prefetch. This key is final unless castling rights are lost, or an en passant capture becomes
    /// possible.
    #[inline(always)]
    pub(super) fn play_with_key(&self, m: Move, key_is_near: impl FnOnce(u64)) -> KeyedPosition {
        let mut next = self.clone();
        let color = self.turn();
        let rights = self.chess.castles().castling_rights();
        next.toggle_en_passant();
        next.toggle_pieces(m, color);
        next.key ^= zobrist::black_to_move();
        key_is_near(next.key);
        next.chess.play_unchecked(m);
        next.in_check = next.chess.is_check();
        let lost = rights ^ next.chess.castles().castling_rights();
        next.toggle_castling(lost);
        next.toggle_en_passant();
        next.reversible_plies =
            if m.is_zeroing() || lost.any() { 0 } else { self.reversible_plies.saturating_add(1) };
        next
    }

    /// Returns the position after a pass; `None` if a pass is impossible, for example in check.
    pub fn pass(&self) -> Option<KeyedPosition> {
        let mut next = self.clone();
        next.toggle_en_passant();
        next.chess = self.chess.clone().swap_turn().ok()?;
        next.key ^= zobrist::black_to_move();
        next.reversible_plies = 0;
        next.in_check = next.chess.is_check();
        Some(next)
    }

    fn toggle_pieces(&mut self, m: Move, color: Color) {
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                self.toggle(role.of(color), from);
                if let Some(captured) = capture {
                    self.toggle(captured.of(!color), to);
                }
                self.toggle(promotion.unwrap_or(role).of(color), to);
            }
            Move::EnPassant { from, to } => {
                self.toggle(Role::Pawn.of(color), from);
                self.toggle(Role::Pawn.of(!color), Square::from_coords(to.file(), from.rank()));
                self.toggle(Role::Pawn.of(color), to);
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_queen_side(rook < king);
                self.toggle(Role::King.of(color), king);
                self.toggle(Role::Rook.of(color), rook);
                self.toggle(Role::King.of(color), side.king_to(color));
                self.toggle(Role::Rook.of(color), side.rook_to(color));
            }
            Move::Put { role, to } => self.toggle(role.of(color), to),
        }
    }

    fn toggle(&mut self, piece: Piece, square: Square) {
        let number = zobrist::piece(piece, square);
        self.key ^= number;
        if piece.role == Role::Pawn {
            self.pawn_key ^= number;
        } else {
            *self.piece_keys.get_mut(piece.color) ^= number;
        }
    }

    fn toggle_castling(&mut self, rooks: Bitboard) {
        for rook in rooks {
            self.key ^= zobrist::castling_rook(rook);
        }
    }

    fn toggle_en_passant(&mut self) {
        // Usually there is not even a pseudo-legal en passant square, and that is cheap to check.
        if self.chess.maybe_ep_square().is_some()
            && let Some(square) = self.chess.ep_square(EnPassantMode::Legal)
        {
            self.key ^= zobrist::en_passant(square.file());
        }
    }
}
