//! Owns [`Choice`]: which games are wanted, by their tags, and of these which share.

mod aliases;
mod date;
mod duplicates;
mod fingerprint;
mod tally;
mod time_control;

use std::{fmt, str::FromStr};

use shakmaty::{ByColor, Color};

pub use self::{
    aliases::{AliasError, AliasFault, Aliases},
    date::{Date, NoDate},
    duplicates::Duplicates,
    fingerprint::{Fingerprint, FingerprintBuilder},
    tally::Tally,
    time_control::{TimeClass, TimeControl},
};
use crate::{
    game::{Game, GameResult, Tags},
    text::fold_spaces,
};

/// What is asked of the tags of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Headers<'a> {
    /// The name that counts, `?` where there is none.
    pub white: &'a str,
    /// The name that counts, `?` where there is none.
    pub black: &'a str,
    /// The ratings, where they are known.
    pub elo: ByColor<Option<u32>>,
    /// The tag `Date`, or `UTCDate` where that tells nothing.
    pub date: Option<Date>,
    /// The event.
    pub event: Option<&'a str>,
    /// As written.
    pub time_control: Option<&'a str>,
    /// How the game ended.
    pub result: GameResult,
    /// The FEN that the game begins with, as written; `None` for the usual start.
    pub start: Option<&'a str>,
}

impl Default for Headers<'_> {
    /// Those of a game without tags.
    fn default() -> Self {
        Headers {
            white: "?",
            black: "?",
            elo: ByColor { white: None, black: None },
            date: None,
            event: None,
            time_control: None,
            result: GameResult::Unknown,
            start: None,
        }
    }
}

impl<'a> Headers<'a> {
    /// Those of a game with these tags, the names as they stand.
    pub fn of(tags: &'a Tags) -> Headers<'a> {
        Headers {
            white: tags.player(Color::White),
            black: tags.player(Color::Black),
            elo: ByColor { white: tags.elo(Color::White), black: tags.elo(Color::Black) },
            date: ["Date", "UTCDate"].into_iter().find_map(|tag| tags.get(tag).and_then(Date::of_tag)),
            event: tags.get("Event"),
            time_control: tags.get("TimeControl"),
            result: tags.get("Result").and_then(|tag| tag.parse().ok()).unwrap_or(GameResult::Unknown),
            start: tags.get("FEN"),
        }
    }

    /// Those of a game, with the result that it was read to have.
    pub fn of_game(game: &'a Game) -> Headers<'a> {
        Headers { result: game.result, ..Headers::of(&game.tags) }
    }
}

/// Which games are wanted; by default all.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choice {
    /// Names, or parts of them, whatever the case of letters, of which one player has one; none for all.
    pub games_of: Vec<String>,
    /// The least Elo that both players have.
    pub min_elo: Option<u32>,
    /// The most Elo that both players have.
    pub max_elo: Option<u32>,
    /// The first day, or all of its month or year.
    pub since: Option<Date>,
    /// The last day, or all of its month or year.
    pub until: Option<Date>,
    /// Parts of the event's name, whatever the case of letters, of which it has one; none for all.
    pub event: Vec<String>,
    /// The time controls; none for all.
    pub time_control: Vec<TimeControl>,
    /// The results; none for all.
    pub result: Vec<GameResult>,
    /// The share of the games that is taken.
    pub sample: Option<Sample>,
}

/// A share of all games, drawn by lot.
///
/// The lot of a game is decided by its fingerprint and the seed alone: by no order, no file, no thread. A
/// larger share of the same seed has all games of a smaller one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Above 0, up to 1.
    pub share: Share,
    /// Another one draws another sample.
    pub seed: u64,
}

/// A part of the whole, above 0 and up to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Share(f64);

/// A text that is no share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("write a share above 0 and up to 1, as in 0.01")]
pub struct NoShare;

impl FromStr for Share {
    type Err = NoShare;

    fn from_str(text: &str) -> Result<Share, NoShare> {
        let share = text.trim().parse().ok().filter(|&share: &f64| share > 0.0 && share <= 1.0);
        share.map(Share).ok_or(NoShare)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a game is not wanted for: an option of the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Refusal {
    /// Nobody of that name plays.
    GamesOf,
    /// A player has less, or no known Elo.
    MinElo,
    /// A player has more, or no known Elo.
    MaxElo,
    /// It is older, or its date is unknown or too vague to be certain.
    Since,
    /// It is younger, or its date is unknown or too vague to be certain.
    Until,
    /// Another event.
    Event,
    /// Another time control.
    TimeControl,
    /// Another result.
    Result,
    /// Its lot was not drawn.
    Sample,
    /// There were enough before it.
    MaxGames,
}

impl Refusal {
    /// All of them, in the order in which a game is tried.
    pub const ALL: [Refusal; 10] = [
        Refusal::GamesOf,
        Refusal::MinElo,
        Refusal::MaxElo,
        Refusal::Since,
        Refusal::Until,
        Refusal::Event,
        Refusal::TimeControl,
        Refusal::Result,
        Refusal::Sample,
        Refusal::MaxGames,
    ];
}

impl fmt::Display for Refusal {
    /// The option's name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::GamesOf => "--games-of",
            Refusal::MinElo => "--min-elo",
            Refusal::MaxElo => "--max-elo",
            Refusal::Since => "--since",
            Refusal::Until => "--until",
            Refusal::Event => "--event",
            Refusal::TimeControl => "--time-control",
            Refusal::Result => "--result",
            Refusal::Sample => "--sample",
            Refusal::MaxGames => "--max-games",
        })
    }
}

/// A text that names no such option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no option that chooses games")]
pub struct UnknownRefusal(String);

impl FromStr for Refusal {
    type Err = UnknownRefusal;

    fn from_str(text: &str) -> Result<Refusal, UnknownRefusal> {
        let found = Refusal::ALL.into_iter().find(|refusal| refusal.to_string() == text);
        found.ok_or_else(|| UnknownRefusal(text.to_owned()))
    }
}

impl Choice {
    /// The first thing in the order of [`Refusal::ALL`] that speaks against a game with such tags; `None`
    /// where nothing does. Its lot is another question: [`Choice::sampled`].
    pub fn refusal(&self, headers: &Headers<'_>) -> Option<Refusal> {
        let fits = |refusal: &Refusal| match refusal {
            Refusal::GamesOf => fits_one(&self.games_of, |name| {
                [headers.white, headers.black].into_iter().any(|player| has_part(player, name))
            }),
            Refusal::MinElo => fits_both(self.min_elo, headers, |least, elo| elo >= least),
            Refusal::MaxElo => fits_both(self.max_elo, headers, |most, elo| elo <= most),
            Refusal::Since => fits_date(self.since, headers, Date::is_since),
            Refusal::Until => fits_date(self.until, headers, Date::is_until),
            Refusal::Event => fits_one(&self.event, |part| has_part(headers.event.unwrap_or_default(), part)),
            Refusal::TimeControl => fits_one(&self.time_control, |control| {
                headers.time_control.is_some_and(|tag| control.has(tag))
            }),
            Refusal::Result => fits_one(&self.result, |result| *result == headers.result),
            Refusal::Sample | Refusal::MaxGames => true,
        };
        Refusal::ALL.into_iter().find(|refusal| !fits(refusal))
    }

    /// Whether a game's lot is drawn; every one's where no sample is wanted.
    pub fn sampled(&self, game: Fingerprint) -> bool {
        self.sample.is_none_or(|Sample { share: Share(share), seed }| {
            // Each lot is as likely as any other, so this many of 2⁶⁴ are below the bound.
            (game.lot(seed) as f64) < share * 2f64.powi(64) || share == 1.0
        })
    }

    /// Each choice in force, in words; none when every game is wanted.
    pub fn names(&self) -> Vec<String> {
        let listed = |items: Vec<String>| (!items.is_empty()).then(|| items.join(" or "));
        let quoted = |items: &[String]| listed(items.iter().map(|item| format!("\"{item}\"")).collect());
        let controls = self.time_control.iter().map(ToString::to_string).collect();
        let results = self.result.iter().map(ToString::to_string).collect();
        [
            quoted(&self.games_of).map(|names| format!("games of {names}")),
            self.min_elo.map(|least| format!("both players rated {least} or more")),
            self.max_elo.map(|most| format!("both players rated {most} or less")),
            self.since.map(|date| format!("since {date}")),
            self.until.map(|date| format!("until {date}")),
            quoted(&self.event).map(|parts| format!("events with {parts} in their name")),
            listed(controls).map(|controls| format!("time control {controls}")),
            listed(results).map(|results| format!("result {results}")),
            self.sample.map(|Sample { share, seed }| format!("a sample of {share} by seed {seed}")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Whether one of what is wanted is there, or nothing is wanted.
fn fits_one<T>(wanted: &[T], is_there: impl Fn(&T) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(is_there)
}

/// Whether the ratings of both players are known and within a bound, where there is one.
fn fits_both(bound: Option<u32>, headers: &Headers<'_>, within: impl Fn(u32, u32) -> bool) -> bool {
    bound.is_none_or(|bound| headers.elo.iter().all(|elo| elo.is_some_and(|elo| within(bound, elo))))
}

fn fits_date(bound: Option<Date>, headers: &Headers<'_>, within: impl Fn(Date, Date) -> bool) -> bool {
    bound.is_none_or(|bound| headers.date.is_some_and(|date| within(date, bound)))
}

/// Whether `part` is in `text`, whatever the case of letters and the white space around words.
fn has_part(text: &str, part: &str) -> bool {
    let plain = |text: &str| fold_spaces(text).to_lowercase();
    plain(text).contains(&plain(part))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tags(pairs: &[(&str, &str)]) -> Tags {
        pairs.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    const GAME: [(&str, &str); 8] = [
        ("Event", "Rated Blitz game"),
        ("White", "Carlsen,  Magnus"),
        ("Black", "Anand, V"),
        ("WhiteElo", "2872"),
        ("BlackElo", "2783"),
        ("UTCDate", "2013.03.15"),
        ("TimeControl", "180+2"),
        ("Result", "1-0"),
    ];

    fn refusal(choice: &Choice) -> Option<Refusal> {
        choice.refusal(&Headers::of(&tags(&GAME)))
    }

    fn date(text: &str) -> Option<Date> {
        Some(text.parse().expect("a date"))
    }

    #[test]
    fn each_choice_takes_what_fits_and_names_itself_where_nothing_does() {
        let names = |name: &str| Choice { games_of: vec![name.to_owned()], ..Choice::default() };
        let event = |part: &str| Choice { event: vec![part.to_owned()], ..Choice::default() };
        let control =
            |text: &str| Choice { time_control: vec![text.parse().expect("a control")], ..Choice::default() };
        let result = |result| Choice { result: vec![result], ..Choice::default() };
        for (fits, not, option) in [
            (names("carlsen, magnus"), names("Kramnik"), Refusal::GamesOf),
            (
                Choice { min_elo: Some(2783), ..Choice::default() },
                Choice { min_elo: Some(2784), ..Choice::default() },
                Refusal::MinElo,
            ),
            (
                Choice { max_elo: Some(2872), ..Choice::default() },
                Choice { max_elo: Some(2871), ..Choice::default() },
                Refusal::MaxElo,
            ),
            (
                Choice { since: date("2013-03"), ..Choice::default() },
                Choice { since: date("2013.03.16"), ..Choice::default() },
                Refusal::Since,
            ),
            (
                Choice { until: date("2013"), ..Choice::default() },
                Choice { until: date("2012"), ..Choice::default() },
                Refusal::Until,
            ),
            (event("blitz"), event("bullet"), Refusal::Event),
            (control("blitz"), control("180+0"), Refusal::TimeControl),
            (result(GameResult::WhiteWins), result(GameResult::Unknown), Refusal::Result),
        ] {
            assert_eq!(refusal(&fits), None, "{fits:?}");
            assert_eq!(refusal(&not), Some(option), "{not:?}");
        }
        assert_eq!(refusal(&Choice::default()), None);
    }

    #[test]
    fn several_of_a_kind_are_alternatives_and_several_kinds_must_all_fit() {
        let alternatives =
            Choice { games_of: vec!["Kramnik".to_owned(), "anand".to_owned()], ..Choice::default() };
        assert_eq!(refusal(&alternatives), None);
        let both = Choice { min_elo: Some(3000), max_elo: Some(2000), ..alternatives };
        assert_eq!(refusal(&both), Some(Refusal::MinElo), "the first in their order");
    }

    #[test]
    fn what_is_not_known_fits_no_choice() {
        let unknown = Headers::default();
        for (choice, option) in [
            (Choice { min_elo: Some(1), ..Choice::default() }, Refusal::MinElo),
            (Choice { max_elo: Some(5000), ..Choice::default() }, Refusal::MaxElo),
            (Choice { since: date("1000"), ..Choice::default() }, Refusal::Since),
            (Choice { until: date("3000"), ..Choice::default() }, Refusal::Until),
            (Choice { event: vec!["a".to_owned()], ..Choice::default() }, Refusal::Event),
            (
                Choice { time_control: vec![TimeControl::Class(TimeClass::Classical)], ..Choice::default() },
                Refusal::TimeControl,
            ),
        ] {
            assert_eq!(choice.refusal(&unknown), Some(option));
        }
    }

    #[test]
    fn a_date_that_tells_nothing_gives_way_to_the_day_in_utc() {
        let both = |day: &str| {
            let tags = tags(&[("Date", day), ("UTCDate", "2013.03.16")]);
            Headers::of(&tags).date
        };
        assert_eq!(both("2013.03.15"), date("2013.03.15"));
        assert_eq!(both("????.??.??"), date("2013.03.16"));
    }

    #[test]
    fn refusals_are_read_as_they_are_written() {
        for refusal in Refusal::ALL {
            assert_eq!(refusal.to_string().parse(), Ok(refusal));
        }
        assert!("--depth".parse::<Refusal>().is_err());
    }

    #[test]
    fn the_choices_in_force_are_told_in_words() {
        let choice = Choice {
            games_of: vec!["Carlsen".to_owned(), "Anand".to_owned()],
            min_elo: Some(2700),
            time_control: vec![TimeControl::Class(TimeClass::Blitz), "600+0".parse().expect("a control")],
            sample: Some(Sample { share: "0.01".parse().expect("a share"), seed: 7 }),
            ..Choice::default()
        };
        assert_eq!(
            choice.names(),
            [
                "games of \"Carlsen\" or \"Anand\"",
                "both players rated 2700 or more",
                "time control blitz or 600+0",
                "a sample of 0.01 by seed 7"
            ]
        );
        assert_eq!(Choice::default().names(), [""; 0]);
    }

    #[test]
    fn a_share_is_above_nothing_and_up_to_all() {
        for text in ["0", "-0.1", "1.01", "NaN", "inf", "1%", ""] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
        assert_eq!("1e-3".parse::<Share>().map(|share| share.to_string()), Ok("0.001".to_owned()));
    }

    fn sample(share: f64, seed: u64) -> Choice {
        Choice { sample: Some(Sample { share: Share(share), seed }), ..Choice::default() }
    }

    fn game(number: u32) -> Fingerprint {
        let name = number.to_string();
        FingerprintBuilder::new(&Headers { white: &name, ..Headers::default() }).finish()
    }

    #[test]
    fn a_sample_has_its_share_of_the_games() {
        let drawn = |choice: Choice| (0..100_000).filter(|&number| choice.sampled(game(number))).count();
        // Five standard deviations of a binomial distribution.
        for (share, margin) in [(0.01, 158), (0.5, 791)] {
            let expected = (share * 100_000.0) as usize;
            assert!(drawn(sample(share, 1)).abs_diff(expected) < margin, "{share}");
        }
        assert_eq!(drawn(sample(1.0, 1)), 100_000);
        let both =
            (0..100_000).filter(|&n| sample(0.1, 1).sampled(game(n)) && sample(0.1, 2).sampled(game(n)));
        // Seeds are independent: 0.1² of 100,000.
        assert!(both.count().abs_diff(1000) < 158);
    }

    proptest! {
        #[test]
        fn a_larger_share_has_all_games_of_a_smaller_one(a in 0.0..=1.0, b in 0.0..=1.0, seed: u64, number: u32) {
            let (a, b): (f64, f64) = (a, b);
            let (less, more) = (sample(a.min(b), seed), sample(a.max(b), seed));
            prop_assert!(!less.sampled(game(number)) || more.sampled(game(number)));
        }
    }
}
