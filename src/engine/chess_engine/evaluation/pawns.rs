//! Pawn terms: pawn structure and passed pawns.

use shakmaty::{Bitboard, ByColor, Color, Role};

use super::{
    terms::{
        BACKWARD, BLOCKED_PASSED, DEFENDED, DOUBLED, ENEMY_KING_TO_PASSED, ISOLATED, OWN_KING_TO_PASSED,
        PASSED, PHALANX, ROOK_BEHIND_PASSED, SAFE_STEP,
    },
    view::{Attacks, Sink, View, in_front_of, relative_rank, widened},
};

/// The first rank, counted from 0, on which a passed pawn has terms for the kings' distances.
const KINGS_RACE_FROM: usize = 3;

/// Finds the terms of the pawn structure, which depend only on pawns.
#[inline(always)]
pub(super) fn emit_structure(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let own = *view.pawns.get(color);
    for pawn in own {
        let here = Bitboard::from_square(pawn);
        let rank = relative_rank(pawn, color);
        let ahead = in_front_of(here, color);
        let neighbors = own & widened(Bitboard::from_file(pawn.file())) & !Bitboard::from_file(pawn.file());
        if (ahead & own).any() {
            sink.add(DOUBLED.at(0), color, 1, Some(pawn));
        }
        if neighbors.is_empty() {
            sink.add(ISOLATED.at(0), color, 1, Some(pawn));
        } else if is_backward(view, here, color, neighbors) {
            sink.add(BACKWARD.at(0), color, 1, Some(pawn));
        }
        if (widened(here) & !here & own).any() {
            sink.add(PHALANX.at(rank), color, 1, Some(pawn));
        }
        if view.pawn_attacks.get(color).contains(pawn) {
            sink.add(DEFENDED.at(rank), color, 1, Some(pawn));
        }
    }
}

/// Returns whether a pawn is behind all own pawns on the adjacent files (`neighbors`), and an enemy pawn
/// attacks the square in front of it.
#[inline(always)]
fn is_backward(view: &View<'_>, here: Bitboard, color: Color, neighbors: Bitboard) -> bool {
    let step = here.shift(color.fold_wb(8, -8));
    let beside_or_behind = widened(here) | in_front_of(widened(here), !color);
    (neighbors & beside_or_behind).is_empty() && (step & *view.pawn_attacks.get(!color)).any()
}

/// Finds the terms of passed pawns: the rank, a blocked or safe step, a rook behind the pawn, and the
/// distances of the kings.
#[inline(always)]
pub(super) fn emit_passed(view: &View<'_>, color: Color, attacks: &ByColor<Attacks>, sink: &mut impl Sink) {
    let rooks = view.of_role(color, Role::Rook);
    for pawn in passed(view, color) {
        let rank = relative_rank(pawn, color);
        let step = Bitboard::from_square(pawn).shift(color.fold_wb(8, -8));
        sink.add(PASSED.at(rank), color, 1, Some(pawn));
        if (step & view.occupied).any() {
            sink.add(BLOCKED_PASSED.at(rank), color, 1, Some(pawn));
        } else if (step & attacks.get(!color).all).is_empty() {
            sink.add(SAFE_STEP.at(rank), color, 1, Some(pawn));
        }
        if (in_front_of(Bitboard::from_square(pawn), !color) & rooks).any() {
            sink.add(ROOK_BEHIND_PASSED.at(rank), color, 1, Some(pawn));
        }
        if rank >= KINGS_RACE_FROM {
            let square = step.first().unwrap_or(pawn);
            let distance = |side: Color| view.kings.get(side).distance(square) as usize;
            sink.add(OWN_KING_TO_PASSED.at(distance(color)), color, 1, Some(pawn));
            sink.add(ENEMY_KING_TO_PASSED.at(distance(!color)), color, 1, Some(pawn));
        }
    }
}

/// Returns the passed pawns. A passed pawn has no enemy pawn in front of it on its own or an adjacent file.
/// It also has no own pawn in front of it on its file.
#[inline(always)]
fn passed(view: &View<'_>, color: Color) -> Bitboard {
    let (own, enemy) = (*view.pawns.get(color), *view.pawns.get(!color));
    own & !in_front_of(own, !color) & !in_front_of(widened(enemy), !color)
}
