//! [`Histogram`]: counts of values in bins of equal width, and its normalized form [`Distribution`].

use std::{collections::BTreeMap, fmt, num::NonZeroU32, ops::AddAssign};

/// Counts of whole values in bins of equal width. One bin is centered on 0.
///
/// Bin `k` of width `w` holds the values nearest to `k·w`. A value half-way between two bins belongs to the
/// bin farther from 0, so negating every value mirrors the histogram.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Histogram {
    width: BinWidth,
    counts: BTreeMap<i64, u64>,
    total: u64,
}

/// The width of a bin in the unit of the values, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BinWidth(NonZeroU32);

/// The numbers of values above, in and below the bin of 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Signs {
    pub positive: u64,
    pub zero: u64,
    pub negative: u64,
}

impl BinWidth {
    /// Returns a width of `width` units; `None` for 0.
    pub fn new(width: u32) -> Option<BinWidth> {
        NonZeroU32::new(width).map(BinWidth)
    }

    /// Returns the width in the unit of the values.
    pub fn get(self) -> u32 {
        self.0.get()
    }

    /// Returns the center of the bin that holds `value`.
    pub fn center(self, value: i64) -> i64 {
        self.bin_of(value) * i64::from(self.get())
    }

    /// Returns the number k of the bin that holds `value`: k times the width is nearest to `value`, and
    /// halves are rounded away from 0.
    fn bin_of(self, value: i64) -> i64 {
        let width = i64::from(self.get());
        // Saves a division for each of millions of gains.
        if width == 1 {
            return value;
        }
        let magnitude = (2 * value.abs() + width) / (2 * width);
        magnitude * value.signum()
    }
}

impl fmt::Display for BinWidth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl Default for BinWidth {
    /// Returns one unit, which gives each value its own bin.
    fn default() -> BinWidth {
        BinWidth(NonZeroU32::MIN)
    }
}

impl Histogram {
    /// Returns a histogram without values.
    pub fn new(width: BinWidth) -> Histogram {
        Histogram { width, counts: BTreeMap::new(), total: 0 }
    }

    /// Returns the histogram of `values`.
    pub fn of(width: BinWidth, values: impl IntoIterator<Item = i64>) -> Histogram {
        let mut histogram = Histogram::new(width);
        values.into_iter().for_each(|value| histogram.add(value));
        histogram
    }

    /// Returns a histogram with one peak at 0, as of a player who never gains or loses. It is Ferreira's
    /// approximation of the engine (Section 4.3).
    pub fn delta(width: BinWidth) -> Histogram {
        Histogram::of(width, [0])
    }

    /// Counts one more value.
    pub fn add(&mut self, value: i64) {
        self.add_times(value, 1);
    }

    /// Counts a value `times` times; 0 times adds no bin.
    pub fn add_times(&mut self, value: i64, times: u64) {
        if times > 0 {
            *self.counts.entry(self.width.bin_of(value)).or_default() += times;
            self.total += times;
        }
    }

    /// Returns the number of values.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Returns the width of a bin.
    pub fn width(&self) -> BinWidth {
        self.width
    }

    /// Returns the center and count of each nonempty bin, in ascending order.
    pub fn bins(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> {
        let width = i64::from(self.width.get());
        self.counts.iter().map(move |(&bin, &count)| (bin * width, count))
    }

    /// Returns the numbers of values above, in and below the bin of 0.
    pub fn signs(&self) -> Signs {
        let zero = self.counts.get(&0).copied().unwrap_or_default();
        let positive = self.counts.range(1..).map(|(_, count)| count).sum();
        Signs { positive, zero, negative: self.total - zero - positive }
    }

    /// Returns the normalized histogram f\[n\] of Ferreira's Eq. (7); `None` without values.
    pub fn distribution(&self) -> Option<Distribution<'_>> {
        (self.total > 0).then_some(Distribution { histogram: self })
    }
}

impl AddAssign<&Histogram> for Histogram {
    /// Adds the counts of `other`.
    ///
    /// # Panics
    ///
    /// If the bin widths differ.
    fn add_assign(&mut self, other: &Histogram) {
        assert_eq!(self.width, other.width, "histograms of one bin width");
        for (&bin, &count) in &other.counts {
            *self.counts.entry(bin).or_default() += count;
        }
        self.total += other.total;
    }
}

/// A histogram with at least one value, as probabilities.
#[derive(Debug, Clone, Copy)]
pub struct Distribution<'a> {
    histogram: &'a Histogram,
}

impl<'a> Distribution<'a> {
    pub fn histogram(self) -> &'a Histogram {
        self.histogram
    }

    /// Returns the probability of a bin that holds `count` values.
    pub fn share(self, count: u64) -> f64 {
        count as f64 / self.histogram.total as f64
    }

    /// Returns each nonempty bin's center and probability, in ascending order. The probabilities sum to 1.
    pub fn probabilities(self) -> impl DoubleEndedIterator<Item = (i64, f64)> + 'a {
        self.histogram.bins().map(move |(center, count)| (center, self.share(count)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn width(width: u32) -> BinWidth {
        BinWidth::new(width).expect("a width above 0")
    }

    #[test]
    fn a_bin_of_ten_is_centered_on_its_multiple() {
        let histogram = Histogram::of(width(10), [-5, -4, 0, 4, 5, 14, 15]);
        let bins: Vec<_> = histogram.bins().collect();
        assert_eq!(bins, [(-10, 1), (0, 3), (10, 2), (20, 1)]);
    }

    #[test]
    fn signs_count_what_is_above_in_and_below_the_bin_of_zero() {
        let signs = Histogram::of(width(1), [-2, -1, 0, 3]).signs();
        assert_eq!((signs.positive, signs.zero, signs.negative), (1, 1, 2));
    }

    #[test]
    fn an_empty_histogram_has_no_distribution() {
        assert!(Histogram::new(width(1)).distribution().is_none());
    }

    proptest! {
        #[test]
        fn merging_the_histograms_of_parts_is_the_histogram_of_the_whole(
            values in prop::collection::vec(-2000i64..2000, 0..200), cut in 0usize..200, w in 1u32..40,
        ) {
            let (left, right) = values.split_at(cut.min(values.len()));
            let mut merged = Histogram::of(width(w), left.iter().copied());
            merged += &Histogram::of(width(w), right.iter().copied());
            prop_assert_eq!(merged, Histogram::of(width(w), values));
        }

        #[test]
        fn probabilities_sum_to_one(values in prop::collection::vec(-50i64..50, 1..100), w in 1u32..40) {
            let histogram = Histogram::of(width(w), values);
            let distribution = histogram.distribution().expect("there are values");
            let sum: f64 = distribution.probabilities().map(|(_, p)| p).sum();
            prop_assert!((sum - 1.0).abs() < 1e-12);
        }

        #[test]
        fn negating_every_value_mirrors_the_bins(values in prop::collection::vec(-300i64..300, 0..100), w in 1u32..40) {
            let plus = Histogram::of(width(w), values.iter().copied());
            let minus = Histogram::of(width(w), values.iter().map(|value| -value));
            let mirrored: Vec<_> = minus.bins().rev().map(|(center, count)| (-center, count)).collect();
            prop_assert_eq!(plus.bins().collect::<Vec<_>>(), mirrored);
        }
    }
}
