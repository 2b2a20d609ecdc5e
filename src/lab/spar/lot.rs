//! Owns [`Lots`]: the random numbers of a move, the same for the same seed, game and ply.

use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};

use crate::numbers::stats::bootstrap::below;

#[derive(Debug, Clone)]
pub struct Lots(ChaCha8Rng);

impl Lots {
    /// Begins those of a ply of a game.
    pub fn of(seed: u64, game: u64, ply: u64) -> Lots {
        let mut key = [0; 32];
        for (bytes, number) in key.chunks_exact_mut(8).zip([seed, game, ply]) {
            bytes.copy_from_slice(&number.to_le_bytes());
        }
        Lots(ChaCha8Rng::from_seed(key))
    }

    /// Draws a number from 0 up to 1, without 1.
    pub fn share(&mut self) -> f64 {
        // The 53 bits that a number below 1 has room for.
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn below(&mut self, end: usize) -> usize {
        below(&mut self.0, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seed_game_and_ply_each_make_another_lot_and_the_same_ones_the_same() {
        let first = |seed, game, ply| Lots::of(seed, game, ply).share();
        assert_eq!(first(1, 2, 3), first(1, 2, 3));
        let others = [first(1, 2, 3), first(2, 2, 3), first(1, 3, 3), first(1, 2, 4), first(3, 2, 1)];
        assert!((0..5).all(|a| (0..a).all(|b| others[a] != others[b])), "{others:?}");
    }

    #[test]
    fn shares_fill_the_unit_interval_evenly() {
        let mut lots = Lots::of(1, 0, 0);
        let shares: Vec<f64> = (0..10_000).map(|_| lots.share()).collect();
        let mean = shares.iter().sum::<f64>() / 10_000.0;
        assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
        // Three standard errors of √(1/12/10000).
        assert!((mean - 0.5).abs() < 0.0087, "{mean}");
    }
}
