//! [`Leaves`]: the quiet position at the end of a position's principal variation, used to compare players' choices.

use shakmaty::{Chess, Move, Position, Role};

use super::{LinearWeights, emit::piece_value};
use crate::engine::chess_engine::captures::captures_and_promotions;
use crate::engine::chess_engine::value::{DRAW, INFINITE, MAX_PLY, mated_in};

/// A search for the leaf of a position: the last position of the principal variation. The search has `depth`
/// plies, and a quiescence search follows. In the quiescence search, a side may stand pat, or try all
/// captures and promotions. The most valuable victim comes first, and for each victim the least valuable
/// attacker.
///
/// The search has alpha-beta but no table and no other heuristics. It does not search for checks, and a side
/// in check may stand pat, as in the engine of Paulsen and Fürnkranz (2010). A position without legal moves
/// is its own leaf.
#[derive(Debug, Clone, Copy)]
pub struct Leaves<'a> {
    /// The weights of the evaluation.
    pub weights: &'a LinearWeights,
    /// Plies of full search before the quiescence search.
    pub depth: u32,
}

impl Leaves<'_> {
    /// Returns the leaf of a position.
    pub fn of(&self, chess: &Chess) -> Chess {
        self.within(chess, u64::MAX)
    }

    /// Returns the leaf of a position by a search of about `nodes` positions. After these positions, both
    /// sides stand pat.
    pub fn within(&self, chess: &Chess, nodes: u64) -> Chess {
        let mut leaf = chess.clone();
        LeafSearch { leaves: *self, nodes }.search(chess, -INFINITE, INFINITE, 0, &mut leaf);
        leaf
    }
}

struct LeafSearch<'a> {
    leaves: Leaves<'a>,
    /// Number of positions that remain to be searched.
    nodes: u64,
}

impl LeafSearch<'_> {
    fn search(&mut self, chess: &Chess, alpha: i32, beta: i32, ply: usize, leaf: &mut Chess) -> i32 {
        if ply >= self.leaves.depth as usize {
            return self.quiesce(chess, alpha, beta, ply, leaf);
        }
        let mut moves = chess.legal_moves();
        if moves.is_empty() {
            leaf.clone_from(chess);
            return if chess.is_check() { mated_in(ply) } else { DRAW };
        }
        sort(&mut moves);
        self.best_of(chess, &moves, (-INFINITE, alpha, beta), ply, leaf)
    }

    fn quiesce(&mut self, chess: &Chess, alpha: i32, beta: i32, ply: usize, leaf: &mut Chess) -> i32 {
        self.nodes = self.nodes.saturating_sub(1);
        let value = self.leaves.weights.evaluate(chess);
        if value > alpha {
            leaf.clone_from(chess);
        }
        if value >= beta || ply >= MAX_PLY || self.nodes == 0 {
            return value;
        }
        let mut moves = match chess.is_check() {
            true => {
                let mut moves = chess.legal_moves();
                moves.retain(|m| m.is_capture() || m.is_promotion());
                moves
            }
            false => captures_and_promotions(chess),
        };
        sort(&mut moves);
        self.best_of(chess, &moves, (value, alpha.max(value), beta), ply, leaf)
    }

    /// Returns the greatest of `best` and the values of `moves`. If the value of a move exceeds alpha, the
    /// leaf of that move is copied to `leaf`.
    fn best_of(
        &mut self,
        chess: &Chess,
        moves: &[Move],
        (mut best, mut alpha, beta): (i32, i32, i32),
        ply: usize,
        leaf: &mut Chess,
    ) -> i32 {
        let mut below = None;
        for &m in moves {
            let mut child = chess.clone();
            child.play_unchecked(m);
            let below = below.get_or_insert_with(|| child.clone());
            let value = match ply < self.leaves.depth as usize {
                true => -self.search(&child, -beta, -alpha, ply + 1, below),
                false => -self.quiesce(&child, -beta, -alpha, ply + 1, below),
            };
            best = best.max(value);
            if value > alpha {
                alpha = value;
                leaf.clone_from(below);
            }
            if value >= beta {
                break;
            }
        }
        best
    }
}

/// Sorts moves by the value of the captured piece and the promotion, the greatest first. Moves with equal
/// values are sorted by the moving piece, the least valuable first and the king last. Moves that are still
/// equal keep their order.
fn sort(moves: &mut [Move]) {
    moves.sort_by_key(|m| {
        let taken = m.capture().map_or(0, piece_value) + m.promotion().map_or(0, piece_value);
        let king = if m.role() == Role::King { 1000 } else { 0 };
        (-taken, piece_value(m.role()) + king)
    });
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;
    use crate::chess::game;
    use crate::engine::chess_engine::linear::LinearFile;

    fn leaf(fen: &str, depth: u32) -> String {
        let fen: Fen = fen.parse().expect("a FEN");
        let chess = fen.into_position(CastlingMode::Standard).expect("a position");
        let file = LinearFile::handmade();
        game::fen(&Leaves { weights: file.weights(), depth }.of(&chess))
    }

    #[test]
    fn what_hangs_is_taken_and_what_is_defended_is_left() {
        // The rook takes the undefended knight. If a pawn defends the knight, the rook stays.
        let hanging = leaf("4k3/8/8/8/3n4/8/8/3RK3 w - - 0 1", 0);
        assert!(hanging.starts_with("4k3/8/8/8/3R4/8/8/4K3 b"), "{hanging}");
        let guarded = leaf("4k3/8/8/4p3/3n4/8/8/3RK3 w - - 0 1", 0);
        assert!(guarded.starts_with("4k3/8/8/4p3/3n4/8/8/3RK3 w"), "{guarded}");
    }

    #[test]
    fn an_exchange_is_played_to_its_end() {
        // Both sides take on d5 as often as it pays.
        let end = leaf("4k3/4p3/3p4/3p4/8/8/3R4/3QK3 w - - 0 1", 0);
        assert!(end.starts_with("4k3/4p3/3p4/3R4/8/8/8/3QK3 b"), "{end}");
    }

    #[test]
    fn a_pawn_is_promoted_and_a_mate_is_its_own_leaf() {
        let promoted = leaf("8/P6k/8/8/8/8/8/4K3 w - - 0 1", 0);
        assert!(promoted.starts_with("Q7/7k/8/8/8/8/8/4K3 b"), "{promoted}");
        let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        assert_eq!(leaf(mate, 0), mate);
        assert_eq!(leaf(mate, 2), mate);
    }

    #[test]
    fn a_search_within_few_positions_ends_and_one_within_many_finds_the_same_leaf() {
        let queens = "qqqqk3/1qqqqq2/8/8/8/8/1QQQQQ2/QQQQK3 w - - 0 1";
        let fen: Fen = queens.parse().expect("a FEN");
        let chess = fen.into_position(CastlingMode::Standard).expect("a position");
        let file = LinearFile::handmade();
        let leaves = Leaves { weights: file.weights(), depth: 0 };
        // Without a limit, this search takes a minute.
        let begun = Instant::now();
        leaves.within(&chess, 500);
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        assert_eq!(leaves.within(&chess, 1), chess);
        let exchange: Fen = "4k3/4p3/3p4/3p4/8/8/3R4/3QK3 w - - 0 1".parse().expect("a FEN");
        let exchange = exchange.into_position(CastlingMode::Standard).expect("a position");
        assert_eq!(leaves.within(&exchange, 500), leaves.of(&exchange));
    }

    #[test]
    fn a_search_sees_what_captures_alone_do_not() {
        // A fork of king and queen: quiet at depth 0, a queen won at depth 3.
        let fork = "q3k3/8/8/1N6/8/8/8/4K3 w - - 0 1";
        assert_eq!(leaf(fork, 0), fork);
        assert!(!leaf(fork, 3).contains('q'), "{}", leaf(fork, 3));
    }
}
