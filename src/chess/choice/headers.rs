//! [`Headers`]: the tags by which a game is chosen.

use shakmaty::{ByColor, Color};

use crate::chess::{
    date::Date, game::Game, game::GameResult, game::Tags, game::read_event, game::read_fide_id,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Headers<'a> {
    /// Main name of White, `?` if missing.
    pub white: &'a str,
    /// Main name of Black, `?` if missing.
    pub black: &'a str,
    pub fide_ids: ByColor<Option<u32>>,
    pub elo: ByColor<Option<u32>>,
    /// The date by the tag `Date`; if it is unknown, by `UTCDate` or else `EventDate`.
    pub date: Option<Date>,
    pub event: Option<&'a str>,
    pub time_control: Option<&'a str>,
    /// The tag `TimeControl` as in the file, if it is read in another form.
    pub written_control: Option<&'a str>,
    pub round: Option<u32>,
    pub result: GameResult,
    /// The FEN of the start position, as in the tag; `None` without the tag `FEN`.
    pub start: Option<&'a str>,
}

impl Default for Headers<'_> {
    fn default() -> Self {
        Headers {
            white: "?",
            black: "?",
            fide_ids: ByColor { white: None, black: None },
            elo: ByColor { white: None, black: None },
            date: None,
            event: None,
            time_control: None,
            written_control: None,
            round: None,
            result: GameResult::Unknown,
            start: None,
        }
    }
}

impl<'a> Headers<'a> {
    pub fn of(tags: &'a Tags) -> Headers<'a> {
        let id = |name| tags.get(name).and_then(read_fide_id);
        Headers {
            white: tags.player(Color::White),
            black: tags.player(Color::Black),
            fide_ids: ByColor { white: id("WhiteFideId"), black: id("BlackFideId") },
            elo: ByColor { white: tags.elo(Color::White), black: tags.elo(Color::Black) },
            date: tags.date(),
            event: read_event(|name| tags.get(name)),
            time_control: tags.time_control(),
            written_control: tags.raw("TimeControl"),
            round: tags.round(),
            result: tags.get("Result").and_then(GameResult::read).unwrap_or(GameResult::Unknown),
            start: tags.get("FEN"),
        }
    }

    /// Returns the name and the FIDE id of White and of Black. If both ids are equal, one is wrong, and neither
    /// is returned.
    pub fn players(&self) -> [(&'a str, Option<u32>); 2] {
        let is_possible = self.fide_ids.white != self.fide_ids.black;
        [(self.white, self.fide_ids.white), (self.black, self.fide_ids.black)]
            .map(|(name, id)| (name, id.filter(|_| is_possible)))
    }

    pub fn of_game(game: &'a Game) -> Headers<'a> {
        Headers { result: game.result, ..Headers::of(&game.tags) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_that_tells_nothing_gives_way_to_the_day_in_utc() {
        let both = |day: &str| {
            let tags = [("Date", day), ("UTCDate", "2013.03.16")];
            let tags = tags.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            Headers::of(&tags).date
        };
        let date = |text: &str| Some(text.parse().expect("a date"));
        assert_eq!(both("2013.03.15"), date("2013.03.15"));
        assert_eq!(both("????.??.??"), date("2013.03.16"));
    }
}
