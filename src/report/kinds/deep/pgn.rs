//! `tree.pgn`: a tree as one game with variations, the main line first.

use std::{cmp::Reverse, collections::BTreeMap, collections::BinaryHeap, fmt::Write};

use shakmaty::{Chess, Color, Position, san::SanPlus};

use super::data::{ShownMove, TreeFile};

use crate::base::text::wrapped_words;
use crate::chess::CommentCommand;
use crate::lab::DeepTree;

/// Maps the ranks of a position's chosen moves to their indices in [`ChosenMoves::moves`].
type MovesByRank = BTreeMap<usize, usize>;

const MOST_UNFOLLOWED: usize = 3;

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
    main: Vec<usize>,
}

/// Returns the tree as a game. If it has more than `most` moves, the moves that need the most second choices
/// are left out. A second choice is any move other than the best in its position.
pub fn text(tree: &DeepTree, file: &TreeFile, most: usize) -> String {
    let mut chosen = ChosenMoves { file, moves: Vec::new(), main: Vec::new() };
    let first = chosen.choose(tree, most);
    chosen.follow_main_line(tree, &first);
    let mut words = Vec::new();
    let last = chosen.write(&first, &file.facts.root, true, &mut words);
    // If the line ends the game, readers expect its result.
    let result = last.outcome().to_string();
    let mut pgn = String::new();
    let headers = [
        ("Event", "Deep analysis"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", &result),
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
    words.push(result);
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
                    if rank == 0 || matches!(played.role, "candidate" | "included") {
                        order += 1;
                        let choices = choices + usize::from(rank > 0);
                        queue.push(Reverse((choices, ply, order, before, node, rank)));
                    }
                }
            };
        offer(&mut queue, 0, 0, None, 0);
        let deepest = tree.nodes.iter().map(|node| node.ply + 1).fold(tree.depth, usize::max);
        let mut moves: Vec<PgnMove> = Vec::new();
        while let Some(Reverse((choices, ply, _, before, node, rank))) = queue.pop() {
            if moves.len() >= most {
                break;
            }
            let place = moves.len();
            moves.push(PgnMove { node, rank, after: MovesByRank::new() });
            let siblings = before.map_or(&mut first, |before: usize| &mut moves[before].after);
            siblings.insert(rank, place);
            // Beyond this depth, a child is a position that also occurs nearer to the root.
            if let Some(child) = self.file.nodes[node].moves[rank].child.filter(|_| ply + 1 < deepest) {
                offer(&mut queue, choices, ply + 1, Some(place), child);
            }
        }
        self.moves = moves;
        first
    }

    /// Finds the moves of the main line among the chosen ones. If some are missing, there is no main line.
    fn follow_main_line(&mut self, tree: &DeepTree, first: &MovesByRank) {
        let (mut main, mut after) = (Vec::new(), first);
        for _ in tree.main_path(0) {
            let Some(&best) = after.get(&0) else { return };
            main.push(best);
            after = &self.moves[best].after;
        }
        self.main = main;
    }

    fn shown(&self, place: usize) -> &ShownMove {
        let PgnMove { node, rank, .. } = self.moves[place];
        &self.file.nodes[node].moves[rank]
    }

    /// Writes the moves of a position as words, between which lines may be broken. The best move comes first,
    /// then the others as variations, then the continuation of the best move. Returns the position after the
    /// last of the best moves.
    fn write(
        &self,
        places: &MovesByRank,
        position: &Chess,
        is_numbered: bool,
        words: &mut Vec<String>,
    ) -> Chess {
        let mut places = places.values().copied();
        let Some(best) = places.next() else { return position.clone() };
        let Some(mut after) = self.write_one(best, position, is_numbered, words) else {
            return position.clone();
        };
        self.write_unfollowed(best, position, words);
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
        if self.main.last() == Some(&best) {
            // The tree ends here.
            self.write_engine_line(&mut after, words);
        }
        self.write(&self.moves[best].after, &after, true, words)
    }

    /// Writes a comment on the alternatives to the best move that the tree does not follow. The comment lists
    /// at most [`MOST_UNFOLLOWED`] alternatives, and gives the number of the remaining ones.
    fn write_unfollowed(&self, best: usize, position: &Chess, words: &mut Vec<String>) {
        let others = &self.file.nodes[self.moves[best].node].moves;
        let others = others.iter().filter(|played| matches!(played.role, "dropped" | "outside"));
        let number = format!("{}{}", position.fullmoves(), position.turn().fold_wb(".", "..."));
        let others: Vec<String> = others
            .map(|played| {
                let win =
                    if self.file.facts.is_tablebase_win(played.engine) { ", tablebase win" } else { "" };
                format!("{number} {} {} ({}{win})", played.san, played.alpha, played.role)
            })
            .collect();
        if !others.is_empty() {
            let more = match others.len().saturating_sub(MOST_UNFOLLOWED) {
                0 => String::new(),
                more => format!(", and {more} more"),
            };
            let shown = &others[..others.len().min(MOST_UNFOLLOWED)];
            let comment = format!("Not followed: {}{more}", shown.join(", "));
            words.push("{".to_owned());
            words.extend(comment.split(' ').map(str::to_owned));
            words.push("}".to_owned());
        }
    }

    /// Writes the engine's line after the main line, with a comment after its first move. Plays the line on
    /// `position`.
    fn write_engine_line(&self, position: &mut Chess, words: &mut Vec<String>) {
        let Some(last) = self.file.depths.last() else { return };
        for (place, san) in last.engine_line.iter().enumerate() {
            let m = san.parse::<SanPlus>().ok().and_then(|plus| plus.san.to_move(&*position).ok());
            let Some(m) = m else { return };
            // After a comment, the next move needs its number, whichever side moves.
            if place <= 1 || position.turn() == Color::White {
                words.push(format!("{}{}", position.fullmoves(), position.turn().fold_wb(".", "...")));
            }
            words.push(SanPlus::from_move_and_play_unchecked(position, m).to_string());
            if place == 0 {
                let limit = last.moves.first().and_then(|best| best.confirmed.as_ref());
                let limit = limit.unwrap_or(&self.file.facts.limit);
                let comment = format!("{{ From here on the engine's line, {limit} }}");
                words.extend(comment.split(' ').map(str::to_owned));
            }
        }
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
        // Some programs cannot read an evaluation with a line break.
        words.extend(["{".to_owned(), eval.to_string()]);
        // One score is enough, unless it is a bound or the path makes a difference.
        if shown.alpha.bound != "exact" || shown.idea != shown.alpha {
            words.extend([format!("idea {},", shown.idea), format!("alpha {}", shown.alpha)]);
        }
        if self.file.facts.is_tablebase_win(shown.engine) {
            words.extend(["tablebase", "win"].map(str::to_owned));
        }
        words.push("}".to_owned());
        Some(after)
    }
}
