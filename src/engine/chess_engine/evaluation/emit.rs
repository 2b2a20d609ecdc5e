//! The function that finds the terms of a position, shared by evaluation, tuning and listing.

use shakmaty::{ByColor, Chess, Color, File, Position, Role, Square};

use super::{
    king, pawns, pieces,
    terms::{
        BARE_KING_NEAR_KING, BARE_KING_OFF_CENTRE, BISHOP_PAIR, FACING_SQUARE, MATERIAL, PIECE_SQUARE, TEMPO,
    },
    view::{Attacks, Sink, View},
};

/// Finds all terms of a position and passes them to `sink`.
pub fn emit_terms(chess: &Chess, sink: &mut impl Sink) {
    let view = View::of(chess.board());
    pawns::emit_structure(&view, Color::White, sink);
    pawns::emit_structure(&view, Color::Black, sink);
    emit_all_but_structure(chess, &view, sink);
}

/// Finds all terms of a position except pawn structure, which depends only on pawns.
///
/// The code is compiled once for each side, so that colour needs no branches. That saves a tenth of an
/// evaluation.
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

/// Returns the square relative to `color`. If the king is on the files a to d, the files are mirrored.
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

/// Drives a bare king to the edge, and the other king towards it.
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

/// Returns the steps by rank and file from the four central squares, 0 to 6.
pub(in crate::engine::chess_engine) fn distance_from_centre(square: Square) -> i32 {
    let off = |coordinate: usize| (2 * coordinate as i32 - 7).abs() / 2;
    off(square.file().to_usize()) + off(square.rank().to_usize())
}
