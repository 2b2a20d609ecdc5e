//! [`Homogeneity`]: the test that counts in several groups differ only by chance.

use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Counts of an event in several groups of equally many trials, and a test that they differ only by chance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Homogeneity {
    /// The mean count of a group.
    pub mean: f64,
    /// The standard deviation over groups, with denominator n − 1.
    pub sd: f64,
    /// The standard deviation by chance: √(n·p(1 − p)) for n trials per group, where p is the share in all
    /// trials.
    pub sd_by_chance: f64,
    /// K. Pearson's χ². Its degrees of freedom are the number of groups minus 1. It is infinite if
    /// `sd_by_chance` is 0 and `sd` is not.
    pub chi_squared: f64,
    /// The probability of a χ² at least this large if all groups are alike.
    pub p: f64,
}

impl Homogeneity {
    /// Tests the counts of groups with `trials` trials each; `None` for fewer than two groups, or without
    /// trials.
    pub fn of(counts: &[f64], trials: f64) -> Option<Homogeneity> {
        let groups = counts.len() as f64;
        let mean = counts.iter().sum::<f64>() / groups;
        let squares: f64 = counts.iter().map(|count| (count - mean).powi(2)).sum();
        Homogeneity::of_spread(mean, (squares / (groups - 1.0)).sqrt(), groups, trials)
    }

    /// Runs the same test for `groups` groups from the mean and standard deviation, as a paper prints them.
    pub fn of_spread(mean: f64, sd: f64, groups: f64, trials: f64) -> Option<Homogeneity> {
        // The printed mean is rounded, but the total count is a whole number.
        let share = (groups * mean).round() / (groups * trials);
        let distribution = ChiSquared::new(groups - 1.0).ok()?;
        let sd_by_chance = (trials * share * (1.0 - share)).sqrt();
        // An event that occurs never or always is equally frequent in all groups.
        let chi_squared = if sd == 0.0 { 0.0 } else { (groups - 1.0) * (sd / sd_by_chance).powi(2) };
        let p = distribution.sf(chi_squared);
        (trials > 0.0).then_some(Homogeneity { mean, sd, sd_by_chance, chi_squared, p })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn five_groups_by_hand() {
        // Mean 3 of 10, sd √(8/4); 0.3·0.7·10 = 2.1, so χ² = 8/2.1.
        let found = Homogeneity::of(&[1.0, 3.0, 5.0, 3.0, 3.0], 10.0).expect("five groups");
        assert!((found.mean - 3.0).abs() < 1e-12 && (found.sd - 2f64.sqrt()).abs() < 1e-12);
        assert!((found.chi_squared - 8.0 / 2.1).abs() < 1e-12, "{found:?}");
        // With four degrees of freedom the tail is e^(−x/2)·(1 + x/2). Kennedy's numbers are checked against
        // scipy in `papers`.
        let tail = (-4.0f64 / 2.1).exp() * (1.0 + 4.0 / 2.1);
        assert!((found.p - tail).abs() < 1e-12, "{}", found.p);
    }

    #[test]
    fn what_never_occurs_is_alike_everywhere_and_one_group_has_nothing_beside_it() {
        let never = Homogeneity::of(&[0.0; 4], 30.0).expect("four groups");
        assert_eq!((never.sd, never.chi_squared, never.p), (0.0, 0.0, 1.0));
        assert_eq!(Homogeneity::of(&[3.0], 30.0), None);
        assert_eq!(Homogeneity::of(&[0.0, 0.0], 0.0), None);
    }

    proptest! {
        #[test]
        fn the_order_of_groups_is_nothing_and_wins_and_what_is_no_win_are_as_homogeneous(
            mut counts in prop::collection::vec(0u32..=30, 2..15),
        ) {
            let of = |counts: &[u32]| {
                let counts: Vec<f64> = counts.iter().map(|&count| count.into()).collect();
                Homogeneity::of(&counts, 30.0).expect("groups")
            };
            let found = of(&counts);
            let others: Vec<u32> = counts.iter().map(|count| 30 - count).collect();
            prop_assert!((found.chi_squared - of(&others).chi_squared).abs() < 1e-6 * (1.0 + found.chi_squared));
            counts.reverse();
            prop_assert!((found.p - of(&counts).p).abs() < 1e-9);
        }
    }
}
