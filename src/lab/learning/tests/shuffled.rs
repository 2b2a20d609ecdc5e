//! Shuffled labels, the control with nothing to learn.

use gainalyze::{lab::BandGames, numbers::stats::bootstrap::below};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::Position;

/// Returns `band` with a random legal move as the move played in each position. So there is nothing to learn.
pub fn shuffled(band: &BandGames, seed: u64) -> BandGames {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut shuffled = band.clone();
    for decision in &mut shuffled.decisions {
        let moves = decision.chess.legal_moves();
        decision.played = moves[below(&mut random, moves.len())];
    }
    shuffled
}
