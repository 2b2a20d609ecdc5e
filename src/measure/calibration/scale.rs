//! Owns [`RatingScale`]: the scale that ratings of play are on, by its name.

use serde::{Deserialize, Serialize};

use shakmaty::Color;

use crate::chess::{Date, Game, named::named, named::read_by_name};

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    #[serde(into = "&'static str", try_from = "String")]
    #[cfg_attr(feature = "program", derive(clap::ValueEnum))]
    pub enum RatingScale: name {
        /// FIDE's scale since March 2024. Tags are of before: those below 2000 rise by FIDE's own formula.
        #[default]
        #[cfg_attr(
            feature = "program",
            value(
                name = "fide-2024",
                help = "FIDE since March 2024; older ratings R below 2000 count R + 0.4·(2000 − R)"
            )
        )]
        Fide2024 => "fide-2024",
        /// FIDE ratings as the tags have them.
        #[cfg_attr(feature = "program", value(help = "The tags as they are"))]
        Fide => "fide",
        #[cfg_attr(feature = "program", value(help = "The tags of lichess's blitz games"))]
        LichessBlitz => "lichess-blitz",
        #[cfg_attr(feature = "program", value(help = "The tags of lichess's rapid games"))]
        LichessRapid => "lichess-rapid",
        #[cfg_attr(feature = "program", value(help = "The tags of lichess's bullet games"))]
        LichessBullet => "lichess-bullet",
    }
}

/// Ratings that lists give to players of whom nothing is known yet.
const PLACEHOLDERS: [u32; 4] = [1000, 1001, 1005, 1010];

/// Below this rating FIDE raised all ratings on 1 March 2024.
const RAISED_BELOW: f64 = 2000.0;

/// By this part of what they lacked of it.
const RAISED_BY: f64 = 0.4;

/// The month from which on tags are of the new scale.
const REFORM: &str = "2024-03";

impl RatingScale {
    pub fn title(self) -> &'static str {
        match self {
            RatingScale::Fide2024 => "FIDE's scale of 2024",
            RatingScale::Fide => "FIDE's scale before 2024",
            RatingScale::LichessBlitz => "lichess's scale of blitz",
            RatingScale::LichessRapid => "lichess's scale of rapid",
            RatingScale::LichessBullet => "lichess's scale of bullet",
        }
    }

    pub fn is_over_the_board(self) -> bool {
        matches!(self, RatingScale::Fide2024 | RatingScale::Fide)
    }

    /// Returns the rating on this scale of a player whose tag says `elo`, in a game of that date where it is known;
    /// `None` for a placeholder.
    ///
    /// FIDE, "Rating Regulations effective from 1 March 2024": a standard rating R below 2000 became R + 0.4·(2000 − R).
    /// Of a game that may be of before, the tag is taken to be.
    pub fn of_tag(self, elo: u32, date: Option<Date>) -> Option<f64> {
        if PLACEHOLDERS.contains(&elo) {
            return None;
        }
        let rating = f64::from(elo);
        let is_new = date.zip(Date::of_tag(REFORM)).is_some_and(|(date, reform)| date.is_since(reform));
        let lacks = (RAISED_BELOW - rating).max(0.0);
        Some(if self == RatingScale::Fide2024 && !is_new { rating + RAISED_BY * lacks } else { rating })
    }

    /// Returns the rating on this scale of the player of `color`, by the tags of the game; `None` without one, and for a
    /// placeholder.
    pub fn of_game(self, game: &Game, color: Color) -> Option<f64> {
        self.of_tag(game.elo(color)?, game.tags.date())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no scale of ratings; there are {names}", names = RatingScale::ALL.map(RatingScale::name).join(", "))]
pub struct UnknownScale(String);

read_by_name!(RatingScale, name, UnknownScale);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_below_2000_rise_as_fide_raised_them() {
        // FIDE's announcement of the reform: 1000 becomes 1400, 1500 becomes 1700, 2000 stays.
        let of = |elo| RatingScale::Fide2024.of_tag(elo, Date::of_tag("2014.05.03"));
        assert_eq!([1200, 1500, 2000, 2600].map(of), [1520.0, 1700.0, 2000.0, 2600.0].map(Some));
        assert_eq!(
            RatingScale::Fide2024.of_tag(1500, Date::of_tag("2024.03.01")),
            Some(1500.0),
            "of the scale already"
        );
        assert_eq!(RatingScale::Fide2024.of_tag(1500, None), Some(1700.0));
        assert_eq!(RatingScale::Fide.of_tag(1500, None), Some(1500.0));
    }

    #[test]
    fn placeholders_are_no_ratings() {
        assert!(PLACEHOLDERS.iter().all(|&elo| RatingScale::Fide.of_tag(elo, None).is_none()));
        assert_eq!(RatingScale::Fide.of_tag(1002, None), Some(1002.0));
    }

    #[test]
    fn scales_are_read_as_they_are_written() {
        for scale in RatingScale::ALL {
            assert_eq!(scale.to_string().parse(), Ok(scale));
        }
        let error = "uscf".parse::<RatingScale>().expect_err("no scale").to_string();
        assert!(error.starts_with("\"uscf\" is no scale of ratings; there are fide-2024, fide,"), "{error}");
    }
}
