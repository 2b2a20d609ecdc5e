//! `tree.pgn`: a tree as one game with variations, the main line first.

use std::{cmp::Reverse, collections::BTreeMap, collections::BinaryHeap, fmt::Write};

use shakmaty::{Chess, Color, Position, san::SanPlus};

use super::data::{ShownMove, TreeFile};
use crate::chess::{CommentCommand, text::wrapped_words};
use crate::lab::DeepTree;

/// Maps the ranks of a position's chosen moves to their indices in [`ChosenMoves::moves`].
type MovesByRank = BTreeMap<usize, usize>;

struct PgnMove {
    /// The index of the position among the nodes of the tree.
    node: usize,
    /// The move's rank in that position, from 0 for the best.
    rank: usize,
    after: MovesByRank,
}

/// The moves to be written, in the order in which they were chosen.
struct ChosenMoves<'t> {
    file: &'t TreeFile,
    moves: Vec<PgnMove>,
}

/// Returns the tree as a game. If it has more than `most` moves, the moves that need the most second choices
/// are left out. A second choice is any move other than the best in its position.
pub fn text(tree: &DeepTree, file: &TreeFile, most: usize) -> String {
    let mut chosen = ChosenMoves { file, moves: Vec::new() };
    let first = chosen.choose(tree, most);
    let mut pgn = String::new();
    let headers = [
        ("Event", "Deep analysis"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
    ];
    for (name, value) in headers {
        let _ = writeln!(pgn, "[{name} \"{value}\"]");
    }
    let annotator = file.facts.engine.name.replace(['"', '\\'], " ");
    let _ = writeln!(
        pgn,
        "[SetUp \"1\"]\n[FEN \"{}\"]\n[Annotator \"{annotator}, {}\"]\n",
        file.facts.fen, file.facts.limit
    );
    let mut words = Vec::new();
    chosen.write(&first, &file.facts.root, true, &mut words);
    words.push("*".to_owned());
    pgn + &wrapped_words(words.iter().map(String::as_str), 80) + "\n"
}

impl ChosenMoves<'_> {
    /// Chooses at most `most` moves. The moves that need the fewest second choices come first, and among
    /// these the moves of shorter lines. Returns the chosen moves of the root.
    fn choose(&mut self, tree: &DeepTree, most: usize) -> MovesByRank {
        let mut first = MovesByRank::new();
        // The key is the number of second choices, then the plies, then the order of arrival. The value is
        // the move with its predecessor.
        let mut queue = BinaryHeap::new();
        let mut order = 0usize;
        let mut offer =
            |queue: &mut BinaryHeap<_>, choices: usize, ply: usize, before: Option<usize>, node: usize| {
                for (rank, played) in self.file.nodes[node].moves.iter().enumerate() {
                    if rank == 0 || played.role == "candidate" {
                        order += 1;
                        let choices = choices + usize::from(rank > 0);
                        queue.push(Reverse((choices, ply, order, before, node, rank)));
                    }
                }
            };
        offer(&mut queue, 0, 0, None, 0);
        let mut moves: Vec<PgnMove> = Vec::new();
        while let Some(Reverse((choices, ply, _, before, node, rank))) = queue.pop() {
            if moves.len() >= most {
                break;
            }
            let place = moves.len();
            moves.push(PgnMove { node, rank, after: MovesByRank::new() });
            let siblings = before.map_or(&mut first, |before: usize| &mut moves[before].after);
            siblings.insert(rank, place);
            // Beyond the tree's depth, a child is a position that also occurs nearer to the root.
            if let Some(child) = self.file.nodes[node].moves[rank].child.filter(|_| ply + 1 < tree.depth) {
                offer(&mut queue, choices, ply + 1, Some(place), child);
            }
        }
        self.moves = moves;
        first
    }

    fn shown(&self, place: usize) -> &ShownMove {
        let PgnMove { node, rank, .. } = self.moves[place];
        &self.file.nodes[node].moves[rank]
    }

    /// Writes the moves of a position as words, between which lines may be broken. The best move comes first,
    /// then the others as variations, then the continuation of the best move.
    fn write(&self, places: &MovesByRank, position: &Chess, is_numbered: bool, words: &mut Vec<String>) {
        let mut places = places.values().copied();
        let Some(best) = places.next() else { return };
        let Some(after) = self.write_one(best, position, is_numbered, words) else { return };
        for other in places {
            let from = words.len();
            if let Some(after) = self.write_one(other, position, true, words) {
                self.write(&self.moves[other].after, &after, true, words);
                words[from].insert(0, '(');
                if let Some(last) = words.last_mut() {
                    last.push(')');
                }
            }
        }
        self.write(&self.moves[best].after, &after, true, words);
    }

    fn write_one(
        &self,
        place: usize,
        position: &Chess,
        is_numbered: bool,
        words: &mut Vec<String>,
    ) -> Option<Chess> {
        let shown = self.shown(place);
        let m = shown.uci.parse::<shakmaty::uci::UciMove>().ok()?.to_move(position).ok()?;
        let mut after = position.clone();
        if is_numbered || position.turn() == Color::White {
            let dots = position.turn().fold_wb(".", "...");
            words.push(format!("{}{dots}", position.fullmoves()));
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut after, m).to_string());
        let eval = CommentCommand::Eval { score: shown.alpha.score().to_signed(), depth: None };
        // Some readers do not expect a line break in an evaluation.
        words.extend([
            "{".to_owned(),
            eval.to_string(),
            format!("idea {},", shown.idea),
            format!("alpha {}", shown.alpha),
            "}".to_owned(),
        ]);
        Some(after)
    }
}
