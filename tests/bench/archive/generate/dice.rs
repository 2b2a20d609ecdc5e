//! [`Dice`]: random draws, from a separate stream for each game and each score sheet.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

pub struct Dice(ChaCha8Rng);

impl Dice {
    /// Makes the generator of one of the 2⁶⁴ streams of `seed`.
    pub fn new(seed: u64, stream: u64) -> Dice {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Dice(random)
    }

    /// Draws a number of at least 0 and below 1.
    pub fn unit(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / (f64::from(u32::MAX) + 1.0)
    }

    /// Draws a whole number of at least 0 and below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.unit() * end as f64) as usize
    }

    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Draws a number from the exponential distribution with the mean `mean`.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    /// Draws one of `items`, all equally likely.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Draws an index of `weights`, with probabilities in proportion to them.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut left = self.unit() * weights.iter().sum::<f64>();
        let drawn = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        drawn.unwrap_or(weights.len() - 1)
    }

    /// Draws `count` letters and digits, as in the URLs of games.
    pub fn letters(&mut self, count: usize) -> String {
        const LETTERS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        (0..count).map(|_| char::from(*self.pick(LETTERS))).collect()
    }
}
