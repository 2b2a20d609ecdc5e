//! Static exchange evaluation: the material result of captures on the target square of a move.

use shakmaty::{Bitboard, Board, Color, Move, Role, Square, attacks};

use super::{packed_move::destination, position::KeyedPosition};

/// Returns the value of a piece in exchanges, in centipawns.
pub(super) const fn exchange_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 20_000,
    }
}

/// Returns whether a legal move gains at least `threshold` centipawns if both sides continue to capture on
/// its target square. Each side captures with its least valuable piece, and only while it pays. Pins are
/// ignored. A king captures last, and only undefended pieces.
pub(super) fn gains_at_least(position: &KeyedPosition, m: Move, threshold: i32) -> bool {
    if m.is_castle() {
        return threshold <= 0;
    }
    // `balance` is the mover's gain minus the threshold.
    let mut balance = gain_at_once(m) - threshold;
    if balance < 0 {
        return false;
    }
    balance -= exchange_value(m.promotion().unwrap_or(m.role()));
    if balance >= 0 {
        return true;
    }
    let mover = position.turn();
    !reply_pays(Exchange::after(position.board(), m), !mover, balance)
}

/// Returns the value of the captured piece and the gain from promotion, before any reply.
pub(super) fn gain_at_once(m: Move) -> i32 {
    let taken = m.capture().map_or(0, exchange_value);
    let promoted = m.promotion().map_or(0, |role| exchange_value(role) - exchange_value(Role::Pawn));
    taken + promoted
}

/// Plays the remaining captures. Returns whether `side`, which captures next, keeps the gain of its opponent
/// below the threshold. `balance` is the opponent's gain minus the threshold, counted as if the piece that
/// the opponent has just moved is lost.
fn reply_pays(mut exchange: Exchange<'_>, mut side: Color, mut balance: i32) -> bool {
    let first = side;
    while let Some(role) = exchange.take_back(side) {
        side = !side;
        balance = -balance - 1 - exchange_value(role);
        if balance >= 0 {
            // A king cannot recapture a piece that is still defended.
            if role == Role::King && exchange.is_attacked_by(side) {
                side = !side;
            }
            break;
        }
    }
    side != first
}

/// An exchange on `square`, with the pieces that still attack it.
struct Exchange<'a> {
    board: &'a Board,
    square: Square,
    occupied: Bitboard,
    attackers: Bitboard,
}

impl Exchange<'_> {
    fn after(board: &Board, m: Move) -> Exchange<'_> {
        let square = destination(m);
        let mut occupied = board.occupied();
        if let Some(from) = m.from() {
            occupied.discard(from);
            if m.is_en_passant() {
                occupied.discard(Square::from_coords(square.file(), from.rank()));
            }
        }
        occupied.add(square);
        let attackers = attacks::rook_attacks(square, occupied) & board.rooks_and_queens()
            | attacks::bishop_attacks(square, occupied) & board.bishops_and_queens()
            | attacks::knight_attacks(square) & board.knights()
            | attacks::king_attacks(square) & board.kings()
            | attacks::pawn_attacks(Color::White, square) & board.pawns() & board.black()
            | attacks::pawn_attacks(Color::Black, square) & board.pawns() & board.white();
        Exchange { board, square, occupied, attackers: attackers & occupied }
    }

    fn is_attacked_by(&self, side: Color) -> bool {
        (self.attackers & self.board.by_color(side)).any()
    }

    /// Captures with the least valuable attacker of `side`, and adds the attackers uncovered behind it.
    /// Returns the role of the capturing piece; `None` if `side` has no attacker.
    fn take_back(&mut self, side: Color) -> Option<Role> {
        let own = self.attackers & self.board.by_color(side);
        let (role, from) =
            Role::ALL.into_iter().find_map(|role| Some((role, (own & self.board.by_role(role)).first()?)))?;
        self.occupied.discard(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            self.attackers |=
                attacks::bishop_attacks(self.square, self.occupied) & self.board.bishops_and_queens();
        }
        if matches!(role, Role::Rook | Role::Queen) {
            self.attackers |=
                attacks::rook_attacks(self.square, self.occupied) & self.board.rooks_and_queens();
        }
        self.attackers &= self.occupied;
        Some(role)
    }
}
