//! [`ValueCounts`]: counts of whole numbers, small in memory for few different values, and fast for many.

use std::collections::BTreeMap;

use super::histogram::{BinWidth, Histogram};

/// The number of times that each value occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueCounts {
    /// For few different values, and for values far apart.
    Sparse(BTreeMap<i32, u64>),
    /// For many different values: one count for each whole number from the lowest value to the highest.
    Dense {
        /// The value of the first count.
        lowest: i32,
        /// The counts of consecutive values, from the lowest value on.
        counts: Vec<u64>,
    },
}

/// Counts of more different values than this become dense, unless [`WIDEST`] forbids it.
const MANY: usize = 256;

/// Counts become dense only if the range of values is at most this many times the number of different values.
/// Dense counts become sparse again if a new value makes the range more than this many times as wide as
/// before. The limit prevents millions of empty counts for a few distant values.
const WIDEST: usize = 64;

impl ValueCounts {
    /// Counts a value `times` times.
    #[inline]
    pub fn add(&mut self, value: i32, times: u64) {
        if let ValueCounts::Dense { lowest, counts } = self
            // A value below the lowest wraps around to an index out of range.
            && let Some(count) = counts.get_mut(value.wrapping_sub(*lowest) as u32 as usize)
        {
            *count += times;
        } else {
            self.add_new(value, times);
        }
    }

    /// Counts a value that may not have a count yet.
    fn add_new(&mut self, value: i32, times: u64) {
        match self {
            ValueCounts::Sparse(counts) => {
                *counts.entry(value).or_default() += times;
                if counts.len() > MANY && span(counts) <= WIDEST * counts.len() {
                    *self = ValueCounts::dense(counts);
                }
            }
            ValueCounts::Dense { lowest, counts } => {
                let highest = *lowest + counts.len() as i32 - 1;
                let (from, to) = (value.min(*lowest), value.max(highest));
                if (to - from) as usize >= WIDEST * counts.len() {
                    *self = ValueCounts::Sparse(self.iter().collect());
                    return self.add_new(value, times);
                }
                let mut wider = vec![0; (to - from) as usize + 1];
                let at = (*lowest - from) as usize;
                wider[at..at + counts.len()].copy_from_slice(counts);
                wider[(value - from) as usize] += times;
                (*lowest, *counts) = (from, wider);
            }
        }
    }

    fn dense(counts: &BTreeMap<i32, u64>) -> ValueCounts {
        let (Some((&lowest, _)), Some((&highest, _))) = (counts.first_key_value(), counts.last_key_value())
        else {
            return ValueCounts::default();
        };
        let mut dense = vec![0; (highest - lowest) as usize + 1];
        for (&value, &count) in counts {
            dense[(value - lowest) as usize] = count;
        }
        ValueCounts::Dense { lowest, counts: dense }
    }

    /// Returns each value with its count, in ascending order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (i32, u64)> + '_> {
        match self {
            ValueCounts::Sparse(counts) => Box::new(counts.iter().map(|(&value, &count)| (value, count))),
            ValueCounts::Dense { lowest, counts } => {
                Box::new((*lowest..).zip(counts.iter().copied()).filter(|&(_, count)| count > 0))
            }
        }
    }

    /// Returns the number of counted values.
    pub fn total(&self) -> u64 {
        self.iter().map(|(_, count)| count).sum()
    }

    /// Returns the quantile for `share`: the smallest value that at least this share of the values does not
    /// exceed. `None` without values.
    pub fn quantile(&self, share: f64) -> Option<i32> {
        let wanted = (share * self.total() as f64).ceil().max(1.0);
        let mut below = 0;
        let reached = self.iter().find(|&(_, count)| {
            below += count;
            below as f64 >= wanted
        });
        reached.map(|(value, _)| value)
    }

    /// Returns the histogram of these values, in bins of `width`.
    pub fn histogram(&self, width: BinWidth) -> Histogram {
        let mut histogram = Histogram::new(width);
        self.iter().for_each(|(value, count)| histogram.add_times(i64::from(value), count));
        histogram
    }
}

fn span(counts: &BTreeMap<i32, u64>) -> usize {
    match (counts.first_key_value(), counts.last_key_value()) {
        (Some((&lowest, _)), Some((&highest, _))) => (highest - lowest) as usize + 1,
        _ => 0,
    }
}

impl Default for ValueCounts {
    fn default() -> ValueCounts {
        ValueCounts::Sparse(BTreeMap::new())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn gains_far_from_each_other_take_no_memory_for_those_between() {
        let mut counts = ValueCounts::default();
        (0..300).for_each(|gain| counts.add(gain, 1));
        assert!(matches!(counts, ValueCounts::Dense { .. }));
        counts.add(-200_000, 2);
        assert!(matches!(counts, ValueCounts::Sparse(_)));
        (0..300).for_each(|gain| counts.add(1_000 * gain - 150_000, 1));
        assert!(matches!(counts, ValueCounts::Sparse(_)));
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 602);
        assert_eq!(counts.iter().next(), Some((-200_000, 2)));
    }

    proptest! {
        #[test]
        fn many_gains_are_counted_as_a_few_are(gains in prop::collection::vec(-3000i32..3000, 0..900)) {
            let mut counts = ValueCounts::default();
            let mut expected = BTreeMap::new();
            for &gain in &gains {
                counts.add(gain, 1);
                *expected.entry(gain).or_default() += 1;
            }
            prop_assert_eq!(matches!(counts, ValueCounts::Dense { .. }), expected.len() > MANY);
            prop_assert_eq!(counts.iter().collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>());
            let histogram = Histogram::of(BinWidth::default(), gains.into_iter().map(i64::from));
            prop_assert_eq!(counts.histogram(BinWidth::default()), histogram);
        }
    }
}
