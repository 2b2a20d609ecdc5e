//! King safety terms: pawns in front of the king, and enemy pieces around it.

use shakmaty::{Bitboard, ByColor, Color, File, Role, Square, attacks};

use super::{
    terms::{KING_ATTACK, SAFE_CHECK, SHELTER, STORM, WEAK_ZONE},
    view::{Attacks, Sink, View, king_zone, relative_rank},
};

/// Finds the terms of the attack on the enemy king. They are the strength of the attack, the number of weak
/// squares around the king, and the pieces that can give a safe check. A weak square is attacked, and the
/// enemy defends it with the king alone or not at all.
#[inline(always)]
pub(super) fn emit_attack(view: &View<'_>, color: Color, attacks: &ByColor<Attacks>, sink: &mut impl Sink) {
    let (own, enemy) = (attacks.get(color), attacks.get(!color));
    let king = *view.kings.get(!color);
    sink.add(KING_ATTACK.at(own.on_king), color, 1, None);
    let weak = king_zone(king, !color) & own.all & !enemy.without_king;
    sink.add(WEAK_ZONE.at(weak.count()), color, 1, None);
    let safe = !view.board.by_color(color) & !enemy.all | weak & own.twice & !view.board.by_color(color);
    let lines = attacks::bishop_attacks(king, view.occupied);
    let files = attacks::rook_attacks(king, view.occupied);
    let checks = [
        (Role::Knight, attacks::knight_attacks(king) & own.knights),
        (Role::Bishop, lines & own.bishops),
        (Role::Rook, files & own.rooks),
        (Role::Queen, (lines | files) & own.queens),
    ];
    for (role, squares) in checks {
        if (squares & safe).any() {
            sink.add(SAFE_CHECK.of(role), color, 1, None);
        }
    }
}

/// Finds the distances of a king to the nearest own and enemy pawn on each of three files: the king's file
/// and the two adjacent files. For a king on an edge file, these are the three files at that edge. Pawns
/// behind the king do not count.
#[inline(always)]
pub(super) fn emit_shelter(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let king = *view.kings.get(color);
    let ahead = at_or_before(king, color);
    for file in files_around(king) {
        let lane = Bitboard::from_file(file) & ahead;
        let distance = |pawns: Bitboard| {
            nearest(pawns & lane, color).map_or(0, |pawn| {
                // A pawn on the king's rank counts as one rank away.
                relative_rank(pawn, color).saturating_sub(relative_rank(king, color)).max(1)
            })
        };
        sink.add(SHELTER.at(distance(*view.pawns.get(color))), color, 1, None);
        sink.add(STORM.at(distance(*view.pawns.get(!color))), color, 1, None);
    }
}

#[inline(always)]
fn files_around(king: Square) -> impl Iterator<Item = File> {
    let center = king.file().to_u32().clamp(1, 6);
    (center - 1..=center + 1).map(File::new)
}

/// Returns the rank of a square and the ranks in front of it, as seen by `color`.
#[inline(always)]
fn at_or_before(square: Square, color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(u64::MAX << (8 * square.rank().to_u32())),
        Color::Black => Bitboard(u64::MAX >> (8 * (7 - square.rank().to_u32()))),
    }
}

/// Returns the pawn on the lowest rank, as seen by `color`.
#[inline(always)]
fn nearest(pawns: Bitboard, color: Color) -> Option<Square> {
    match color {
        Color::White => pawns.first(),
        Color::Black => pawns.last(),
    }
}
