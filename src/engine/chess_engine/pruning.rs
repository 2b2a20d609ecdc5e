//! Pruning, reductions and extensions. Most constants were tuned together, by SPSA (docs/engine.md).

use shakmaty::Move;

use super::{
    evaluator::StaticEvaluator, exchange::gains_at_least, heuristics::Heuristics, node::SearchNode,
    node::Skip, order::MoveClass, packed_move::PackedMove, packed_move::is_quiet, position::KeyedPosition,
    search::Searcher, table::ValueBound, value::LEAST_MATE, value::is_mate,
};

/// One ply in the unit of reductions, which is 1/256 of a ply.
const PLY: i32 = 256;

/// Greatest distance from the root, in plies, at which reverse futility pruning and razoring do nothing. So
/// the evaluation of a position after a sacrifice and a reply does not hide the mate that follows.
const NEAR_ROOT: usize = 2;

/// Distance, in centipawns, below the limit of a singular extension at which the extension is double.
const DOUBLE_MARGIN: i32 = 32;

impl<E: StaticEvaluator> Searcher<'_, E> {
    /// Returns a value if the position can be cut off before its moves are searched.
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
        let Heuristics { reverse_futility, razoring, .. } = self.heuristics;
        let is_near = node.ply <= NEAR_ROOT;
        let margin = 82 * node.depth - 52 * i32::from(node.improving);
        if reverse_futility && !is_near && node.depth <= 8 && evaluation - margin >= node.beta {
            // An evaluation is only an estimate, so the value is nearer to beta.
            return Some(evaluation - (evaluation - node.beta) / 9);
        }
        if razoring && !is_near && node.depth <= 3 && evaluation + 224 * node.depth < node.alpha {
            let value = self.quiesce(node.position, node.alpha, node.alpha + 1, node.ply);
            if value <= node.alpha {
                return Some(value);
            }
        }
        self.null_move(node, evaluation)
    }

    /// Searches the position after a pass, to a reduced depth, if a pass is worth trying. If the value
    /// reaches beta, some move is expected to reach beta too, so the value is returned, limited to values
    /// below mate. Once the search is stopped, a returned value is meaningless.
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
        let reduction = (758 + 95 * node.depth) / PLY + ((evaluation - node.beta) / 221).min(3);
        self.plies[node.ply].played = None;
        self.plies[node.ply].quiet = None;
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

    /// Returns whether to skip the move `m`, alone or with all later quiet moves. Nothing is skipped at the
    /// root, if the side to move has only pawns and king, or before a move is found that avoids a forced
    /// mate.
    pub(super) fn skip(
        &self,
        node: &SearchNode<'_>,
        m: Move,
        stage: MoveClass,
        searched: usize,
        alpha: i32,
        best: i32,
    ) -> Skip {
        if node.ply == 0 || searched == 0 || best <= -LEAST_MATE || !node.position.has_pieces() {
            return Skip::Nothing;
        }
        if stage == MoveClass::Loss || stage == MoveClass::Gain {
            let skips = self.heuristics.exchange_pruning
                && stage == MoveClass::Loss
                && node.depth <= 6
                && !gains_at_least(node.position, m, -94 * node.depth);
            return if skips { Skip::Move } else { Skip::Nothing };
        }
        if stage == MoveClass::Check {
            let skips =
                self.heuristics.exchange_pruning && !gains_at_least(node.position, m, -87 * node.depth);
            return if skips { Skip::Move } else { Skip::Nothing };
        }
        let most = (1108 + 290 * node.depth * node.depth) / if node.improving { 256 } else { 512 };
        if self.heuristics.late_move_pruning && node.depth <= 8 && searched as i32 > most {
            return Skip::Quiets;
        }
        let depth = (node.depth - base_reduction(node.depth, searched) / PLY).max(1);
        if let Some(evaluation) = node.evaluation
            && self.heuristics.futility
            && depth <= 7
            && !is_mate(alpha)
            && evaluation + 122 + 75 * depth <= alpha
        {
            return Skip::Quiets;
        }
        if self.heuristics.history_pruning
            && depth <= 5
            && self.move_counts(node.ply, node.turn).of_quiet(m) < -9300 * depth
        {
            return Skip::Move;
        }
        let skips = self.heuristics.exchange_pruning
            && depth <= 8
            && !gains_at_least(node.position, m, -19 * depth * depth);
        if skips { Skip::Move } else { Skip::Nothing }
    }

    /// Returns the reduction of a move in plies. It is 0 for gains, for the first moves, and at low depths.
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
            reduction -= 220;
        } else if node.pv {
            reduction -= 116;
        }
        if node.cut {
            reduction += 236;
        }
        if !node.improving {
            reduction += 145;
        }
        if child.is_check() {
            reduction -= 267;
        }
        if is_quiet(m) {
            reduction -= self.move_counts(node.ply, node.turn).of_quiet(m) / 35;
        } else {
            reduction -= 90;
        }
        (reduction / PLY).clamp(0, node.depth - 2)
    }

    /// Returns the extension of a move in plies. The extension is 0 except for the table's move. If all other
    /// moves are far worse, it is 1; if they are worse still, it is 2, but not in a principal variation.
    /// Otherwise, it is −1 if the table's value reaches beta. Returns `Err` with a lower bound of the
    /// position's value, for a cut-off, if another move is expected to reach beta too.
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
        let limit = found.value - 61 * node.depth / 32;
        self.plies[node.ply].excluded = packed;
        let value = self.search(node.position, (limit - 1, limit), (node.depth - 1) / 2, node.ply, node.cut);
        self.plies[node.ply].excluded = PackedMove::NONE;
        if !self.stopped && value < limit - DOUBLE_MARGIN && !node.is_pv() {
            Ok(2)
        } else if self.stopped || value < limit {
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

/// Returns the reduction of a move before adjustments, in 256ths of a ply. It grows with the product of the
/// logarithms of the depth and of the number of moves searched before.
fn base_reduction(depth: i32, searched: usize) -> i32 {
    let depth = LOGARITHMS[depth.clamp(1, 63) as usize];
    let place = LOGARITHMS[searched.clamp(1, 63)];
    227 + depth * place * 59 / 65_536
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
