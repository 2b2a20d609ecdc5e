//! [`GainCounts`]: counts of the gains in a group. They take little memory in small groups and are fast in
//! large groups.

use std::collections::BTreeMap;

use crate::numbers::{BinWidth, Histogram};

/// Counts of gains by the center of their bin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GainCounts {
    /// For few different gains, and for gains far apart.
    Sparse(BTreeMap<i32, u64>),
    /// For many different gains: one count for each value from the lowest gain to the highest.
    Dense {
        /// The gain of the first count.
        lowest: i32,
        /// The counts of consecutive gains, from the lowest gain on.
        counts: Vec<u64>,
    },
}

/// A group with more than this number of different gains becomes dense, unless the gains are too far apart;
/// see [`WIDEST`].
const MANY: usize = 256;

/// A group becomes dense only if its range of gains is at most this many times the number of different gains.
/// A dense group becomes sparse again if a new gain makes its range more than this many times as wide. The
/// limit prevents millions of empty counts for a few distant gains.
const WIDEST: usize = 64;

impl GainCounts {
    /// Counts a gain `times` times.
    #[inline]
    pub fn add(&mut self, gain: i32, times: u64) {
        if let GainCounts::Dense { lowest, counts } = self
            // A gain below the lowest wraps around to an index out of range.
            && let Some(count) = counts.get_mut(gain.wrapping_sub(*lowest) as u32 as usize)
        {
            *count += times;
        } else {
            self.add_new(gain, times);
        }
    }

    /// Counts a gain that may not have a count yet.
    fn add_new(&mut self, gain: i32, times: u64) {
        match self {
            GainCounts::Sparse(counts) => {
                *counts.entry(gain).or_default() += times;
                if counts.len() > MANY && span(counts) <= WIDEST * counts.len() {
                    *self = GainCounts::dense(counts);
                }
            }
            GainCounts::Dense { lowest, counts } => {
                let highest = *lowest + counts.len() as i32 - 1;
                let (from, to) = (gain.min(*lowest), gain.max(highest));
                if (to - from) as usize >= WIDEST * counts.len() {
                    *self = GainCounts::Sparse(self.iter().collect());
                    return self.add_new(gain, times);
                }
                let mut wider = vec![0; (to - from) as usize + 1];
                let at = (*lowest - from) as usize;
                wider[at..at + counts.len()].copy_from_slice(counts);
                wider[(gain - from) as usize] += times;
                (*lowest, *counts) = (from, wider);
            }
        }
    }

    fn dense(counts: &BTreeMap<i32, u64>) -> GainCounts {
        let (Some((&lowest, _)), Some((&highest, _))) = (counts.first_key_value(), counts.last_key_value())
        else {
            return GainCounts::default();
        };
        let mut dense = vec![0; (highest - lowest) as usize + 1];
        for (&gain, &count) in counts {
            dense[(gain - lowest) as usize] = count;
        }
        GainCounts::Dense { lowest, counts: dense }
    }

    /// Returns each gain with its count, in ascending order.
    pub fn iter(&self) -> Box<dyn Iterator<Item = (i32, u64)> + '_> {
        match self {
            GainCounts::Sparse(counts) => Box::new(counts.iter().map(|(&gain, &count)| (gain, count))),
            GainCounts::Dense { lowest, counts } => {
                Box::new((*lowest..).zip(counts.iter().copied()).filter(|&(_, count)| count > 0))
            }
        }
    }

    /// Returns the histogram of these gains, in bins of `width`.
    pub fn histogram(&self, width: BinWidth) -> Histogram {
        let mut histogram = Histogram::new(width);
        self.iter().for_each(|(gain, count)| histogram.add_times(i64::from(gain), count));
        histogram
    }
}

fn span(counts: &BTreeMap<i32, u64>) -> usize {
    match (counts.first_key_value(), counts.last_key_value()) {
        (Some((&lowest, _)), Some((&highest, _))) => (highest - lowest) as usize + 1,
        _ => 0,
    }
}

impl Default for GainCounts {
    fn default() -> GainCounts {
        GainCounts::Sparse(BTreeMap::new())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn gains_far_from_each_other_take_no_memory_for_those_between() {
        let mut counts = GainCounts::default();
        (0..300).for_each(|gain| counts.add(gain, 1));
        assert!(matches!(counts, GainCounts::Dense { .. }));
        counts.add(-200_000, 2);
        assert!(matches!(counts, GainCounts::Sparse(_)));
        (0..300).for_each(|gain| counts.add(1_000 * gain - 150_000, 1));
        assert!(matches!(counts, GainCounts::Sparse(_)));
        assert_eq!(counts.iter().map(|(_, count)| count).sum::<u64>(), 602);
        assert_eq!(counts.iter().next(), Some((-200_000, 2)));
    }

    proptest! {
        #[test]
        fn many_gains_are_counted_as_a_few_are(gains in prop::collection::vec(-3000i32..3000, 0..900)) {
            let mut counts = GainCounts::default();
            let mut expected = BTreeMap::new();
            for &gain in &gains {
                counts.add(gain, 1);
                *expected.entry(gain).or_default() += 1;
            }
            prop_assert_eq!(matches!(counts, GainCounts::Dense { .. }), expected.len() > MANY);
            prop_assert_eq!(counts.iter().collect::<Vec<_>>(), expected.into_iter().collect::<Vec<_>>());
            let histogram = Histogram::of(BinWidth::default(), gains.into_iter().map(i64::from));
            prop_assert_eq!(counts.histogram(BinWidth::default()), histogram);
        }
    }
}
