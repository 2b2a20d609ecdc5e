//! The anchor in a tournament's report: the strength of an engine at its search depth.

use std::{io, ops::RangeInclusive, path::Path, path::PathBuf};

use serde::Deserialize;
use thiserror::Error;

use crate::base::input_file;
use crate::base::output::{RecordedFileError, RecordedFolder};
use crate::base::text::{full_path, printable};
use crate::files::formats::facts::{EngineFacts, EvaluationSource};
use crate::numbers::{Estimate, Interval, IntervalMethod};

#[derive(Debug, Clone, PartialEq)]
pub struct ReportedAnchor {
    /// The search depth in plies.
    pub depth: u32,
    pub elo: Estimate,
    /// The engine's `id name`.
    pub engine: String,
}

#[derive(Debug, Error)]
pub enum AnchorError {
    #[error("{}: cannot be read", full_path(.0))]
    Read(PathBuf, #[source] io::Error),
    #[error("{}: not the summary.json of a tournament's report", full_path(.0))]
    NotASummary(PathBuf, #[source] serde_json::Error),
    #[error(transparent)]
    RecordedFileError(#[from] RecordedFileError),
    #[error("{}: has no engine strength, because no player is rated", full_path(.0))]
    NoStrength(PathBuf),
    #[error("{}: its evaluations were recorded in the games, so the engine and its depth are unknown", full_path(.0))]
    Recorded(PathBuf),
    #[error("{}: its search limit is {}, but an anchor needs a depth", full_path(.0), .1)]
    NoDepth(PathBuf, String),
    #[error("{}: engine_strength has {}", full_path(.0), .1)]
    BadStrength(PathBuf, &'static str),
}

/// Range of a strength in a file, in Elo. Real strengths are far inside this range. Computing with larger
/// numbers would never end.
const ELO: RangeInclusive<f64> = -10_000.0..=10_000.0;

#[derive(Deserialize)]
struct AnchorSummary {
    evaluations: EvaluationSource,
    engine_strength: Option<Strength>,
}

#[derive(Deserialize)]
struct Strength {
    mean: f64,
    standard_error: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    level: Option<f64>,
    players: usize,
}

/// Reads the anchor from `path`, a tournament's `summary.json` or its folder.
pub fn read(path: &Path) -> Result<ReportedAnchor, AnchorError> {
    let path = if path.is_dir() { path.join("summary.json") } else { path.to_owned() };
    let text = input_file::read_text(&path, input_file::SETTINGS);
    let text = text.map_err(|source| AnchorError::Read(path.clone(), source))?;
    if let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) {
        let recorded = RecordedFolder::open(folder)?;
        // A file that the folder's record does not list is accepted without a check.
        if recorded.lists(name) {
            recorded.check(name)?;
        }
    }
    let summary: AnchorSummary =
        serde_json::from_str(&text).map_err(|source| AnchorError::NotASummary(path.clone(), source))?;
    let EvaluationSource::Engine { engine: EngineFacts { name, .. }, protocol, .. } = summary.evaluations
    else {
        return Err(AnchorError::Recorded(path));
    };
    let depth = protocol.limit.strip_prefix("depth ").and_then(|depth| depth.parse().ok());
    let Some(depth) = depth else {
        return Err(AnchorError::NoDepth(path, protocol.limit));
    };
    let Some(strength) = summary.engine_strength else {
        return Err(AnchorError::NoStrength(path));
    };
    if let Some(problem) = strength.fault() {
        return Err(AnchorError::BadStrength(path, problem));
    }
    Ok(ReportedAnchor { depth, elo: strength.estimate(), engine: name })
}

impl Strength {
    fn fault(&self) -> Option<&'static str> {
        let Strength { mean, standard_error, low, high, level, players } = *self;
        let is_elo = |elo: f64| ELO.contains(&elo);
        let parts = [standard_error, low, high, level].map(|part| part.is_some());
        match () {
            () if !is_elo(mean) => Some("a mean outside -10000 to 10000"),
            () if players == 0 => Some("no players"),
            () if parts.contains(&true) && parts.contains(&false) => Some("an interval with missing parts"),
            () if !standard_error.is_none_or(|error| (0.0..=*ELO.end()).contains(&error)) => {
                Some("a standard error outside 0 to 10000")
            }
            // With few players an interval may be very wide.
            () if !low.zip(high).is_none_or(|(low, high)| low <= mean && mean <= high) => {
                Some("an interval that does not contain its mean")
            }
            () if !level.is_none_or(|level| 0.0 < level && level < 1.0) => {
                Some("a level that is not between 0 and 1")
            }
            () => None,
        }
    }

    fn estimate(self) -> Estimate {
        let Strength { mean, standard_error, low, high, level, players } = self;
        let method = IntervalMethod::StudentT { freedom: players.saturating_sub(1) };
        let interval = standard_error.zip(low.zip(high)).zip(level);
        let interval = interval.map(|((standard_error, (low, high)), level)| Interval {
            standard_error,
            low,
            high,
            level,
            method,
        });
        Estimate { value: mean, observations: players, interval }
    }
}

impl ReportedAnchor {
    /// Returns a warning if the experiment uses another engine than the report.
    pub fn warning(&self, engine: &str) -> Option<String> {
        (self.engine != engine).then(|| {
            format!(
                "the anchor is the strength of {}, but the experiment plays with {}; depths of two engines \
                 are not comparable",
                printable(&self.engine),
                printable(engine)
            )
        })
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;

    use super::*;

    /// The parts of a report's `summary.json` that contain the anchor: the Candidates of 2013 at depth 20.
    pub(crate) const CANDIDATES: &str = r#"{
        "evaluations": {"origin": "engine", "engine": {"name": "Stockfish 15.1", "digest": null, "options": {}},
            "protocol": {"limit": "depth 20", "order": "forward", "segment": 16}, "recorded_games": 0},
        "engine_strength": {"mean": 2910.307310883891, "standard_error": 19.348572681540332, "low": 2864.555206687415, "high": 2956.059415080367, "level": 0.95, "players": 8}
    }"#;

    fn written(text: &str) -> Result<ReportedAnchor, AnchorError> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("summary.json"), text).expect("a new file");
        read(folder.path())
    }

    #[test]
    fn the_report_of_the_candidates_is_an_anchor_at_depth_20() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("summary.json"), CANDIDATES).expect("a new file");
        let found = read(folder.path()).expect("a report");
        assert_eq!((found.depth, found.engine.as_str()), (20, "Stockfish 15.1"));
        // As in README.md: 2910.3 ± 45.8.
        let interval = found.elo.interval.expect("eight players");
        assert_eq!(crate::base::text::rounded(found.elo.value, 1), "2910.3");
        assert_eq!(crate::base::text::rounded(interval.half_width(), 1), "45.8");
        assert_eq!(found.warning("Stockfish 15.1"), None);
        assert!(found.warning("Stockfish 16").is_some_and(|text| text.contains("Stockfish 16")));
        assert_eq!(read(&folder.path().join("summary.json")).expect("the same file"), found);
    }

    #[test]
    fn what_is_no_anchor_is_refused_with_a_reason() {
        let engine = |limit: &str, strength: &str| {
            format!(
                r#"{{"evaluations": {{"origin": "engine", "engine": {{"name": "E", "digest": null, "options": {{}}}},
                "protocol": {{"limit": "{limit}", "order": "backward", "segment": 16}}, "recorded_games": 0}},
                "engine_strength": {strength}}}"#
            )
        };
        let strength = r#"{"mean": 2800.0, "standard_error": null, "low": null, "high": null, "level": null, "players": 1}"#;
        assert_eq!(written(&engine("depth 8", strength)).expect("an anchor").elo.interval, None);
        let whole = |error: &str, low: &str, high: &str, level: &str| {
            format!(
                r#"{{"mean": 2800.0, "standard_error": {error}, "low": {low}, "high": {high}, "level": {level}, "players": 3}}"#
            )
        };
        let known = written(&engine("depth 8", &whole("2.5", "2790", "2810", "0.95"))).expect("an anchor");
        assert!(known.elo.interval.is_some());
        for (text, words) in [
            (engine("nodes 1000", strength), "nodes 1000"),
            (engine("depth 8", "null"), "no engine strength"),
            (r#"{"evaluations": {"origin": "recorded"}, "engine_strength": null}"#.to_owned(), "recorded"),
            ("{}".to_owned(), "not the summary.json"),
            (engine("depth 8", &strength.replace("2800.0", "1e308")), "a mean outside -10000 to 10000"),
            (engine("depth 8", &strength.replace(": 1}", ": 0}")), "no players"),
            (engine("depth 8", &strength.replacen("null", "1.5", 1)), "missing parts"),
            (engine("depth 8", &whole("2.5", "2810", "2790", "0.95")), "does not contain its mean"),
            (engine("depth 8", &whole("-2.5", "2790", "2810", "0.95")), "a standard error"),
            (engine("depth 8", &whole("2.5", "2790", "2810", "95")), "a level"),
        ] {
            let error = written(&text).expect_err("no anchor").to_string();
            assert!(error.contains(words), "{error}");
        }
        assert!(matches!(read(Path::new("/no/such/summary.json")), Err(AnchorError::Read(..))));
    }
}
