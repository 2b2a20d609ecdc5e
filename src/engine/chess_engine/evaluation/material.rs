//! Game phase and winning chances by material.

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, File, Position, Rank, Role, Square};

use super::{pawn_ending, weights::Tapered};

/// The blend of middlegame and endgame scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blend {
    /// 24 with all pieces on the board, 0 with only pawns and kings.
    pub phase: i32,
    /// The share of an advantage that each side can hope to convert, in 64ths.
    pub scales: ByColor<i32>,
}

impl Blend {
    /// The phase of a full board.
    pub const MIDDLEGAME: i32 = 24;
    /// A scale of 1, in 64ths.
    pub const FULL_SCALE: i32 = 64;
    /// If a side's scale is at most this, the side hardly ever wins. Its middlegame score is then scaled as
    /// well.
    const DRAWISH: i32 = Blend::FULL_SCALE / 8;

    /// Returns the blend for a position.
    #[inline(always)]
    pub fn of(chess: &Chess) -> Blend {
        let board = chess.board();
        let minors = (board.knights() | board.bishops()).count();
        let phase = minors + 2 * board.rooks().count() + 4 * board.queens().count();
        let scales = if pawn_ending::is_drawn(chess) {
            ByColor { white: 0, black: 0 }
        } else {
            ByColor::new_with(|color| scale(board, color))
        };
        Blend { phase: (phase as i32).min(Blend::MIDDLEGAME), scales }
    }

    /// Blends the middlegame and endgame sums into one score. The sums and the score are in White's view.
    #[inline(always)]
    pub fn value(&self, sum: Tapered) -> i32 {
        let [middlegame, endgame] = self.scales_of(sum.middlegame >= 0, sum.endgame >= 0);
        let middlegame = sum.middlegame * middlegame / Blend::FULL_SCALE;
        let endgame = sum.endgame * endgame / Blend::FULL_SCALE;
        (middlegame * self.phase + endgame * (Blend::MIDDLEGAME - self.phase)) / Blend::MIDDLEGAME
    }

    /// Returns the scales of a middlegame and an endgame score, in 64ths. Each argument says whether that
    /// score favors White.
    pub fn scales_of(&self, middlegame_for_white: bool, endgame_for_white: bool) -> [i32; 2] {
        let of = |for_white| if for_white { self.scales.white } else { self.scales.black };
        let middlegame = of(middlegame_for_white);
        [if middlegame <= Blend::DRAWISH { middlegame } else { Blend::FULL_SCALE }, of(endgame_for_white)]
    }
}

/// Returns the share of an endgame advantage that `strong` can hope to convert, in 64ths.
#[inline(always)]
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
    // With fewer pawns, it is easier for the other side to exchange the last pawn.
    (Blend::FULL_SCALE * 5 / 8 + 6 * own_pawns.count() as i32).min(Blend::FULL_SCALE)
}

/// Returns the points of a side's pieces without pawns: 3 for a minor piece, 5 for a rook, 9 for a queen.
#[inline(always)]
fn piece_points(board: &Board, color: Color) -> i32 {
    let count = |role: Role| (board.by_color(color) & board.by_role(role)).count() as i32;
    3 * (count(Role::Knight) + count(Role::Bishop)) + 5 * count(Role::Rook) + 9 * count(Role::Queen)
}

/// Returns the scale of a side without pawns. `strong` and `weak` are the points of its pieces and of the
/// other side's pieces. With less than a rook (5 points), the scale is 0: such a side never wins. A lead of a
/// minor piece (3 points) or less hardly ever wins.
fn pawnless_scale(strong: i32, weak: i32) -> i32 {
    match strong - weak {
        _ if strong < 5 => 0,
        ..=3 => Blend::FULL_SCALE / 8,
        _ => Blend::FULL_SCALE,
    }
}

#[inline(always)]
fn has_opposite_bishops(board: &Board) -> bool {
    let of = |color: Color| (board.by_color(color) & board.bishops()).single_square();
    let (white, black) = (of(Color::White), of(Color::Black));
    white.zip(black).is_some_and(|(white, black)| white.is_light() != black.is_light())
}

/// Returns whether the pawns of `strong` are rook pawns that cannot win. All these pawns must be on one edge
/// file. Besides its king, `strong` must have no piece, or only a bishop that does not control the promotion
/// square. The other side must have only its king, at most one step away from the promotion square.
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
