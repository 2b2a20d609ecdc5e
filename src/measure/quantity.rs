//! [`Quantity`]: the unit and the decimals of a number.

use crate::base::text::rounded;

/// A number's unit and decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    pub unit: Unit,
    pub decimals: Decimals,
}

/// Defines [`Unit`] from one line per unit: the unit's name in the code, its name in the documentation, and
/// its default decimals.
macro_rules! units {
    ($($unit:ident: $name:literal, $decimals:expr;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Unit {
            $(#[doc = $name] $unit,)*
        }

        impl Unit {
            pub fn name(self) -> &'static str {
                match self {
                    $(Unit::$unit => $name,)*
                }
            }

            /// Returns the quantity of this unit with its default decimals.
            pub const fn usual(self) -> Quantity {
                match self {
                    $(Unit::$unit => self.with($decimals),)*
                }
            }
        }
    };
}

units! {
    // As many decimals as in the paper, which resolve a half-point of 700 moves.
    Score: "points a game, 0 to 1", Decimals::Of(6, 4);
    ScoreDifference: "points a game, −1 to 1", Decimals::Of(6, 4);
    ScoreSlope: "points a game for 400 Elo points", Decimals::Of(6, 4);
    Share: "share, 0 to 1", Decimals::Of(4, 4);
    ShareDifference: "difference of shares, −1 to 1", Decimals::Of(6, 4);
    Excess: "ratio, 0 or more", Decimals::Of(4, 4);
    Probability: "probability", Decimals::Of(6, 3);
    StandardErrors: "standard errors", Decimals::Of(4, 2);
    Correlation: "−1 to 1", Decimals::Of(4, 3);
    Pure: "no unit", Decimals::Of(4, 2);
    Elo: "Elo points", Decimals::Of(2, 1);
    EloAPly: "Elo points a ply", Decimals::Of(2, 1);
    Points: "points", Decimals::Of(1, 1);
    Games: "games", Decimals::Of(4, 2);
    Moves: "moves", Decimals::Of(2, 1);
    Plies: "plies", Decimals::Of(4, 3);
    Seconds: "seconds", Decimals::Of(2, 2);
    Centipawns: "centipawns", Decimals::Of(2, 1);
    Gain: "centipawns, or hundredths of a percentage point with another metric", Decimals::Of(2, 2);
    Percent: "percent", Decimals::Of(2, 1);
    PercentagePoints: "percentage points", Decimals::Of(4, 2);
    Nats: "nats", Decimals::Of(4, 2);
    // A neighboring column names the statistic, and that name ends with its unit.
    Row: "the unit that the row names", Decimals::Of(4, 2);
    Objective: "the unit of its objective", Decimals::All;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimals {
    /// Decimals in CSV, and decimals on screen if the table does not set others.
    Of(usize, usize),
    /// Decimals of Elo points, but none for a whole number: a rating from a tag is whole, a mean of tags is
    /// not.
    Rating,
    /// All decimals in CSV, for computations; two decimals on screen.
    All,
}

impl Quantity {
    /// A score with one decimal fewer on screen than usual.
    pub const GAME_SCORE: Quantity = Unit::Score.with(Decimals::Of(6, 3));

    pub const POINTS_SHARE: Quantity = Unit::Share.with(Decimals::Of(2, 1));

    /// A share of the moves in one bin of a histogram. Such a share may be tiny.
    pub const BIN_SHARE: Quantity = Unit::Share.with(Decimals::Of(8, 4));

    /// A rating, whole if it is from a tag.
    pub const RATING: Quantity = Unit::Elo.with(Decimals::Rating);
}

impl Unit {
    pub const fn with(self, decimals: Decimals) -> Quantity {
        Quantity { unit: self, decimals }
    }
}

impl From<Unit> for Quantity {
    fn from(unit: Unit) -> Quantity {
        unit.usual()
    }
}

impl Decimals {
    /// Formats `value` for CSV; `None` if it is not finite.
    pub fn in_csv(self, value: f64) -> Option<String> {
        value.is_finite().then(|| match self {
            Decimals::Of(in_file, _) => rounded(value, in_file),
            Decimals::Rating => rounded(value, if value.fract() == 0.0 { 0 } else { 2 }),
            Decimals::All => value.to_string(),
        })
    }

    /// Returns the number of decimals on screen, if the table does not set another.
    pub fn shown(self, value: f64) -> usize {
        match self {
            Decimals::Of(_, shown) => shown,
            Decimals::Rating => usize::from(value.fract() != 0.0),
            Decimals::All => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_from_a_tag_is_whole_and_a_mean_of_tags_is_not() {
        let in_csv = |quantity: Quantity, value: f64| quantity.decimals.in_csv(value);
        assert_eq!(in_csv(Quantity::RATING, 2872.0).as_deref(), Some("2872"));
        assert_eq!(in_csv(Quantity::RATING, 2786.5).as_deref(), Some("2786.50"));
        assert_eq!(in_csv(Unit::Score.into(), 0.3702871).as_deref(), Some("0.370287"));
        assert_eq!(in_csv(Unit::Elo.into(), -0.001).as_deref(), Some("0.00"));
        assert_eq!(in_csv(Unit::Elo.into(), f64::NAN), None);
        assert_eq!(in_csv(Unit::Objective.into(), -0.529828701023555).as_deref(), Some("-0.529828701023555"));
    }
}
