//! Owns [`Feature`]: the names and numbers of the 332 features.

use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

use shakmaty::{Role, Square};

/// The names of the features that are no squares.
const NAMES: [&str; Feature::FIRST_SQUARE] = [
    "pawn",
    "knight",
    "bishop",
    "rook",
    "queen",
    "doubled pawn",
    "isolated pawn",
    "backward pawn",
    "rank of a passed pawn",
    "rook on a half-open file",
    "rook on an open file",
    "rook on the seventh rank",
];

/// Whose squares the boards are.
const BOARDS: [&str; Feature::BOARDS] = ["pawn", "knight", "bishop", "king", "king in the endgame"];

/// One feature of a position: the number of its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Feature(u16);

impl Feature {
    /// How many features there are.
    pub const COUNT: usize = Feature::FIRST_SQUARE + 64 * Feature::BOARDS;
    /// How many of them are no squares; these come first.
    pub const FIRST_SQUARE: usize = 12;
    /// How many boards of 64 squares follow: pawn, knight, bishop, king, king in the endgame.
    pub const BOARDS: usize = 5;

    /// An own pawn, by which all weights are scaled.
    pub const PAWN: Feature = Feature(0);
    pub(super) const DOUBLED: Feature = Feature(5);
    pub(super) const ISOLATED: Feature = Feature(6);
    pub(super) const BACKWARD: Feature = Feature(7);
    pub(super) const PASSED: Feature = Feature(8);
    pub(super) const HALF_OPEN: Feature = Feature(9);
    pub(super) const OPEN: Feature = Feature(10);
    pub(super) const SEVENTH: Feature = Feature(11);
    /// The board of kings whose opponents have enough pieces.
    pub const KING_BOARD: usize = 3;
    /// The board of kings in the endgame.
    pub const ENDGAME_KING_BOARD: usize = 4;

    /// Finds the feature of a number, `None` from [`Feature::COUNT`] on.
    pub fn from_index(index: usize) -> Option<Feature> {
        (index < Feature::COUNT).then_some(Feature(index as u16))
    }

    /// Lists all features in their order.
    pub fn all() -> impl Iterator<Item = Feature> + Clone {
        (0..Feature::COUNT).filter_map(Feature::from_index)
    }

    /// Returns the feature's number, below [`Feature::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the piece that the feature counts; `None` for a king, which every position has.
    pub fn of_role(role: Role) -> Option<Feature> {
        (role != Role::King).then_some(Feature(role as u16 - 1))
    }

    /// Returns the feature of a square of a board, seen from its own side; `board` is below [`Feature::BOARDS`].
    #[inline(always)]
    pub fn on(board: usize, square: Square) -> Feature {
        Feature((Feature::FIRST_SQUARE + 64 * (board % Feature::BOARDS) + square.to_usize()) as u16)
    }

    /// Returns the board and the square of a feature that has one.
    pub fn board_and_square(self) -> Option<(usize, Square)> {
        let place = self.index().checked_sub(Feature::FIRST_SQUARE)?;
        Some((place / 64, Square::new((place % 64) as u32)))
    }

    /// Returns what stands on the squares of a board: `king in the endgame`.
    pub fn board_name(board: usize) -> &'static str {
        BOARDS[board % Feature::BOARDS]
    }

    /// Tells whether the pieces of a board can stand on a square: no pawn stands on the first or the last rank.
    pub fn can_stand(board: usize, square: Square) -> bool {
        board != 0 || (1..=6).contains(&square.rank().to_usize())
    }
}

impl fmt::Display for Feature {
    /// `knight`, `doubled pawn`, `king in the endgame on e4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.board_and_square() {
            None => f.write_str(NAMES[self.index()]),
            Some((board, square)) => write!(f, "{} on {square}", Feature::board_name(board)),
        }
    }
}

/// A text that is no name of a feature.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no feature (such as \"queen\", \"doubled pawn\" or \"knight on e4\")")]
pub struct UnknownFeature(String);

impl FromStr for Feature {
    type Err = UnknownFeature;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(name: &str) -> Result<Feature, UnknownFeature> {
        static BY_NAME: LazyLock<HashMap<String, Feature>> =
            LazyLock::new(|| Feature::all().map(|feature| (feature.to_string(), feature)).collect());
        BY_NAME.get(name).copied().ok_or_else(|| UnknownFeature(name.chars().take(60).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_is_read_by_the_name_that_it_is_written_with() {
        assert_eq!(Feature::all().count(), 332);
        for feature in Feature::all() {
            assert_eq!(feature.to_string().parse(), Ok(feature));
        }
        assert_eq!(Feature::on(4, Square::E4).to_string(), "king in the endgame on e4");
        assert!("king on e9".parse::<Feature>().is_err());
    }
}
