//! Owns [`Quantity`]: what a number is, and so how many decimals it has and in what unit it is.

use crate::chess::text::rounded;

/// What a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// An expected score or a score kept, and what is near to it: changes, differences, rates.
    Score,
    /// A score of games between engines, and what is near to it.
    GameScore,
    /// A share from 0 to 1 of something that a run has few of.
    Share,
    /// A share from 0 to 1 of the points.
    PointsShare,
    /// A share from 0 to 1 of the moves: one bin of a histogram may have very few.
    BinShare,
    /// The chance of as large a difference if there is none.
    P,
    /// A test statistic in standard errors.
    Z,
    /// A coefficient of correlation, from −1 to 1.
    Coefficient,
    /// A rating: whole where it is from a tag.
    Rating,
    /// Elo points.
    Elo,
    /// Half-points and points of games.
    Points,
    /// Centipawns.
    Centipawns,
    /// A gain in the unit of the run's metric.
    Gain,
    /// Percent.
    Percent,
    /// Depth in plies.
    Plies,
    /// Moves a game.
    Moves,
    /// Seconds.
    Seconds,
    /// A measure of play in its own unit.
    Measure,
    /// A weight or a factor of learning, which CSV has at full precision too: it is computed with.
    Factor,
}

impl Quantity {
    /// Returns the decimals in CSV: a score has as many as the paper prints, which tell a half-point of 700 moves.
    fn file_decimals(self, value: f64) -> usize {
        match self {
            Quantity::BinShare => 8,
            Quantity::Score | Quantity::GameScore | Quantity::P => 6,
            Quantity::Share | Quantity::Z | Quantity::Coefficient | Quantity::Plies | Quantity::Measure => 4,
            Quantity::Points => 1,
            Quantity::Rating if value.fract() == 0.0 => 0,
            _ => 2,
        }
    }

    /// Returns `value` as CSV has it; nothing for what is not finite.
    pub(super) fn in_csv(self, value: f64) -> Option<String> {
        value.is_finite().then(|| match self {
            Quantity::Factor => value.to_string(),
            _ => rounded(value, self.file_decimals(value)),
        })
    }

    /// Returns the decimals before a reader's eyes, where the table does not say otherwise.
    pub(super) fn shown_decimals(self, value: f64) -> usize {
        match self {
            Quantity::Rating if value.fract() == 0.0 => 0,
            Quantity::Score | Quantity::Share | Quantity::BinShare => 4,
            Quantity::GameScore | Quantity::P | Quantity::Coefficient | Quantity::Plies => 3,
            Quantity::Z | Quantity::Measure | Quantity::Gain | Quantity::Seconds | Quantity::Factor => 2,
            Quantity::Rating
            | Quantity::Elo
            | Quantity::Points
            | Quantity::PointsShare
            | Quantity::Centipawns
            | Quantity::Percent
            | Quantity::Moves => 1,
        }
    }

    /// Returns the unit, as the documentation has it.
    pub(super) fn unit(self) -> &'static str {
        match self {
            Quantity::Score | Quantity::GameScore => "points a game, 0 to 1",
            Quantity::Share | Quantity::PointsShare | Quantity::BinShare => "share, 0 to 1",
            Quantity::P => "probability",
            Quantity::Z => "standard errors",
            Quantity::Coefficient => "−1 to 1",
            Quantity::Rating | Quantity::Elo => "Elo points",
            Quantity::Points => "points",
            Quantity::Centipawns => "centipawns",
            Quantity::Gain => "centipawns, or hundredths of a percentage point with another metric",
            Quantity::Percent => "percent",
            Quantity::Plies => "plies",
            Quantity::Moves => "moves",
            Quantity::Seconds => "seconds",
            Quantity::Measure => "the unit of its row",
            Quantity::Factor => "the unit of its objective",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_from_a_tag_is_whole_and_a_mean_of_tags_is_not() {
        assert_eq!(Quantity::Rating.in_csv(2872.0).as_deref(), Some("2872"));
        assert_eq!(Quantity::Rating.in_csv(2786.5).as_deref(), Some("2786.50"));
        assert_eq!(Quantity::Score.in_csv(0.3702871).as_deref(), Some("0.370287"));
        assert_eq!(Quantity::Elo.in_csv(-0.001).as_deref(), Some("0.00"));
        assert_eq!(Quantity::Elo.in_csv(f64::NAN), None);
        assert_eq!(Quantity::Factor.in_csv(-0.529828701023555).as_deref(), Some("-0.529828701023555"));
    }
}
