//! [`DeepSearch`]: a tree that grows from depth to depth, question by question.

use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

use super::{
    DeepOptions, DeepTree, MoverScore, Steering, graph::Graph, graph::MoveFinding, graph::NodeId,
    graph::Question, graph::QuestionKind, graph::StoredSearches, path::TreePath, settle::SettledValues,
    settle::Walk, tree,
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
    /// Number of this pass over the tree, from 1. Each pass settles one more ply.
    pass: usize,
    /// Largest depth of the tree, except after focused lines.
    most_plies: usize,
    steering: Steering,
    /// True while positions beyond the depth are expanded as far as the store answers.
    is_taking_up: bool,
    /// Number of deeper searches at the end of the main line.
    confirmed: u64,
    values: SettledValues,
}

impl DeepSearch {
    /// Starts a tree of depth 1 at the last position of a game. Earlier moves serve to detect repetitions.
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
        Ok(DeepSearch {
            graph,
            options,
            root,
            root_clock,
            game,
            pass: 1,
            most_plies: usize::MAX,
            steering: Steering::default(),
            is_taking_up: false,
            confirmed: 0,
            values: SettledValues::new(),
        })
    }

    /// Adds the user's wishes to a new tree.
    pub fn steered(mut self, steering: Steering) -> DeepSearch {
        steering.mark(&mut self.graph, self.root);
        DeepSearch { steering, ..self }
    }

    pub fn steering(&self) -> &Steering {
        &self.steering
    }

    /// Limits the depth of the tree, except after focused lines. Returns the number of passes.
    pub fn limit_plies(&mut self, plies: usize) -> usize {
        self.most_plies = plies;
        if self.steering.focus.is_empty() { plies } else { plies.max(self.steering.focus_plies) }
    }

    /// Returns the depth of the tree, except after focused lines.
    pub fn depth(&self) -> usize {
        self.pass.min(self.most_plies)
    }

    /// Returns the depth of the tree after focused lines.
    fn focus_plies(&self) -> usize {
        self.pass.min(self.steering.focus_plies)
    }

    /// Returns the depth of the tree after focused lines; 0 without such a line.
    pub fn focus_depth(&self) -> usize {
        if self.steering.focus.is_empty() { 0 } else { self.focus_plies() }
    }

    pub fn mode(&self) -> CastlingMode {
        self.graph.mode()
    }

    /// Continues with the next depth. The caller must have taken the tree of the current depth before,
    /// because the moves considered in that tree determine the known mates.
    pub fn deepen(&mut self) {
        self.pass += 1;
        self.values.clear();
    }

    /// Returns to a settled pass, to finish its tree: by stored searches beyond its depth, if `is_taking_up`,
    /// and by [`DeepSearch::confirming`].
    pub fn finish(&mut self, pass: usize, is_taking_up: bool) {
        self.pass = pass;
        self.is_taking_up = is_taking_up;
        self.values.clear();
    }

    /// Returns the questions beyond the depth that only a store may answer.
    pub fn stored_questions(&mut self) -> Vec<Question> {
        loop {
            let mut walk = self.walk();
            walk.settle();
            let mut beyond = walk.beyond;
            beyond.sort_unstable();
            beyond.dedup();
            // Positions that the tree itself has searched elsewhere.
            let known = |&id: &NodeId| {
                let node = self.graph.node(id);
                node.stored == StoredSearches::Unasked && !node.found.is_empty()
            };
            let known: Vec<NodeId> = beyond.iter().copied().filter(known).collect();
            if known.is_empty() {
                return beyond.into_iter().filter_map(|id| self.graph.question(id)).collect();
            }
            for id in known {
                self.graph.note_stored(id, StoredSearches::Enough);
            }
            self.values.clear();
        }
    }

    /// Takes the store's answer to a question beyond the depth. Without findings, the position remains
    /// unexpanded.
    pub fn take_up(&mut self, question: &Question, findings: Vec<MoveFinding>) {
        let is_new = self.graph.answer(question, findings);
        let stored = if is_new { StoredSearches::Enough } else { StoredSearches::Lacking };
        self.graph.note_stored(question.node, stored);
        self.values.clear();
    }

    /// Returns the question that confirms a tree: the last move of its main line, to be searched deeper.
    /// `None` if that has been done, or if the line ends by the rules.
    pub fn confirming(&self, tree: &DeepTree) -> Option<Question> {
        let &(node, place) = tree.main_path(0).last()?;
        let (position, played) = (&tree.nodes[node].position, &tree.nodes[node].moves[place]);
        let id = self.graph.find(position)?;
        let found = self.graph.searched(id, played.uci).next()?;
        let is_open = !found.ends_the_game && played.alpha == played.idea && found.confirmed.is_none();
        is_open.then(|| self.graph.question_of(id, found.m, QuestionKind::Confirming))
    }

    /// Returns up to `most` open questions, at most one per position. The first question must be answered.
    /// The list is empty if the depth is settled.
    pub fn open_questions(&mut self, most: usize) -> Vec<Question> {
        let mut walk = self.walk();
        walk.most = most.max(1);
        walk.settle();
        walk.open
    }

    /// Returns the root moves of an unfinished depth with their values so far, the best first.
    pub fn so_far(&mut self) -> Vec<(UciMove, MoverScore)> {
        let mut walk = self.walk();
        walk.most = 1000;
        let mut values = walk.root_values();
        values.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
        values
    }

    /// Returns the tree of this depth; `None` while a question is open.
    pub fn tree(&mut self) -> Option<DeepTree> {
        let recorded = tree::record(self.walk())?;
        for (node, moves) in recorded.looked_at {
            self.graph.note_use(node, moves);
        }
        let focus_plies = self.focus_depth();
        let searches = self.graph.used() + self.confirmed;
        Some(DeepTree { nodes: recorded.nodes, depth: self.depth(), focus_plies, searches })
    }

    /// Takes the answer to a question. Returns whether the answer says anything new about a legal move. If
    /// not, the question stays open.
    pub fn answer(&mut self, question: &Question, findings: Vec<MoveFinding>) -> bool {
        let is_new = self.graph.answer(question, findings);
        if is_new && question.kind == QuestionKind::Confirming {
            self.confirmed += 1;
            self.values.clear();
        }
        is_new
    }

    fn walk(&mut self) -> Walk<'_> {
        let (depth, focus_plies) = (self.depth(), self.focus_plies());
        Walk {
            graph: &self.graph,
            values: &mut self.values,
            options: &self.options,
            root: self.root,
            root_clock: self.root_clock,
            depth,
            focus_plies,
            is_taking_up: self.is_taking_up,
            is_uneven: self.is_taking_up || !self.steering.focus.is_empty(),
            path: self.game.clone(),
            reaches: Vec::new(),
            open: Vec::new(),
            beyond: Vec::new(),
            most: 1,
        }
    }
}
