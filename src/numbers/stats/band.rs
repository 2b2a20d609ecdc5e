//! Owns [`Band`]: when two binned values tie, and what a value scores against another.

use std::ops::RangeInclusive;

use super::histogram::BinWidth;

/// The rule by which two values, each taken at the centre of its bin, tie: when they are no farther
/// apart than a distance that is a whole number of bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Band {
    width: BinWidth,
    tie: u32,
}

/// A tie that ends inside of a bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a tie of ±{tie} is no multiple of the bin width {width}: values are told apart by whole bins, so ±{} or ±{} can tie",
    tie / width * width,
    (tie / width).saturating_add(1).saturating_mul(*width)
)]
pub struct BrokenBin {
    tie: u32,
    width: u32,
}

impl Band {
    /// Returns the rule for bins of `width` whose centres tie within `tie`, both in the unit of the values; an error where `tie`
    /// is no multiple of `width`, and so would be another tie than it says.
    pub fn new(width: BinWidth, tie: u32) -> Result<Band, BrokenBin> {
        match tie.is_multiple_of(width.get()) {
            true => Ok(Band { width, tie }),
            false => Err(BrokenBin { tie, width: width.get() }),
        }
    }

    /// Returns the rule for bins of one unit, which any whole number of units is a multiple of.
    pub fn within(tie: u32) -> Band {
        Band { width: BinWidth::default(), tie }
    }

    /// Returns the width of a bin.
    pub fn width(self) -> BinWidth {
        self.width
    }

    /// Returns how far apart two centres may be and tie; 0 where only equal ones do.
    pub fn tie(self) -> u32 {
        self.tie
    }

    /// Returns the half-points of a value that is `difference` above another, both centres of bins: 2 for
    /// a win, 1 for a tie, 0 for a loss.
    #[inline]
    pub fn half_points(self, difference: i64) -> u32 {
        let tie = i64::from(self.tie);
        1 + u32::from(difference > tie) - u32::from(difference < -tie)
    }

    /// Returns the centres that tie with `centre`: what [`Band::half_points`] finds for each difference,
    /// for those who pass over many centres in order.
    pub fn tied_with(self, centre: i64) -> RangeInclusive<i64> {
        let tie = i64::from(self.tie);
        centre.saturating_sub(tie)..=centre.saturating_add(tie)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn band(width: u32, tie: u32) -> Result<Band, BrokenBin> {
        Band::new(BinWidth::new(width).expect("a width above 0"), tie)
    }

    #[test]
    fn a_tie_of_whole_bins_is_accepted_and_any_other_is_refused_with_its_neighbours() {
        assert_eq!(band(10, 20).map(|band| (band.width().get(), band.tie())), Ok((10, 20)));
        assert_eq!(band(1, 7), Ok(Band::within(7)));
        assert_eq!(band(1, 0), Ok(Band::default()));
        assert_eq!(
            band(10, 25).map_err(|error| error.to_string()),
            Err("a tie of ±25 is no multiple of the bin width 10: values are told apart by whole bins, so ±20 \
                 or ±30 can tie"
                .to_owned())
        );
        assert!(
            band(u32::MAX - 1, u32::MAX).expect_err("no multiple").to_string().contains("or ±4294967295")
        );
    }

    #[test]
    fn the_edges_of_the_band_tie() {
        let points = [-21, -20, 0, 20, 21].map(|difference| Band::within(20).half_points(difference));
        assert_eq!(points, [0, 1, 1, 1, 2]);
        assert_eq!([-1, 0, 1].map(|difference| Band::default().half_points(difference)), [0, 1, 2]);
    }

    proptest! {
        #[test]
        fn both_sides_share_two_half_points_and_the_tied_are_those_with_one(
            width in 1u32..30, bins in 0u32..9, a in -400i64..400, b in -400i64..400,
        ) {
            let band = band(width, bins * width).expect("whole bins");
            let (a, b) = (band.width().centre(a), band.width().centre(b));
            prop_assert_eq!(band.half_points(a - b) + band.half_points(b - a), 2);
            prop_assert_eq!(band.half_points(a - b) == 1, band.tied_with(b).contains(&a));
        }
    }
}
