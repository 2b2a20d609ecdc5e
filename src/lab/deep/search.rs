//! [`DeepSearch`]: a tree that grows from depth to depth, question by question.

use shakmaty::{CastlingMode, Chess, Position};

use super::{
    DeepOptions, DeepTree, MoverScore, graph::Graph, graph::MoveFinding, graph::NodeId, graph::Question,
    path::TreePath, settle::SettledValues, settle::Walk, tree,
};
use crate::chess::{GameSoFar, Segment, UnsearchableError};

/// A tree in progress.
///
/// The questions of a tree depend only on the answers. The first open question must be answered next. The
/// other open questions will probably be asked later; answers to them do no harm.
#[derive(Debug)]
pub struct DeepSearch {
    graph: Graph,
    options: DeepOptions,
    root: NodeId,
    root_clock: u32,
    game: TreePath,
    depth: usize,
    values: SettledValues,
}

impl DeepSearch {
    /// Starts a tree of depth 1 at the last position of a game. The moves before it are used to detect
    /// repetitions.
    pub fn new(game: &GameSoFar, options: DeepOptions) -> Result<DeepSearch, UnsearchableError> {
        let line = Segment::end_of(game)?;
        let last = line.position(line.first());
        if MoverScore::over(&last).is_some() {
            return Err(UnsearchableError::NoMoves);
        }
        let mut graph = Graph::new(game.mode(), options.lines);
        let root_clock = last.halfmoves();
        // Only positions since the last capture or pawn move can recur. In the graph they have the root's
        // clock.
        let since = line.first().saturating_sub(root_clock as usize);
        let mut places = |position: &Chess| (graph.place(position, root_clock), position.halfmoves());
        let game = TreePath::of_game((since..line.first()).map(|ply| places(&line.position(ply))).collect());
        let (root, _) = places(&last);
        Ok(DeepSearch { graph, options, root, root_clock, game, depth: 1, values: SettledValues::new() })
    }

    pub fn depth(&self) -> usize {
        self.depth
    }

    pub fn mode(&self) -> CastlingMode {
        self.graph.mode()
    }

    /// Continues with the next depth. The caller must have taken the tree of the current depth before,
    /// because the moves considered in that tree determine the known mates.
    pub fn deepen(&mut self) {
        self.depth += 1;
        self.values.clear();
    }

    /// Returns up to `most` open questions, at most one per position. The first question must be answered.
    /// The list is empty if the depth is settled.
    pub fn open_questions(&mut self, most: usize) -> Vec<Question> {
        let mut walk = walk(&self.graph, &mut self.values, &self.options, self.depth, &self.game);
        walk.most = most.max(1);
        walk.settle(self.root, self.root_clock, None);
        walk.open
    }

    /// Returns the tree of this depth; `None` while a question is open.
    pub fn tree(&mut self) -> Option<DeepTree> {
        let walk = walk(&self.graph, &mut self.values, &self.options, self.depth, &self.game);
        let recorded = tree::record(walk, self.root, self.root_clock)?;
        for (node, moves) in recorded.looked_at {
            self.graph.note_use(node, moves);
        }
        Some(DeepTree { nodes: recorded.nodes, depth: self.depth, searches: self.graph.used() })
    }

    /// Takes the answer to the question about `node`. Returns whether the answer says anything new about a
    /// legal move. If not, the question stays open.
    pub fn answer(&mut self, node: NodeId, findings: Vec<MoveFinding>) -> bool {
        self.graph.answer(node, findings)
    }
}

fn walk<'t>(
    graph: &'t Graph,
    values: &'t mut SettledValues,
    options: &'t DeepOptions,
    depth: usize,
    game: &TreePath,
) -> Walk<'t> {
    Walk { graph, values, options, depth, path: game.clone(), open: Vec::new(), most: 1 }
}
