//! [`Graph`]: the positions of a tree, each stored once, with the known moves.

use std::collections::HashMap;

use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, uci::UciMove};

use super::MoverScore;

/// Index of a position in its graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

/// A question to an engine: the best moves of a position, from all its moves or from a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    pub node: NodeId,
    /// The position, with the half-move clock that the engine gets. Its move number is always 1, so that
    /// equal positions of different trees give the same question.
    pub position: Chess,
    /// The moves to choose from, in alphabetical order of their UCI texts; empty for all.
    pub moves: Vec<UciMove>,
    pub lines: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveFinding {
    pub best: UciMove,
    pub score: MoverScore,
    /// The principal variation, beginning with `best`.
    pub pv: Vec<UciMove>,
}

/// A move that an engine has found in a position.
#[derive(Debug, Clone)]
pub(super) struct FoundMove {
    pub m: Move,
    pub uci: UciMove,
    /// The engine's score for the mover, or the score by the rules if the move ends the game.
    pub score: MoverScore,
    pub pv: Vec<UciMove>,
    pub child: NodeId,
    /// True if the move mates, or ends the game in a draw.
    pub ends_the_game: bool,
}

#[derive(Debug)]
pub(super) struct Node {
    pub position: Chess,
    /// Half-moves since the last capture or pawn move, as given to engines.
    clock: u32,
    /// Known moves, in the order found.
    pub found: Vec<FoundMove>,
    /// Number of legal moves; 0 until an engine has searched the position.
    legal: usize,
    /// The number of moves known before each answered search.
    asked_at: Vec<usize>,
    /// Number of answered searches that settled trees needed.
    used: usize,
    /// Number of moves that settled trees have looked at.
    looked_at: usize,
    /// Indices of the mates among the moves looked at, the shortest mate first.
    mating: Vec<usize>,
}

impl Node {
    /// Returns the move at index `turn` in the order in which moves are taken. Mates known from settled trees
    /// come first, so that nothing else is searched if there is a mate. The other moves follow in the order
    /// found.
    pub fn in_turn(&self, turn: usize) -> Option<&FoundMove> {
        let Some(later) = turn.checked_sub(self.mating.len()) else {
            return self.found.get(self.mating[turn]);
        };
        if self.mating.is_empty() {
            return self.found.get(turn);
        }
        let others = self.found.iter().enumerate().filter(|(place, _)| !self.mating.contains(place));
        others.map(|(_, found)| found).nth(later)
    }

    pub fn is_known(&self) -> bool {
        !self.found.is_empty() && self.found.len() >= self.legal
    }
}

/// The positions of a tree, distinguished as in the rule of repetition.
#[derive(Debug)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    ids: HashMap<Chess, NodeId>,
    mode: CastlingMode,
    lines: u32,
}

impl Graph {
    pub fn new(mode: CastlingMode, lines: u32) -> Graph {
        Graph { nodes: Vec::new(), ids: HashMap::new(), mode, lines }
    }

    /// Returns the index of a position, adding it with `clock` if it is new. `clock` is the root's clock
    /// until a capture or pawn move, then 0. So a position has the same clock after any order of moves, and a
    /// transposition is one node.
    pub fn place(&mut self, position: &Chess, clock: u32) -> NodeId {
        let next = NodeId(u32::try_from(self.nodes.len()).expect("fewer positions than memory holds"));
        let id = *self.ids.entry(position.clone()).or_insert(next);
        if id == next {
            let (position, found, asked_at) = (position.clone(), Vec::new(), Vec::new());
            let (legal, used, looked_at, mating) = (0, 0, 0, Vec::new());
            self.nodes.push(Node { position, clock, found, legal, asked_at, used, looked_at, mating });
        }
        id
    }

    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Returns the next question about a position; `None` if all of its moves are known.
    pub fn question(&self, id: NodeId) -> Option<Question> {
        let Node { position, clock, found, .. } = self.node(id);
        let legal = position.legal_moves();
        if found.len() >= legal.len() {
            return None;
        }
        let mut moves: Vec<UciMove> = Vec::new();
        if !found.is_empty() {
            let left = legal.iter().filter(|m| !found.iter().any(|found| found.m == **m));
            moves.extend(left.map(|m| m.to_uci(self.mode)));
            moves.sort_by_cached_key(ToString::to_string);
        }
        let lines = if found.is_empty() { self.lines } else { 1 };
        Some(Question { node: id, position: with_clock(position, *clock, self.mode), moves, lines })
    }

    /// Adds the moves of an answer to the node `id`, except known and illegal moves. Returns whether any move
    /// was added.
    pub fn answer(&mut self, id: NodeId, findings: Vec<MoveFinding>) -> bool {
        let before = self.node(id).found.len();
        for finding in findings {
            let Node { position, clock, found, .. } = self.node(id);
            let Ok(m) = finding.best.to_move(position) else { continue };
            if found.iter().any(|known| known.m == m) {
                continue;
            }
            let mut after = position.clone();
            after.play_unchecked(m);
            let clock = if m.is_zeroing() { 0 } else { *clock };
            let (over, child) = (MoverScore::over(&after), self.place(&after, clock));
            let score = over.map_or(finding.score, MoverScore::backed_up);
            let (uci, ends_the_game) = (m.to_uci(self.mode), over.is_some());
            let found = FoundMove { m, uci, score, pv: finding.pv, child, ends_the_game };
            self.nodes[id.0 as usize].found.push(found);
        }
        let node = &mut self.nodes[id.0 as usize];
        node.asked_at.push(before);
        node.legal = node.position.legal_moves().len();
        node.found.len() > before
    }

    /// Records the number of moves of a position that the tree has looked at.
    pub fn note_use(&mut self, id: NodeId, moves: usize) {
        let node = &mut self.nodes[id.0 as usize];
        let searches = node.asked_at.iter().filter(|&&known| known < moves).count();
        node.used = node.used.max(searches);
        if moves > node.looked_at {
            node.looked_at = moves;
            node.mating =
                (0..moves.min(node.found.len())).filter(|&place| node.found[place].score.mates()).collect();
            node.mating.sort_by_key(|&place| std::cmp::Reverse(node.found[place].score));
        }
    }

    pub fn used(&self) -> u64 {
        self.nodes.iter().map(|node| node.used as u64).sum()
    }
}

/// Returns the position with move number 1 and the half-move clock `clock`.
pub(super) fn with_clock(position: &Chess, clock: u32, mode: CastlingMode) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.halfmoves = clock;
    setup.fullmoves = std::num::NonZeroU32::MIN;
    // Positions after legal moves are valid, and the root's FEN was checked.
    Chess::from_setup(setup, mode).unwrap_or_else(|_| position.clone())
}
