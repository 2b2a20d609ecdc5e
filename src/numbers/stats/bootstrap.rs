//! [`Bootstrap`]: random samples of whole clusters, drawn with replacement. All clusters are equally likely.

use rand_chacha::{ChaCha8Rng, rand_core::Rng, rand_core::SeedableRng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// The number of samples and the random seed.
///
/// Every sample has its own stream of random numbers, so the number of threads does not change the samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bootstrap {
    /// Number of samples; 0 turns the bootstrap off.
    pub samples: u32,
    /// Random seed.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap { samples: 2000, seed: 1 }
    }
}

impl Bootstrap {
    /// The smallest useful number of samples. With fewer, percentiles and standard errors are noise.
    pub const LEAST: u32 = 100;

    /// Returns the `statistic` of each sample, in order. The argument of `statistic` has the number of draws
    /// of each cluster. These numbers add up to `clusters`.
    pub fn replicates<T: Send>(
        self,
        clusters: usize,
        statistic: impl Fn(&[u32]) -> T + Sync + Send,
    ) -> Vec<T> {
        (0..self.samples).into_par_iter().map(|sample| statistic(&self.weights(sample, clusters))).collect()
    }

    /// Returns the number of draws of each cluster in a sample.
    fn weights(self, sample: u32, clusters: usize) -> Vec<u32> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(sample.into());
        let mut weights = vec![0; clusters];
        for _ in 0..clusters {
            weights[below(&mut random, clusters)] += 1;
        }
        weights
    }
}

/// Draws a number below `end`. All numbers are equally likely, to within one part in 2⁶⁴/`end`.
pub fn below(random: &mut impl Rng, end: usize) -> usize {
    // The upper half of a product of two 64-bit numbers.
    ((u128::from(random.next_u64()) * end as u128) >> 64) as usize
}

/// Returns a number from 0 (inclusive) to 1 (exclusive), made of 64 random bits.
pub fn share(bits: u64) -> f64 {
    // The 53 bits of an f64 below 1.
    (bits >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_samples_on_any_number_of_threads() {
        let bootstrap = Bootstrap { samples: 50, seed: 7 };
        let samples = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| bootstrap.replicates(20, <[u32]>::to_vec))
        };
        assert_eq!(samples(1), samples(3));
        let other = Bootstrap { seed: 8, ..bootstrap };
        assert_ne!(samples(1), other.replicates(20, <[u32]>::to_vec));
        assert!(samples(2).iter().all(|weights| weights.iter().sum::<u32>() == 20));
    }

    #[test]
    fn the_spread_of_a_mean_is_what_theory_says() {
        // The variance of the mean of a sample with replacement is Σ(x − x̄)²/n².
        let values = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
        let n = values.len() as f64;
        let mean =
            |weights: &[u32]| values.iter().zip(weights).map(|(x, &w)| x * f64::from(w)).sum::<f64>() / n;
        let means = Bootstrap { samples: 20_000, seed: 3 }.replicates(values.len(), mean);
        let center: f64 = values.iter().sum::<f64>() / n;
        let theory = values.iter().map(|x| (x - center).powi(2)).sum::<f64>() / n / n;
        let variance = super::super::estimate::standard_deviation(&means).powi(2);
        assert!((variance / theory - 1.0).abs() < 0.05, "{variance} {theory}");
    }
}
