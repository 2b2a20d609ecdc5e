//! Owns the search of a tree to one depth: which moves of which positions are gone into, what that makes them worth, and
//! which questions are still open.
//!
//! A position's moves are taken in the order in which an engine finds them, but for those that trees of smaller depths know
//! to be mates, which come first. Each is gone into, where the depth allows it,
//! before the next one is looked at; and the next one is taken only if the engine's value of it is within the width of
//! the best of those before, as they have turned out. So whatever a value becomes, no move within the width is left out,
//! and none outside it is gone into: once no question is open, the depth is settled.

use std::collections::HashMap;

use shakmaty::Position;

use super::{
    DeepOptions, MoverScore, ScoreRange, graph::FoundMove, graph::Graph, graph::NodeId, graph::Question,
    path::TreePath,
};

/// The ply of the first moves that a cut may leave with a bound: root moves and replies have full values.
const FIRST_BOUND: usize = 2;

/// What is known of a position at a ply of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Settled {
    /// For the side to move.
    pub score: MoverScore,
    /// Whether moves were left out, so that it may be worth more.
    pub is_cut: bool,
}

#[derive(Debug, Clone, Copy)]
enum Knowledge {
    Settled(Settled),
    /// The best so far; `None` where no move is known.
    Open(Option<MoverScore>),
}

/// A position at a ply, with those on the way to it that may come again below: what its value depends on.
type Situation = (NodeId, usize, Vec<NodeId>);

pub(super) type SettledValues = HashMap<Situation, Settled>;

/// The moves of a position that were taken, and why no more.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakenMoves {
    pub best: Option<MoverScore>,
    /// How many were looked at: those taken, and the one that was found outside the width.
    pub looked_at: usize,
    pub taken: usize,
    pub end: End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// No other move is within the width.
    Settled,
    /// The side that moved here has something better.
    Cut,
    /// The next move is not known yet.
    Unknown,
}

/// Takes the moves of a position one after the other; `value` goes into each, knowing the best of those before. `rival` is
/// the best that the side which moved here has otherwise.
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
    /// Plies from the root to the positions that are not searched.
    pub depth: usize,
    /// The positions up to where the walk is.
    pub path: TreePath,
    /// The questions that were met, in the order in which one after the other would be asked.
    pub open: Vec<Question>,
    pub most: usize,
}

impl Walk<'_> {
    /// Walks on from a position that is not on the path yet.
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

    /// Takes the moves of the position that the path ends with.
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

    /// Returns what a move is worth for the side that plays it at `ply`, `best` being the best before it, and whether that
    /// is settled.
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
            // As long as nothing better is known, the engine's value is what the reply will be worth.
            Knowledge::Open(reply) => (reply.map_or(found.score, MoverScore::backed_up), false),
        }
    }

    /// Tells whether the position after a move at `ply` is searched, if the move is taken and the game goes on.
    pub fn goes_into(&self, found: &FoundMove, ply: usize) -> bool {
        !found.ends_the_game && ply + 1 < self.depth && !self.path.has(found.child)
    }

    /// Returns what lets the position after a move at `ply` be cut: the best of the moves before it.
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

    /// Tells whether this is all that needs to be known by a side that has `rival` otherwise.
    pub fn suffices(&self, rival: Option<MoverScore>) -> bool {
        !self.is_cut || rival.is_some_and(|rival| self.score.backed_up() <= rival)
    }
}
