//! [`Graph`]: the positions of a tree, each stored once, with the known moves.

use std::collections::HashMap;

use shakmaty::{CastlingMode, Chess, EnPassantMode, FromSetup, Move, Position, uci::UciMove};

use super::MoverScore;
use crate::chess::Wdl;

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
    pub kind: QuestionKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    /// The best of the moves that are not yet known.
    Next,
    /// A single move that the user wants in the tree.
    Included,
    /// The last move of the main line, searched deeper.
    Confirming,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveFinding {
    pub best: UciMove,
    pub score: MoverScore,
    /// The principal variation, beginning with `best`.
    pub pv: Vec<UciMove>,
    /// The engine's chances, if it reports them for this line.
    pub chances: Option<Wdl>,
}

/// A move that an engine has found in a position.
#[derive(Debug, Clone)]
pub(super) struct FoundMove {
    pub m: Move,
    pub uci: UciMove,
    /// The engine's score for the mover, or the score by the rules if the move ends the game.
    pub score: MoverScore,
    pub pv: Vec<UciMove>,
    /// The engine's chances, if it reports them and the move does not end the game.
    pub chances: Option<Wdl>,
    pub child: NodeId,
    /// True if the move ends the game by mate, stalemate or insufficient material.
    pub ends_the_game: bool,
    /// The result of a deeper search. It replaces the score, the line and the chances if the move is not
    /// expanded.
    pub confirmed: Option<Box<MoveFinding>>,
}

impl FoundMove {
    pub fn unexpanded(&self) -> MoverScore {
        self.confirmed.as_ref().map_or(self.score, |confirmed| confirmed.score)
    }
}

#[derive(Debug)]
pub(super) struct Node {
    pub position: Chess,
    /// Half-moves since the last capture or pawn move, as given to engines.
    clock: u32,
    /// Known moves, in the order found.
    pub found: Vec<FoundMove>,
    /// Number of legal moves that are not excluded; 0 until an engine has searched the position.
    legal: usize,
    /// The number of moves known before each answered search.
    asked_at: Vec<usize>,
    /// Number of answered searches that settled trees needed.
    used: usize,
    /// Number of moves that settled trees have looked at.
    looked_at: usize,
    /// Indices of the mates among the moves looked at, the shortest mate first.
    mating: Vec<usize>,
    steering: Option<Box<NodeSteering>>,
    pub stored: StoredSearches,
}

/// The user's wishes for one position. Most positions have none.
#[derive(Debug, Default)]
pub(super) struct NodeSteering {
    /// Moves expanded at any value, in the alphabetical order of their UCI texts.
    pub included: Vec<Move>,
    pub excluded: Vec<Move>,
    /// Results of searches of single included moves. They are kept apart from [`Node::found`], which follows
    /// the engine's order whether or not a move is included.
    pub apart: Vec<FoundMove>,
    /// Largest number of moves in `apart` that a settled tree has used.
    pub apart_used: usize,
    pub focus: Option<Focus>,
}

/// The place of a position on a focused line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    /// The position is on the line, before its end.
    Line,
    /// The position is the end of the line. The tree goes deeper from here, and its widths begin anew.
    End,
}

/// The store's answers so far about a position beyond the tree's depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoredSearches {
    Unasked,
    /// The store has answered all questions so far.
    Enough,
    /// The store lacks a search, so the position is not expanded.
    Lacking,
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

    pub fn included(&self) -> &[Move] {
        self.steering.as_ref().map_or(&[], |steering| &steering.included)
    }

    /// Returns the result of the search of a single included move, if there is one.
    pub fn apart(&self, m: Move) -> Option<&FoundMove> {
        self.steering.as_ref()?.apart.iter().find(|found| found.m == m)
    }

    pub fn focus(&self) -> Option<Focus> {
        self.steering.as_ref()?.focus
    }

    /// Returns the legal moves without those that the user excludes.
    fn allowed_moves(&self) -> Vec<Move> {
        let excluded = self.steering.as_ref().map_or(&[][..], |steering| &steering.excluded);
        let legal = self.position.legal_moves();
        legal.iter().copied().filter(|m| !excluded.contains(m)).collect()
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
            let (steering, stored) = (None, StoredSearches::Unasked);
            self.nodes.push(Node {
                position,
                clock,
                found,
                legal,
                asked_at,
                used,
                looked_at,
                mating,
                steering,
                stored,
            });
        }
        id
    }

    /// Returns the index of the position after a legal move, adding the position if it is new.
    pub fn place_after(&mut self, id: NodeId, m: Move) -> NodeId {
        let Node { position, clock, .. } = self.node(id);
        let (mut after, clock) = (position.clone(), if m.is_zeroing() { 0 } else { *clock });
        after.play_unchecked(m);
        self.place(&after, clock)
    }

    pub fn mode(&self) -> CastlingMode {
        self.mode
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn find(&self, position: &Chess) -> Option<NodeId> {
        self.ids.get(position).copied()
    }

    /// Returns the user's wishes for a position, to be changed.
    pub fn steer(&mut self, id: NodeId) -> &mut NodeSteering {
        self.nodes[id.0 as usize].steering.get_or_insert_default()
    }

    pub fn include(&mut self, id: NodeId, m: Move) {
        let mode = self.mode;
        let included = &mut self.steer(id).included;
        if !included.contains(&m) {
            included.push(m);
            included.sort_by_cached_key(|m| m.to_uci(mode).to_string());
        }
    }

    /// Records whether the store answers the questions about a position beyond the tree's depth.
    pub fn note_stored(&mut self, id: NodeId, stored: StoredSearches) {
        self.nodes[id.0 as usize].stored = stored;
    }

    pub fn question_of(&self, id: NodeId, m: Move, kind: QuestionKind) -> Question {
        let Node { position, clock, .. } = self.node(id);
        let position = with_clock(position, *clock, self.mode);
        Question { node: id, position, moves: vec![m.to_uci(self.mode)], lines: 1, kind }
    }

    /// Returns the next question about a position; `None` if all moves that are not excluded are known.
    pub fn question(&self, id: NodeId) -> Option<Question> {
        let node = self.node(id);
        let Node { position, clock, found, .. } = node;
        let legal = node.allowed_moves();
        if found.len() >= legal.len() {
            return None;
        }
        let mut moves: Vec<UciMove> = Vec::new();
        if !found.is_empty() || legal.len() < position.legal_moves().len() {
            let left = legal.iter().filter(|m| !found.iter().any(|found| found.m == **m));
            moves.extend(left.map(|m| m.to_uci(self.mode)));
            moves.sort_by_cached_key(ToString::to_string);
        }
        let lines = if found.is_empty() { self.lines } else { 1 };
        let position = with_clock(position, *clock, self.mode);
        Some(Question { node: id, position, moves, lines, kind: QuestionKind::Next })
    }

    /// Records an answer: new moves, or the deeper search of a known move. Illegal moves are ignored. Returns
    /// whether anything new was recorded.
    pub fn answer(&mut self, question: &Question, findings: Vec<MoveFinding>) -> bool {
        let id = question.node;
        match question.kind {
            QuestionKind::Next => self.answer_next(id, findings),
            QuestionKind::Included => {
                let found = findings.into_iter().find_map(|finding| self.found(id, finding));
                found.is_some_and(|found| {
                    let apart = &mut self.steer(id).apart;
                    let is_new = !apart.iter().any(|known| known.m == found.m);
                    apart.extend(is_new.then_some(found));
                    is_new
                })
            }
            QuestionKind::Confirming => findings.into_iter().any(|finding| self.confirm(id, finding)),
        }
    }

    fn answer_next(&mut self, id: NodeId, findings: Vec<MoveFinding>) -> bool {
        let before = self.node(id).found.len();
        for finding in findings {
            let Some(found) = self.found(id, finding) else { continue };
            let known = &mut self.nodes[id.0 as usize].found;
            if !known.iter().any(|known| known.m == found.m) {
                known.push(found);
            }
        }
        let node = &mut self.nodes[id.0 as usize];
        node.asked_at.push(before);
        node.legal = node.allowed_moves().len();
        node.found.len() > before
    }

    /// Returns a finding as a move of a position; `None` if the move is illegal.
    fn found(&mut self, id: NodeId, finding: MoveFinding) -> Option<FoundMove> {
        let m = finding.best.to_move(&self.node(id).position).ok()?;
        let child = self.place_after(id, m);
        let over = MoverScore::over(&self.node(child).position);
        let score = over.map_or(finding.score, MoverScore::backed_up);
        let (uci, ends_the_game) = (m.to_uci(self.mode), over.is_some());
        let chances = finding.chances.filter(|_| !ends_the_game);
        Some(FoundMove { m, uci, score, pv: finding.pv, chances, child, ends_the_game, confirmed: None })
    }

    /// Returns the results for the move `uci` of a position: from the searches in the engine's order, and
    /// from a search of the included move alone.
    pub fn searched(&self, id: NodeId, uci: UciMove) -> impl Iterator<Item = &FoundMove> {
        let node = self.node(id);
        let apart = node.steering.as_ref().map_or(&[][..], |steering| &steering.apart);
        node.found.iter().chain(apart).filter(move |found| found.uci == uci)
    }

    /// Records a deeper search of a known move. Returns false if the move is unknown or already confirmed.
    fn confirm(&mut self, id: NodeId, finding: MoveFinding) -> bool {
        let Node { found, steering, .. } = &mut self.nodes[id.0 as usize];
        let apart = steering.as_mut().map_or(&mut [][..], |steering| &mut steering.apart);
        let known = found.iter_mut().chain(apart).filter(|found| found.uci == finding.best);
        let mut is_new = false;
        for found in known.filter(|found| found.confirmed.is_none()) {
            found.confirmed = Some(Box::new(finding.clone()));
            is_new = true;
        }
        is_new
    }

    /// Records that a settled tree has looked at the first `moves` moves of a position. Counts the searches
    /// that this needed, and notes the mates among these moves.
    pub fn note_use(&mut self, id: NodeId, moves: usize) {
        let node = &mut self.nodes[id.0 as usize];
        if let Some(steering) = &mut node.steering {
            let in_turn = &node.found[..moves.min(node.found.len())];
            let is_used = |apart: &&FoundMove| !in_turn.iter().any(|found| found.m == apart.m);
            let used = steering.apart.iter().filter(is_used).count();
            steering.apart_used = steering.apart_used.max(used);
        }
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
        let of_node =
            |node: &Node| node.used + node.steering.as_ref().map_or(0, |steering| steering.apart_used);
        self.nodes.iter().map(|node| of_node(node) as u64).sum()
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
