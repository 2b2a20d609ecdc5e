//! Owns the terms of pawns: their structure, and passed ones with what stands in their way.

use shakmaty::{Bitboard, Color, Square};

use super::{
    emit::{Sink, View, in_front_of, relative_rank, widened},
    terms::{
        BACKWARD, BLOCKED_PASSED, DEFENDED, DOUBLED, ENEMY_KING_TO_PASSED, ISOLATED, OWN_KING_TO_PASSED,
        PASSED, PHALANX,
    },
};

/// From this rank on, counted from 0, the kings' distances from a passed pawn matter.
const KINGS_RACE_FROM: usize = 3;

pub(super) fn emit(view: &View<'_>, color: Color, sink: &mut impl Sink) {
    let own = *view.pawns.get(color);
    let enemy = *view.pawns.get(!color);
    for pawn in own {
        let here = Bitboard::from_square(pawn);
        let rank = relative_rank(pawn, color);
        let ahead = in_front_of(here, color);
        let neighbours = own & widened(Bitboard::from_file(pawn.file())) & !Bitboard::from_file(pawn.file());
        if (ahead & own).any() {
            sink.add(DOUBLED.at(0), color, 1, Some(pawn));
        }
        if neighbours.is_empty() {
            sink.add(ISOLATED.at(0), color, 1, Some(pawn));
        } else if is_backward(view, here, color, neighbours) {
            sink.add(BACKWARD.at(0), color, 1, Some(pawn));
        }
        if (widened(here) & !here & own).any() {
            sink.add(PHALANX.at(rank), color, 1, Some(pawn));
        }
        if view.pawn_attacks.get(color).contains(pawn) {
            sink.add(DEFENDED.at(rank), color, 1, Some(pawn));
        }
        if ((ahead & own) | (widened(ahead) & enemy)).is_empty() {
            emit_passed(view, color, pawn, rank, sink);
        }
    }
}

/// Whether a pawn is behind all its neighbours and cannot go on without being taken by a pawn.
fn is_backward(view: &View<'_>, here: Bitboard, color: Color, neighbours: Bitboard) -> bool {
    let step = here.shift(color.fold_wb(8, -8));
    let beside_or_behind = widened(here) | in_front_of(widened(here), !color);
    (neighbours & beside_or_behind).is_empty() && (step & *view.pawn_attacks.get(!color)).any()
}

fn emit_passed(view: &View<'_>, color: Color, pawn: Square, rank: usize, sink: &mut impl Sink) {
    sink.add(PASSED.at(rank), color, 1, Some(pawn));
    let step = Bitboard::from_square(pawn).shift(color.fold_wb(8, -8));
    if (step & view.occupied).any() {
        sink.add(BLOCKED_PASSED.at(rank), color, 1, Some(pawn));
    }
    if rank >= KINGS_RACE_FROM {
        let square = step.first().unwrap_or(pawn);
        let distance = |side: Color| view.kings.get(side).distance(square) as usize;
        sink.add(OWN_KING_TO_PASSED.at(distance(color)), color, 1, Some(pawn));
        sink.add(ENEMY_KING_TO_PASSED.at(distance(!color)), color, 1, Some(pawn));
    }
}
