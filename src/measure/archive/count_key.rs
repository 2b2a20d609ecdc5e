//! [`CountKey`]: the counting options of an archive.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::chess::{Clip, Metric, UnknownMetric};
use crate::measure::group::{Grouping, UnknownGrouping};
use crate::numbers::{Band, BinWidth, BrokenBin};

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

#[derive(Debug, thiserror::Error)]
enum BadKey {
    #[error(transparent)]
    Grouping(#[from] UnknownGrouping),
    #[error(transparent)]
    Metric(#[from] UnknownMetric),
    #[error(transparent)]
    Band(#[from] BrokenBin),
    #[error("a clip of {0} centipawns is not from 1 to {max}", max = Clip::MAX)]
    Clip(i32),
    #[error("a bin must be at least 1 unit wide")]
    Bin,
}

impl From<CountKey> for KeyFields {
    fn from(key: CountKey) -> KeyFields {
        let CountKey {
            by,
            clip,
            metric,
            band,
            filters,
            choices,
            keep_duplicates,
            check_moves,
            quantiles,
            rated_kinds,
        } = key;
        KeyFields {
            by: by.to_string(),
            clip_cp: clip.cp(),
            metric: metric.name().to_owned(),
            bin: band.width().get(),
            tie: band.tie(),
            filters,
            choices,
            keep_duplicates,
            check_moves,
            rated_kinds,
            quantiles,
        }
    }
}

impl TryFrom<KeyFields> for CountKey {
    type Error = BadKey;

    fn try_from(fields: KeyFields) -> Result<CountKey, BadKey> {
        let KeyFields {
            by,
            clip_cp,
            metric,
            bin,
            tie,
            filters,
            choices,
            keep_duplicates,
            check_moves,
            rated_kinds,
            quantiles,
        } = fields;
        Ok(CountKey {
            by: by.parse()?,
            clip: Clip::new(clip_cp).ok_or(BadKey::Clip(clip_cp))?,
            metric: metric.parse()?,
            band: Band::new(BinWidth::new(bin).ok_or(BadKey::Bin)?, tie)?,
            filters,
            choices,
            keep_duplicates,
            check_moves,
            quantiles,
            rated_kinds,
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
    use crate::measure::archive::CountOptions;

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
