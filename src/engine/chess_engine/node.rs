//! Search of one position: cut-offs before its moves, then its moves in turn.

use shakmaty::{Color, Move, MoveList, Position};

use super::{
    evaluator::StaticEvaluator,
    history::{PieceTo, bonus},
    order::{MoveClass, MovePicker},
    packed_move::{PackedMove, is_quiet},
    position::KeyedPosition,
    search::Searcher,
    table::{Finding, ValueBound},
    value::{DRAW, INFINITE, MAX_PLY, mated_in},
};

/// A position being searched, with its data known before its moves.
pub(super) struct SearchNode<'a> {
    pub(super) position: &'a KeyedPosition,
    pub(super) turn: Color,
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) in_check: bool,
    /// The static evaluation; `None` in check.
    pub(super) evaluation: Option<i32>,
    pub(super) improving: bool,
    pub(super) found: Option<Finding>,
    /// True if a cut-off is expected, as after the first of a line's moves.
    pub(super) cut: bool,
    pub(super) excluded: PackedMove,
}

/// The result of a position's moves.
struct NodeOutcome {
    value: i32,
    best: PackedMove,
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
    /// Returns the value of a position for its side to move, searched to `depth` plies and beyond. Outside
    /// the window from `alpha` to `beta` it is a bound (fail-soft). It is meaningless once the search is
    /// stopped.
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
        let found = if excluded.is_none() { self.look_up(position, ply) } else { None };
        if let Some(found) = found
            && beta - alpha == 1
            && found.depth >= depth
            && found.bound.decides(found.value, beta)
            && position.chess().halfmoves() < 90
        {
            return found.value;
        }
        let evaluation = self.static_evaluation(position, in_check, found);
        self.plies[ply].evaluation = evaluation;
        let improving = self.is_improving(ply);
        let node = SearchNode {
            position,
            turn: position.turn(),
            alpha,
            beta,
            depth,
            ply,
            in_check,
            evaluation,
            improving,
            found,
            cut,
            excluded,
        };
        if let Some(value) = self.cut_before_moves(&node) {
            return value;
        }
        self.search_moves(&node, position.chess().legal_moves(), node.table_move())
    }

    /// Searches the root: only `moves`, with `first` first.
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
        let evaluation = self.static_evaluation(position, in_check, None);
        self.plies[0].evaluation = evaluation;
        let node = SearchNode {
            position,
            turn: position.turn(),
            alpha,
            beta,
            depth,
            ply: 0,
            in_check,
            evaluation,
            improving: false,
            found: None,
            cut: false,
            excluded: PackedMove::NONE,
        };
        self.search_moves(&node, moves, first)
    }

    fn search_moves(&mut self, node: &SearchNode<'_>, mut moves: MoveList, first: PackedMove) -> i32 {
        if moves.is_empty() {
            return if node.in_check { mated_in(node.ply) } else { DRAW };
        }
        let legal = moves.len();
        let mut picker = MovePicker::new(&mut moves, first);
        let mut outcome = NodeOutcome { value: -INFINITE, best: PackedMove::NONE };
        let mut alpha = node.alpha;
        let mut quiets = MoveList::new();
        let mut searched = 0;
        while let Some((m, stage)) = picker.next(node.position, || self.quiet_counts(node.ply, node.turn)) {
            let packed = PackedMove::new(m);
            if packed == node.excluded {
                continue;
            }
            if self.may_skip(node, m, stage, searched, alpha, outcome.value) {
                // A skipped move is only known to be no better than the lower bound of the window.
                outcome.value = outcome.value.max(node.alpha);
                continue;
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
                    if node.is_pv() {
                        self.variations.extend(node.ply, packed);
                    }
                }
            }
            if value >= node.beta && self.heuristics.alpha_beta {
                self.reward_refutation(node, m, &quiets);
                break;
            }
            if is_quiet(m) {
                quiets.push(m);
            }
        }
        if searched == 0 {
            // Only the excluded move is legal, or nothing was searched before the stop.
            return if legal == 1 && !node.excluded.is_none() {
                node.alpha
            } else {
                outcome.value.max(node.alpha)
            };
        }
        if !self.stopped && node.excluded.is_none() && (node.ply > 0 || self.root_is_whole) {
            self.conclude(node, &outcome);
        }
        outcome.value
    }

    /// Searches one move: the first with the full window, later ones with a zero window and possibly reduced.
    /// If they turn out well, they are searched again in full.
    fn search_move(
        &mut self,
        node: &SearchNode<'_>,
        m: Move,
        stage: MoveClass,
        searched: usize,
        alpha: i32,
        extension: i32,
    ) -> i32 {
        let child = node.position.play_with_key(m, |key| self.memory.table.touch(key));
        self.plies[node.ply].played = Some(PieceTo::new(m, node.turn));
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
            self.search_later_move(
                node,
                &child,
                depth,
                self.reduction(node, m, stage, searched, &child),
                alpha,
            )
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

    /// Updates tables and histories from a position whose moves have been searched.
    fn conclude(&mut self, node: &SearchNode<'_>, outcome: &NodeOutcome) {
        let bound = ValueBound::of(outcome.value, node.alpha, node.beta);
        let SearchNode { position, ply, depth, evaluation, .. } = *node;
        self.remember(
            position,
            ply,
            Finding { best: outcome.best, value: outcome.value, evaluation, depth, bound },
        );
    }

    fn reward_refutation(&mut self, node: &SearchNode<'_>, m: Move, quiets_before: &MoveList) {
        let bonus = bonus(node.depth);
        if is_quiet(m) {
            self.reward(node.ply, node.turn, m, bonus);
            for &quiet in quiets_before {
                self.reward(node.ply, node.turn, quiet, -bonus);
            }
        }
    }

    /// Returns whether the side to move is better off than at its last turn.
    fn is_improving(&self, ply: usize) -> bool {
        let before = |back| self.plies[ply.checked_sub(back)?].evaluation;
        match (self.plies[ply].evaluation, before(2).or_else(|| before(4))) {
            (Some(now), Some(before)) => now > before,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Looks up the table's entry of a position.
    pub(super) fn look_up(&self, position: &KeyedPosition, ply: usize) -> Option<Finding> {
        self.heuristics.table.then(|| self.memory.table.find(position.key(), ply))?
    }

    /// Returns the static evaluation, from the table if it is there; `None` in check.
    pub(super) fn static_evaluation(
        &mut self,
        position: &KeyedPosition,
        in_check: bool,
        found: Option<Finding>,
    ) -> Option<i32> {
        let known = found.and_then(|found| found.evaluation);
        (!in_check).then(|| known.unwrap_or_else(|| self.evaluate(position)))
    }

    /// Stores the result of a position.
    pub(super) fn remember(&mut self, position: &KeyedPosition, ply: usize, finding: Finding) {
        if self.heuristics.table {
            self.memory.table.keep(position.key(), ply, finding);
        }
    }
}
