//! The functions that find the terms of a position, shared by evaluation, tuning and listing.

use shakmaty::{ByColor, Chess, Color, File, Position, Role, Square};

use super::{
    king, network, pawns, pieces, terms::BARE_KING_NEAR_KING, terms::BARE_KING_OFF_CENTER,
    terms::BISHOP_PAIR, terms::FACING_SQUARE, terms::MATERIAL, terms::PIECE_SQUARE, terms::TEMPO,
    view::Attacks, view::Sink, view::View, weights::TaperedSum, weights::Weights,
};

/// Finds all terms of a position and passes them to `sink`.
pub fn emit_terms(chess: &Chess, sink: &mut impl Sink) {
    let view = View::of(chess.board());
    emit_pawns_and_kings(&view, sink);
    emit_placement(&view, sink);
    emit_others(chess, &view, sink);
}

/// Finds the terms that depend only on pawns and kings.
pub(super) fn emit_pawns_and_kings(view: &View<'_>, sink: &mut impl Sink) {
    for color in Color::ALL {
        pawns::emit_structure(view, color, sink);
        king::emit_shelter(view, color, sink);
    }
}

/// Finds the terms that need more than pawns and kings, except placement.
///
/// Compiled separately for each side: without branches on the color, an evaluation takes a tenth less time.
#[inline(always)]
pub(super) fn emit_others(chess: &Chess, view: &View<'_>, sink: &mut impl Sink) {
    let attacks = ByColor {
        white: pieces::emit_mobility(view, Color::White, sink),
        black: pieces::emit_mobility(view, Color::Black, sink),
    };
    emit_attacks(view, Color::White, &attacks, sink);
    emit_attacks(view, Color::Black, &attacks, sink);
    sink.add(TEMPO.at(0), chess.turn(), 1, None);
}

#[inline(always)]
fn emit_attacks(view: &View<'_>, color: Color, attacks: &ByColor<Attacks>, sink: &mut impl Sink) {
    pieces::emit_threats(view, color, attacks, sink);
    king::emit_attack(view, color, attacks, sink);
    pawns::emit_passed(view, color, attacks, sink);
    emit_bare_king(view, color, sink);
    if view.of_role(color, Role::Bishop).more_than_one() {
        sink.add(BISHOP_PAIR.at(0), color, 1, None);
    }
}

/// Returns a square as seen by `color`. If `king` is on the files a to d, the square is also mirrored to the
/// other wing.
#[inline(always)]
fn relative_square(square: Square, color: Color, king: Square) -> Square {
    let square = color.fold_wb(square, square.flip_vertical());
    if king.file() < File::E { square.flip_horizontal() } else { square }
}

/// Finds the terms for material and for the pieces' squares.
#[inline(always)]
pub(super) fn emit_placement(view: &View<'_>, sink: &mut impl Sink) {
    emit_placement_of(view, Color::White, sink);
    emit_placement_of(view, Color::Black, sink);
}

#[inline(always)]
fn emit_placement_of(view: &View<'_>, color: Color, sink: &mut impl Sink) {
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
}

/// Returns the placement weights of an input of the network. In a side's view, its own pieces count by
/// material and square. The other side's pieces count negatively, by their squares facing the view's king. So
/// White's view minus Black's view is the sum of all placement terms.
pub(super) fn placement_of(input: usize, weights: &Weights) -> TaperedSum {
    let (is_other, role, square) = network::place(input);
    if is_other {
        return weights.summand(FACING_SQUARE.on(role, square.flip_vertical())).times(-1);
    }
    let mut sum = weights.summand(PIECE_SQUARE.on(role, square));
    if role != Role::King {
        sum.add(weights.summand(MATERIAL.of(role)));
    }
    sum
}

/// Finds the terms against a bare king: its distance from the center and the nearness of the king of `color`.
/// If `color` has only king, bishop and knight, nearness to a corner of the bishop's color replaces the
/// distance from the center. Without a bare king, there are no terms.
#[inline(always)]
fn emit_bare_king(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let bare = *view.kings.get(!color);
    if view.board.by_color(!color).more_than_one() {
        return;
    }
    let off = match bishop_with_a_knight_alone(view, color) {
        Some(bishop) => nearness_to_corner(bare, bishop.is_light()),
        None => distance_from_center(bare),
    };
    sink.add(BARE_KING_OFF_CENTER.at(0), color, off, Some(bare));
    let distance = view.kings.get(color).distance(bare) as i32;
    sink.add(BARE_KING_NEAR_KING.at(0), color, 7 - distance, None);
}

/// Returns the bishop of a side that has only king, bishop and knight.
fn bishop_with_a_knight_alone(view: &View<'_>, color: Color) -> Option<Square> {
    let knight = view.of_role(color, Role::Knight).single_square();
    let bishop = view.of_role(color, Role::Bishop).single_square();
    bishop.filter(|_| knight.is_some() && view.board.by_color(color).count() == 3)
}

/// Returns the nearness of a square to the corners of a color. It is 21 in a corner of the color, and 3 less
/// for each step along a file or rank. It is 0 on the long diagonal between the corners of the opposite
/// color. A step counts three times as much as in [`distance_from_center`], because the way to a corner is
/// longer than to the edge.
fn nearness_to_corner(square: Square, light: bool) -> i32 {
    let square = if light { square.flip_horizontal() } else { square };
    3 * (7 - square.rank().to_u32() as i32 - square.file().to_u32() as i32).abs()
}

/// Returns the distance of a square from the four central squares, as the sum of steps along files and ranks,
/// 0 to 6.
pub(in crate::engine::chess_engine) fn distance_from_center(square: Square) -> i32 {
    let off = |coordinate: usize| (2 * coordinate as i32 - 7).abs() / 2;
    off(square.file().to_usize()) + off(square.rank().to_usize())
}
