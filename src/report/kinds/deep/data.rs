//! [`TreeFile`]: the tree of a deep analysis in files: scores in White's view, moves in the notation of PGN.

use std::{fmt, slice};

use serde::Serialize;
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen, uci::UciMove};

use super::outlook::{OutlookFacts, counted_plies, numbered};
use crate::base::text::rounded;
use crate::chess::{Limit, Score, Wdl, game::in_san};
use crate::files::EngineFacts;
use crate::lab::{BoundKind, DeepTree, MoveRole, MoverScore, ScoreRange, Steering, TreeMove, TreeNode};

#[derive(Debug, Clone, Serialize)]
pub struct DeepFacts {
    pub version: String,
    pub engine: EngineFacts,
    pub limit: String,
    /// Widths in centipawns for positions with White to move, one for each ply from the root. After the last
    /// of these plies, each ply halves the width. A move is expanded if its value is less than the width
    /// below the value of the best move.
    pub widths_white: Vec<f64>,
    pub widths_black: Vec<f64>,
    /// Number of moves that the first search of a position returns (UCI's MultiPV).
    pub lines: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steering: Option<SteeringFacts>,
    pub fen: String,
    /// The game's moves before the root. The alpha score takes them into account.
    pub game: Vec<String>,
    #[serde(skip)]
    pub root: Chess,
}

/// Smallest size, in centipawns, of a score that means a win by tablebases. Stockfish 15.1 gives a won position
/// of its tablebases 8,796 centipawns, later versions 20,000, minus the plies to this position.
const TABLEBASE_WIN: u32 = 8_000;

impl DeepFacts {
    /// Returns true if the engine has tablebases and `score` is a tablebase win for either side. A mate in a
    /// known number of moves is no tablebase win.
    pub fn is_tablebase_win(&self, score: ShownScore) -> bool {
        let path =
            self.engine.options.get("SyzygyPath").is_some_and(|path| !matches!(&**path, "" | "<empty>"));
        path && score.cp.is_some_and(|cp| cp.unsigned_abs() >= TABLEBASE_WIN)
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct SteeringFacts {
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    pub focus: Vec<Vec<String>>,
    pub focus_plies: usize,
    /// Limit of the searches that confirm the end of the main line.
    pub confirm: Option<String>,
    /// True if `--take-up` extends the tree with stored searches.
    pub take_up: bool,
}

impl SteeringFacts {
    pub fn of(steering: &Steering, root: &Chess) -> Option<SteeringFacts> {
        let moves = |moves: &[UciMove]| moves.iter().flat_map(|&uci| in_san(root, &[uci])).collect();
        let is_focused = !steering.focus.is_empty();
        let facts = SteeringFacts {
            include: moves(&steering.include),
            exclude: moves(&steering.exclude),
            focus: steering.focus.iter().map(|line| in_san(root, line)).collect(),
            focus_plies: if is_focused { steering.focus_plies } else { 0 },
            confirm: steering.confirm.map(|depth| Limit::Depth(depth).to_string()),
            take_up: steering.is_taking_up,
        };
        (*steering != Steering { focus_plies: steering.focus_plies, ..Steering::default() }).then_some(facts)
    }
}

impl fmt::Display for SteeringFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = |word: &str, moves: &[String]| {
            (!moves.is_empty()).then(|| format!("{word} {}", moves.join(", ")))
        };
        let focus = self
            .focus
            .iter()
            .map(|line| format!("{} after {}", counted_plies(self.focus_plies), line.join(" ")));
        let parts = [moves("with", &self.include), moves("without", &self.exclude)].into_iter().flatten();
        let parts = parts.chain(focus);
        let confirm = self.confirm.iter().map(|limit| format!("the main line's last move to {limit}"));
        let stored = self.take_up.then(|| "stored searches beyond the tree".to_owned());
        f.write_str(&parts.chain(confirm).chain(stored).collect::<Vec<_>>().join("; "))
    }
}

#[derive(Debug, Clone, Serialize)]
pub struct TreeFile {
    #[serde(flatten)]
    pub facts: DeepFacts,
    /// Positions this many plies from the root are not searched, except in steered branches.
    pub depth: usize,
    pub searches: u64,
    pub depths: Vec<DepthEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outlook: Option<OutlookFacts>,
    pub nodes: Vec<NodeEntry>,
}

#[derive(Debug, Clone, Serialize)]
pub struct DepthEntry {
    pub depth: usize,
    /// Plies of the tree after focused lines.
    #[serde(skip_serializing_if = "is_zero")]
    pub focus_plies: usize,
    pub searches: u64,
    pub nodes: usize,
    pub moves: Vec<ShownMove>,
    pub line: Vec<String>,
    /// The engine's line after the last move of `line`, from the search that gave its value.
    pub engine_line: Vec<String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

#[derive(Debug, Clone, Serialize)]
pub struct NodeEntry {
    pub id: usize,
    pub fen: String,
    pub ply: usize,
    /// The idea score: the minimax value of the position in the tree, whatever line led to it.
    pub idea: ShownScore,
    /// The alpha score: the minimax value in the line from the root, where a repetition is a draw.
    pub alpha: ShownScore,
    /// True if the search ended here because the side that made the last move has an alternative at least as
    /// good.
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
    /// `candidate`, `included`, `dropped` or `outside`.
    pub role: &'static str,
    /// Plies of the tree that the value of a root move rests on, this move included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The limit of the confirming search that gives this value, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmed: Option<String>,
    /// The index of the position after the move, if it was searched.
    pub child: Option<usize>,
    /// The chances of a win, a draw and a loss for White, if the engine reports them. For a root move, they
    /// belong to the position that gives the move its value, and are missing if a repetition gives it. For
    /// other moves, they come from the search of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chances: Option<Wdl>,
    /// The line that the engine expects, this move first.
    pub line: Vec<String>,
}

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

impl ShownMove {
    /// Returns the basis of a root move's value, such as `4 plies, then depth 18`.
    pub fn basis(&self, facts: &DeepFacts) -> String {
        let plies = counted_plies(self.plies.unwrap_or(1));
        if facts.is_tablebase_win(self.idea) {
            return format!("{plies}, then a win by tablebases");
        }
        format!("{plies}, then {}", self.confirmed.as_deref().unwrap_or(&facts.limit))
    }

    /// Returns the engine's chances in percent, White's win first, such as `12–80–8`. Empty if unknown.
    pub fn percentages(&self) -> String {
        let percent = |share: u16| rounded(f64::from(share) / 10.0, 0);
        self.chances.map_or_else(String::new, |of| [of.win, of.draw, of.loss].map(percent).join("–"))
    }
}

impl fmt::Display for ShownScore {
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
    pub fn of(trees: &[DeepTree], facts: DeepFacts) -> TreeFile {
        let last = trees.last();
        let confirm = facts.steering.as_ref().and_then(|steering| steering.confirm.as_deref());
        let depths = trees.iter().map(|tree| {
            let line = in_san(&tree.root().position, &tree.main_line(0));
            DepthEntry {
                depth: tree.depth,
                focus_plies: tree.focus_plies,
                searches: tree.searches,
                nodes: tree.nodes.len(),
                moves: root_moves(tree, confirm),
                engine_line: engine_line(tree),
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
            outlook: OutlookFacts::of(trees, &facts.root),
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

impl TreeFile {
    pub fn numbered(&self, played: &ShownMove) -> String {
        numbered(&self.facts.root, 0, slice::from_ref(&played.san))
    }

    pub fn main_line(&self, entry: &DepthEntry) -> String {
        let root = &self.facts.root;
        let line = numbered(root, 0, &entry.line);
        if entry.engine_line.is_empty() {
            return format!("Main line: {line}.");
        }
        let engine = numbered(root, entry.line.len(), &entry.engine_line);
        format!("Main line: {line}; the engine's line after that: {engine}.")
    }
}

/// Returns the root's moves, the best first, with the plies that their values rest on.
fn root_moves(tree: &DeepTree, confirm: Option<&str>) -> Vec<ShownMove> {
    let root = tree.root();
    let ranked = root.ranking().into_iter().map(|place| &root.moves[place]);
    let shown = ranked.map(|played| {
        let below = played.child.map(|child| tree.main_path(child)).unwrap_or_default();
        let leaf = below.last().map_or(played, |&(node, place)| &tree.nodes[node].moves[place]);
        // If the value comes from a repetition, no search has chances for it.
        let is_searched = [played, leaf].iter().all(|played| played.alpha == played.idea);
        ShownMove {
            chances: leaf.chances.filter(|_| is_searched),
            plies: Some(1 + below.len()),
            confirmed: confirm.filter(|_| leaf.is_confirmed).map(str::to_owned),
            ..shown_move(played, &root.position)
        }
    });
    shown.collect()
}

/// Returns the engine's line after the main line; empty if the main line ends by the rules.
fn engine_line(tree: &DeepTree) -> Vec<String> {
    let Some(&(node, place)) = tree.main_path(0).last() else { return Vec::new() };
    let node = &tree.nodes[node];
    let played = &node.moves[place];
    if played.child.is_some() || played.alpha != played.idea {
        return Vec::new();
    }
    in_san(&node.position, &played.pv).into_iter().skip(1).collect()
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
            MoveRole::Included => "included",
            MoveRole::Dropped => "dropped",
            MoveRole::Outside => "outside",
        },
        plies: None,
        confirmed: None,
        child: played.child,
        chances: played.chances,
        line,
    }
}
