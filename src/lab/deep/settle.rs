//! Expansion of a tree to one depth: the moves to expand, their values, and the open questions.
//!
//! A position's moves are taken in the order in which an engine finds them; mates known from smaller depths
//! come first. A move is taken only if the engine's value of the move is within the width: the allowed
//! distance from the best value so far. If the depth allows it, the move is expanded, and its value settled,
//! before the next move is considered. So all moves within the width are expanded, and none outside it,
//! however values change. When no question is open, the depth is settled.

use std::collections::HashMap;

use shakmaty::{Move, Position, uci::UciMove};

use super::{
    DeepOptions, MoverScore, ScoreRange, graph::Focus, graph::FoundMove, graph::Graph, graph::NodeId,
    graph::Question, graph::QuestionKind, graph::StoredSearches, path::TreePath,
};

/// Number of plies whose moves get exact values, counted from the root or from the end of a focused line.
/// Cutoffs may leave only a bound of the value of a later move.
const FIRST_BOUND: usize = 2;

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

/// Everything that a position's value depends on: the position, its ply, the reach of the tree, and the
/// earlier positions that may recur after it.
type Situation = (NodeId, usize, Reach, Vec<NodeId>);

pub(super) type SettledValues = HashMap<Situation, Settled>;

/// The depth limit at a position, and the ply at which its widths begin. Focused lines change both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Reach {
    /// The first ply whose positions are not searched.
    pub limit: usize,
    /// Ply at which the widths begin: 0, or the ply at which a focused line ends.
    pub from: usize,
}

/// The moves taken in a position, and the reason for stopping.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakenMoves {
    pub best: Option<MoverScore>,
    /// Number of moves considered in order: the taken moves, and the first move outside the width.
    pub looked_at: usize,
    /// Number of moves taken in the engine's order. Included moves come after them.
    pub taken: usize,
    pub end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// All moves within the width are taken.
    Settled,
    /// The opponent has an alternative at least as good as the move that leads to this position.
    Cut,
    Unknown,
    Lacks(Move),
}

/// Number of plies that no tree exceeds.
const ANY_PLIES: usize = 1 << 16;

/// Takes the moves of a position in order, then the included moves. `value` expands a move and returns its
/// value, given the best value so far. `rival` is the value of the opponent's best alternative to the
/// move that leads to the position.
pub(super) fn take_moves(
    graph: &Graph,
    at: NodeId,
    width: f64,
    rival: Option<MoverScore>,
    mut value: impl FnMut(&FoundMove, Option<MoverScore>) -> MoverScore,
) -> TakenMoves {
    let node = graph.node(at);
    let (mut best, mut taken): (Option<MoverScore>, usize) = (None, 0);
    let is_avoided =
        |best: Option<MoverScore>| best.zip(rival).is_some_and(|(best, rival)| best.backed_up() <= rival);
    let (looked_at, mut end) = loop {
        if is_avoided(best) {
            break (taken, End::Cut);
        }
        match (node.in_turn(taken), best) {
            (_, Some(_)) if width == 0.0 => break (taken, End::Settled),
            (None, _) if node.is_known() => break (taken, End::Settled),
            (None, _) => break (taken, End::Unknown),
            (Some(next), Some(best)) if !next.score.is_within(width, best) => {
                break (taken + 1, End::Settled);
            }
            (Some(next), _) => best = best.max(Some(value(next, best))),
        }
        taken += 1;
    };
    let included = if end == End::Settled { node.included() } else { &[] };
    for &m in included {
        let place = (0..looked_at).find(|&turn| node.in_turn(turn).is_some_and(|found| found.m == m));
        if place.is_some_and(|place| place < taken) {
            continue;
        }
        if is_avoided(best) {
            end = End::Cut;
            break;
        }
        let Some(found) = place.and_then(|place| node.in_turn(place)).or_else(|| node.apart(m)) else {
            end = End::Lacks(m);
            break;
        };
        best = best.max(Some(value(found, best)));
    }
    TakenMoves { best, looked_at, taken, end }
}

pub(super) struct Walk<'t> {
    pub graph: &'t Graph,
    pub values: &'t mut SettledValues,
    pub options: &'t DeepOptions,
    pub root: NodeId,
    pub root_clock: u32,
    /// Depth of the tree, in plies. Positions this many plies from the root are not searched, except after
    /// focused lines and where stored searches continue.
    pub depth: usize,
    /// Number of plies of the tree after a focused line.
    pub focus_plies: usize,
    /// True if positions beyond the depth are expanded as far as a store answers.
    pub is_taking_up: bool,
    /// True if branches may be deeper than `depth`.
    pub is_uneven: bool,
    /// The positions from the root to the current position.
    pub path: TreePath,
    pub reaches: Vec<Reach>,
    /// The open questions, in the order in which they would be asked.
    pub open: Vec<Question>,
    /// Positions beyond the depth that lack an answer.
    pub beyond: Vec<NodeId>,
    pub most: usize,
}

impl Walk<'_> {
    /// Settles the root, or finds the open questions.
    pub fn settle(&mut self) -> Option<Settled> {
        match self.enter(self.root, self.root_clock, None) {
            Knowledge::Settled(settled) => Some(settled),
            Knowledge::Open(_) => None,
        }
    }

    /// Returns the moves taken at the root with their values so far.
    pub fn root_values(&mut self) -> Vec<(UciMove, MoverScore)> {
        let mut values = Vec::new();
        let (graph, root) = (self.graph, self.root);
        self.push(root, self.root_clock);
        take_moves(graph, root, self.width(root, 0), None, |found, best| {
            let (score, _) = self.value(found, 0, best);
            values.push((found.uci, score));
            score
        });
        self.pop();
        values
    }

    pub fn push(&mut self, at: NodeId, clock: u32) {
        let ply = self.path.ply();
        let before = self.reaches.last().copied().unwrap_or(Reach { limit: self.depth, from: 0 });
        self.reaches.push(match self.graph.node(at).focus() {
            None => before,
            Some(Focus::Line) => Reach { limit: before.limit.max(ply + 1), ..before },
            Some(Focus::End) => Reach { limit: before.limit.max(ply + self.focus_plies), from: ply },
        });
        self.path.push(at, clock);
    }

    pub fn pop(&mut self) {
        self.path.pop();
        self.reaches.pop();
    }

    pub fn reach(&self) -> Reach {
        self.reaches.last().copied().unwrap_or(Reach { limit: self.depth, from: 0 })
    }

    /// Returns a number of plies that the tree does not exceed below a position at `ply`.
    pub fn most_plies(&self, ply: usize) -> usize {
        if self.is_uneven { ANY_PLIES } else { self.depth - ply }
    }

    /// Computes the value of a position that is not on the path yet.
    fn enter(&mut self, at: NodeId, clock: u32, rival: Option<MoverScore>) -> Knowledge {
        let ply = self.path.ply();
        self.push(at, clock);
        let situation = (at, ply, self.reach(), self.path.recurring(self.most_plies(ply) - 1));
        let known = self.values.get(&situation).filter(|known| known.suffices(rival)).copied();
        let standing = known.map_or_else(|| self.moves(at, ply, rival), Knowledge::Settled);
        if let (Knowledge::Settled(settled), None) = (standing, known) {
            self.values.insert(situation, settled);
        }
        self.pop();
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
        match taken.end {
            End::Unknown | End::Lacks(_) => {
                self.ask(at, ply, taken.end);
                is_open = true;
            }
            End::Settled | End::Cut => {}
        }
        match taken.best {
            Some(score) if !is_open => Knowledge::Settled(Settled { score, is_cut: taken.end == End::Cut }),
            best => Knowledge::Open(best),
        }
    }

    /// Adds the question that a position needs. Does nothing if enough questions are open, or if one of them
    /// is about this position. A position beyond the depth is added to `beyond` instead.
    fn ask(&mut self, at: NodeId, ply: usize, end: End) {
        if ply >= self.reach().limit {
            self.beyond.push(at);
            return;
        }
        if self.open.len() >= self.most || self.open.iter().any(|question| question.node == at) {
            return;
        }
        self.open.extend(match end {
            End::Lacks(m) => Some(self.graph.question_of(at, m, QuestionKind::Included)),
            _ => self.graph.question(at),
        });
    }

    /// Returns the value of a move at `ply` for its mover, and whether the value is settled. `best` is the
    /// best value of the moves before it.
    fn value(&mut self, found: &FoundMove, ply: usize, best: Option<MoverScore>) -> (MoverScore, bool) {
        if !self.goes_into(found, ply) {
            if self.is_unasked(found) {
                self.beyond.push(found.child);
                return (found.unexpanded(), false);
            }
            return (found.unexpanded(), true);
        }
        if self.open.len() >= self.most {
            return (found.score, false);
        }
        let clock = self.path.clock_after(found.m.is_zeroing());
        match self.enter(found.child, clock, self.rival(found, ply, best)) {
            Knowledge::Settled(settled) => (settled.score.backed_up(), true),
            // Until a reply is known, the engine's value of the move is used.
            Knowledge::Open(reply) => (reply.map_or(found.score, MoverScore::backed_up), false),
        }
    }

    /// Returns whether the position after a taken move at `ply` is searched. The move must not end the game.
    /// The position must not be on the path yet, and must be within the depth, on a focused line, or expanded
    /// by stored searches.
    pub fn goes_into(&self, found: &FoundMove, ply: usize) -> bool {
        let child = self.graph.node(found.child);
        let is_in_reach = ply + 1 < self.reach().limit
            || child.focus().is_some()
            || self.is_taking_up && child.stored == StoredSearches::Enough;
        is_in_reach && !found.ends_the_game && !self.path.has(found.child)
    }

    /// Returns whether a store may have searches of the position after a move that is not expanded.
    fn is_unasked(&self, found: &FoundMove) -> bool {
        self.is_taking_up
            && self.graph.node(found.child).stored == StoredSearches::Unasked
            && !found.ends_the_game
            && !self.path.has(found.child)
    }

    /// Returns the value that allows a cutoff after the move `found` at `ply`: `best`, the best value of the
    /// earlier moves. Returns `None` if there is no earlier move, or if cutoffs are not allowed. Cutoffs are
    /// never allowed in the first two plies of the tree, on focused lines, and in the first two plies after
    /// focused lines.
    pub fn rival(&self, found: &FoundMove, ply: usize, best: Option<MoverScore>) -> Option<MoverScore> {
        let is_bounded =
            ply - self.reach().from >= FIRST_BOUND && self.graph.node(found.child).focus().is_none();
        best.filter(|_| self.options.cuts && is_bounded)
    }

    pub fn width(&self, at: NodeId, ply: usize) -> f64 {
        self.options.widths.at(ply - self.reach().from, self.graph.node(at).position.turn())
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
