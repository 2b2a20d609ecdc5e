//! [`Feature`]: names and numbers of the 332 features.

use std::{collections::HashMap, fmt, str::FromStr, sync::LazyLock};

use shakmaty::{Role, Square};

/// The names of the features without a square.
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

/// The names of the boards. A board is a group of 64 features of a piece, one for each square.
const BOARDS: [&str; Feature::BOARDS] = ["pawn", "knight", "bishop", "king", "king in the endgame"];

/// A feature of a position, represented by the index of its weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Feature(u16);

impl Feature {
    /// Number of features.
    pub const COUNT: usize = Feature::FIRST_SQUARE + 64 * Feature::BOARDS;
    /// Number of features without a square. They come first.
    pub const FIRST_SQUARE: usize = 12;
    /// Number of boards. They follow the features without a square. A board is a group of 64 features, one
    /// for each square. The boards are for pawn, knight, bishop, king, and king in the endgame.
    pub const BOARDS: usize = 5;

    /// The feature that counts pawns. Its weight is the unit of all weights.
    pub const PAWN: Feature = Feature(0);
    pub(super) const DOUBLED: Feature = Feature(5);
    pub(super) const ISOLATED: Feature = Feature(6);
    pub(super) const BACKWARD: Feature = Feature(7);
    pub(super) const PASSED: Feature = Feature(8);
    pub(super) const HALF_OPEN: Feature = Feature(9);
    pub(super) const OPEN: Feature = Feature(10);
    pub(super) const SEVENTH: Feature = Feature(11);
    /// Index of the board for a king before the endgame.
    pub const KING_BOARD: usize = 3;
    /// Index of the board for a king in the endgame.
    pub const ENDGAME_KING_BOARD: usize = 4;

    /// Returns the feature with this index; `None` if `index` is [`Feature::COUNT`] or more.
    pub fn from_index(index: usize) -> Option<Feature> {
        (index < Feature::COUNT).then_some(Feature(index as u16))
    }

    /// Lists all features in order.
    pub fn all() -> impl Iterator<Item = Feature> + Clone {
        (0..Feature::COUNT).filter_map(Feature::from_index)
    }

    /// Returns the feature's index, below [`Feature::COUNT`].
    #[inline(always)]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the feature that counts a piece; `None` for the king, which every position has.
    pub fn of_role(role: Role) -> Option<Feature> {
        (role != Role::King).then_some(Feature(role as u16 - 1))
    }

    /// Returns the feature of a square on a board. The square is as seen by the piece's side, and `board` is
    /// below [`Feature::BOARDS`].
    #[inline(always)]
    pub fn on(board: usize, square: Square) -> Feature {
        Feature((Feature::FIRST_SQUARE + 64 * (board % Feature::BOARDS) + square.to_usize()) as u16)
    }

    /// Returns the board and square of a feature; `None` if it has no square.
    pub fn board_and_square(self) -> Option<(usize, Square)> {
        let place = self.index().checked_sub(Feature::FIRST_SQUARE)?;
        Some((place / 64, Square::new((place % 64) as u32)))
    }

    /// Returns the name of the piece on a board, for example `king in the endgame`.
    pub fn board_name(board: usize) -> &'static str {
        BOARDS[board % Feature::BOARDS]
    }

    /// Returns whether the pieces of a board can occupy a square. Pawns cannot be on the first or last rank.
    pub fn can_stand(board: usize, square: Square) -> bool {
        board != 0 || (1..=6).contains(&square.rank().to_usize())
    }
}

impl fmt::Display for Feature {
    /// Formats the feature's name, for example `doubled pawn` or `king in the endgame on e4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.board_and_square() {
            None => f.write_str(NAMES[self.index()]),
            Some((board, square)) => write!(f, "{} on {square}", Feature::board_name(board)),
        }
    }
}

/// A text that is not the name of a feature, cut to 60 characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a feature, such as \"queen\", \"doubled pawn\" or \"knight on e4\"")]
pub struct UnknownFeature(String);

impl FromStr for Feature {
    type Err = UnknownFeature;

    /// Parses the output of [`Display`](fmt::Display).
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
