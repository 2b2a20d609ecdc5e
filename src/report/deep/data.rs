//! [`TreeFile`]: a tree as it is in files, with scores in White's view and moves in the notation of PGN.

use std::fmt;

use serde::Serialize;
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen, san::SanPlus, uci::UciMove};

use crate::chess::Score;
use crate::files::EngineFacts;
use crate::lab::{BoundKind, DeepTree, MoveRole, MoverScore, ScoreRange, TreeMove, TreeNode};

#[derive(Debug, Clone, Serialize)]
pub struct DeepFacts {
    pub version: String,
    pub engine: EngineFacts,
    /// The search limit, as in UCI's `go`.
    pub limit: String,
    /// Widths in centipawns for positions with White to move, one width for each ply from the root. After the
    /// last width, each ply halves the width.
    pub widths_white: Vec<f64>,
    /// Widths in centipawns for positions with Black to move, in the same form.
    pub widths_black: Vec<f64>,
    /// Number of moves that the first search of a position returns. If it is above 1, the search uses UCI's
    /// MultiPV.
    pub lines: u32,
    pub fen: String,
    /// The game's moves before the root. The alpha score takes them into account.
    pub game: Vec<String>,
    #[serde(skip)]
    pub root: Chess,
}

#[derive(Debug, Clone, Serialize)]
pub struct TreeFile {
    #[serde(flatten)]
    pub facts: DeepFacts,
    /// The depth of the tree. Positions this many plies from the root are not searched.
    pub depth: usize,
    pub searches: u64,
    pub depths: Vec<DepthEntry>,
    /// The positions, the root first.
    pub nodes: Vec<NodeEntry>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DepthEntry {
    pub depth: usize,
    pub searches: u64,
    pub nodes: usize,
    /// The root's moves, the best first.
    pub moves: Vec<ShownMove>,
    pub line: Vec<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct NodeEntry {
    pub id: usize,
    pub fen: String,
    /// Plies from the root.
    pub ply: usize,
    /// The idea score: the minimax value of the position in the tree, whatever line led to it.
    pub idea: ShownScore,
    /// The alpha score: the minimax value in the line from the root, where a repetition is a draw.
    pub alpha: ShownScore,
    /// True if the search ended here because the side that made the last move has a better move elsewhere.
    pub is_cut: bool,
    pub moves: Vec<ShownMove>,
}

#[derive(Debug, Clone, Serialize)]
pub struct ShownMove {
    pub san: String,
    pub uci: String,
    pub engine: ShownScore,
    pub idea: ShownScore,
    pub alpha: ShownScore,
    /// `candidate`, `dropped` or `outside`.
    pub role: &'static str,
    /// The index of the position after the move, if it was searched.
    pub child: Option<usize>,
    /// The line that the engine expects, this move first.
    pub line: Vec<String>,
}

/// A score in White's view, or a bound of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ShownScore {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// Moves to mate, negative if Black mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// `exact`, `at least` or `at most`.
    pub bound: &'static str,
    #[serde(skip)]
    score: Score,
}

impl ShownScore {
    fn of(range: ScoreRange, side: Color) -> ShownScore {
        let score = range.shown().white_view(side);
        let bound = match range.kind().seen_from(side) {
            BoundKind::Exact => "exact",
            BoundKind::AtLeast => "at least",
            BoundKind::AtMost => "at most",
        };
        ShownScore { cp: score.cp(), mate: score.mate(), bound, score }
    }

    pub fn score(self) -> Score {
        self.score
    }
}

impl fmt::Display for ShownScore {
    /// Writes the score in its usual form, with `≥` or `≤` before a bound.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.bound {
            "at least" => "≥",
            "at most" => "≤",
            _ => "",
        };
        write!(f, "{mark}{}", self.score)
    }
}

impl TreeFile {
    /// Describes the last tree, which is the deepest, and for each of the `trees` its size and the scores of
    /// the root's moves.
    pub fn of(trees: &[DeepTree], facts: DeepFacts) -> TreeFile {
        let last = trees.last();
        let depths = trees.iter().map(|tree| {
            let line = in_san(&tree.root().position, &tree.main_line(0));
            DepthEntry {
                depth: tree.depth,
                searches: tree.searches,
                nodes: tree.nodes.len(),
                moves: shown_moves(tree.root()),
                line,
            }
        });
        let nodes =
            last.map(|tree| tree.nodes.iter().enumerate().map(|(id, node)| entry(id, node)).collect());
        TreeFile {
            depth: last.map_or(0, |tree| tree.depth),
            searches: last.map_or(0, |tree| tree.searches),
            depths: depths.collect(),
            nodes: nodes.unwrap_or_default(),
            facts,
        }
    }
}

fn entry(id: usize, node: &TreeNode) -> NodeEntry {
    let turn = node.turn();
    NodeEntry {
        id,
        fen: Fen::from_position(&node.position, EnPassantMode::Legal).to_string(),
        ply: node.ply,
        idea: ShownScore::of(node.idea, turn),
        alpha: ShownScore::of(node.alpha, turn),
        is_cut: node.is_cut,
        moves: shown_moves(node),
    }
}

fn shown_moves(node: &TreeNode) -> Vec<ShownMove> {
    node.ranking().into_iter().map(|place| shown_move(&node.moves[place], &node.position)).collect()
}

fn shown_move(played: &TreeMove, position: &Chess) -> ShownMove {
    let turn = position.turn();
    let line = in_san(position, &played.pv);
    let score = |score: MoverScore| ShownScore::of(ScoreRange::exactly(score), turn);
    ShownMove {
        san: in_san(position, &[played.uci]).pop().unwrap_or_else(|| played.uci.to_string()),
        uci: played.uci.to_string(),
        engine: score(played.engine),
        idea: ShownScore::of(played.idea, turn),
        alpha: ShownScore::of(played.alpha, turn),
        role: match played.role {
            MoveRole::Candidate => "candidate",
            MoveRole::Dropped => "dropped",
            MoveRole::Outside => "outside",
        },
        child: played.child,
        line,
    }
}

/// Returns moves in the notation of PGN, up to the first illegal one.
pub fn in_san(from: &Chess, moves: &[UciMove]) -> Vec<String> {
    let mut position = from.clone();
    let san = moves.iter().map_while(|uci| {
        let m = uci.to_move(&position).ok()?;
        Some(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string())
    });
    san.collect()
}
