//! Expansion of a tree to one depth: the moves to expand, their values, and the open questions.
//!
//! A position's moves are taken in the order in which an engine finds them; mates known from smaller depths
//! come first. A move is taken only if the engine's value of the move is within the width: the allowed
//! distance from the best value so far. If the depth allows it, the move is expanded, and its value settled,
//! before the next move is considered. So all moves within the width are expanded, and none outside it,
//! however values change. When no question is open, the depth is settled.

use std::collections::HashMap;

use shakmaty::Position;

use super::{
    DeepOptions, MoverScore, ScoreRange, graph::FoundMove, graph::Graph, graph::NodeId, graph::Question,
    path::TreePath,
};

/// The first ply at which a cutoff may leave only a bound of a move's value. Root moves and replies to them
/// have exact values.
const FIRST_BOUND: usize = 2;

/// The settled value of a position at a ply of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Settled {
    /// Score for the side to move.
    pub score: MoverScore,
    /// True after a cutoff: some moves were not searched, so the value may be higher.
    pub is_cut: bool,
}

#[derive(Debug, Clone, Copy)]
enum Knowledge {
    Settled(Settled),
    /// The best value so far; `None` if no move is known.
    Open(Option<MoverScore>),
}

/// Everything that a position's value depends on: the position, its ply, and the earlier positions that may
/// recur after it.
type Situation = (NodeId, usize, Vec<NodeId>);

pub(super) type SettledValues = HashMap<Situation, Settled>;

/// The moves taken in a position, and the reason for stopping.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakenMoves {
    pub best: Option<MoverScore>,
    /// Number of moves considered: the taken moves, and the first move outside the width.
    pub looked_at: usize,
    pub taken: usize,
    pub end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// All moves within the width are taken.
    Settled,
    /// The opponent has a better alternative to the move that leads to this position.
    Cut,
    /// The next move is unknown.
    Unknown,
}

/// Takes the moves of a position in order. `value` expands a move and returns its value, given the best value
/// so far. `rival` is the value of the opponent's best alternative to the move that leads to the position.
pub(super) fn take_moves(
    graph: &Graph,
    at: NodeId,
    width: f64,
    rival: Option<MoverScore>,
    mut value: impl FnMut(&FoundMove, Option<MoverScore>) -> MoverScore,
) -> TakenMoves {
    let node = graph.node(at);
    let (mut best, mut taken): (Option<MoverScore>, usize) = (None, 0);
    loop {
        let ended = |looked_at, end| TakenMoves { best, looked_at, taken, end };
        if best.zip(rival).is_some_and(|(best, rival)| best.backed_up() <= rival) {
            return ended(taken, End::Cut);
        }
        match (node.in_turn(taken), best) {
            (_, Some(_)) if width == 0.0 => return ended(taken, End::Settled),
            (None, _) if node.is_known() => return ended(taken, End::Settled),
            (None, _) => return ended(taken, End::Unknown),
            (Some(next), Some(best)) if !next.score.is_within(width, best) => {
                return ended(taken + 1, End::Settled);
            }
            (Some(next), _) => best = best.max(Some(value(next, best))),
        }
        taken += 1;
    }
}

pub(super) struct Walk<'t> {
    pub graph: &'t Graph,
    pub values: &'t mut SettledValues,
    pub options: &'t DeepOptions,
    /// Depth of the tree, in plies. Positions this many plies from the root are not searched.
    pub depth: usize,
    /// The positions up to the current position.
    pub path: TreePath,
    /// The open questions, in the order in which they would be asked.
    pub open: Vec<Question>,
    pub most: usize,
}

impl Walk<'_> {
    /// Returns the value of a position that is not on the path yet; `None` while a question below it is open.
    pub fn settle(&mut self, at: NodeId, clock: u32, rival: Option<MoverScore>) -> Option<Settled> {
        match self.enter(at, clock, rival) {
            Knowledge::Settled(settled) => Some(settled),
            Knowledge::Open(_) => None,
        }
    }

    fn enter(&mut self, at: NodeId, clock: u32, rival: Option<MoverScore>) -> Knowledge {
        let ply = self.path.ply();
        self.path.push(at, clock);
        let situation = (at, ply, self.path.recurring(self.depth - 1 - ply));
        let known = self.values.get(&situation).filter(|known| known.suffices(rival)).copied();
        let standing = known.map_or_else(|| self.moves(at, ply, rival), Knowledge::Settled);
        if let (Knowledge::Settled(settled), None) = (standing, known) {
            self.values.insert(situation, settled);
        }
        self.path.pop();
        standing
    }

    /// Takes the moves of the last position on the path.
    fn moves(&mut self, at: NodeId, ply: usize, rival: Option<MoverScore>) -> Knowledge {
        let mut is_open = false;
        let taken = take_moves(self.graph, at, self.width(at, ply), rival, |found, best| {
            let (score, is_settled) = self.value(found, ply, best);
            is_open |= !is_settled;
            score
        });
        let is_asked = || self.open.iter().any(|question| question.node == at);
        if taken.end == End::Unknown && self.open.len() < self.most && !is_asked() {
            self.open.extend(self.graph.question(at));
        }
        match taken.best {
            Some(score) if !is_open && taken.end != End::Unknown => {
                Knowledge::Settled(Settled { score, is_cut: taken.end == End::Cut })
            }
            best => Knowledge::Open(best),
        }
    }

    /// Returns the value of a move at `ply` for its mover, and whether the value is settled. `best` is the
    /// best value of the moves before it.
    fn value(&mut self, found: &FoundMove, ply: usize, best: Option<MoverScore>) -> (MoverScore, bool) {
        if !self.goes_into(found, ply) {
            return (found.score, true);
        }
        if self.open.len() >= self.most {
            return (found.score, false);
        }
        let clock = self.path.clock_after(found.m.is_zeroing());
        match self.enter(found.child, clock, self.rival(ply, best)) {
            Knowledge::Settled(settled) => (settled.score.backed_up(), true),
            // Until a reply is known, the engine's value of the move is used.
            Knowledge::Open(reply) => (reply.map_or(found.score, MoverScore::backed_up), false),
        }
    }

    /// Returns whether the position after a taken move at `ply` is searched. The move must not end the game,
    /// and the position must be within the depth and not yet on the path.
    pub fn goes_into(&self, found: &FoundMove, ply: usize) -> bool {
        !found.ends_the_game && ply + 1 < self.depth && !self.path.has(found.child)
    }

    /// Returns the value that allows a cutoff after a move at `ply`: the best value of the earlier moves.
    /// Returns `None` if cutoffs are not allowed there.
    pub fn rival(&self, ply: usize, best: Option<MoverScore>) -> Option<MoverScore> {
        best.filter(|_| self.options.cuts && ply >= FIRST_BOUND)
    }

    pub fn width(&self, at: NodeId, ply: usize) -> f64 {
        self.options.widths.at(ply, self.graph.node(at).position.turn())
    }
}

impl Settled {
    pub fn range(&self) -> ScoreRange {
        if self.is_cut { ScoreRange::at_least(self.score) } else { ScoreRange::exactly(self.score) }
    }

    /// Returns whether the value can be used: it is exact, or so high that the opponent avoids the position
    /// and chooses the alternative `rival`.
    pub fn suffices(&self, rival: Option<MoverScore>) -> bool {
        !self.is_cut || rival.is_some_and(|rival| self.score.backed_up() <= rival)
    }
}
