//! [`CountOptions`]: the options for counting an archive; and [`CountKey`], which identifies them in files.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::chess::{
    Clip, GivenNames, Headers, Metric, RatingSystem, Refusal, Selection, UnknownMetric,
    evaluated_game::LICHESS, evaluated_game::is_same_judge,
};
use crate::measure::{
    calibration::CountedMoves, calibration::RatingScale, group::Grouping, tournament::Method,
};
use crate::numbers::{Band, BinWidth};

/// The options on which every count of an archive depends.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct CountOptions {
    /// The property by which moves are grouped.
    pub by: Grouping,
    /// Clip, metric, bins, ties, curve and filter. The other settings of the method are not used: archives
    /// have no gains of the engine's own moves and no bootstrap.
    pub method: Method,
    /// The conditions on the games to count.
    pub selection: Selection,
    /// The players whose moves are counted; empty for all.
    pub players: GivenNames,
    /// The kinds of recorded evaluations, as in [`crate::chess::evaluated_game::judge_of_game`], that are summed for
    /// ratings of play, with the scale of the ratings and the moves that count in them.
    pub rated_kinds: Vec<(String, RatingScale, CountedMoves)>,
    /// True to replay every move.
    pub check_moves: bool,
    /// True to also count statistics of single games.
    pub quantiles: bool,
    /// True to keep single moves.
    pub keep_moves: bool,
}

impl CountOptions {
    /// Returns options for counting all moves of all games, with copies counted once, by the paper's method.
    pub fn new(by: Grouping) -> CountOptions {
        CountOptions {
            by,
            method: Method::default(),
            selection: Selection::default(),
            players: GivenNames::default(),
            rated_kinds: Vec::new(),
            check_moves: false,
            quantiles: false,
            keep_moves: false,
        }
    }

    /// Returns whether counting needs the positions on the board.
    pub(super) fn needs_board(&self) -> bool {
        let filter = &self.method.filter;
        self.quantiles || filter.skip_forced || !filter.phases.is_empty()
    }

    /// Returns the first condition that a game with these tags does not meet. One condition is that the game
    /// has a player whose moves are wanted.
    pub(super) fn refusal(&self, headers: &Headers<'_>) -> Option<Refusal> {
        let counts = || [headers.white, headers.black].into_iter().any(|name| self.wants_player(name));
        self.selection.filter.refusal(headers).or_else(|| (!counts()).then_some(Refusal::Player))
    }

    /// Returns the kind of evaluations that `judge` names, and the moves that count, if ratings of play are summed for it in a game with these
    /// tags. Evaluations by lichess are summed only in games on the scale of the ratings, to save time.
    pub(super) fn rated_kind<'a>(
        &self,
        judge: Option<&str>,
        tag: &dyn Fn(&'static str) -> Option<&'a str>,
    ) -> Option<(&str, CountedMoves)> {
        let judge = judge?;
        let is_on =
            |scale| judge != LICHESS || RatingScale::of_system(RatingSystem::of_tags(tag).0) == Some(scale);
        let mut fitting = self.rated_kinds.iter().filter(|one| is_same_judge(&one.0, judge) && is_on(one.1));
        fitting.next().map(|(kind, _, counted)| (kind.as_str(), *counted))
    }

    /// Returns whether the moves of a player of that name are wanted.
    pub(super) fn wants_player(&self, name: &str) -> bool {
        self.players.is_empty() || self.players.fit(name)
    }

    /// Returns the key that identifies these options.
    pub fn identity(&self) -> CountKey {
        let CountOptions { by, method, selection, players, rated_kinds, check_moves, quantiles, .. } = self;
        let players = players.iter().map(|name| format!("moves of \"{name}\""));
        CountKey {
            by: *by,
            clip: method.clip,
            metric: method.metric,
            band: method.band,
            filters: method.filter.names().into_iter().chain(players).collect(),
            choices: selection.names(),
            keep_duplicates: selection.keep_duplicates,
            check_moves: *check_moves,
            quantiles: *quantiles,
            rated_kinds: rated_kinds.iter().map(|(kind, ..)| kind.clone()).collect(),
        }
    }
}

/// The counting options of an archive. Two parts of an archive can be added only if their options are equal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "KeyFields", try_from = "KeyFields")]
pub struct CountKey {
    pub by: Grouping,
    pub clip: Clip,
    pub metric: Metric,
    /// Bins and ties of gains, in the metric's unit.
    pub band: Band,
    pub filters: Vec<String>,
    pub choices: Vec<String>,
    pub keep_duplicates: bool,
    /// True if every move was replayed.
    pub check_moves: bool,
    /// True if statistics of single games were counted.
    pub quantiles: bool,
    /// The kinds of recorded evaluations (engine and protocol) that were summed for ratings of play.
    pub rated_kinds: Vec<String>,
}

/// The fields of a [`CountKey`] as stored in files. Files are not trusted, so the conversion to a [`CountKey`]
/// checks the values.
#[derive(Serialize, Deserialize)]
struct KeyFields {
    by: String,
    clip_cp: i32,
    metric: String,
    bin: u32,
    tie: u32,
    filters: Vec<String>,
    choices: Vec<String>,
    keep_duplicates: bool,
    check_moves: bool,
    #[serde(default)]
    rated_kinds: Vec<String>,
    // Omitted if false, as in older files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    quantiles: bool,
}

impl From<CountKey> for KeyFields {
    fn from(key: CountKey) -> KeyFields {
        KeyFields {
            by: key.by.to_string(),
            clip_cp: key.clip.cp(),
            metric: key.metric.name().to_owned(),
            bin: key.band.width().get(),
            tie: key.band.tie(),
            filters: key.filters,
            choices: key.choices,
            keep_duplicates: key.keep_duplicates,
            check_moves: key.check_moves,
            rated_kinds: key.rated_kinds,
            quantiles: key.quantiles,
        }
    }
}

impl TryFrom<KeyFields> for CountKey {
    type Error = String;

    fn try_from(fields: KeyFields) -> Result<CountKey, String> {
        let clip = || format!("a clip of {} centipawns is not from 1 to {}", fields.clip_cp, Clip::MAX);
        let width = BinWidth::new(fields.bin).ok_or("a bin must be at least 1 unit wide")?;
        Ok(CountKey {
            by: fields.by.parse()?,
            clip: Clip::new(fields.clip_cp).ok_or_else(clip)?,
            metric: fields.metric.parse().map_err(|error: UnknownMetric| error.to_string())?,
            band: Band::new(width, fields.tie).map_err(|error| error.to_string())?,
            filters: fields.filters,
            choices: fields.choices,
            keep_duplicates: fields.keep_duplicates,
            check_moves: fields.check_moves,
            quantiles: fields.quantiles,
            rated_kinds: fields.rated_kinds,
        })
    }
}

impl CountKey {
    /// Returns the range of possible gains, from the center of the lowest bin to the center of the highest
    /// bin.
    pub fn gains(&self) -> RangeInclusive<i64> {
        let most = match self.metric {
            Metric::Centipawns => 2 * i64::from(self.clip.cp()),
            // A hundred percentage points.
            Metric::WinProbability | Metric::Wdl => 10_000,
        };
        let high = self.band.width().center(most);
        -high..=high
    }

    pub fn differences(&self, other: &CountKey) -> String {
        let both = self.described().into_iter().zip(other.described());
        let differing = both.filter(|(here, there)| here != there);
        let told = differing.map(|((name, here), (_, there))| format!("{name} ({there} there, {here} here)"));
        told.collect::<Vec<_>>().join(", ")
    }

    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("words and numbers")
    }

    /// Returns the name of each option and its value as text, sorted by name.
    fn described(&self) -> [(&'static str, String); 11] {
        let quoted = |text: &str| format!("{text:?}");
        [
            ("bin", self.band.width().to_string()),
            ("by", quoted(&self.by.to_string())),
            ("check_moves", self.check_moves.to_string()),
            ("choices", format!("{:?}", self.choices)),
            ("clip_cp", self.clip.cp().to_string()),
            ("filters", format!("{:?}", self.filters)),
            ("keep_duplicates", self.keep_duplicates.to_string()),
            ("metric", quoted(self.metric.name())),
            ("quantiles", self.quantiles.to_string()),
            ("rated_kinds", format!("{:?}", self.rated_kinds)),
            ("tie", self.band.tie().to_string()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_is_written_and_one_that_cannot_be_is_refused_by_name() {
        let key = CountOptions::new(Grouping::EloBand(50)).identity();
        let line = key.to_json();
        assert_eq!(serde_json::from_str::<CountKey>(&line).expect("a key"), key);
        for (from, to, told) in [
            (
                r#""bin":1,"tie":0"#,
                r#""bin":10,"tie":5"#,
                "a tie of ±5 is not a multiple of the bin width 10",
            ),
            (r#""bin":1"#, r#""bin":0"#, "a bin must be at least 1 unit wide"),
            (r#""clip_cp":1000"#, r#""clip_cp":0"#, "a clip of 0 centipawns is not"),
            (r#""metric":"cp""#, r#""metric":"pawns""#, "unknown metric \"pawns\""),
            ("elo-band:50", "elo-band:0", "is not a grouping"),
        ] {
            assert!(line.contains(from), "{line}");
            let error = serde_json::from_str::<CountKey>(&line.replace(from, to)).expect_err(told);
            assert!(error.to_string().contains(told), "{error}");
        }
    }

    #[test]
    fn keys_differ_in_what_they_are_told_apart_by() {
        let one = CountOptions::new(Grouping::Player).identity();
        let other = CountKey { by: Grouping::Year, filters: vec!["phase endgame".to_owned()], ..one.clone() };
        assert_eq!(
            one.differences(&other),
            r#"by ("year" there, "player" here), filters (["phase endgame"] there, [] here)"#
        );
        assert_eq!(one.differences(&one), "");
    }
}
