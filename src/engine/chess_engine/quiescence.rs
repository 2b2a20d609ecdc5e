//! Quiescence search: captures are resolved, so that only quiet positions are evaluated.

use super::{
    captures::captures_and_promotions, captures::has_a_move, evaluator::StaticEvaluator,
    exchange::gain_at_once, exchange::gains_at_least, history::PieceTo, order::MoveClass, order::MovePicker,
    packed_move::PackedMove, position::KeyedPosition, search::Searcher, table::Finding, table::ValueBound,
    value::DRAW, value::INFINITE, value::LEAST_MATE, value::MAX_PLY, value::mated_in,
};

use shakmaty::Position;

/// The assumed maximum, in centipawns, that a capture adds to the evaluation besides the captured piece.
const POSITIONAL_GAIN: i32 = 178;

impl<E: StaticEvaluator> Searcher<'_, E> {
    /// Returns the value of a position after a search of captures and promotions that lose no material, or of
    /// all evasions in check. If the quiescence search is disabled, returns the value of [`Searcher::leaf`].
    pub(super) fn quiesce(&mut self, position: &KeyedPosition, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        if !self.heuristics.quiescence {
            return self.leaf(position, ply);
        }
        if self.path.is_draw(position) {
            return DRAW;
        }
        let in_check = position.is_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate(position) };
        }
        let window_began = alpha;
        let found = self.look_up(position, ply);
        let is_decisive = |found: &Finding| beta - alpha == 1 && found.bound.decides(found.value, beta);
        if let Some(found) = found.filter(is_decisive) {
            return found.value;
        }
        let pv = beta - alpha > 1 || found.is_some_and(|found| found.pv);
        let evaluation = self.static_evaluation(position, in_check, found);
        let mut best = -INFINITE;
        if let Some(uncorrected) = evaluation {
            best = stand_pat(self.corrected(position, ply, uncorrected), found);
            if best >= beta {
                if found.is_none() {
                    let (value, bound) = (best, ValueBound::Lower);
                    let best = PackedMove::NONE;
                    self.remember(position, ply, Finding { best, value, evaluation, depth: 0, bound, pv });
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let standing = best;
        let mut moves =
            if in_check { position.chess().legal_moves() } else { captures_and_promotions(position.chess()) };
        if moves.is_empty() && (in_check || !has_a_move(position)) {
            return if in_check { mated_in(ply) } else { DRAW };
        }
        let table_move = found.map_or(PackedMove::NONE, |found| found.best);
        let mut picker = MovePicker::new(&mut moves, table_move);
        let mut best_move = PackedMove::NONE;
        let turn = position.turn();
        while let Some((m, stage)) = picker.next(position, || self.move_counts(ply, turn)) {
            if best > -LEAST_MATE && !in_check {
                if stage == MoveClass::Loss {
                    break;
                }
                let hope = standing + POSITIONAL_GAIN;
                if hope + gain_at_once(m) <= alpha || hope <= alpha && !gains_at_least(position, m, 1) {
                    best = best.max((hope + gain_at_once(m)).min(alpha));
                    continue;
                }
            }
            if !self.enter(ply + 1) {
                return best.max(alpha);
            }
            self.plies[ply].played = Some(PieceTo::new(m, turn));
            self.path.push(position.key());
            let child = position.play_with_key(m, |key| self.memory.table.prefetch(key));
            let value = -self.quiesce(&child, -beta, -alpha, ply + 1);
            self.path.pop();
            if self.stopped {
                return best.max(alpha);
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = PackedMove::new(m);
                }
                if value >= beta {
                    break;
                }
            }
        }
        let bound = ValueBound::of(best, window_began, beta);
        let found = Finding { best: best_move, value: best, evaluation, depth: 0, bound, pv };
        self.remember(position, ply, found);
        best
    }

    /// Returns the value of a position without a quiescence search: by the rules if the game is over,
    /// otherwise by the static evaluation.
    fn leaf(&mut self, position: &KeyedPosition, ply: usize) -> i32 {
        if self.path.is_draw(position) {
            DRAW
        } else if position.chess().legal_moves().is_empty() {
            if position.is_check() { mated_in(ply) } else { DRAW }
        } else {
            self.evaluate(position)
        }
    }
}

/// Returns the value for the side to move if it captures nothing. This is the evaluation, or the table's
/// value if its bound shows that it is more accurate.
fn stand_pat(evaluation: i32, found: Option<Finding>) -> i32 {
    match found {
        Some(found) if found.bound.decides(found.value, evaluation) => found.value,
        _ => evaluation,
    }
}
