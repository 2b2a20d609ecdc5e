//! [`ClusterSums`]: whole-number sums of clustered values. Parts can be added in any order.

use std::ops::AddAssign;

use super::estimate::{Estimate, Interval};

/// Sums over clusters, for values that are whole numbers. They suffice for the mean and error of
/// [`super::clusters::ClusteredMean`].
///
/// Let s_g be the sum and n_g the number of the values of cluster g, and m = Σ s_g / Σ n_g. Then Σ (s_g −
/// m·n_g)² = Σ s_g² − 2m·Σ s_g·n_g + m²·Σ n_g².
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClusterSums {
    /// Number of clusters with a value.
    pub clusters: u64,
    /// Σ n_g.
    pub count: u64,
    /// Σ s_g.
    pub sum: i64,
    /// Σ n_g².
    pub count_squared: u64,
    /// Σ s_g·n_g.
    pub sum_count: i64,
    /// Σ s_g². It exceeds 64 bits after about ten million games.
    pub sum_squared: i128,
}

/// Bounds of the values, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumBounds {
    pub low: i64,
    pub high: i64,
}

impl ClusterSums {
    /// Returns true if clusters of values within `bounds` could have these sums, by the inequalities of means
    /// and of Cauchy and Schwarz. Sums above 2⁶⁰ are not supported.
    pub fn is_possible(&self, bounds: SumBounds) -> bool {
        let [clusters, count, sum, count_squared, sum_count, sum_squared] = self.parts();
        let (low, high) = (i128::from(bounds.low), i128::from(bounds.high));
        let largest = low.abs().max(high.abs());
        let within = |sum: i128, of: i128| (low * of..=high * of).contains(&sum);
        clusters <= count
            && (clusters > 0 || count == 0)
            && (count..=count * count).contains(&count_squared)
            && count * count <= clusters * count_squared
            && within(sum, count)
            && within(sum_count, count_squared)
            && sum * sum <= clusters * sum_squared
            && sum_squared <= largest * largest * count_squared
            && sum_count * sum_count <= count_squared * sum_squared
            && (clusters != 1
                || [count * count, sum * count, sum * sum] == [count_squared, sum_count, sum_squared])
    }

    /// Adds a cluster of `count` values with the sum `sum`; an empty cluster adds nothing.
    pub fn add(&mut self, count: u64, sum: i64) {
        let n = i64::try_from(count).unwrap_or(i64::MAX);
        *self += ClusterSums {
            clusters: u64::from(count > 0),
            count,
            sum,
            count_squared: count * count,
            sum_count: n * sum,
            sum_squared: i128::from(sum) * i128::from(sum),
        };
    }

    /// The names of the sums, in the order of [`ClusterSums::parts`].
    pub const PARTS: [&str; 6] = ["clusters", "count", "sum", "count_squared", "sum_count", "sum_squared"];

    pub fn parts(&self) -> [i128; 6] {
        [
            self.clusters.into(),
            self.count.into(),
            self.sum.into(),
            self.count_squared.into(),
            self.sum_count.into(),
            self.sum_squared,
        ]
    }

    /// Adds `value` to the sum named `part`. `None` if no sum has that name, or if `value` is negative and
    /// that sum cannot be negative.
    pub fn add_part(&mut self, part: &str, value: i64) -> Option<()> {
        match part {
            "clusters" => self.clusters += u64::try_from(value).ok()?,
            "count" => self.count += u64::try_from(value).ok()?,
            "sum" => self.sum += value,
            "count_squared" => self.count_squared += u64::try_from(value).ok()?,
            "sum_count" => self.sum_count += value,
            "sum_squared" => self.sum_squared += i128::from(value),
            _ => return None,
        }
        Some(())
    }

    /// Returns the mean times `unit`, with Student's t interval on clusters − 1 degrees of freedom. `None`
    /// without values; no interval for one cluster or for clusters that do not differ.
    pub fn estimate(&self, unit: f64) -> Option<Estimate> {
        if self.count == 0 {
            return None;
        }
        let (n, mean) = (self.count as f64, self.sum as f64 / self.count as f64);
        let interval = self
            .standard_error()
            .and_then(|error| Interval::clustered(unit * mean, unit * error, self.clusters as usize));
        Some(Estimate { value: unit * mean, observations: n as usize, interval })
    }

    /// Returns the standard error of the mean, in the unit of the values. `None` for one cluster, or for
    /// clusters that do not differ.
    fn standard_error(&self) -> Option<f64> {
        let scatter = self.exact_scatter().map_or_else(|| self.rounded_scatter(), |scatter| scatter as f64);
        let (clusters, count) = (self.clusters as f64, self.count as f64);
        let variance = clusters / (clusters - 1.0) * scatter / count.powi(4);
        (self.clusters > 1 && scatter > 0.0).then(|| variance.sqrt())
    }

    /// Returns N²·Σ (s_g − m·n_g)², with N = Σ n_g. It is a whole number, so equal clusters give exactly 0.
    /// `None` if it exceeds 128 bits.
    fn exact_scatter(&self) -> Option<i128> {
        let (n, s) = (i128::from(self.count), i128::from(self.sum));
        let squares = n.checked_mul(n)?.checked_mul(self.sum_squared)?;
        let products = n.checked_mul(s)?.checked_mul(2)?.checked_mul(i128::from(self.sum_count))?;
        let counts = s.checked_mul(s)?.checked_mul(i128::from(self.count_squared))?;
        squares.checked_sub(products)?.checked_add(counts)
    }

    fn rounded_scatter(&self) -> f64 {
        let (n, s) = (self.count as f64, self.sum as f64);
        let products = 2.0 * n * s * self.sum_count as f64;
        n * n * self.sum_squared as f64 - products + s * s * self.count_squared as f64
    }
}

impl AddAssign for ClusterSums {
    fn add_assign(&mut self, more: ClusterSums) {
        self.clusters += more.clusters;
        self.count += more.count;
        self.sum += more.sum;
        self.count_squared += more.count_squared;
        self.sum_count += more.sum_count;
        self.sum_squared += more.sum_squared;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numbers::stats::clusters::ClusteredMean;

    fn sums(values: &[(u32, i64)]) -> ClusterSums {
        let mut sums = ClusterSums::default();
        for cluster in values.chunk_by(|a, b| a.0 == b.0) {
            sums.add(cluster.len() as u64, cluster.iter().map(|(_, value)| value).sum());
        }
        sums
    }

    #[test]
    fn two_clusters_by_hand() {
        // As in `clusters`, in halves: m = 2/4, SE = 1/4.
        let estimate = sums(&[(0, 2), (0, 2), (0, 0), (1, 0)]).estimate(0.5).expect("values");
        assert_eq!((estimate.value, estimate.observations), (0.5, 4));
        assert!((estimate.interval.expect("two clusters").standard_error - 0.25).abs() < 1e-15);
    }

    #[test]
    fn clusters_that_do_not_differ_have_no_interval() {
        let same: Vec<(u32, i64)> = (0..90).map(|at| (at / 3, 7)).collect();
        assert_eq!(sums(&same).estimate(0.1).expect("values").interval, None);
        assert_eq!(sums(&same[..3]).estimate(0.1).expect("values").interval, None, "one cluster");
        assert_eq!(ClusterSums::default().estimate(1.0), None);
    }

    #[test]
    fn beyond_128_bits_the_error_is_rounded() {
        let huge = ClusterSums {
            clusters: 2_000_000_000,
            count: 80_000_000_000,
            sum: 40_000_000_000_000_000,
            count_squared: 3_200_000_000_000,
            sum_count: 1_600_000_000_000_000_000,
            sum_squared: 900_000_000_000_000_000_000_000,
        };
        assert_eq!(huge.exact_scatter(), None);
        // Σ (s − m·n)² = 9e23 − 8e23 = 1e23, and √(1e23)/8e10 = 3.95285 (G/(G − 1) is 1).
        let interval = huge.estimate(1.0).expect("values").interval.expect("clusters");
        assert!((interval.standard_error - 3.952_847).abs() < 1e-5, "{interval:?}");
    }

    const UNIT: SumBounds = SumBounds { low: -3, high: 4 };

    #[test]
    fn sums_that_no_values_have_are_told() {
        let mut sums = ClusterSums::default();
        assert!(sums.is_possible(UNIT));
        [(2, 3), (1, -1), (4, 0)].into_iter().for_each(|(count, sum)| sums.add(count, sum));
        // By hand: 3 clusters of 7 values, 2; squares 21 and 10; 2·3 − 1 = 5.
        assert_eq!(sums.parts(), [3, 7, 2, 21, 5, 10]);
        assert!(sums.is_possible(UNIT));
        let changed: [fn(&mut ClusterSums); 8] = [
            |sums| sums.clusters = 8,
            |sums| sums.clusters = 0,
            |sums| sums.count = 22,
            |sums| sums.sum = 29,
            |sums| sums.count_squared = 6,
            |sums| sums.sum_count = -64,
            |sums| sums.sum_squared = 1,
            |sums| sums.sum_squared = 337,
        ];
        for change in changed {
            let mut wrong = sums;
            change(&mut wrong);
            assert!(!wrong.is_possible(UNIT), "{wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn sums_of_values_within_bounds_are_possible(
            clusters in prop::collection::vec(prop::collection::vec(-3i64..=4, 0..9), 0..20),
        ) {
            let mut sums = ClusterSums::default();
            clusters.iter().for_each(|values| sums.add(values.len() as u64, values.iter().sum()));
            prop_assert!(sums.is_possible(UNIT), "{:?}", sums);
        }
    }

    proptest! {
        #[test]
        fn the_estimate_is_that_of_all_values(sizes in prop::collection::vec(prop::collection::vec(-9i64..10, 1..9), 1..30)) {
            let clusters = (0..).zip(&sizes);
            let values: Vec<(u32, i64)> =
                clusters.flat_map(|(cluster, values)| values.iter().map(move |&value| (cluster, value))).collect();
            let all: ClusteredMean = values.iter().map(|&(cluster, value)| (cluster, value as f64)).collect();
            let (all, kept) = (all.estimate().expect("values"), sums(&values).estimate(1.0).expect("values"));
            prop_assert!((all.value - kept.value).abs() < 1e-12);
            match (all.interval, kept.interval) {
                (Some(all), Some(kept)) => {
                    prop_assert!((all.standard_error - kept.standard_error).abs() < 1e-9);
                    prop_assert!((all.low - kept.low).abs() < 1e-6);
                }
                (all, kept) => prop_assert_eq!(all, kept),
            }
        }

        #[test]
        fn parts_add_up_to_the_whole(values in prop::collection::vec((0u32..9, -50i64..50), 0..80), cut in 0u32..9) {
            let mut values = values;
            values.sort_by_key(|value| value.0);
            let at = values.partition_point(|value| value.0 < cut);
            let mut merged = sums(&values[..at]);
            merged += sums(&values[at..]);
            prop_assert_eq!(merged, sums(&values));
        }
    }
}
