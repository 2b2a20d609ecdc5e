//! [`RandomSample`]: a random share of all games.

use std::{fmt, str::FromStr};

use super::Fingerprint;

/// A random share of all games.
///
/// Only the seed and the fingerprint of a game decide whether the game is in the sample. The order of the
/// games, their files and the number of threads have no effect. With the same seed, a larger share contains
/// all games of a smaller one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomSample {
    pub share: Share,
    pub seed: u64,
}

/// A share above 0 and at most 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Share(f64);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("write a share above 0 and up to 1, as in 0.01")]
pub struct NoShare;

impl Share {
    pub const HALF: Share = Share(0.5);
}

impl FromStr for Share {
    type Err = NoShare;

    fn from_str(text: &str) -> Result<Share, NoShare> {
        let share = text.trim().parse().ok().filter(|&share: &f64| share > 0.0 && share <= 1.0);
        share.map(Share).ok_or(NoShare)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl RandomSample {
    pub fn has(self, game: Fingerprint) -> bool {
        let Share(share) = self.share;
        // All numbers are equally likely, so a number is below the bound with the probability `share`.
        (game.random_number(self.seed) as f64) < share * 2f64.powi(64) || share == 1.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::choice::{Fingerprint, Headers, MoveText};

    #[test]
    fn a_share_is_above_nothing_and_up_to_all() {
        for text in ["0", "-0.1", "1.01", "NaN", "inf", "1%", ""] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
        assert_eq!("1e-3".parse::<Share>().map(|share| share.to_string()), Ok("0.001".to_owned()));
    }

    fn sample(share: f64, seed: u64) -> RandomSample {
        RandomSample { share: Share(share), seed }
    }

    fn game(number: u32) -> Fingerprint {
        let name = number.to_string();
        Fingerprint::new(&Headers { white: &name, ..Headers::default() }, &MoveText::default())
    }

    #[test]
    fn a_sample_has_its_share_of_the_games() {
        let drawn = |sample: RandomSample| (0..100_000).filter(|&number| sample.has(game(number))).count();
        // Five standard deviations of a binomial distribution.
        for (share, margin) in [(0.01, 158), (0.5, 791)] {
            let expected = (share * 100_000.0) as usize;
            assert!(drawn(sample(share, 1)).abs_diff(expected) < margin, "{share}");
        }
        assert_eq!(drawn(sample(1.0, 1)), 100_000);
        let both = (0..100_000).filter(|&n| sample(0.1, 1).has(game(n)) && sample(0.1, 2).has(game(n)));
        // Seeds are independent: 0.1² of 100,000.
        assert!(both.count().abs_diff(1000) < 158);
    }

    proptest! {
        #[test]
        fn a_larger_share_has_all_games_of_a_smaller_one(a in 0.0..=1.0, b in 0.0..=1.0, seed: u64, number: u32) {
            let (a, b): (f64, f64) = (a, b);
            let (less, more) = (sample(a.min(b), seed), sample(a.max(b), seed));
            prop_assert!(!less.has(game(number)) || more.has(game(number)));
        }
    }
}
