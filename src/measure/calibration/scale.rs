//! [`RatingScale`]: the scale of ratings of play, by name.

use serde::{Deserialize, Serialize};

use shakmaty::Color;

use crate::base::named::{named, read_by_name};
use crate::chess::{Date, Game, RatingSystem, TimeClass};

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
    #[serde(into = "&'static str", try_from = "String")]
    #[cfg_attr(feature = "program", derive(clap::ValueEnum))]
    pub enum RatingScale: name {
        /// FIDE's scale since March 2024. Older tags below 2000 are raised by FIDE's own formula.
        #[default]
        #[cfg_attr(
            feature = "program",
            value(
                name = "fide-2024",
                help = "FIDE since March 2024; older ratings R below 2000 count as R + 0.4·(2000 − R)"
            )
        )]
        Fide2024 => "fide-2024",
        /// FIDE ratings as in the tags.
        #[cfg_attr(feature = "program", value(help = "FIDE ratings as in the tags"))]
        Fide => "fide",
        #[cfg_attr(feature = "program", value(help = "Ratings in the tags of lichess's blitz games"))]
        LichessBlitz => "lichess-blitz",
        #[cfg_attr(feature = "program", value(help = "Ratings in the tags of lichess's rapid games"))]
        LichessRapid => "lichess-rapid",
        #[cfg_attr(feature = "program", value(help = "Ratings in the tags of lichess's bullet games"))]
        LichessBullet => "lichess-bullet",
    }
}

/// Placeholder ratings of unknown players over the board.
const PLACEHOLDERS: [u32; 4] = [1000, 1001, 1005, 1010];

/// FIDE raised all ratings below this value on 1 March 2024.
const RAISED_BELOW: f64 = 2000.0;

/// The fraction of the distance to 2000 by which FIDE raised the ratings.
const RAISED_BY: f64 = 0.4;

/// The year and the month from which tags are on the new scale.
const REFORM: (u16, u8) = (2024, 3);

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

    /// Returns the name of a part of the games that a test leaves out: `event` (over the board) or `set`
    /// (lichess).
    pub fn event(self) -> &'static str {
        if self.is_over_the_board() { "event" } else { "set" }
    }

    pub fn is_over_the_board(self) -> bool {
        matches!(self, RatingScale::Fide2024 | RatingScale::Fide)
    }

    /// Returns a player's rating on this scale, from the tag `elo` of a game of this date; `None` for a
    /// placeholder. A server's ratings are used as they are in the tags.
    ///
    /// FIDE, "Rating Regulations effective from 1 March 2024": a standard rating R below 2000 became R +
    /// 0.4·(2000 − R). A tag without a known date is treated as older than the reform.
    pub fn of_tag(self, elo: u32, date: Option<Date>, is_of_server: bool) -> Option<f64> {
        let rating = f64::from(elo);
        if is_of_server {
            return Some(rating);
        }
        let is_new = RatingScale::is_reformed(date);
        let lacks = (RAISED_BELOW - rating).max(0.0);
        let raised = if self == RatingScale::Fide2024 && !is_new { RAISED_BY * lacks } else { 0.0 };
        (!PLACEHOLDERS.contains(&elo)).then_some(rating + raised)
    }

    /// Returns true for a known date on or after the reform. A date without a month counts as January.
    pub fn is_reformed(date: Option<Date>) -> bool {
        date.is_some_and(|date| (date.year(), date.month().unwrap_or(1)) >= REFORM)
    }

    /// Returns the scale of a rating system; `None` for a server or a speed without a scale.
    pub fn of_system(system: RatingSystem) -> Option<RatingScale> {
        match system {
            RatingSystem::OverTheBoard => Some(RatingScale::default()),
            RatingSystem::Server { server: RatingSystem::LICHESS, speed } => match speed? {
                TimeClass::Blitz => Some(RatingScale::LichessBlitz),
                TimeClass::Rapid => Some(RatingScale::LichessRapid),
                TimeClass::Bullet => Some(RatingScale::LichessBullet),
                TimeClass::UltraBullet | TimeClass::Classical | TimeClass::Correspondence => None,
            },
            RatingSystem::Server { .. } => None,
        }
    }

    /// Returns the scale that is nearest to games with this rating system and time control. For a game from
    /// any server, it is lichess's scale of the same speed, or of the nearest speed that has a scale; `None`
    /// if the speed is unknown.
    pub fn nearest(system: RatingSystem, class: Option<TimeClass>) -> Option<RatingScale> {
        let RatingSystem::Server { speed, .. } = system else { return Some(RatingScale::default()) };
        Some(match speed.or(class)? {
            TimeClass::UltraBullet | TimeClass::Bullet => RatingScale::LichessBullet,
            TimeClass::Blitz => RatingScale::LichessBlitz,
            TimeClass::Rapid | TimeClass::Classical | TimeClass::Correspondence => RatingScale::LichessRapid,
        })
    }

    /// Returns whether the players of a system belong to the pool of this scale.
    pub fn is_of(self, system: RatingSystem) -> bool {
        let found = RatingScale::of_system(system);
        found == Some(self) || self.is_over_the_board() && found.is_some_and(RatingScale::is_over_the_board)
    }

    /// Returns whether the ratings in a game's tags can be used on this scale. An over-the-board scale
    /// accepts every game, because the tags of over-the-board games do not name the rating system.
    pub fn takes(self, game: &Game) -> bool {
        self.is_over_the_board() || self.is_of(game.tags.rating_system())
    }

    /// Returns the rating on this scale of the player of `color`, by the tags of the game. `None` without a
    /// rating, for a placeholder, and if the scale does not accept the game.
    pub fn of_game(self, game: &Game, color: Color) -> Option<f64> {
        let elo = game.elo(color).filter(|_| self.takes(game))?;
        self.of_tag(elo, game.tags.date(), game.tags.rating_system().is_of_server())
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a rating scale; write {names}", names = RatingScale::ALL.map(RatingScale::name).join(", "))]
pub struct UnknownScale(String);

read_by_name!(RatingScale, name, UnknownScale);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::parse_games;

    #[test]
    fn ratings_below_2000_rise_as_fide_raised_them() {
        // FIDE's announcement of the reform: 1000 becomes 1400, 1500 becomes 1700, 2000 stays.
        let of = |elo| RatingScale::Fide2024.of_tag(elo, Date::of_tag("2014.05.03"), false);
        assert_eq!([1200, 1500, 2000, 2600].map(of), [1520.0, 1700.0, 2000.0, 2600.0].map(Some));
        let on = |date: &str| RatingScale::Fide2024.of_tag(1500, Date::of_tag(date), false);
        assert_eq!(["2024.03.01", "2025"].map(on), [Some(1500.0); 2], "of the scale already");
        assert_eq!(["2024.02.29", "2024.??.??", ""].map(on), [Some(1700.0); 3]);
        assert_eq!(RatingScale::Fide.of_tag(1500, None, false), Some(1500.0));
        assert_eq!(RatingScale::Fide2024.of_tag(1500, None, true), Some(1500.0), "of a server");
    }

    #[test]
    fn ratings_of_a_server_are_on_no_other_scale() {
        let server = |server, speed| RatingSystem::Server { server, speed };
        let cases = [
            (RatingSystem::OverTheBoard, Some(RatingScale::Fide2024)),
            (server("lichess.org", Some(TimeClass::Blitz)), Some(RatingScale::LichessBlitz)),
            (server("lichess.org", Some(TimeClass::Rapid)), Some(RatingScale::LichessRapid)),
            (server("lichess.org", Some(TimeClass::Bullet)), Some(RatingScale::LichessBullet)),
            (server("lichess.org", Some(TimeClass::Classical)), None),
            (server("lichess.org", None), None),
            (server("chess.com", Some(TimeClass::Blitz)), None),
        ];
        for (system, scale) in cases {
            assert_eq!(RatingScale::of_system(system), scale, "{system:?}");
            let of = RatingScale::ALL.into_iter().filter(|scale| scale.is_of(system)).count();
            assert_eq!(of, scale.map_or(0, |scale| 1 + usize::from(scale.is_over_the_board())), "{system:?}");
        }
        let game = |site: &str, control: &str| {
            let text =
                format!("[Site \"{site}\"]\n[TimeControl \"{control}\"]\n[WhiteElo \"1500\"]\n\n1. e4 *\n");
            parse_games(&text, "test").remove(0).expect("a game")
        };
        let rating = |scale: RatingScale, site, control| scale.of_game(&game(site, control), Color::White);
        assert_eq!(rating(RatingScale::LichessBlitz, "https://lichess.org/abcdefgh", "180+2"), Some(1500.0));
        assert_eq!(rating(RatingScale::LichessBlitz, "https://lichess.org/abcdefgh", "600+0"), None);
        assert_eq!(rating(RatingScale::LichessBlitz, "Chess.com", "180+2"), None);
        assert_eq!(rating(RatingScale::Fide2024, "Chess.com", "180+2"), Some(1500.0), "not raised");
        assert_eq!(rating(RatingScale::Fide2024, "Wijk aan Zee", "180+2"), Some(1700.0));
    }

    #[test]
    fn placeholders_are_no_ratings_over_the_board() {
        assert!(PLACEHOLDERS.iter().all(|&elo| RatingScale::Fide.of_tag(elo, None, false).is_none()));
        assert_eq!(RatingScale::Fide.of_tag(1002, None, false), Some(1002.0));
        let on_server = |elo| RatingScale::LichessRapid.of_tag(elo, None, true);
        assert_eq!(PLACEHOLDERS.map(on_server), [1000.0, 1001.0, 1005.0, 1010.0].map(Some));
    }

    #[test]
    fn scales_are_read_as_they_are_written() {
        for scale in RatingScale::ALL {
            assert_eq!(scale.to_string().parse(), Ok(scale));
        }
        let error = "uscf".parse::<RatingScale>().expect_err("no scale").to_string();
        assert!(error.starts_with("\"uscf\" is not a rating scale; write fide-2024, fide,"), "{error}");
    }
}
