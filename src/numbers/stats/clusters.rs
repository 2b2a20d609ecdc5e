//! [`ClusteredMean`]: the mean of values in clusters. Clusters are independent; the values of one cluster may
//! depend on each other.

use super::estimate::{Estimate, Interval};

/// Count and sum of the values of each cluster.
///
/// A mean is the ratio of two sums over clusters, and its error is the error of a ratio. Let each of G
/// clusters have n_g values that add up to s_g, let N = Σ n_g, and let m = Σ s_g / N. Then SE² = G/(G − 1) ·
/// Σ_g (s_g − m·n_g)² / N².
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClusteredMean {
    totals: Vec<ClusterTotal>,
}

/// The count and sum of one cluster's values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusterTotal {
    pub cluster: u32,
    pub count: f64,
    pub sum: f64,
}

/// A cluster's number, and the shift of an estimate by this cluster. The shift is the sum of the influence
/// function (jackknife) over the cluster's values, times √(G/(G − 1)) for G clusters. The shifts sum to 0,
/// and their squares sum to the variance of the estimate.
pub type Influence = (u32, f64);

/// A standard error below this is rounding error and counts as 0.
const NO_ERROR: f64 = 1e-12;

impl ClusteredMean {
    /// Adds a value. The values of a cluster must be adjacent.
    pub fn add(&mut self, cluster: u32, value: f64) {
        match self.totals.last_mut() {
            Some(total) if total.cluster == cluster => {
                total.count += 1.0;
                total.sum += value;
            }
            _ => self.totals.push(ClusterTotal { cluster, count: 1.0, sum: value }),
        }
    }

    /// Adds the values of `more`. The totals of clusters that are in both are added.
    pub fn append(&mut self, more: ClusteredMean) {
        self.totals.extend(more.totals);
        self.totals.sort_by_key(|total| total.cluster);
        self.totals.dedup_by(|later, first| {
            let is_same = later.cluster == first.cluster;
            if is_same {
                first.count += later.count;
                first.sum += later.sum;
            }
            is_same
        });
    }

    /// Returns the number of clusters with a value.
    pub fn clusters(&self) -> usize {
        self.totals.len()
    }

    /// Returns the number of values.
    pub fn count(&self) -> f64 {
        self.totals.iter().map(|total| total.count).sum()
    }

    /// Returns the mean; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        self.weighted(|_| 1.0).map(|(mean, _)| mean)
    }

    /// Returns the mean and the number of values in a sample that holds each cluster as often as `weights`
    /// says. `None` without values.
    pub fn resampled(&self, weights: &[u32]) -> Option<(f64, f64)> {
        self.weighted(|cluster| f64::from(weights[cluster as usize]))
    }

    fn weighted(&self, weight: impl Fn(u32) -> f64) -> Option<(f64, f64)> {
        let (count, sum) = self.totals.iter().fold((0.0, 0.0), |(count, sum), total| {
            let weight = weight(total.cluster);
            (count + weight * total.count, sum + weight * total.sum)
        });
        (count > 0.0).then(|| (sum / count, count))
    }

    /// Returns each cluster's shift of the mean.
    pub fn influences(&self) -> Vec<Influence> {
        let (Some(mean), count) = (self.mean(), self.count()) else { return Vec::new() };
        // A single cluster shifts nothing.
        let few = self.clusters() as f64 / self.clusters().saturating_sub(1).max(1) as f64;
        let shift = |t: &ClusterTotal| few.sqrt() * (t.sum - mean * t.count) / count;
        self.totals.iter().map(|total| (total.cluster, shift(total))).collect()
    }

    /// Returns the mean with Student's t interval on G − 1 degrees of freedom; `None` without values. There
    /// is no interval for one cluster, or for clusters that do not differ.
    pub fn estimate(&self) -> Option<Estimate> {
        let value = self.mean()?;
        let interval = standard_error(&self.influences())
            .and_then(|error| Interval::clustered(value, error, self.clusters()));
        Some(Estimate { value, observations: self.count() as usize, interval })
    }
}

impl FromIterator<(u32, f64)> for ClusteredMean {
    fn from_iter<T: IntoIterator<Item = (u32, f64)>>(values: T) -> ClusteredMean {
        let mut mean = ClusteredMean::default();
        values.into_iter().for_each(|(cluster, value)| mean.add(cluster, value));
        mean
    }
}

impl FromIterator<(u32, usize, f64)> for ClusteredMean {
    /// Collects triples: a cluster's number, its count of values, and their sum. The numbers must ascend.
    fn from_iter<T: IntoIterator<Item = (u32, usize, f64)>>(totals: T) -> ClusteredMean {
        let total = |(cluster, count, sum)| ClusterTotal { cluster, count: count as f64, sum };
        ClusteredMean { totals: totals.into_iter().map(total).collect() }
    }
}

/// Returns the standard error of an estimate from the shifts by its clusters. `None` for fewer than two
/// clusters, and for clusters that do not differ.
pub fn standard_error(influences: &[Influence]) -> Option<f64> {
    let error = influences.iter().map(|(_, shift)| shift * shift).sum::<f64>().sqrt();
    (influences.len() > 1 && error > NO_ERROR).then_some(error)
}

/// Adds the shifts of two estimates, both in the order of clusters.
pub fn added(a: &[Influence], b: &[Influence]) -> Vec<Influence> {
    let mut sum = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let cluster = [a.get(i), b.get(j)].into_iter().flatten().map(|shift| shift.0).min();
        let mut total = 0.0;
        for (shifts, next) in [(a, &mut i), (b, &mut j)] {
            if let Some(shift) = shifts.get(*next).filter(|shift| Some(shift.0) == cluster) {
                total += shift.1;
                *next += 1;
            }
        }
        sum.extend(cluster.map(|cluster| (cluster, total)));
    }
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn two_clusters_by_hand() {
        // Cluster 0: 1, 1, 0; cluster 1: 0. m = 2/4, shifts (2 − 1.5)/4 and (0 − 0.5)/4 times √2,
        // SE² = 2/1·(1/64 + 1/64) = 1/16.
        let mean: ClusteredMean = [(0, 1.0), (0, 1.0), (0, 0.0), (1, 0.0)].into_iter().collect();
        assert_eq!(mean.influences(), [(0, 0.125 * 2f64.sqrt()), (1, -0.125 * 2f64.sqrt())]);
        let estimate = mean.estimate().expect("values");
        assert_eq!(estimate.value, 0.5);
        let interval = estimate.interval.expect("two clusters");
        assert!((interval.standard_error - 0.25).abs() < 1e-15);
        // t(0.975, 1) = 12.7062 (any table).
        assert!((interval.half_width() - 0.25 * 12.7062).abs() < 1e-3);
    }

    #[test]
    fn the_error_is_that_of_a_regression_with_clustered_errors() {
        // statsmodels 0.14: sm.OLS(y, np.ones(9)).fit(cov_type="cluster",
        // cov_kwds={"groups": g}).bse is [0.15749816], with its correction for few clusters.
        let y = [1.0, 0.0, 0.5, 1.0, 1.0, 0.0, 0.0, 0.5, 1.0];
        let g = [0, 0, 0, 1, 1, 2, 2, 2, 2];
        let mean: ClusteredMean = g.into_iter().zip(y).collect();
        let interval = mean.estimate().expect("values").interval.expect("three clusters");
        assert!((interval.standard_error - 0.157_498_16).abs() < 1e-6, "{}", interval.standard_error);
    }

    #[test]
    fn one_cluster_has_no_interval() {
        let mean: ClusteredMean = [(3, 1.0), (3, 0.0)].into_iter().collect();
        assert_eq!(mean.estimate().expect("values").interval, None);
        assert_eq!(ClusteredMean::default().estimate(), None);
        let same: ClusteredMean = (0..9).map(|cluster| (cluster, 0.1)).collect();
        assert_eq!(same.estimate().expect("values").interval, None, "no scatter");
    }

    proptest! {
        #[test]
        fn with_one_value_a_cluster_it_is_the_error_of_a_mean(values in prop::collection::vec(-9f64..9.0, 2..40)) {
            let mean: ClusteredMean = (0..).zip(values.iter().copied()).collect();
            let clustered = mean.estimate().expect("values").interval.expect("clusters");
            let plain = Estimate::mean(&values).expect("values").interval.expect("values");
            prop_assert!((clustered.standard_error - plain.standard_error).abs() < 1e-9);
            prop_assert!((clustered.low - plain.low).abs() < 1e-9);
        }

        #[test]
        fn shifts_of_a_sum_keep_every_cluster(
            a in prop::collection::btree_map(0u32..30, -1f64..1.0, 0..20),
            b in prop::collection::btree_map(0u32..30, -1f64..1.0, 0..20),
        ) {
            let list = |map: &std::collections::BTreeMap<u32, f64>| map.iter().map(|(&k, &v)| (k, v)).collect::<Vec<_>>();
            let mut expected = a.clone();
            for (&cluster, shift) in &b {
                *expected.entry(cluster).or_default() += shift;
            }
            prop_assert_eq!(added(&list(&a), &list(&b)), list(&expected));
        }
    }
}
