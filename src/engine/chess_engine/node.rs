//! Search of one position: cut-offs without a search of its moves, then the search of each move.

use shakmaty::{Color, Move, MoveList, Position};

use super::{
    evaluator::StaticEvaluator, history::PieceTo, history::bonus, history::small_bonus, order::MoveClass,
    order::MovePicker, packed_move::PackedMove, packed_move::is_quiet, position::KeyedPosition,
    search::Searcher, table::Finding, table::ValueBound, value::DRAW, value::INFINITE, value::MAX_PLY,
    value::is_mate, value::mated_in,
};

/// A position being searched, with the data that are known before its moves are searched.
pub(super) struct SearchNode<'a> {
    pub(super) position: &'a KeyedPosition,
    pub(super) turn: Color,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// A value that the side to move can surely reach: a draw if its next move can repeat a position, or else
    /// the lowest value.
    pub(super) certain: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) in_check: bool,
    /// The static evaluation without correction; `None` in check.
    pub(super) uncorrected: Option<i32>,
    /// The static evaluation with correction; `None` in check.
    pub(super) evaluation: Option<i32>,
    pub(super) improving: bool,
    pub(super) found: Option<Finding>,
    /// True if one of the position's moves is expected to cause a cut-off.
    pub(super) cut: bool,
    pub(super) excluded: PackedMove,
    /// True if the position is or once was part of a principal variation.
    pub(super) pv: bool,
}

/// The moves to skip once a move has been picked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Skip {
    Nothing,
    Move,
    /// The move and all quiet moves after it.
    Quiets,
}

/// The result of searching a position's moves.
struct NodeOutcome {
    value: i32,
    best: PackedMove,
    /// True if the best move is a capture or promotion.
    by_capture: bool,
}

impl SearchNode<'_> {
    /// Returns whether an exact value is needed, not only a bound.
    pub(super) fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    pub(super) fn table_move(&self) -> PackedMove {
        self.found.map_or(PackedMove::NONE, |found| found.best)
    }
}

impl<E: StaticEvaluator> Searcher<'_, E> {
    /// Searches a position to about `depth` plies, then by quiescence search, and returns its value for the
    /// side to move. A value outside the window from `alpha` to `beta` is only a bound (fail-soft). Once the
    /// search is stopped, the value is meaningless.
    pub(super) fn search(
        &mut self,
        position: &KeyedPosition,
        (alpha, beta): (i32, i32),
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        self.variations.begin(ply);
        let in_check = position.is_check();
        if in_check && depth > 0 && self.heuristics.check_extensions && ply < 2 * self.root_depth {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(position, alpha, beta, ply);
        }
        if self.path.is_draw(position) {
            return DRAW;
        }
        let excluded = self.plies[ply].excluded;
        let asks = self.heuristics.upcoming_repetition && alpha < DRAW && excluded.is_none();
        let certain = if asks && self.path.can_repeat(position) { DRAW } else { -INFINITE };
        if certain >= beta {
            return certain;
        }
        let found = if excluded.is_none() { self.look_up(position, ply) } else { None };
        if let Some(found) = found
            && beta - alpha == 1
            && found.depth >= depth
            && found.bound.decides(found.value, beta)
            && position.chess().halfmoves() < 90
        {
            if found.value >= beta
                && let Some(m) = found.best.quiet_on(position.board())
            {
                self.reward(ply, position.turn(), m, small_bonus(depth));
            }
            return found.value;
        }
        let pv = beta - alpha > 1 || found.is_some_and(|found| found.pv);
        let uncorrected = self.static_evaluation(position, in_check, found);
        if let Some(value) = uncorrected.filter(|_| found.is_none() && excluded.is_none()) {
            // As in the quiescence search, the evaluation is taken as a lower bound of the value.
            let bound = ValueBound::Lower;
            let best = PackedMove::NONE;
            let finding = Finding { best, value, evaluation: uncorrected, depth: 0, bound, pv };
            self.remember(position, ply, finding);
        }
        let evaluation = uncorrected.map(|evaluation| self.corrected(position, ply, evaluation));
        self.plies[ply].evaluation = evaluation;
        let improving = self.is_improving(ply);
        let unknown = excluded.is_none() && found.is_none_or(|found| found.best.is_none());
        if self.heuristics.internal_reductions && depth >= 4 && unknown && (cut || beta - alpha > 1) {
            depth -= 1;
        }
        let node = SearchNode {
            position,
            turn: position.turn(),
            alpha: alpha.max(certain),
            beta,
            certain,
            depth,
            ply,
            in_check,
            uncorrected,
            evaluation,
            improving,
            found,
            cut,
            excluded,
            pv,
        };
        if let Some(value) = self.cut_before_moves(&node) {
            return value;
        }
        self.search_moves(&node, position.chess().legal_moves(), node.table_move())
    }

    /// Searches `moves` at the root, beginning with `first`, and returns the best value. The root's other
    /// moves are not searched.
    pub(super) fn search_root(
        &mut self,
        position: &KeyedPosition,
        moves: MoveList,
        first: PackedMove,
        (alpha, beta): (i32, i32),
        depth: i32,
    ) -> i32 {
        self.variations.begin(0);
        let in_check = position.is_check();
        let uncorrected = self.static_evaluation(position, in_check, None);
        let evaluation = uncorrected.map(|evaluation| self.corrected(position, 0, evaluation));
        self.plies[0].evaluation = evaluation;
        let node = SearchNode {
            position,
            turn: position.turn(),
            alpha,
            beta,
            certain: -INFINITE,
            depth,
            ply: 0,
            in_check,
            uncorrected,
            evaluation,
            improving: false,
            found: None,
            cut: false,
            excluded: PackedMove::NONE,
            pv: true,
        };
        self.search_moves(&node, moves, first)
    }

    fn search_moves(&mut self, node: &SearchNode<'_>, mut moves: MoveList, first: PackedMove) -> i32 {
        if moves.is_empty() {
            return if node.in_check { mated_in(node.ply) } else { DRAW };
        }
        let legal = moves.len();
        let mut picker = MovePicker::new(&mut moves, first);
        let mut outcome = NodeOutcome { value: node.certain, best: PackedMove::NONE, by_capture: false };
        let mut alpha = node.alpha;
        let mut tried = MoveList::new();
        let mut best = None;
        let mut searched = 0;
        while let Some((m, stage)) = picker.next(node.position, || self.move_counts(node.ply, node.turn)) {
            let packed = PackedMove::new(m);
            if packed == node.excluded {
                continue;
            }
            match self.skip(node, m, stage, searched, alpha, outcome.value) {
                Skip::Nothing => (),
                Skip::Move => continue,
                Skip::Quiets => {
                    picker.skip_quiets();
                    continue;
                }
            }
            let extension = match self.singular_extension(node, packed) {
                Ok(extension) => extension,
                Err(refuted) => return refuted,
            };
            if !self.enter(node.ply + 1) {
                break;
            }
            let value = self.search_move(node, m, stage, searched, alpha, extension);
            if self.stopped {
                break;
            }
            searched += 1;
            if value > outcome.value {
                outcome.value = value;
                if value > alpha {
                    alpha = value;
                    outcome.best = packed;
                    outcome.by_capture = !is_quiet(m);
                    best = Some(m);
                    if node.is_pv() {
                        self.variations.extend(node.ply, packed);
                    }
                }
            }
            if value >= node.beta && self.heuristics.alpha_beta {
                break;
            }
            tried.push(m);
        }
        if searched == 0 {
            // Only the excluded move is legal, or nothing was searched before the stop.
            return if legal == 1 && !node.excluded.is_none() {
                node.alpha
            } else {
                outcome.value.max(node.alpha)
            };
        }
        if let Some(best) = best.filter(|_| !self.stopped) {
            self.reward_best(node, best, &tried);
        } else if !self.stopped
            && node.excluded.is_none()
            && node.certain < DRAW
            && node.ply > 0
            && let Some(m) = self.plies[node.ply - 1].quiet
        {
            // No move raised alpha, so the opponent's last move was good.
            self.reward(node.ply - 1, !node.turn, m, small_bonus(node.depth));
        }
        if !self.stopped && node.excluded.is_none() && (node.ply > 0 || self.root_is_whole) {
            self.conclude(node, &outcome);
        }
        outcome.value
    }

    /// Searches one move. The first move is searched with the full window; a later move with a zero window
    /// and perhaps to a reduced depth. If the value of a later move exceeds alpha, the move is searched
    /// again: to the full depth, and in a principal variation with the full window.
    fn search_move(
        &mut self,
        node: &SearchNode<'_>,
        m: Move,
        stage: MoveClass,
        searched: usize,
        alpha: i32,
        extension: i32,
    ) -> i32 {
        let child = node.position.play_with_key(m, |key| self.memory.table.prefetch(key));
        self.plies[node.ply].played = Some(PieceTo::new(m, node.turn));
        self.plies[node.ply].quiet = is_quiet(m).then_some(m);
        self.path.push(node.position.key());
        let depth = node.depth - 1 + extension;
        let ply = node.ply + 1;
        let window = (-node.beta, -alpha);
        let value = if !self.heuristics.alpha_beta {
            -self.search(&child, (-INFINITE, INFINITE), depth, ply, false)
        } else if searched == 0 || !self.heuristics.zero_window {
            let reduction = if searched == 0 { 0 } else { self.reduction(node, m, stage, searched, &child) };
            let value = -self.search(&child, window, depth - reduction, ply, !node.is_pv() && !node.cut);
            match reduction > 0 && value > alpha && !self.stopped {
                true => -self.search(&child, window, depth, ply, !node.is_pv() && !node.cut),
                false => value,
            }
        } else {
            let reduction = self.reduction(node, m, stage, searched, &child);
            self.search_later_move(node, &child, depth, reduction, alpha)
        };
        self.path.pop();
        value
    }

    fn search_later_move(
        &mut self,
        node: &SearchNode<'_>,
        child: &KeyedPosition,
        depth: i32,
        reduction: i32,
        alpha: i32,
    ) -> i32 {
        let ply = node.ply + 1;
        let zero = (-alpha - 1, -alpha);
        let mut value = -self.search(child, zero, depth - reduction, ply, true);
        if value > alpha && reduction > 0 && !self.stopped {
            value = -self.search(child, zero, depth, ply, !node.cut);
        }
        if value > alpha && node.is_pv() && !self.stopped {
            value = -self.search(child, (-node.beta, -alpha), depth, ply, false);
        }
        value
    }

    /// Stores the result of a position in the table, and learns a correction from it.
    fn conclude(&mut self, node: &SearchNode<'_>, outcome: &NodeOutcome) {
        let bound = ValueBound::of(outcome.value, node.alpha, node.beta);
        let SearchNode { position, ply, depth, uncorrected: evaluation, .. } = *node;
        self.learn_correction(node, outcome, bound);
        self.remember(
            position,
            ply,
            Finding { best: outcome.best, value: outcome.value, evaluation, depth, bound, pv: node.pv },
        );
    }

    /// Learns a correction if the value is exact, or is a bound that excludes the evaluation. Mates are left
    /// out, and so are positions whose best move is a capture or promotion, because a static evaluation
    /// cannot foresee them.
    fn learn_correction(&mut self, node: &SearchNode<'_>, outcome: &NodeOutcome, bound: ValueBound) {
        let Some(evaluation) = node.evaluation.filter(|_| self.heuristics.corrections) else { return };
        let contradicts = match bound {
            ValueBound::Exact => true,
            ValueBound::Lower => outcome.value > evaluation,
            ValueBound::Upper => outcome.value < evaluation,
        };
        if contradicts && !outcome.by_capture && !is_mate(outcome.value) {
            let places = self.correction_places(node.position, node.ply);
            self.memory.corrections.learn(&places, outcome.value - evaluation, node.depth);
        }
    }

    /// Rewards the best move of a position, and penalizes the other moves searched. If the best move is a
    /// capture or promotion, quiet moves are spared: they cannot be expected to achieve as much.
    fn reward_best(&mut self, node: &SearchNode<'_>, best: Move, tried: &MoveList) {
        let bonus = bonus(node.depth);
        self.reward(node.ply, node.turn, best, bonus);
        for &m in tried {
            if m != best && (is_quiet(best) || !is_quiet(m)) {
                self.reward(node.ply, node.turn, m, -bonus);
            }
        }
    }

    /// Returns whether the evaluation for the side to move has risen since its last turn. If the side was in
    /// check at its last turn, the last turn but one counts. Returns `true` without an earlier evaluation,
    /// and `false` in check.
    fn is_improving(&self, ply: usize) -> bool {
        let before = |back| self.plies[ply.checked_sub(back)?].evaluation;
        match (self.plies[ply].evaluation, before(2).or_else(|| before(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Looks up the table's entry of a position; `None` without an entry or with the table disabled.
    pub(super) fn look_up(&self, position: &KeyedPosition, ply: usize) -> Option<Finding> {
        self.heuristics.table.then(|| self.memory.table.find(position.key(), ply))?
    }

    /// Returns the static evaluation without correction, from `found` if it has one; `None` in check.
    pub(super) fn static_evaluation(
        &mut self,
        position: &KeyedPosition,
        in_check: bool,
        found: Option<Finding>,
    ) -> Option<i32> {
        let known = found.and_then(|found| found.evaluation);
        (!in_check).then(|| known.unwrap_or_else(|| self.evaluate(position)))
    }

    /// Stores the result of a position in the table, unless the table is disabled.
    pub(super) fn remember(&mut self, position: &KeyedPosition, ply: usize, finding: Finding) {
        if self.heuristics.table {
            self.memory.table.keep(position.key(), ply, finding);
        }
    }
}
