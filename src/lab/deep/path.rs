//! [`TreePath`]: the positions of a game and of a line in the tree after it, for detecting repetitions.

use super::graph::NodeId;

/// Half-moves without a capture or pawn move that draw the game.
const FIFTY_MOVES: u32 = 100;

/// Positions in order: the game before the root, the root, and the line in the tree.
#[derive(Debug, Clone)]
pub(super) struct TreePath {
    nodes: Vec<NodeId>,
    /// Half-moves since the last capture or pawn move, at each position.
    clocks: Vec<u32>,
    game: usize,
}

impl TreePath {
    /// Returns a path that contains only the `game` before the root.
    pub fn of_game(game: Vec<(NodeId, u32)>) -> TreePath {
        let (nodes, clocks): (Vec<_>, Vec<_>) = game.into_iter().unzip();
        TreePath { game: nodes.len(), nodes, clocks }
    }

    /// Returns the ply of the next position, 0 for the root.
    pub fn ply(&self) -> usize {
        self.nodes.len() - self.game
    }

    pub fn push(&mut self, node: NodeId, clock: u32) {
        self.nodes.push(node);
        self.clocks.push(clock);
    }

    pub fn pop(&mut self) {
        self.nodes.pop();
        self.clocks.pop();
    }

    /// Returns the clock after one more move from the last position.
    pub fn clock_after(&self, is_zeroing: bool) -> u32 {
        let last = self.clocks.last().copied().unwrap_or_default();
        if is_zeroing { 0 } else { last.saturating_add(1) }
    }

    /// Returns whether `node` is the root, or follows the root on the path.
    pub fn has(&self, node: NodeId) -> bool {
        self.nodes[self.game..].contains(&node)
    }

    /// Returns whether a move to `node` draws the game, by repetition or by the fifty-move rule.
    pub fn draws(&self, node: NodeId, is_zeroing: bool) -> bool {
        self.nodes.contains(&node) || self.clock_after(is_zeroing) >= FIFTY_MOVES
    }

    /// Returns the positions on the path, from the root on, that may recur within `plies` half-moves after
    /// the last position. The positions are sorted by index.
    pub fn recurring(&self, plies: usize) -> Vec<NodeId> {
        self.recurring_after(self.game, plies)
    }

    pub fn recurring_in_game(&self, plies: usize) -> Vec<NodeId> {
        self.recurring_after(0, plies)
    }

    /// Returns the clock of the last position if the fifty-move rule may end the game within `plies`, else 0.
    pub fn pressing_clock(&self, plies: usize) -> u32 {
        let clock = self.clocks.last().copied().unwrap_or_default();
        if clock as usize + plies >= FIFTY_MOVES as usize { clock } else { 0 }
    }

    fn recurring_after(&self, first: usize, plies: usize) -> Vec<NodeId> {
        let Some(last) = self.nodes.len().checked_sub(1) else { return Vec::new() };
        let back = (self.clocks[last] as usize).min(last.saturating_sub(first));
        let mut nodes: Vec<NodeId> =
            (1..=back).filter(|&ago| way_back(ago) <= plies).map(|ago| self.nodes[last - ago]).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }
}

/// Returns the smallest number of half-moves that can lead back to the position `ago` half-moves earlier.
/// Each side has to undo its moves.
fn way_back(ago: usize) -> usize {
    match ago {
        1 => 3,
        _ if ago.is_multiple_of(2) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

    use super::*;
    use crate::lab::deep::graph::Graph;

    /// Returns the path of a game from the usual start, and the indices of all its positions. The last
    /// `in_tree` positions belong to the tree.
    fn path(moves: &str, in_tree: usize) -> (TreePath, Vec<NodeId>) {
        let (mut graph, mut position) = (Graph::new(CastlingMode::Standard, 1), Chess::default());
        let mut places = vec![(graph.place(&position, 0), 0)];
        for uci in moves.split_whitespace() {
            let uci: UciMove = uci.parse().expect("a move");
            position.play_unchecked(uci.to_move(&position).expect("a legal move"));
            places.push((graph.place(&position, 0), position.halfmoves()));
        }
        let ids = places.iter().map(|&(id, _)| id).collect();
        let tree = places.split_off(places.len() - in_tree);
        let mut path = TreePath::of_game(places);
        tree.into_iter().for_each(|(id, clock)| path.push(id, clock));
        (path, ids)
    }

    #[test]
    fn only_positions_that_can_come_again_in_time_are_kept() {
        let (path, ids) = path("e2e4 g8f6 g1f3 f6g8 f3g1", 5);
        assert_eq!(path.ply(), 5);
        assert_eq!(ids[5], ids[1], "the knights are back");
        assert_eq!(path.recurring(0), []);
        // A pawn move left the start position, so the start position cannot recur. The position of three
        // half-moves ago can recur after one half-move.
        assert_eq!(path.recurring(1), [ids[2]]);
        assert_eq!(path.recurring(2), [ids[1], ids[2], ids[3]]);
        assert_eq!(path.recurring(3), [ids[1], ids[2], ids[3], ids[4]]);
    }

    #[test]
    fn the_game_before_the_root_draws_and_is_no_part_of_the_tree() {
        let (path, ids) = path("g1f3 g8f6 f3g1", 2);
        assert!(path.draws(ids[0], false) && !path.has(ids[0]));
        assert!(path.has(ids[2]));
        assert_eq!(path.recurring(3).len(), 1);
        assert_eq!(path.recurring_in_game(1), [ids[0]]);
        assert_eq!((path.clock_after(false), path.clock_after(true)), (4, 0));
        assert_eq!((path.pressing_clock(96), path.pressing_clock(97)), (0, 3));
    }
}
