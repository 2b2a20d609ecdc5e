//! [`DeepTree`]: a settled tree with two scores of each move, the idea score and the alpha score.
//!
//! The idea score is the value of a move in the tree, whatever line leads to the position. The alpha score is
//! the value as seen from the root: a position that occurred before is a draw.

use std::collections::HashMap;

use shakmaty::{Chess, Color, Position, uci::UciMove};

use super::{
    MoverScore, ScoreRange, graph::FoundMove, graph::NodeId, settle::End, settle::Reach, settle::Settled,
    settle::Walk, settle::take_moves,
};
use crate::chess::Wdl;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeepTree {
    /// The searched positions: the root, then the other positions in order of discovery. A position reached
    /// by several lines is stored once, with its smallest ply.
    pub nodes: Vec<TreeNode>,
    /// Depth of the tree, in plies. Positions this many plies from the root are not searched, except after
    /// focused lines and where stored searches continue.
    pub depth: usize,
    /// Plies of the tree after focused lines; 0 without such a line.
    pub focus_plies: usize,
    /// Number of searches in this tree and the trees of smaller depths, including stored searches.
    pub searches: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeNode {
    /// The position; its move counters have no meaning.
    pub position: Chess,
    pub ply: usize,
    /// Idea score for the side to move.
    pub idea: ScoreRange,
    /// Alpha score for the side to move.
    pub alpha: ScoreRange,
    /// True if the search of this position was cut off, because the opponent has an alternative at least as
    /// good as the move that leads here.
    pub is_cut: bool,
    /// The moves considered: known mates first, then the other moves in the order in which they were found.
    pub moves: Vec<TreeMove>,
}

/// A move of a tree, with scores for its mover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeMove {
    pub uci: UciMove,
    pub engine: MoverScore,
    /// The principal variation, beginning with this move.
    pub pv: Vec<UciMove>,
    pub idea: ScoreRange,
    /// The alpha score: the move's value from the root, where a repetition draws.
    pub alpha: ScoreRange,
    pub role: MoveRole,
    /// The chances by the engine's search of the move, or by the deeper search if the value comes from there.
    pub chances: Option<Wdl>,
    /// True if a deeper search gave the value.
    pub is_confirmed: bool,
    /// Index of the node after the move, if that position is searched.
    pub child: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveRole {
    /// A move whose value is within the width of the best value.
    Candidate,
    /// A move outside the width, expanded because the user wants it.
    Included,
    /// A move that was expanded, and found to be outside the width.
    Dropped,
    /// A move that was not expanded, because the engine's value is outside the width. Such a move ends the
    /// list of the position's moves.
    Outside,
}

impl DeepTree {
    pub fn root(&self) -> &TreeNode {
        &self.nodes[0]
    }

    /// Returns the line of best moves from a node on, by [`TreeNode::ranking`]. The line ends with the tree
    /// or at a repetition.
    pub fn main_line(&self, from: usize) -> Vec<UciMove> {
        let uci = |(node, place): (usize, usize)| self.nodes[node].moves[place].uci;
        self.main_path(from).into_iter().map(uci).collect()
    }

    /// Returns the main line from a node on as indices of nodes and of their moves.
    pub fn main_path(&self, from: usize) -> Vec<(usize, usize)> {
        let (mut path, mut at): (Vec<(usize, usize)>, _) = (Vec::new(), Some(from));
        while let Some(node) = at.filter(|at| !path.iter().any(|(seen, _)| seen == at)) {
            let Some(&best) = self.nodes[node].ranking().first() else { break };
            path.push((node, best));
            at = self.nodes[node].moves[best].child;
        }
        path
    }
}

impl TreeNode {
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    pub fn candidates(&self) -> usize {
        self.moves.iter().filter(|played| played.role == MoveRole::Candidate).count()
    }

    /// Returns the indices of the node's moves, the best first, with [`MoveRole::Outside`] last. The order is
    /// by alpha score, then exact scores before bounds, then by idea score, then as found.
    pub fn ranking(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.moves.len()).collect();
        let worth = |place: &usize| {
            let TreeMove { idea, alpha, role, .. } = &self.moves[*place];
            let is_known = alpha.exact().is_some() && idea.exact().is_some();
            (*role != MoveRole::Outside, alpha.shown(), is_known, idea.shown())
        };
        places.sort_by_key(|place| std::cmp::Reverse(worth(place)));
        places
    }
}

pub(super) struct Recorded {
    pub nodes: Vec<TreeNode>,
    pub looked_at: HashMap<NodeId, usize>,
}

/// Records the tree of `walk`. Returns `None` if the tree is not settled.
///
/// During the search, questions asked ahead add knowledge about a position. In the record, each position has
/// only the moves that the method takes there.
pub(super) fn record(mut walk: Walk<'_>) -> Option<Recorded> {
    walk.settle()?;
    let (root, clock) = (walk.root, walk.root_clock);
    let mut recorder = Recorder { walk, known: HashMap::new(), records: Vec::new(), places: HashMap::new() };
    recorder.node(root, clock, None);
    Some(recorder.finish())
}

/// Everything that a position's scores depend on: the position, its ply, the reach of the tree, the
/// positions that may recur, the clock if relevant, and the value that allows a cutoff.
type ScoreSituation = (NodeId, usize, Reach, Vec<NodeId>, u32, Option<MoverScore>);

#[derive(Debug, Clone, Copy)]
struct Reached {
    settled: Settled,
    alpha: ScoreRange,
}

struct Recorder<'t> {
    walk: Walk<'t>,
    known: HashMap<ScoreSituation, Reached>,
    records: Vec<NodeRecord>,
    places: HashMap<NodeId, usize>,
}

struct NodeRecord {
    at: NodeId,
    looked_at: usize,
    node: Option<TreeNode>,
    /// For each of the moves, the position after it, if that position is searched.
    children: Vec<Option<NodeId>>,
}

impl Recorder<'_> {
    /// Records a position that is not on the path yet.
    fn node(&mut self, at: NodeId, clock: u32, rival: Option<MoverScore>) -> Reached {
        let ply = self.walk.path.ply();
        self.walk.push(at, clock);
        let (left, reach, path) = (self.walk.most_plies(ply), self.walk.reach(), &self.walk.path);
        let situation = (at, ply, reach, path.recurring_in_game(left), path.pressing_clock(left), rival);
        let known = self.known.get(&situation).copied();
        let reached = known.unwrap_or_else(|| self.moves(at, ply, rival));
        self.known.insert(situation, reached);
        self.walk.pop();
        reached
    }

    /// Records the moves of the last position on the path.
    fn moves(&mut self, at: NodeId, ply: usize, rival: Option<MoverScore>) -> Reached {
        let place = self.place(at);
        let (mut moves, mut children) = (Vec::new(), Vec::new());
        let (graph, width) = (self.walk.graph, self.walk.width(at, ply));
        let taken = take_moves(graph, at, width, rival, |found, best| {
            let (recorded, score) = self.taken(found, ply, best);
            moves.push(recorded);
            children.push(self.walk.goes_into(found, ply).then_some(found.child));
            score
        });
        let best = taken.best.unwrap_or(MoverScore::DRAW);
        for played in &mut moves {
            let is_within = played.idea.high().is_none_or(|high| high.is_within(width, best));
            let is_included = || {
                let included = graph.node(at).included();
                included.iter().any(|m| m.to_uci(graph.mode()) == played.uci)
            };
            played.role = match is_within {
                true => MoveRole::Candidate,
                false if is_included() => MoveRole::Included,
                false => MoveRole::Dropped,
            };
        }
        for found in (taken.taken..taken.looked_at).filter_map(|turn| graph.node(at).in_turn(turn)) {
            if !moves.iter().any(|played| played.uci == found.uci) {
                moves.push(self.outside(found));
                children.push(None);
            }
        }
        let settled = Settled { score: best, is_cut: taken.end == End::Cut };
        let alpha = moves.iter().map(|played| played.alpha).reduce(ScoreRange::max);
        let alpha = alpha.unwrap_or(ScoreRange::exactly(best));
        let alpha = if settled.is_cut { alpha.or_more() } else { alpha };
        let position = graph.node(at).position.clone();
        let node = TreeNode { position, ply, idea: settled.range(), alpha, is_cut: settled.is_cut, moves };
        self.records[place].keep(node, children, taken.looked_at);
        Reached { settled, alpha }
    }

    /// Returns the index of a node, adding it if it is new.
    fn place(&mut self, at: NodeId) -> usize {
        let next = self.records.len();
        let place = *self.places.entry(at).or_insert(next);
        if place == next {
            self.records.push(NodeRecord { at, looked_at: 0, node: None, children: Vec::new() });
        }
        place
    }

    /// Records the result of a move that is taken, and returns the move with its values.
    fn taken(&mut self, found: &FoundMove, ply: usize, best: Option<MoverScore>) -> (TreeMove, MoverScore) {
        let mut played = self.outside(found);
        if !self.walk.goes_into(found, ply) {
            if let Some(confirmed) = &found.confirmed {
                played.idea = ScoreRange::exactly(confirmed.score);
                if !self.walk.path.draws(found.child, found.m.is_zeroing()) {
                    played.alpha = played.idea;
                }
                (played.pv, played.chances) = (confirmed.pv.clone(), confirmed.chances);
                played.is_confirmed = true;
            }
            return (played, found.unexpanded());
        }
        let is_zeroing = found.m.is_zeroing();
        let clock = self.walk.path.clock_after(is_zeroing);
        let reached = self.node(found.child, clock, self.walk.rival(found, ply, best));
        let score = reached.settled.score.backed_up();
        played.idea = reached.settled.range().backed_up();
        if !self.walk.path.draws(found.child, is_zeroing) {
            played.alpha = reached.alpha.backed_up();
        }
        (played, score)
    }

    /// Returns the move `found` as a move that is not expanded.
    fn outside(&self, found: &FoundMove) -> TreeMove {
        let idea = found.score;
        let is_draw = !found.ends_the_game && self.walk.path.draws(found.child, found.m.is_zeroing());
        TreeMove {
            uci: found.uci,
            engine: found.score,
            pv: found.pv.clone(),
            idea: ScoreRange::exactly(idea),
            alpha: ScoreRange::exactly(if is_draw { MoverScore::DRAW } else { idea }),
            role: MoveRole::Outside,
            chances: found.chances,
            is_confirmed: false,
            child: None,
        }
    }

    fn finish(self) -> Recorded {
        let looked_at = self.records.iter().map(|record| (record.at, record.looked_at)).collect();
        let places = self.places;
        let nodes = self.records.into_iter().filter_map(|record| {
            let mut node = record.node?;
            for (played, child) in node.moves.iter_mut().zip(record.children) {
                played.child = child.and_then(|child| places.get(&child).copied());
            }
            Some(node)
        });
        Recorded { nodes: nodes.collect(), looked_at }
    }
}

impl NodeRecord {
    /// Keeps `node` if it is nearer to the root than the record kept so far. At equal distance, a record
    /// without a cutoff is preferred.
    fn keep(&mut self, node: TreeNode, children: Vec<Option<NodeId>>, looked_at: usize) {
        self.looked_at = self.looked_at.max(looked_at);
        let nearness = |node: &TreeNode| (node.ply, node.is_cut);
        if self.node.as_ref().is_none_or(|kept| nearness(&node) < nearness(kept)) {
            (self.node, self.children) = (Some(node), children);
        }
    }
}
