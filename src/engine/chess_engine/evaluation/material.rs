//! Game phase and winning chances by material.

use shakmaty::{Bitboard, Board, ByColor, Color, File, Rank, Role, Square};

use super::weights::Tapered;

/// The blend of middlegame and endgame scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blend {
    /// 24 with all pieces on the board, 0 with only pawns and kings.
    pub phase: i32,
    /// The weight of an endgame score in a side's favour, in 64ths.
    pub scales: ByColor<i32>,
}

impl Blend {
    /// The phase of a full board.
    pub const MIDDLEGAME: i32 = 24;
    /// An endgame weight of 1, in 64ths.
    pub const FULL_SCALE: i32 = 64;

    /// Returns the blend for a board's material.
    pub fn of(board: &Board) -> Blend {
        let minors = (board.knights() | board.bishops()).count();
        let phase = minors + 2 * board.rooks().count() + 4 * board.queens().count();
        let scales = ByColor::new_with(|color| scale(board, color));
        Blend { phase: (phase as i32).min(Blend::MIDDLEGAME), scales }
    }

    /// Blends a sum into one score, in White's view like the sum.
    pub fn value(&self, sum: Tapered) -> i32 {
        let scale = if sum.endgame >= 0 { self.scales.white } else { self.scales.black };
        let endgame = sum.endgame * scale / Blend::FULL_SCALE;
        (sum.middlegame * self.phase + endgame * (Blend::MIDDLEGAME - self.phase)) / Blend::MIDDLEGAME
    }
}

/// Returns the share of an endgame advantage that `strong` can hope to convert, in 64ths.
fn scale(board: &Board, strong: Color) -> i32 {
    let own_pawns = board.by_color(strong) & board.pawns();
    if own_pawns.is_empty() {
        let own = board.by_color(strong) & !board.kings();
        if own.count() <= 2 && own.is_subset(board.knights()) {
            return 0;
        }
        return pawnless_scale(piece_points(board, strong), piece_points(board, !strong));
    }
    if is_wrong_corner(board, strong, own_pawns) {
        return 0;
    }
    if has_opposite_bishops(board) {
        let others = board.occupied() & !board.pawns() & !board.kings() & !board.bishops();
        return if others.is_empty() { Blend::FULL_SCALE / 2 } else { Blend::FULL_SCALE * 3 / 4 };
    }
    // With fewer pawns the last exchange is nearer.
    (Blend::FULL_SCALE * 5 / 8 + 6 * own_pawns.count() as i32).min(Blend::FULL_SCALE)
}

/// Returns the points of a side's pieces without pawns: 3 for a minor piece, 5 for a rook, 9 for a queen.
fn piece_points(board: &Board, color: Color) -> i32 {
    let count = |role: Role| (board.by_color(color) & board.by_role(role)).count() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// Scale without pawns: an extra minor piece hardly ever wins, and less than a rook does not win.
fn pawnless_scale(strong: i32, weak: i32) -> i32 {
    match strong - weak {
        _ if strong < 5 => 0,
        ..=3 => Blend::FULL_SCALE / 8,
        _ => Blend::FULL_SCALE,
    }
}

fn has_opposite_bishops(board: &Board) -> bool {
    let of = |color: Color| (board.by_color(color) & board.bishops()).single_square();
    let (white, black) = (of(Color::White), of(Color::Black));
    white.zip(black).is_some_and(|(white, black)| white.is_light() != black.is_light())
}

/// Returns whether the strong side has only rook pawns on one file and at most a bishop that does not control
/// their corner, with the other king in that corner.
fn is_wrong_corner(board: &Board, strong: Color, pawns: Bitboard) -> bool {
    let own = board.by_color(strong);
    let pieces = own & !board.pawns() & !board.kings();
    if pieces.more_than_one() || !(pieces & !board.bishops()).is_empty() {
        return false;
    }
    let Some(file) = [File::A, File::H].into_iter().find(|&file| pawns.is_subset(Bitboard::from_file(file)))
    else {
        return false;
    };
    let corner = Square::from_coords(file, strong.fold_wb(Rank::Eighth, Rank::First));
    let commanded = pieces.first().is_some_and(|bishop| bishop.is_light() == corner.is_light());
    let defended = board.king_of(!strong).is_some_and(|king| king.distance(corner) <= 1);
    !commanded && defended && (board.by_color(!strong) & !board.kings()).is_empty()
}
