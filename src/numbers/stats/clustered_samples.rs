//! [`ClusteredSamples`]: pairwise comparison of sides whose values come in common clusters.

use super::{
    band::Band,
    clusters::{ClusteredMean, Influence, added},
    histogram::{BinWidth, Histogram},
};

/// Several sides with their values by cluster, such as players with their gains by game.
///
/// Values are stored as indices into one sorted grid of the bins that occur. So the counts of a side are one
/// array, and a comparison is one pass over it.
#[derive(Debug, Clone)]
pub struct ClusteredSamples {
    clusters: usize,
    band: Band,
    /// Sorted centers of the bins that occur, and 0.
    grid: Vec<i64>,
    sides: Vec<SampleSide>,
}

#[derive(Debug, Clone)]
struct SampleSide {
    /// Indices into the grid, cluster by cluster.
    places: Vec<u32>,
    /// Pairs of a cluster and the end of its range in `places`, in ascending order.
    runs: Vec<(u32, usize)>,
}

/// The win probability of every value of the grid against one side. It is the share of the side's values that
/// lose to the value, plus half of the share that tie.
pub type WinProbabilities = Vec<f64>;

/// An expected score, and the shift of this score by each cluster (see [`Influence`]).
#[derive(Debug, Clone, PartialEq)]
pub struct SampleComparison {
    /// P(X > Y) + ½·P(X = Y), between 0 and 1.
    pub score: f64,
    /// Shifts in the order of clusters.
    pub influences: Vec<Influence>,
}

impl ClusteredSamples {
    /// Prepares comparisons of `sides`. Each side is a list of pairs of a cluster and a value, sorted by
    /// cluster. Cluster numbers are below `clusters`. `band` decides which values tie.
    pub fn new(sides: &[Vec<(u32, i64)>], clusters: usize, band: Band) -> ClusteredSamples {
        let width = band.width();
        let mut grid: Vec<i64> = sides.iter().flatten().map(|&(_, value)| width.center(value)).collect();
        grid.push(0);
        grid.sort_unstable();
        grid.dedup();
        let sides = sides.iter().map(|values| SampleSide::new(values, width, &grid)).collect();
        ClusteredSamples { clusters, band, grid, sides }
    }

    /// Returns the number of clusters, including clusters without values.
    pub fn clusters(&self) -> usize {
        self.clusters
    }

    pub fn count(&self, side: usize) -> usize {
        self.sides[side].places.len()
    }

    pub fn clusters_of(&self, side: usize) -> usize {
        self.sides[side].runs.len()
    }

    pub fn histogram(&self, side: usize) -> Histogram {
        let values = self.sides[side].places.iter().map(|&place| self.grid[place as usize]);
        Histogram::of(self.band.width(), values)
    }

    /// Returns the win probability of each value of the grid against the value 0.
    pub fn chances_against_zero(&self) -> WinProbabilities {
        let mut counts = vec![0.0; self.grid.len()];
        counts[self.grid.partition_point(|&center| center < 0)] = 1.0;
        self.chances(&counts)
    }

    /// Returns the win probability of each value of the grid against a side; ½ against a side without values.
    pub fn chances_against(&self, side: usize) -> WinProbabilities {
        self.chances(&self.counts(side, |_| 1.0))
    }

    /// Returns the number of times each value of the grid occurs on a side, in a sample that contains each
    /// cluster as often as `weights` says.
    pub fn resampled_counts(&self, side: usize, weights: &[u32]) -> Vec<f64> {
        self.counts(side, |cluster| f64::from(weights[cluster as usize]))
    }

    fn counts(&self, side: usize, weight: impl Fn(u32) -> f64) -> Vec<f64> {
        let mut counts = vec![0.0; self.grid.len()];
        for (cluster, places) in self.sides[side].by_cluster() {
            let weight = weight(cluster);
            if weight > 0.0 {
                places.iter().for_each(|&place| counts[place as usize] += weight);
            }
        }
        counts
    }

    /// Returns the win probability of each value of the grid against a side with these `counts`: half of the
    /// mean of [`Band::half_points`]. Two cursors pass over the grid: one at the first value that ties, the
    /// other after the last value that ties.
    ///
    /// The probability is ½ against a side without values.
    pub fn chances(&self, counts: &[f64]) -> WinProbabilities {
        let total: f64 = counts.iter().sum();
        if total == 0.0 {
            return vec![0.5; self.grid.len()];
        }
        let (mut first, mut end) = (0, 0);
        let (mut below, mut reached) = (0.0, 0.0);
        let chance = |&center: &i64| {
            let tied = self.band.tied_with(center);
            while self.grid[first] < *tied.start() {
                below += counts[first];
                first += 1;
            }
            while end < self.grid.len() && self.grid[end] <= *tied.end() {
                reached += counts[end];
                end += 1;
            }
            // The beaten values and half of the tied ones: (below + reached)/2.
            (below + reached) / (2.0 * total)
        };
        self.grid.iter().map(chance).collect()
    }

    /// Returns the mean of `chances` over a side's values, as counts and sums of its clusters.
    pub fn mean(&self, side: usize, chances: &WinProbabilities) -> ClusteredMean {
        let side = &self.sides[side];
        side.by_cluster().map(|(cluster, places)| (cluster, places.len(), sum(places, chances))).collect()
    }

    /// Returns the mean of `chances` over a side's values, in a sample that contains each cluster as often as
    /// `weights` says. `None` if the sample has no values of the side.
    pub fn resampled_mean(&self, side: usize, chances: &WinProbabilities, weights: &[u32]) -> Option<f64> {
        score(&self.resampled_counts(side, weights), chances)
    }
}

/// Returns the score of the first side against the second. `first` and `second` have the win probabilities of
/// a side's values against the opposing side. `None` if a side has no values.
///
/// The score is a mean over the values of both sides. So a cluster's shift of the score is the sum of two
/// shifts, one for each side (a U-statistic of two samples, Hoeffding 1948).
pub fn compare(first: &ClusteredMean, second: &ClusteredMean) -> Option<SampleComparison> {
    let (score, _) = (first.mean()?, second.mean()?);
    let against: Vec<Influence> =
        second.influences().iter().map(|&(cluster, shift)| (cluster, -shift)).collect();
    Some(SampleComparison { score, influences: added(&first.influences(), &against) })
}

fn sum(places: &[u32], chances: &WinProbabilities) -> f64 {
    places.iter().map(|&place| chances[place as usize]).sum()
}

/// Returns the expected score of a side with these `counts`; `None` without values.
pub fn score(counts: &[f64], chances: &WinProbabilities) -> Option<f64> {
    let total: f64 = counts.iter().sum();
    let won: f64 = counts.iter().zip(chances).map(|(count, chance)| count * chance).sum();
    (total > 0.0).then(|| won / total)
}

impl SampleSide {
    fn new(values: &[(u32, i64)], width: BinWidth, grid: &[i64]) -> SampleSide {
        let mut side = SampleSide { places: Vec::with_capacity(values.len()), runs: Vec::new() };
        for &(cluster, value) in values {
            let center = width.center(value);
            side.places.push(grid.partition_point(|&other| other < center) as u32);
            match side.runs.last_mut() {
                Some((last, end)) if *last == cluster => *end += 1,
                _ => side.runs.push((cluster, side.places.len())),
            }
        }
        side
    }

    fn by_cluster(&self) -> impl Iterator<Item = (u32, &[u32])> {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|&(_, end)| end));
        self.runs.iter().zip(starts).map(|(&(cluster, end), start)| (cluster, &self.places[start..end]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::numbers::{
        stats::bootstrap::Bootstrap, stats::clusters::standard_error, stats::estimate,
        stats::expected_score::ExpectedScore, stats::histogram::BinWidth,
    };

    fn contest(sides: &[Vec<(u32, i64)>], clusters: usize, tie: u32) -> ClusteredSamples {
        ClusteredSamples::new(sides, clusters, Band::within(tie))
    }

    fn compared(contest: &ClusteredSamples) -> Option<SampleComparison> {
        let over = |a, b| contest.mean(a, &contest.chances_against(b));
        compare(&over(0, 1), &over(1, 0))
    }

    #[test]
    fn a_comparison_by_hand() {
        // X: cluster 0 has 0 and 2, cluster 1 has 1. Y: cluster 1 has 0 and 1. Of six pairs 0–0
        // and 1–1 tie, 0–1 is lost, three are won: 4/6. Chances of X's values against Y: 0 → ¼,
        // 1 → ¾, 2 → 1; shifts of X: √2·(1.25 − 2·4/6)/3, √2·(0.75 − 4/6)/3. Those of Y's values
        // against X: 0 → 1/6, 1 → ½; mean 1/3, one cluster, shift 0.
        let contest = contest(&[vec![(0, 0), (0, 2), (1, 1)], vec![(1, 0), (1, 1)]], 2, 0);
        assert_eq!(contest.chances_against(1), [0.25, 0.75, 1.0]);
        let comparison = compared(&contest).expect("values");
        assert!((comparison.score - 4.0 / 6.0).abs() < 1e-15);
        let shifts: Vec<f64> = comparison.influences.iter().map(|&(_, shift)| shift).collect();
        let shift = 2f64.sqrt() / 36.0;
        assert!((shifts[0] + shift).abs() < 1e-15 && (shifts[1] - shift).abs() < 1e-15, "{shifts:?}");
    }

    #[test]
    fn the_error_by_influences_is_that_of_a_bootstrap() {
        // Forty clusters of five values a side, drawn by a fixed rule with an effect by cluster.
        let value = |cluster: u32, i: u32, side: u32| {
            i64::from((cluster * 7919 + i * 104_729 + side * 31) % 23) + i64::from(cluster * cluster % 17)
        };
        let side =
            |side| (0..40).flat_map(|c| (0..5).map(move |i| (c, value(c, i, side)))).collect::<Vec<_>>();
        let contest = contest(&[side(0), side(1)], 40, 2);
        let comparison = compared(&contest).expect("values");
        let analytic = standard_error(&comparison.influences).expect("clusters");
        let scores = Bootstrap { samples: 4000, seed: 1 }.replicates(40, |weights| {
            let chances = contest.chances(&contest.resampled_counts(1, weights));
            contest.resampled_mean(0, &chances, weights).expect("values")
        });
        let ratio = estimate::standard_deviation(&scores) / analytic;
        assert!((ratio - 1.0).abs() < 0.06, "{ratio}");
    }

    fn values() -> impl Strategy<Value = Vec<(u32, i64)>> {
        prop::collection::vec((0u32..6, -25i64..25), 1..60).prop_map(|mut values| {
            values.sort_by_key(|&(cluster, _)| cluster);
            values
        })
    }

    proptest! {
        #[test]
        fn the_cursors_give_each_value_the_half_points_that_the_band_gives_one_by_one(
            x in values(), y in values(), width in 1u32..6, bins in 0u32..4,
        ) {
            let band = Band::new(BinWidth::new(width).expect("a width"), bins * width).expect("whole bins");
            let samples = ClusteredSamples::new(&[x, y], 6, band);
            let (grid, counts) = (&samples.grid, samples.counts(1, |_| 1.0));
            for (chance, &center) in samples.chances(&counts).into_iter().zip(grid) {
                let points = |(&other, &count): (&i64, &f64)| count * f64::from(band.half_points(center - other));
                let points: f64 = grid.iter().zip(&counts).map(points).sum();
                prop_assert!((chance - points / (2.0 * counts.iter().sum::<f64>())).abs() < 1e-12);
            }
        }

        #[test]
        fn scores_are_those_of_the_histograms(x in values(), y in values(), width in 1u32..6, bins in 0u32..4) {
            let band = Band::new(BinWidth::new(width).expect("a width"), bins * width).expect("whole bins");
            let contest = ClusteredSamples::new(&[x, y], 6, band);
            let (a, b) = (contest.histogram(0), contest.histogram(1));
            let exact = |x: &Histogram, y: &Histogram| {
                ExpectedScore::of(x.distribution().expect("values"), y.distribution().expect("values"), band).value()
            };
            let comparison = compared(&contest).expect("values");
            prop_assert!((comparison.score - exact(&a, &b)).abs() < 1e-12);
            prop_assert!(comparison.influences.iter().map(|(_, shift)| shift).sum::<f64>().abs() < 1e-12);
            let zero = contest.mean(0, &contest.chances_against_zero()).mean().expect("values");
            prop_assert!((zero - exact(&a, &Histogram::delta(band.width()))).abs() < 1e-12);
        }
    }
}
