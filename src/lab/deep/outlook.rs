//! [`Outlook`]: the certainty of a tree's best move, and the most useful continuation of the analysis.

use std::collections::HashMap;

use shakmaty::{Chess, uci::UciMove};

use super::{DeepTree, MoveRole, TreeNode};

/// The certainty of the best root move, from the trees of all settled depths.
#[derive(Debug, Clone, PartialEq)]
pub struct Outlook {
    /// For each depth, the lead in centipawns of the best root move over the next root move. Moves with
    /// [`MoveRole::Outside`] do not count. `None` if the best score is a mate, or if no other move has a
    /// score in centipawns.
    pub leads: Vec<Option<i32>>,
    /// Median absolute change of the root moves' idea scores from the previous depth to the last depth, in
    /// centipawns. Mates and moves with [`MoveRole::Outside`] do not count. `None` if no move counts at both
    /// depths.
    pub noise: Option<f64>,
    /// The other root moves, without [`MoveRole::Outside`], at most `noise` below the best move.
    pub within_noise: Vec<UciMove>,
    /// Number of positions with at least two candidates in each of the last two trees, and number of these
    /// positions whose best move changed.
    pub turned: (u64, u64),
    pub next: NextStep,
}

/// The most useful continuation of an analysis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// The best moves are too close to each other: focus on these moves, with this many plies after each.
    Focus(Vec<UciMove>, usize),
    /// No other move is known to be close to the best move: deepen the tree by one ply, to this depth.
    Deepen(usize),
}

/// Plies that a focus adds to the tree's depth.
const FOCUS: usize = 2;

/// The largest number of moves to focus on.
const MOST_FOCUSED: usize = 3;

impl Outlook {
    /// Compares the deepest tree with the tree of the previous depth; `None` without a tree.
    pub fn of(trees: &[DeepTree]) -> Option<Outlook> {
        let (last, before) = trees.split_last()?;
        let noise = before.last().and_then(|before| noise(before, last));
        let within_noise = noise.map(|noise| within(last, noise)).unwrap_or_default();
        let next = match within_noise.is_empty() {
            true => NextStep::Deepen(last.depth + 1),
            false => {
                let best = last.main_line(0).into_iter().take(1);
                let moves = best.chain(within_noise.iter().copied()).take(MOST_FOCUSED);
                NextStep::Focus(moves.collect(), last.depth.max(last.focus_plies) + FOCUS)
            }
        };
        Some(Outlook {
            leads: trees.iter().map(lead).collect(),
            noise,
            within_noise,
            turned: before.last().map_or((0, 0), |before| turned(before, last)),
            next,
        })
    }
}

/// Returns the distance in centipawns from the best root move to each other root move, by alpha score. Mates
/// and moves with [`MoveRole::Outside`] are left out. If the best score is a mate, the list is empty.
fn distances(tree: &DeepTree) -> Vec<(UciMove, i32)> {
    let root = tree.root();
    let ranked = root.ranking().into_iter().map(|place| &root.moves[place]);
    let scores = ranked.filter(|played| played.role != MoveRole::Outside).map(|played| {
        let score = played.alpha.shown().white_view(root.turn()).cp();
        (played.uci, score)
    });
    let scores: Vec<_> = scores.collect();
    let Some(&(_, Some(best))) = scores.first() else { return Vec::new() };
    scores[1..].iter().filter_map(|&(uci, score)| Some((uci, (best - score?).abs()))).collect()
}

fn lead(tree: &DeepTree) -> Option<i32> {
    distances(tree).first().map(|&(_, distance)| distance)
}

fn within(tree: &DeepTree, noise: f64) -> Vec<UciMove> {
    let near = distances(tree).into_iter().filter(|&(_, distance)| f64::from(distance) <= noise);
    near.map(|(uci, _)| uci).collect()
}

fn noise(before: &DeepTree, last: &DeepTree) -> Option<f64> {
    let score = |tree: &DeepTree, uci: UciMove| {
        let played = tree.root().moves.iter().find(|played| played.uci == uci)?;
        (played.role != MoveRole::Outside).then_some(())?;
        played.idea.shown().white_view(tree.root().turn()).cp()
    };
    let changes = last.root().moves.iter().filter_map(|played| {
        let change = score(last, played.uci)? - score(before, played.uci)?;
        Some(f64::from(change.abs()))
    });
    let mut changes: Vec<f64> = changes.collect();
    changes.sort_by(f64::total_cmp);
    // A median, because the score of a single refuted move may change by several pawns.
    let middle = |place: usize| changes.get(place).copied();
    Some((middle(changes.len().checked_sub(1)? / 2)? + middle(changes.len() / 2)?) / 2.0)
}

fn turned(before: &DeepTree, last: &DeepTree) -> (u64, u64) {
    let best = |node: &TreeNode| node.ranking().first().map(|&place| node.moves[place].uci);
    let earlier: HashMap<&Chess, &TreeNode> =
        before.nodes.iter().map(|node| (&node.position, node)).collect();
    let pairs = last.nodes.iter().filter_map(|node| Some((*earlier.get(&node.position)?, node)));
    let pairs = pairs.filter(|(earlier, node)| earlier.candidates() > 1 && node.candidates() > 1);
    pairs.fold((0, 0), |(all, turned), (earlier, node)| {
        (all + 1, turned + u64::from(best(earlier) != best(node)))
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::chess::Score;
    use crate::lab::deep::{MoverScore, ScoreRange, TreeMove};

    /// Returns a tree of the start with these root moves and scores.
    fn tree(depth: usize, moves: &[(&str, i32)]) -> DeepTree {
        let root = Chess::default();
        let played = moves.iter().map(|(uci, cp)| {
            let score = MoverScore::of(Score::Cp(*cp), Color::White);
            TreeMove {
                uci: uci.parse().expect("a move"),
                engine: score,
                pv: Vec::new(),
                idea: ScoreRange::exactly(score),
                alpha: ScoreRange::exactly(score),
                role: MoveRole::Candidate,
                chances: None,
                is_confirmed: false,
                child: None,
            }
        });
        let exact = ScoreRange::exactly(MoverScore::DRAW);
        let moves = played.collect();
        let node = TreeNode { position: root, ply: 0, idea: exact, alpha: exact, is_cut: false, moves };
        assert!(node.moves.iter().all(|m| m.uci.to_move(&node.position).is_ok()));
        DeepTree { nodes: vec![node], depth, focus_plies: 0, searches: 0 }
    }

    #[test]
    fn a_lead_below_the_noise_asks_for_a_look_into_the_moves() {
        // Changes of 10, 6 and 8 centipawns.
        let trees = [
            tree(1, &[("e2e4", 30), ("d2d4", 29), ("g1f3", 12)]),
            tree(2, &[("e2e4", 20), ("d2d4", 23), ("g1f3", 4)]),
        ];
        let outlook = Outlook::of(&trees).expect("an outlook");
        assert_eq!(outlook.leads, [Some(1), Some(3)]);
        assert_eq!(outlook.noise, Some(8.0));
        let uci = |text: &str| text.parse::<UciMove>().expect("a move");
        assert_eq!(outlook.within_noise, [uci("e2e4")]);
        assert_eq!(outlook.turned, (1, 1));
        assert_eq!(outlook.next, NextStep::Focus(vec![uci("d2d4"), uci("e2e4")], 4));
    }

    #[test]
    fn a_clear_lead_asks_for_one_ply_more() {
        let trees = [tree(1, &[("e2e4", 30), ("d2d4", 0)]), tree(2, &[("e2e4", 31), ("d2d4", 0)])];
        let outlook = Outlook::of(&trees).expect("an outlook");
        assert_eq!((outlook.noise, outlook.turned), (Some(0.5), (1, 0)));
        assert_eq!(outlook.next, NextStep::Deepen(3));
        assert_eq!(Outlook::of(&trees[..1]).expect("an outlook").noise, None);
        assert_eq!(Outlook::of(&[]), None);
    }
}
