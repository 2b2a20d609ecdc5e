//! Board data shared by the evaluation terms, and the sink that receives terms.

use shakmaty::{Bitboard, Board, ByColor, Color, File, Role, Square, attacks};

use super::terms::Term;

/// A receiver of terms.
pub trait Sink {
    /// Receives a term that `color` has `count` times, with its square if it has one.
    fn add(&mut self, term: Term, color: Color, count: i32, at: Option<Square>);
}

/// Board data used by several terms.
pub(super) struct View<'a> {
    pub(super) board: &'a Board,
    pub(super) occupied: Bitboard,
    pub(super) kings: ByColor<Square>,
    pub(super) pawns: ByColor<Bitboard>,
    pub(super) pawn_attacks: ByColor<Bitboard>,
}

impl View<'_> {
    pub(super) fn of(board: &Board) -> View<'_> {
        let pawns = ByColor::new_with(|color| board.by_color(color) & board.pawns());
        View {
            board,
            occupied: board.occupied(),
            // A position without a king cannot be set up, so this default does not matter.
            kings: ByColor::new_with(|color| board.king_of(color).unwrap_or(Square::E1)),
            pawn_attacks: ByColor::new_with(|color| attacked_by_pawns(*pawns.get(color), color)),
            pawns,
        }
    }

    pub(super) fn of_role(&self, color: Color, role: Role) -> Bitboard {
        self.board.by_color(color) & self.board.by_role(role)
    }
}

/// Returns all squares that pawns attack.
#[inline(always)]
pub(super) fn attacked_by_pawns(pawns: Bitboard, color: Color) -> Bitboard {
    let (west, east) = (pawns & !Bitboard::from_file(File::A), pawns & !Bitboard::from_file(File::H));
    match color {
        Color::White => west.shift(7) | east.shift(9),
        Color::Black => west.shift(-9) | east.shift(-7),
    }
}

/// Returns all squares in front of `squares` on their files, as seen by `color`.
#[inline(always)]
pub(super) fn in_front_of(squares: Bitboard, color: Color) -> Bitboard {
    let mut ahead = u64::from(squares);
    match color {
        Color::White => {
            ahead <<= 8;
            ahead |= ahead << 8;
            ahead |= ahead << 16;
            ahead |= ahead << 32;
        }
        Color::Black => {
            ahead >>= 8;
            ahead |= ahead >> 8;
            ahead |= ahead >> 16;
            ahead |= ahead >> 32;
        }
    }
    Bitboard(ahead)
}

/// Returns `squares` and their neighbors to the left and right.
#[inline(always)]
pub(super) fn widened(squares: Bitboard) -> Bitboard {
    let west = (squares & !Bitboard::from_file(File::A)).shift(-1);
    let east = (squares & !Bitboard::from_file(File::H)).shift(1);
    squares | west | east
}

/// Returns the rank of a square as seen by `color`, whose back rank is 0.
#[inline(always)]
pub(super) fn relative_rank(square: Square, color: Color) -> usize {
    color.fold_wb(square.rank(), square.rank().flip_vertical()).to_usize()
}

/// The squares attacked by a side.
pub(super) struct Attacks {
    pub(super) all: Bitboard,
    /// Squares attacked by more than one piece. Two pawns that attack a square count as one piece.
    pub(super) twice: Bitboard,
    pub(super) without_king: Bitboard,
    pub(super) knights: Bitboard,
    pub(super) bishops: Bitboard,
    pub(super) rooks: Bitboard,
    pub(super) queens: Bitboard,
    /// Strength of the attack on the enemy king's zone.
    pub(super) on_king: usize,
}

/// Returns the squares around a king, and these squares shifted one rank forward for `color`.
#[inline(always)]
pub(super) fn king_zone(king: Square, color: Color) -> Bitboard {
    let around = attacks::king_attacks(king);
    around | around.shift(color.fold_wb(8, -8))
}

/// Returns the squares attacked by a knight, bishop, rook or queen.
#[inline(always)]
pub(super) fn piece_attacks(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight_attacks(square),
        Role::Bishop => attacks::bishop_attacks(square, occupied),
        Role::Rook => attacks::rook_attacks(square, occupied),
        _ => attacks::queen_attacks(square, occupied),
    }
}
