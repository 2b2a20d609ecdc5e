//! Owns the one function that finds the terms of a position; evaluation, tuning and listing all use it.

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, File, Position, Rank, Role, Square, attacks};

use super::{
    king, pawns,
    pieces::{self, Attacks},
    terms::{
        BARE_KING_NEAR_KING, BARE_KING_OFF_CENTRE, BISHOP_PAIR, FACING_SQUARE, MATERIAL, PIECE_SQUARE, TEMPO,
        Term,
    },
};

/// Something that takes terms.
pub trait Sink {
    /// Takes a term that stands `count` times for `color`, on a square if it stands somewhere.
    fn add(&mut self, term: Term, color: Color, count: i32, at: Option<Square>);
}

/// Finds all terms of a position and gives them to `sink`.
pub fn emit_terms(chess: &Chess, sink: &mut impl Sink) {
    let view = View::of(chess.board());
    pawns::emit_structure(&view, Color::White, sink);
    pawns::emit_structure(&view, Color::Black, sink);
    emit_all_but_structure(chess, &view, sink);
}

/// Finds the terms of a position beside those of the structure of its pawns, which depends on nothing but them.
///
/// Each side's terms are found by code of their own, in which the colour is no question: that is a tenth of an evaluation.
#[inline(always)]
pub(super) fn emit_all_but_structure(chess: &Chess, view: &View<'_>, sink: &mut impl Sink) {
    emit_standing(view, Color::White, sink);
    emit_standing(view, Color::Black, sink);
    let attacks = ByColor {
        white: pieces::emit_mobility(view, Color::White, sink),
        black: pieces::emit_mobility(view, Color::Black, sink),
    };
    emit_attacks(view, Color::White, &attacks, sink);
    emit_attacks(view, Color::Black, &attacks, sink);
    sink.add(TEMPO.at(0), chess.turn(), 1, None);
}

#[inline(always)]
fn emit_standing(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    emit_placement(view, color, sink);
    king::emit_shelter(view, color, sink);
}

#[inline(always)]
fn emit_attacks(view: &View<'_>, color: Color, attacks: &ByColor<Attacks>, sink: &mut impl Sink) {
    pieces::emit_threats(view, color, attacks, sink);
    king::emit_attack(view, color, attacks, sink);
    pawns::emit_passed(view, color, attacks, sink);
    emit_bare_king(view, color, sink);
}

/// What several terms ask of a board.
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
            // A position without a king cannot be set up; its place is then of no importance.
            kings: ByColor::new_with(|color| board.king_of(color).unwrap_or(Square::E1)),
            pawn_attacks: ByColor::new_with(|color| attacked_by_pawns(*pawns.get(color), color)),
            pawns,
        }
    }

    pub(super) fn of_role(&self, color: Color, role: Role) -> Bitboard {
        self.board.by_color(color) & self.board.by_role(role)
    }
}

/// All squares that pawns attack.
#[inline(always)]
pub(super) fn attacked_by_pawns(pawns: Bitboard, color: Color) -> Bitboard {
    let (west, east) = (pawns & !Bitboard::from_file(File::A), pawns & !Bitboard::from_file(File::H));
    match color {
        Color::White => west.shift(7) | east.shift(9),
        Color::Black => west.shift(-9) | east.shift(-7),
    }
}

/// All squares before `squares` on their files, as `color` goes.
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

/// The squares and their neighbours to the left and right.
#[inline(always)]
pub(super) fn widened(squares: Bitboard) -> Bitboard {
    let west = (squares & !Bitboard::from_file(File::A)).shift(-1);
    let east = (squares & !Bitboard::from_file(File::H)).shift(1);
    squares | west | east
}

/// A rank as `color` counts it, 0 for its own back rank.
#[inline(always)]
pub(super) fn relative_rank(square: Square, color: Color) -> usize {
    color.fold_wb(square.rank(), square.rank().flip_vertical()).to_usize()
}

/// A square as `color` sees it whose king is on the files e to h: that side's files are left alone, otherwise flipped.
#[inline(always)]
fn relative_square(square: Square, color: Color, king: Square) -> Square {
    let square = color.fold_wb(square, square.flip_vertical());
    if king.file() < File::E { square.flip_horizontal() } else { square }
}

#[inline(always)]
fn emit_placement(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let king = *view.kings.get(color);
    let enemy_king = *view.kings.get(!color);
    for role in Role::ALL {
        for square in view.of_role(color, role) {
            if role != Role::King {
                sink.add(MATERIAL.of(role), color, 1, Some(square));
            }
            sink.add(PIECE_SQUARE.on(role, relative_square(square, color, king)), color, 1, Some(square));
            sink.add(
                FACING_SQUARE.on(role, relative_square(square, color, enemy_king)),
                color,
                1,
                Some(square),
            );
        }
    }
    if view.of_role(color, Role::Bishop).more_than_one() {
        sink.add(BISHOP_PAIR.at(0), color, 1, None);
    }
}

/// Drives a king that has nothing left to the edge, and the other king towards it.
#[inline(always)]
fn emit_bare_king(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let bare = *view.kings.get(!color);
    if view.board.by_color(!color).more_than_one() {
        return;
    }
    sink.add(BARE_KING_OFF_CENTRE.at(0), color, distance_from_centre(bare), Some(bare));
    let distance = view.kings.get(color).distance(bare) as i32;
    sink.add(BARE_KING_NEAR_KING.at(0), color, 7 - distance, None);
}

/// Steps by rank and file from the four central squares, 0 to 6.
pub(in crate::engine::chess_engine) fn distance_from_centre(square: Square) -> i32 {
    let off = |coordinate: usize| (2 * coordinate as i32 - 7).abs() / 2;
    off(square.file().to_usize()) + off(square.rank().to_usize())
}

/// The ranks on which an outpost counts, as `color` counts them.
#[inline(always)]
pub(super) fn outpost_ranks(color: Color) -> Bitboard {
    let ranks =
        color.fold_wb([Rank::Fourth, Rank::Fifth, Rank::Sixth], [Rank::Fifth, Rank::Fourth, Rank::Third]);
    ranks.into_iter().fold(Bitboard::EMPTY, |all, rank| all | Bitboard::from_rank(rank))
}

/// What a knight, bishop, rook or queen attacks.
#[inline(always)]
pub(super) fn piece_attacks(role: Role, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight_attacks(square),
        Role::Bishop => attacks::bishop_attacks(square, occupied),
        Role::Rook => attacks::rook_attacks(square, occupied),
        _ => attacks::queen_attacks(square, occupied),
    }
}
