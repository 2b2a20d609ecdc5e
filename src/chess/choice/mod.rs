//! [`GameFilter`]: conditions on the tags of games, and the share of games to sample.

mod aliases;
mod fingerprint;
mod headers;
mod name_matcher;
mod near_copies;
mod people;
mod random_sample;
mod refusal;
mod seen;
mod selection;

use self::name_matcher::plain;
pub(crate) use self::near_copies::near_copies;
pub(crate) use self::seen::Seen;
pub use self::{
    aliases::Aliases, fingerprint::Duplicates, fingerprint::Fingerprint, fingerprint::MoveText,
    headers::Headers, name_matcher::GivenNames, name_matcher::NameMatcher, name_matcher::Spellings,
    name_matcher::is_nobody, people::People, people::name_players, people::name_with_id, people::without_id,
    random_sample::RandomSample, refusal::GameTally, refusal::Refusal, selection::Selection,
    selection::Selector,
};
#[cfg(feature = "program")]
pub(crate) use self::{people::similar_names, random_sample::Share};
use std::ops::RangeInclusive;

use crate::chess::{date::Date, game::GameResult, time_control::TimeControl};

#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct GameFilter {
    /// Names of players. A game fits if one of its players has one of these names, or if there are none.
    pub games_of: GivenNames,
    /// The lowest Elo allowed for either player.
    pub min_elo: Option<u32>,
    /// The highest Elo allowed for either player.
    pub max_elo: Option<u32>,
    /// The earliest date allowed: a day, a month or a year.
    pub since: Option<Date>,
    /// The latest date allowed: a day, a whole month or a whole year.
    pub until: Option<Date>,
    /// Texts. A game fits if the name of its event contains one of these texts, ignoring case, or if the list
    /// is empty.
    pub event: Vec<String>,
    /// Accepted time controls; empty for all.
    pub time_control: Vec<TimeControl>,
    /// Accepted results; empty for all.
    pub result: Vec<GameResult>,
    /// Accepted rounds; empty for all.
    pub rounds: Vec<RangeInclusive<u32>>,
    /// The share of games to sample.
    pub sample: Option<RandomSample>,
}

impl GameFilter {
    /// Returns the first condition, in the order of [`Refusal::ALL`], that a game with these tags fails;
    /// `None` if it fits. [`Refusal::Player`], [`Refusal::Sample`] and [`Refusal::MaxGames`] are not
    /// considered here. [`GameFilter::sampled`] decides about the sample.
    pub fn refusal(&self, headers: &Headers<'_>) -> Option<Refusal> {
        let fits = |refusal: &Refusal| match refusal {
            Refusal::GamesOf => {
                let mut players = [headers.white, headers.black].into_iter();
                self.games_of.is_empty() || players.any(|player| self.games_of.fit(player))
            }
            Refusal::MinElo => fits_both(self.min_elo, headers, |least, elo| elo >= least),
            Refusal::MaxElo => fits_both(self.max_elo, headers, |most, elo| elo <= most),
            Refusal::Since => fits_date(self.since, headers, Date::is_since),
            Refusal::Until => fits_date(self.until, headers, Date::is_until),
            Refusal::Event => fits_one(&self.event, |part| has_part(headers.event.unwrap_or_default(), part)),
            Refusal::TimeControl => fits_one(&self.time_control, |control| {
                control.has([headers.time_control, headers.written_control])
            }),
            Refusal::Result => fits_one(&self.result, |result| *result == headers.result),
            Refusal::Rounds => {
                fits_one(&self.rounds, |range| headers.round.is_some_and(|round| range.contains(&round)))
            }
            Refusal::Player | Refusal::Sample | Refusal::MaxGames => true,
        };
        Refusal::ALL.into_iter().find(|refusal| !fits(refusal))
    }

    /// Returns whether a game is in the sample. Without a sample, the answer is true for every game.
    pub fn sampled(&self, game: Fingerprint) -> bool {
        self.sample.is_none_or(|sample| sample.has(game))
    }

    /// Returns a description of each condition, including `most`, the limit on the number of games. The list
    /// is empty if every game is taken.
    pub fn names(&self, most: Option<u64>) -> Vec<String> {
        let listed = |items: Vec<String>| (!items.is_empty()).then(|| items.join(" or "));
        let quoted = |items: Vec<String>| listed(items.iter().map(|item| format!("\"{item}\"")).collect());
        let names = self.games_of.iter().map(ToString::to_string).collect();
        let controls = self.time_control.iter().map(ToString::to_string).collect();
        let results = self.result.iter().map(ToString::to_string).collect();
        let rounds = self.rounds.iter().map(rounds_in_words).collect();
        [
            quoted(names).map(|names| format!("games of {names}")),
            self.min_elo.map(|least| format!("both players rated {least} or more")),
            self.max_elo.map(|most| format!("both players rated {most} or less")),
            self.since.map(|date| format!("since {date}")),
            self.until.map(|date| format!("until {date}")),
            quoted(self.event.clone()).map(|parts| format!("events with {parts} in their name")),
            listed(controls).map(|controls| format!("time control {controls}")),
            listed(results).map(|results| format!("result {results}")),
            listed(rounds).map(|rounds| format!("rounds {rounds}")),
            self.sample.map(|RandomSample { share, seed }| format!("a sample of {share} (seed {seed})")),
            most.map(|most| format!("the first {most} of these")),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Formats a round or a range of rounds: `3` or `1–7`.
pub fn rounds_in_words(range: &RangeInclusive<u32>) -> String {
    match (range.start(), range.end()) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}–{last}"),
    }
}

/// Returns whether `is_there` holds for one of the `wanted` values, or `wanted` is empty.
fn fits_one<T>(wanted: &[T], is_there: impl Fn(&T) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(is_there)
}

/// Returns whether there is no bound, or both ratings are known and within the bound.
fn fits_both(bound: Option<u32>, headers: &Headers<'_>, within: impl Fn(u32, u32) -> bool) -> bool {
    bound.is_none_or(|bound| headers.elo.iter().all(|elo| elo.is_some_and(|elo| within(bound, elo))))
}

fn fits_date(bound: Option<Date>, headers: &Headers<'_>, within: impl Fn(Date, Date) -> bool) -> bool {
    bound.is_none_or(|bound| headers.date.is_some_and(|date| within(date, bound)))
}

/// Returns whether `part` occurs in `text`, ignoring case and the amount of white space.
fn has_part(text: &str, part: &str) -> bool {
    plain(text).contains(&plain(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{game::Tags, time_control::TimeClass};

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

    fn refusal(choice: &GameFilter) -> Option<Refusal> {
        choice.refusal(&Headers::of(&tags(&GAME)))
    }

    fn date(text: &str) -> Option<Date> {
        Some(text.parse().expect("a date"))
    }

    #[test]
    fn each_choice_takes_what_fits_and_names_itself_where_nothing_does() {
        let names = |name: &str| GameFilter {
            games_of: [NameMatcher::new(name)].into_iter().collect(),
            ..GameFilter::default()
        };
        let event = |part: &str| GameFilter { event: vec![part.to_owned()], ..GameFilter::default() };
        let control = |text: &str| GameFilter {
            time_control: vec![text.parse().expect("a control")],
            ..GameFilter::default()
        };
        let result = |result| GameFilter { result: vec![result], ..GameFilter::default() };
        for (fits, not, option) in [
            (names("carlsen, magnus"), names("Kramnik"), Refusal::GamesOf),
            (
                GameFilter { min_elo: Some(2783), ..GameFilter::default() },
                GameFilter { min_elo: Some(2784), ..GameFilter::default() },
                Refusal::MinElo,
            ),
            (
                GameFilter { max_elo: Some(2872), ..GameFilter::default() },
                GameFilter { max_elo: Some(2871), ..GameFilter::default() },
                Refusal::MaxElo,
            ),
            (
                GameFilter { since: date("2013-03"), ..GameFilter::default() },
                GameFilter { since: date("2013.03.16"), ..GameFilter::default() },
                Refusal::Since,
            ),
            (
                GameFilter { until: date("2013"), ..GameFilter::default() },
                GameFilter { until: date("2012"), ..GameFilter::default() },
                Refusal::Until,
            ),
            (event("blitz"), event("bullet"), Refusal::Event),
            (control("blitz"), control("180+0"), Refusal::TimeControl),
            (result(GameResult::WhiteWins), result(GameResult::Unknown), Refusal::Result),
        ] {
            assert_eq!(refusal(&fits), None, "{fits:?}");
            assert_eq!(refusal(&not), Some(option), "{not:?}");
        }
        assert_eq!(refusal(&GameFilter::default()), None);
    }

    #[test]
    fn several_of_a_kind_are_alternatives_and_several_kinds_must_all_fit() {
        let alternatives = GameFilter {
            games_of: ["Kramnik", "anand"].map(NameMatcher::new).into_iter().collect(),
            ..GameFilter::default()
        };
        assert_eq!(refusal(&alternatives), None);
        let both = GameFilter { min_elo: Some(3000), max_elo: Some(2000), ..alternatives };
        assert_eq!(refusal(&both), Some(Refusal::MinElo), "the first in their order");
    }

    #[test]
    fn what_is_not_known_fits_no_choice() {
        let unknown = Headers::default();
        for (choice, option) in [
            (GameFilter { min_elo: Some(1), ..GameFilter::default() }, Refusal::MinElo),
            (GameFilter { max_elo: Some(5000), ..GameFilter::default() }, Refusal::MaxElo),
            (GameFilter { since: date("1000"), ..GameFilter::default() }, Refusal::Since),
            (GameFilter { until: date("3000"), ..GameFilter::default() }, Refusal::Until),
            (GameFilter { event: vec!["a".to_owned()], ..GameFilter::default() }, Refusal::Event),
            (
                GameFilter {
                    time_control: vec![TimeControl::Class(TimeClass::Classical)],
                    ..GameFilter::default()
                },
                Refusal::TimeControl,
            ),
        ] {
            assert_eq!(choice.refusal(&unknown), Some(option));
        }
    }

    #[test]
    fn the_choices_in_force_are_told_in_words() {
        let choice = GameFilter {
            games_of: ["Carlsen", "Anand"].map(NameMatcher::new).into_iter().collect(),
            min_elo: Some(2700),
            time_control: vec![TimeControl::Class(TimeClass::Blitz), "600+0".parse().expect("a control")],
            sample: Some(RandomSample { share: "0.01".parse().expect("a share"), seed: 7 }),
            ..GameFilter::default()
        };
        assert_eq!(
            choice.names(Some(9)),
            [
                "games of \"Carlsen\" or \"Anand\"",
                "both players rated 2700 or more",
                "time control blitz or 600+0",
                "a sample of 0.01 (seed 7)",
                "the first 9 of these"
            ]
        );
        assert_eq!(GameFilter::default().names(None), [""; 0]);
    }
}
