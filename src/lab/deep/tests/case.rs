//! Random positions, widths and depths, and the comparison of their trees with the reference.

use std::collections::HashMap;

use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use crate::chess::GameSoFar;
use crate::lab::deep::tests::reference::{Reference, answer};
use crate::lab::deep::{
    DeepOptions, DeepSearch, DeepTree, MoveFinding, MoverScore, Question, ScoreRange, TreeNode, Widths,
};
use crate::numbers::stats::bootstrap::below;

pub fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

/// Positions with many and with few moves.
pub const STARTS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1",
    "8/5k2/8/8/3R4/8/2K5/8 w - - 94 120",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 30",
];

/// Largest number of searches for which the reference is fast enough.
const MOST_SEARCHES: usize = 80;

pub struct Case {
    pub game: GameSoFar,
    /// The positions of the game. The last position is the root.
    pub positions: Vec<Chess>,
    pub widths: Widths,
    pub depth: usize,
}

impl Case {
    /// Draws a random game, widths, and a depth for which the reference is fast enough.
    pub fn random(rng: &mut ChaCha8Rng) -> Case {
        loop {
            let start = position(STARTS[below(rng, STARTS.len())]);
            let mut game = GameSoFar::new(start.clone(), CastlingMode::Standard);
            let mut positions = vec![start];
            for _ in 0..below(rng, 12) {
                let mut next = positions.last().expect("a position").clone();
                let moves = next.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[below(rng, moves.len())];
                game.push(m.to_uci(CastlingMode::Standard));
                next.play_unchecked(m);
                positions.push(next);
            }
            let root = positions.last().expect("a position");
            if MoverScore::over(root).is_some() || root.halfmoves() >= 100 {
                continue;
            }
            let breadth = root.legal_moves().len();
            let plies = if breadth < 12 { 7 } else { 5 };
            let depth = 1 + below(rng, plies).max(below(rng, plies));
            // A width at this scale expands about two moves per position.
            let scale = 600.0 / breadth as f64 * if depth > 4 { 0.5 } else { 1.0 };
            let widths: Vec<f64> =
                (0..=below(rng, depth)).map(|_| scale * below(rng, 1000) as f64 / 1000.0).collect();
            let case = Case { game, positions, widths: Widths::of(widths), depth };
            if case.is_small() {
                return case;
            }
        }
    }

    fn is_small(&self) -> bool {
        let options = DeepOptions { widths: self.widths.clone(), lines: 1, cuts: false };
        let mut search = DeepSearch::new(&self.game, options).expect("a position to search");
        for _ in 0..MOST_SEARCHES {
            let open = search.open_questions(1);
            let Some(question) = open.first() else {
                if search.depth() == self.depth {
                    return true;
                }
                search.deepen();
                continue;
            };
            search.answer(question, answer(question));
        }
        false
    }

    pub fn tree(&self, cuts: bool, ahead: usize) -> (DeepTree, usize) {
        let options = DeepOptions { widths: self.widths.clone(), lines: 1, cuts };
        grow(&self.game, options, self.depth, ahead)
    }
}

/// Grows a tree with up to `ahead` questions answered at a time. Returns the tree and the number of answers.
pub fn grow(game: &GameSoFar, options: DeepOptions, depth: usize, ahead: usize) -> (DeepTree, usize) {
    grow_by(answer, game, options, depth, ahead)
}

pub fn grow_by(
    answer: impl Fn(&Question) -> Vec<MoveFinding>,
    game: &GameSoFar,
    options: DeepOptions,
    depth: usize,
    ahead: usize,
) -> (DeepTree, usize) {
    let mut search = DeepSearch::new(game, options).expect("a position to search");
    let mut answered = 0;
    loop {
        let open = search.open_questions(ahead);
        if open.is_empty() && search.depth() == depth {
            return (search.tree().expect("a settled tree"), answered);
        }
        if open.is_empty() {
            search.tree().expect("a settled tree");
            search.deepen();
        }
        for question in open {
            answered += 1;
            assert!(search.answer(&question, answer(&question)), "a move that was not known");
        }
    }
}

/// Compares the root moves and replies with those of the reference.
pub fn compare(case: &Case, tree: &DeepTree, what: &str) {
    let (root, game) = case.positions.split_last().expect("a root");
    let reference = Reference { widths: &case.widths, depth: case.depth };
    let same = |node: &TreeNode, line: &[Chess]| {
        let looked_at = reference.looked_at(line);
        assert_eq!(node.moves.len(), looked_at.len(), "{what}: the same moves");
        for (played, looked) in node.moves.iter().zip(&looked_at) {
            assert_eq!(played.uci, looked.m.to_uci(CastlingMode::Standard), "{what}");
            assert_eq!(played.idea, ScoreRange::exactly(looked.idea), "{what}: idea of {}", played.uci);
            let alpha = reference.alpha_of(game, line, looked);
            let range = played.alpha;
            let is_between =
                range.low().is_none_or(|low| low <= alpha) && range.high().is_none_or(|high| alpha <= high);
            assert!(is_between, "{what}: alpha of {} is {alpha:?}, not {range:?}", played.uci);
        }
    };
    same(tree.root(), std::slice::from_ref(root));
    for played in &tree.root().moves {
        let Some(child) = played.child.map(|child| &tree.nodes[child]).filter(|child| child.ply == 1) else {
            continue;
        };
        let mut after = root.clone();
        after.play_unchecked(played.uci.to_move(root).expect("a legal move"));
        same(child, &[root.clone(), after]);
    }
}

/// Returns the shortest line from the root to each position of the reference's tree.
fn lines_of(reference: &Reference<'_>, root: &Chess) -> HashMap<Chess, Vec<Chess>> {
    fn go(reference: &Reference<'_>, line: Vec<Chess>, found: &mut HashMap<Chess, Vec<Chess>>) {
        let here = line.last().expect("a root");
        if found.get(here).is_none_or(|known| line.len() < known.len()) {
            found.insert(here.clone(), line.clone());
        }
        for looked in reference.looked_at(&line).iter().filter(|looked| looked.is_expanded) {
            let mut after = here.clone();
            after.play_unchecked(looked.m);
            let goes_on = MoverScore::over(&after).is_none() && line.len() < reference.depth;
            if goes_on && !line.contains(&after) {
                go(reference, [&line[..], &[after]].concat(), found);
            }
        }
    }
    let mut found = HashMap::new();
    go(reference, vec![root.clone()], &mut found);
    found
}

/// Compares every position of a tree with the reference. The tree must be grown without cutoffs.
pub fn compare_all(case: &Case, tree: &DeepTree, what: &str) {
    let (root, game) = case.positions.split_last().expect("a root");
    let reference = Reference { widths: &case.widths, depth: case.depth };
    let lines = lines_of(&reference, root);
    assert_eq!(tree.nodes.len(), lines.len(), "{what}: the same positions");
    for node in &tree.nodes {
        let line = lines.get(&node.position).unwrap_or_else(|| panic!("{what}: {:?}", node.position));
        assert_eq!(node.ply + 1, line.len(), "{what}");
        let looked_at = reference.looked_at(line);
        let of_reference: Vec<_> = looked_at
            .iter()
            .map(|looked| (looked.m.to_uci(CastlingMode::Standard), looked.idea))
            .map(|(uci, idea)| (uci, ScoreRange::exactly(idea)))
            .collect();
        let of_tree: Vec<_> = node.moves.iter().map(|played| (played.uci, played.idea)).collect();
        assert_eq!(of_tree, of_reference, "{what}, ply {}", node.ply);
        assert_eq!(node.idea, ScoreRange::exactly(reference.idea(line)), "{what}, ply {}", node.ply);
        assert_eq!(node.alpha, ScoreRange::exactly(reference.alpha(game, line)), "{what}, ply {}", node.ply);
    }
}
