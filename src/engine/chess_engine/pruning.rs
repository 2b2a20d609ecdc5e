//! Pruning, reductions and extensions; every constant was tuned in matches.

use shakmaty::{Move, attacks};

use super::{
    evaluator::StaticEvaluator,
    exchange::gains_at_least,
    node::SearchNode,
    order::MoveClass,
    packed_move::{PackedMove, destination, is_quiet},
    position::KeyedPosition,
    search::Searcher,
    table::ValueBound,
    value::{LEAST_MATE, is_mate},
};

/// One ply in the fractional units of reductions.
const PLY: i32 = 256;

impl<E: StaticEvaluator> Searcher<'_, E> {
    /// Returns the value of a position that can be cut off before its moves.
    pub(super) fn cut_before_moves(&mut self, node: &SearchNode<'_>) -> Option<i32> {
        let evaluation = node.evaluation?;
        if node.is_pv() || !node.excluded.is_none() || is_mate(node.beta) {
            return None;
        }
        let evaluation = match node.found {
            Some(found) if found.bound.decides(found.value, evaluation) && !is_mate(found.value) => {
                found.value
            }
            _ => evaluation,
        };
        let margin = 75 * (node.depth - i32::from(node.improving));
        if self.heuristics.reverse_futility && node.depth <= 8 && evaluation - margin >= node.beta {
            return Some(evaluation);
        }
        if self.heuristics.razoring && node.depth <= 3 && evaluation + 250 * node.depth < node.alpha {
            let value = self.quiesce(node.position, node.alpha, node.alpha + 1, node.ply);
            if value <= node.alpha {
                return Some(value);
            }
        }
        self.null_move(node, evaluation)
    }

    /// Lets the other side move twice. If the position is still good enough, some move will keep it so.
    fn null_move(&mut self, node: &SearchNode<'_>, evaluation: i32) -> Option<i32> {
        let just_passed = node.ply > 0 && self.played_before(node.ply, 1).is_none();
        if !self.heuristics.null_move
            || node.depth < 3
            || evaluation < node.beta
            || just_passed
            || !node.position.has_pieces()
        {
            return None;
        }
        let child = node.position.pass()?;
        if !self.enter(node.ply + 1) {
            return Some(node.alpha);
        }
        let reduction = 3 + node.depth / 3 + ((evaluation - node.beta) / 200).min(3);
        self.plies[node.ply].played = None;
        self.path.push(node.position.key());
        let value = -self.search(
            &child,
            (-node.beta, 1 - node.beta),
            node.depth - reduction,
            node.ply + 1,
            !node.cut,
        );
        self.path.pop();
        (value >= node.beta && !self.stopped).then(|| value.min(LEAST_MATE - 1))
    }

    /// Returns whether a move may be skipped, given another move that does not lose by force.
    pub(super) fn may_skip(
        &self,
        node: &SearchNode<'_>,
        m: Move,
        stage: MoveClass,
        searched: usize,
        alpha: i32,
        best: i32,
    ) -> bool {
        if node.ply == 0 || searched == 0 || best <= -LEAST_MATE || !node.position.has_pieces() {
            return false;
        }
        if stage == MoveClass::Loss || stage == MoveClass::Gain {
            return self.heuristics.exchange_pruning
                && stage == MoveClass::Loss
                && node.depth <= 6
                && !gains_at_least(node.position, m, -90 * node.depth);
        }
        if gives_direct_check(node.position, m) {
            return false;
        }
        let most = (4 + node.depth * node.depth) / if node.improving { 1 } else { 2 };
        if self.heuristics.late_move_pruning && node.depth <= 8 && searched as i32 > most {
            return true;
        }
        let depth = (node.depth - base_reduction(node.depth, searched) / PLY).max(1);
        if let Some(evaluation) = node.evaluation
            && self.heuristics.futility
            && depth <= 7
            && evaluation + 120 + 90 * depth <= alpha
        {
            return true;
        }
        self.heuristics.exchange_pruning
            && depth <= 8
            && !gains_at_least(node.position, m, -24 * depth * depth)
    }

    /// Returns the reduction, in plies, of a move late in the order.
    pub(super) fn reduction(
        &self,
        node: &SearchNode<'_>,
        m: Move,
        stage: MoveClass,
        searched: usize,
        child: &KeyedPosition,
    ) -> i32 {
        if !self.heuristics.late_move_reductions
            || node.depth < 3
            || searched < 2 + usize::from(node.is_pv())
            || stage == MoveClass::Gain
        {
            return 0;
        }
        let mut reduction = base_reduction(node.depth, searched);
        if node.is_pv() {
            reduction -= PLY;
        }
        if node.cut {
            reduction += PLY;
        }
        if !node.improving {
            reduction += PLY / 2;
        }
        if child.is_check() {
            reduction -= PLY;
        }
        if is_quiet(m) {
            reduction -= self.quiet_counts(node.ply, node.turn).of(m) * PLY / 10_000;
        } else {
            reduction -= PLY / 2;
        }
        (reduction / PLY).clamp(0, node.depth - 2)
    }

    /// Returns the extension, in plies, of the table's move if all others are far worse. Returns `Err` with a
    /// bound if several moves exceed the window, so that the opponent will avoid the position.
    pub(super) fn singular_extension(
        &mut self,
        node: &SearchNode<'_>,
        packed: PackedMove,
    ) -> Result<i32, i32> {
        let Some(found) = node.found else { return Ok(0) };
        if !self.heuristics.singular_extensions
            || found.best != packed
            || node.ply == 0
            || node.ply >= 2 * self.root_depth
            || node.depth < 7
            || found.depth < node.depth - 3
            || found.bound == ValueBound::Upper
            || is_mate(found.value)
        {
            return Ok(0);
        }
        let limit = found.value - 2 * node.depth;
        self.plies[node.ply].excluded = packed;
        let value = self.search(node.position, (limit - 1, limit), (node.depth - 1) / 2, node.ply, node.cut);
        self.plies[node.ply].excluded = PackedMove::NONE;
        if self.stopped || value < limit {
            Ok(1)
        } else if limit >= node.beta && !node.is_pv() {
            Err(limit)
        } else if found.value >= node.beta {
            Ok(-1)
        } else {
            Ok(0)
        }
    }
}

/// Returns whether the moved piece gives check. Discovered checks are ignored.
fn gives_direct_check(position: &KeyedPosition, m: Move) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let Some(king) = board.king_of(!turn) else { return false };
    let mut occupied = board.occupied();
    if let Some(from) = m.from() {
        occupied.discard(from);
    }
    let role = m.promotion().unwrap_or(m.role());
    attacks::attacks(destination(m), role.of(turn), occupied).contains(king)
}

/// Returns the reduction of a quiet move by depth and by the number of moves before it. It grows with both
/// logarithms.
fn base_reduction(depth: i32, searched: usize) -> i32 {
    let depth = LOGARITHMS[depth.clamp(1, 63) as usize];
    let place = LOGARITHMS[searched.clamp(1, 63)];
    190 + depth * place * 52 / 65_536
}

/// Logarithms to base 2 in 256ths, as whole numbers so that reductions are the same on every machine.
const LOGARITHMS: [i32; 64] = {
    let mut table = [0; 64];
    let mut n = 1;
    while n < 64 {
        table[n] = logarithm(n as u128);
        n += 1;
    }
    table
};

const fn logarithm(n: u128) -> i32 {
    let whole = n.ilog2();
    let mut mantissa = n << (32 - whole);
    let mut bits = whole as i32;
    let mut place = 0;
    while place < 8 {
        mantissa = (mantissa * mantissa) >> 32;
        bits *= 2;
        if mantissa >= 1 << 33 {
            mantissa >>= 1;
            bits += 1;
        }
        place += 1;
    }
    bits
}
