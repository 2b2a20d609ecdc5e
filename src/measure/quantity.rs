//! Owns [`Quantity`]: the unit of a number, and its decimals.

use std::fmt;

use crate::chess::text::rounded;

/// A number's unit, and how many decimals it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quantity {
    /// The unit.
    pub unit: Unit,
    /// The decimals.
    pub decimals: Decimals,
}

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Points a game: an expected score, or a score.
    Score,
    /// The difference of two scores.
    ScoreDifference,
    /// Points a game for 400 Elo points of the opponent.
    ScoreSlope,
    /// A share from 0 to 1.
    Share,
    /// The difference of two shares.
    ShareDifference,
    /// A share of something smaller, which may be above 1.
    Excess,
    /// The chance of something.
    Probability,
    /// Standard errors.
    StandardErrors,
    /// A coefficient of correlation.
    Correlation,
    /// A number without a unit, such as χ².
    Pure,
    /// Elo points.
    Elo,
    /// Elo points for a ply of depth.
    EloAPly,
    /// Half-points and points of games.
    Points,
    /// Games.
    Games,
    /// Moves.
    Moves,
    /// Plies.
    Plies,
    /// Seconds.
    Seconds,
    /// Centipawns.
    Centipawns,
    /// The unit of gains by the run's metric.
    Gain,
    /// Percent.
    Percent,
    /// Percentage points.
    PercentagePoints,
    /// Natural logarithms of chances.
    Nats,
    /// The unit that another column of the row names: "its name ends with its unit".
    Row,
    /// The unit of the objective that the row names.
    Objective,
}

/// How many decimals a number has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decimals {
    /// So many in CSV, and so many before a reader's eyes where the table does not say otherwise.
    Of(usize, usize),
    /// Those of Elo points, but none of a whole number: a rating from a tag is whole, and a mean of tags is not.
    Rating,
    /// All in CSV, since they are computed with, and two shown.
    All,
}

impl Quantity {
    /// A score of games between engines, of which readers see one decimal less.
    pub const GAME_SCORE: Quantity = Unit::Score.with(Decimals::Of(6, 3));

    /// A share of the points.
    pub const POINTS_SHARE: Quantity = Unit::Share.with(Decimals::Of(2, 1));

    /// A share of the moves: one bin of a histogram may have very few.
    pub const BIN_SHARE: Quantity = Unit::Share.with(Decimals::Of(8, 4));

    /// A rating: whole where it is from a tag.
    pub const RATING: Quantity = Unit::Elo.with(Decimals::Rating);
}

impl Unit {
    /// Returns numbers of this unit with other decimals than usual.
    pub const fn with(self, decimals: Decimals) -> Quantity {
        Quantity { unit: self, decimals }
    }

    /// Returns numbers of this unit with its usual decimals.
    pub const fn usual(self) -> Quantity {
        self.with(self.decimals())
    }

    /// Returns the usual decimals: a score has as many as the paper prints, which tell a half-point of 700 moves.
    const fn decimals(self) -> Decimals {
        match self {
            Unit::Score | Unit::ScoreDifference | Unit::ScoreSlope | Unit::ShareDifference => {
                Decimals::Of(6, 4)
            }
            Unit::Probability => Decimals::Of(6, 3),
            Unit::Share | Unit::Excess => Decimals::Of(4, 4),
            Unit::Correlation | Unit::Plies => Decimals::Of(4, 3),
            Unit::StandardErrors
            | Unit::Pure
            | Unit::Games
            | Unit::PercentagePoints
            | Unit::Nats
            | Unit::Row => Decimals::Of(4, 2),
            Unit::Gain | Unit::Seconds => Decimals::Of(2, 2),
            Unit::Elo | Unit::EloAPly | Unit::Centipawns | Unit::Percent | Unit::Moves => Decimals::Of(2, 1),
            Unit::Points => Decimals::Of(1, 1),
            Unit::Objective => Decimals::All,
        }
    }

    /// Returns its name, as the documentation has it.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Score => "points a game, 0 to 1",
            Unit::ScoreDifference => "points a game, −1 to 1",
            Unit::ScoreSlope => "points a game for 400 Elo points",
            Unit::Share => "share, 0 to 1",
            Unit::ShareDifference => "difference of shares, −1 to 1",
            Unit::Excess => "ratio, 0 or more",
            Unit::Probability => "probability",
            Unit::StandardErrors => "standard errors",
            Unit::Correlation => "−1 to 1",
            Unit::Pure => "no unit",
            Unit::Elo => "Elo points",
            Unit::EloAPly => "Elo points a ply",
            Unit::Points => "points",
            Unit::Games => "games",
            Unit::Moves => "moves",
            Unit::Plies => "plies",
            Unit::Seconds => "seconds",
            Unit::Centipawns => "centipawns",
            Unit::Gain => "centipawns, or hundredths of a percentage point with another metric",
            Unit::Percent => "percent",
            Unit::PercentagePoints => "percentage points",
            Unit::Nats => "nats",
            Unit::Row => "the unit of its row",
            Unit::Objective => "the unit of its objective",
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl From<Unit> for Quantity {
    fn from(unit: Unit) -> Quantity {
        unit.usual()
    }
}

impl Decimals {
    /// Returns `value` as CSV has it; nothing for what is not finite.
    pub fn in_csv(self, value: f64) -> Option<String> {
        value.is_finite().then(|| match self {
            Decimals::Of(in_file, _) => rounded(value, in_file),
            Decimals::Rating => rounded(value, if value.fract() == 0.0 { 0 } else { 2 }),
            Decimals::All => value.to_string(),
        })
    }

    /// Returns the decimals before a reader's eyes, where the table does not say otherwise.
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
