//! `run.json`, the record of a run: command, start, duration, and files written.

use std::{collections::BTreeMap, fmt, path::Path, time::Instant, time::SystemTime};

use chrono::{DateTime, SecondsFormat, TimeZone, Utc};
use serde::{Deserialize, Serialize, de::DeserializeOwned, de::IgnoredAny};

use super::mark::FileMark;
use crate::base::{input_file, seal::Seal};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunKind {
    Report,
    Comparison,
    Panel,
    Archive,
    Selfplay,
    Deep,
    GoDeep,
    Learning,
    Predictions,
    Sparring,
    Profile,
    Sensitivity,
}

impl RunKind {
    pub const RECORDS: [&str; 2] = ["run.json", "sensitivity-run.json"];

    /// Returns the file name of the record of this kind of run. A sensitivity study has a record separate
    /// from the report's.
    pub fn record(self) -> &'static str {
        RunKind::RECORDS[usize::from(self == RunKind::Sensitivity)]
    }

    /// Returns whether a run of this kind may replace a run of the `other` kind. The kinds must be equal, or
    /// be [`RunKind::Report`] and [`RunKind::Comparison`] in either order.
    pub fn replaces(self, other: RunKind) -> bool {
        let family = |kind| if kind == RunKind::Comparison { RunKind::Report } else { kind };
        family(self) == family(other)
    }

    /// Returns the verb whose runs have this kind.
    pub fn verb(self) -> &'static str {
        match self {
            RunKind::Report | RunKind::Comparison | RunKind::Panel => "analyze",
            RunKind::Archive => "archive",
            RunKind::Selfplay => "selfplay",
            RunKind::Deep => "deep",
            RunKind::GoDeep => "go-deep",
            RunKind::Learning | RunKind::Predictions => "learn",
            RunKind::Sparring => "spar",
            RunKind::Profile => "player",
            RunKind::Sensitivity => "sensitivity",
        }
    }

    pub fn may_share_folder(self, other: RunKind) -> bool {
        [RunKind::Report, RunKind::Sensitivity].iter().all(|kind| [self, other].contains(kind))
    }
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RunKind::Report => "the report of a tournament",
            RunKind::Comparison => "the comparison of several reports",
            RunKind::Panel => "the report of a panel of engines",
            RunKind::Archive => "the counts of an archive",
            RunKind::Selfplay => "the games of an experiment",
            RunKind::Deep => "the tree of a deep analysis",
            RunKind::GoDeep => "a study of best moves by depth",
            RunKind::Learning => "weights learned from moves",
            RunKind::Predictions => "a test of weights",
            RunKind::Sparring => "the games of skill functions",
            RunKind::Profile => "the profile of a player",
            RunKind::Sensitivity => "a sensitivity study",
        })
    }
}

/// The contents of a record, except its list of files. Results are in other files, because command, start and
/// duration differ even between runs with equal results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord<F> {
    pub version: String,
    pub kind: RunKind,
    /// The command line, one element per argument.
    pub command: Vec<String>,
    /// The start: UTC, RFC 3339.
    pub started: String,
    /// The duration in seconds.
    pub wall_seconds: f64,
    /// Facts specific to this kind of run.
    #[serde(flatten)]
    pub facts: F,
    /// The command line that remade the files from this run's data, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remade: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NoFacts {}

/// The files in a record, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct FileList {
    pub files: BTreeMap<String, FileMark>,
    /// The files that this run replaces. The map is empty as soon as the files of this run are in place.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub replaced: BTreeMap<String, Vec<FileMark>>,
    /// Files outside the folder that this run or earlier runs wrote, by the path that the user gave.
    #[serde(rename = "beside", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outside: BTreeMap<String, FileMark>,
    /// The outside files that this run replaces. The list is empty as soon as the files of this run are in
    /// place.
    #[serde(rename = "replaced_beside", default, skip_serializing_if = "Vec::is_empty")]
    pub replaced_outside: Vec<FileMark>,
}

impl FileList {
    /// Returns the marks that the file `name` may have. The flag is true if this run wrote the marked file,
    /// and false if an earlier run wrote it.
    pub fn marks(&self, name: &str) -> impl Iterator<Item = (bool, &FileMark)> {
        let replaced = self.replaced.get(name).into_iter().flatten();
        self.files.get(name).map(|mark| (true, mark)).into_iter().chain(replaced.map(|mark| (false, mark)))
    }
}

/// Returns the text of a record. Its last field is a digest of everything before it.
pub(super) fn sealed(record: &impl Serialize) -> serde_json::Result<String> {
    Ok(Seal::RECORD.seal(&serde_json::to_string_pretty(record)?))
}

/// Returns whether the text of a record is unchanged. Records of version 0.1.0 may have no digest and then count as
/// unchanged.
pub(super) fn is_unbroken(text: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Head {
        version: String,
        record_digest: Option<IgnoredAny>,
    }
    let is_earlier = || {
        let head = serde_json::from_slice::<Head>(text);
        head.is_ok_and(|head| head.version == "0.1.0" && head.record_digest.is_none())
    };
    Seal::RECORD.is_unbroken(text).unwrap_or_else(is_earlier)
}

/// Returns the time by the computer's clock. If the clock is before 1970, chrono's own functions panic.
pub fn now<Zone: TimeZone>() -> DateTime<Zone>
where
    DateTime<Zone>: From<SystemTime>,
{
    SystemTime::now().into()
}

#[derive(Debug, Clone, Copy)]
pub struct RunClock {
    started: SystemTime,
    start: Instant,
}

impl RunClock {
    pub fn start() -> RunClock {
        RunClock { started: SystemTime::now(), start: Instant::now() }
    }

    pub fn record<F>(&self, kind: RunKind, facts: F) -> RunRecord<F> {
        RunRecord {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kind,
            command: command_line(),
            started: DateTime::<Utc>::from(self.started).to_rfc3339_opts(SecondsFormat::Secs, true),
            wall_seconds: self.start.elapsed().as_secs_f64(),
            facts,
            remade: None,
        }
    }
}

/// Reads the record of an earlier run in `folder`. Returns `None` if the record cannot be read, has changed,
/// is of another `kind`, or has facts of another type than `F`.
pub fn read_record<F: DeserializeOwned>(folder: &Path, kind: RunKind) -> Option<RunRecord<F>> {
    let text = input_file::read_text(&folder.join(kind.record()), input_file::SETTINGS).ok();
    let text = text.filter(|text| is_unbroken(text.as_bytes()))?;
    serde_json::from_str(&text).ok().filter(|record: &RunRecord<F>| record.kind == kind)
}

/// Returns the command line of this process, one element per argument. Bytes that are not UTF-8 become
/// `U+FFFD`.
pub fn command_line() -> Vec<String> {
    std::env::args_os().map(|arg| arg.to_string_lossy().into_owned()).collect()
}
