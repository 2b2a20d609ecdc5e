//! [`Band`]: the rule for ties between binned values.

use std::ops::RangeInclusive;

use super::histogram::BinWidth;

/// Two values tie if the distance between the centers of their bins is at most the tie distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Band {
    width: BinWidth,
    tie: u32,
}

/// The error for a tie distance that ends inside a bin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a tie of ±{tie} is not a multiple of the bin width {width}; use ±{} or ±{}",
    tie / width * width,
    (tie / width).saturating_add(1).saturating_mul(*width)
)]
pub struct BrokenBin {
    tie: u32,
    width: u32,
}

impl Band {
    /// Returns the rule for bins of `width` with a tie distance of `tie`, both in the unit of the values. It
    /// is an error if `tie` is not a multiple of `width`.
    pub fn new(width: BinWidth, tie: u32) -> Result<Band, BrokenBin> {
        match tie.is_multiple_of(width.get()) {
            true => Ok(Band { width, tie }),
            false => Err(BrokenBin { tie, width: width.get() }),
        }
    }

    /// Returns the rule for bins of one unit, for which any tie distance is valid.
    pub fn within(tie: u32) -> Band {
        Band { width: BinWidth::default(), tie }
    }

    /// Returns the width of a bin.
    pub fn width(self) -> BinWidth {
        self.width
    }

    /// Returns the largest distance between centers that tie. With 0 only equal centers tie.
    pub fn tie(self) -> u32 {
        self.tie
    }

    /// Returns the half-points of a bin center: 2 for a win, 1 for a tie, 0 for a loss. The opposing center
    /// is `difference` below it.
    #[inline]
    pub fn half_points(self, difference: i64) -> u32 {
        let tie = i64::from(self.tie);
        1 + u32::from(difference > tie) - u32::from(difference < -tie)
    }

    /// Returns the range of centers that tie with `center` by the rule of [`Band::half_points`].
    pub fn tied_with(self, center: i64) -> RangeInclusive<i64> {
        let tie = i64::from(self.tie);
        center.saturating_sub(tie)..=center.saturating_add(tie)
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
    fn a_tie_of_whole_bins_is_accepted_and_any_other_is_refused_with_its_neighbors() {
        assert_eq!(band(10, 20).map(|band| (band.width().get(), band.tie())), Ok((10, 20)));
        assert_eq!(band(1, 7), Ok(Band::within(7)));
        assert_eq!(band(1, 0), Ok(Band::default()));
        assert_eq!(
            band(10, 25).map_err(|error| error.to_string()),
            Err("a tie of ±25 is not a multiple of the bin width 10; use ±20 or ±30".to_owned())
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
            let (a, b) = (band.width().center(a), band.width().center(b));
            prop_assert_eq!(band.half_points(a - b) + band.half_points(b - a), 2);
            prop_assert_eq!(band.half_points(a - b) == 1, band.tied_with(b).contains(&a));
        }
    }
}
