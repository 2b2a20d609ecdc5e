//! Artificial games to learn from. The unit tests, the benchmark and the example of the control experiments
//! share them.

use gainalyze::engine::chess_engine::{Leaves, LinearFile};
use gainalyze::lab::{BandGames, Decision, RatingBand, learning::DecisionFacts};
use gainalyze::numbers::stats::bootstrap::below;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rayon::prelude::*;
use shakmaty::{Chess, Move, Position};

/// A plan for making games. The same plan and the same chooser of moves give the same games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MadeGames {
    /// Number of games; one in five is held out.
    pub games: u32,
    /// Number of plies after which a game ends.
    pub longest: usize,
    /// The share of plies at which the chooser of moves is asked, after the first random plies. The other
    /// moves are random, to reach unusual positions.
    pub asked: f64,
    /// Random seed.
    pub seed: u64,
}

/// Number of random plies at the start of each game, so that no two games are the same.
const RANDOM_PLIES: usize = 8;

/// Distance between the numbers of games of successive seeds, so that games of several seeds are distinct.
const ORDINALS: u64 = 1_000_000;

impl MadeGames {
    /// Makes the games. Each move that `choose` is asked for, on either side, becomes a decision. If `choose`
    /// returns `None`, the move is random.
    pub fn by(&self, choose: impl Fn(&Chess) -> Option<Move> + Sync) -> BandGames {
        let made: Vec<Vec<Decision>> =
            (0..self.games).into_par_iter().map(|game| self.play(&choose, game)).collect();
        let mut band = BandGames::new(RatingBand { elo: 1, tolerance: 0 });
        for decisions in made {
            band.games.push(band.games.len() % 5 == 4);
            band.decisions.extend(decisions);
        }
        band
    }

    fn play(&self, choose: impl Fn(&Chess) -> Option<Move>, game: u32) -> Vec<Decision> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(game.into());
        let (mut chess, mut decisions) = (Chess::default(), Vec::new());
        for ply in 0..self.longest {
            let moves = chess.legal_moves();
            if moves.is_empty() || chess.is_insufficient_material() || chess.halfmoves() >= 100 {
                break;
            }
            let drawn = moves[below(&mut random, moves.len())];
            let is_asked = (below(&mut random, 1000) as f64) < 1000.0 * self.asked;
            let mut played = drawn;
            if is_asked && ply >= RANDOM_PLIES && moves.len() > 1 {
                played = choose(&chess).unwrap_or(drawn);
                let ordinal = self.seed * ORDINALS + u64::from(game);
                let facts = DecisionFacts { ordinal, ply: ply as u32 + 1, ..DecisionFacts::default() };
                decisions.push(Decision { chess: chess.clone(), played, game, facts });
            }
            chess.play_unchecked(played);
        }
        decisions
    }
}

/// Returns the move whose quiet leaf is worth most to the mover; of several such moves, the first.
pub fn best_leaf(file: &LinearFile, chess: &Chess) -> Option<Move> {
    let leaves = Leaves { weights: file.weights(), depth: 0 };
    let value = |m: &Move| {
        let mut child = chess.clone();
        child.play_unchecked(*m);
        let leaf = leaves.of(&child);
        let value = file.weights().evaluate(&leaf);
        if leaf.turn() == chess.turn() { -value } else { value }
    };
    chess.legal_moves().into_iter().min_by_key(value)
}
