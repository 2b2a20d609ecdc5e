//! [`ExperimentConfig`]: the definition of an experiment, and the check that a folder's experiment has the
//! same definition.

use std::{collections::BTreeMap, io, path::Path, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    Contender, adjudicate::Adjudication, entrants::EntrantNumber, game_log, game_pool::Restart,
    schedule::Matchup,
};
use crate::base::{input_file, text::counted, text::full_path};
use crate::numbers::Sprt;

pub const FILE: &str = "experiment.json";

/// Everything that determines the games of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExperimentConfig {
    pub engine: ContestantConfig,
    pub opponent: Option<ContestantConfig>,
    pub pairs: Vec<Matchup>,
    #[serde(flatten)]
    pub terms: Terms,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EntrantsConfig {
    pub entrants: Vec<EntrantConfig>,
    pub pairs: Vec<Matchup<EntrantNumber>>,
    #[serde(flatten)]
    pub terms: Terms,
    /// The test that may end a match of two entrants; `None` to play all games.
    pub sprt: Option<Sprt>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntrantConfig {
    pub name: String,
    pub engine: ContestantConfig,
    /// The limit and the method of a move in words, for example `depth 8` or `nodes 50000`.
    pub limit: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    pub games: u32,
    /// The openings; `None` for the initial position.
    pub openings: Option<OpeningBook>,
    pub seed: u64,
    pub adjudication: Adjudication,
    pub restart: Restart,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestantConfig {
    pub name: String,
    pub options: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningBook {
    pub count: u32,
    /// SHA-256 of all openings.
    pub sha256: String,
}

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("{} contains another experiment, which differs in {differences}", full_path(folder))]
    Foreign { folder: PathBuf, differences: String },
    #[error("{} contains {file} but no {FILE}; name another folder", full_path(folder))]
    Unknown { folder: PathBuf, file: &'static str },
    #[error("{} cannot be read", full_path(path))]
    Read { path: PathBuf, source: io::Error },
}

/// Returns whether `folder` already has the experiment of `config`. Returns an error if the folder has
/// another experiment, or a file of games without `experiment.json`, or if `experiment.json` cannot be read.
pub fn is_begun(config: &impl Serialize, folder: &Path) -> Result<bool, ConfigError> {
    let path = folder.join(FILE);
    let text = match input_file::read_text(&path, input_file::SETTINGS) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Other files are checked when the report is written.
            let has_games = folder.join(game_log::FILE).exists();
            let unknown = || ConfigError::Unknown { folder: folder.to_owned(), file: game_log::FILE };
            return if has_games { Err(unknown()) } else { Ok(false) };
        }
        Err(source) => return Err(ConfigError::Read { path, source }),
    };
    match differences(config, &text) {
        differences if differences.is_empty() => Ok(true),
        differences => Err(ConfigError::Foreign { folder: folder.to_owned(), differences }),
    }
}

/// Returns the names of the entries in which `config` and the experiment `other` differ, with the two values
/// if they are short.
fn differences(config: &impl Serialize, other: &str) -> String {
    let Ok(other) = serde_json::from_str::<serde_json::Value>(other) else {
        return format!("the unreadable {FILE}");
    };
    let ours = serde_json::to_value(config).expect("names and numbers");
    let fields = ours.as_object().into_iter().flatten();
    let difference = |(name, now): (&String, &serde_json::Value)| {
        let was = other.get(name).unwrap_or(&serde_json::Value::Null);
        let is_short = |value: &serde_json::Value| !value.is_object() && !value.is_array();
        match () {
            () if was == now => None,
            () if is_short(was) && is_short(now) => Some(format!("{name} ({was} there, {now} here)")),
            () => Some(name.clone()),
        }
    };
    fields.filter_map(difference).collect::<Vec<_>>().join(", ")
}

impl ExperimentConfig {
    pub fn contenders(&self) -> Vec<[Contender; 2]> {
        self.pairs.iter().map(|pair| [pair.first, pair.second]).collect()
    }

    pub fn conditions(&self) -> BTreeMap<String, String> {
        let named =
            |contestant: &ContestantConfig| contestant.options.get("Hash").map(|size| format!("{size} MB"));
        let hash = named(&self.engine).map(|size| ("Hash table".to_owned(), size));
        self.terms.conditions().into_iter().chain(hash).collect()
    }
}

impl Terms {
    pub fn conditions(&self) -> BTreeMap<String, String> {
        let openings = match &self.openings {
            Some(book) => format!(
                "{}, seed {}, SHA-256 {}",
                counted(book.count.into(), "opening"),
                self.seed,
                book.sha256
            ),
            None => "the initial position".to_owned(),
        };
        let rules = self.adjudication.to_string();
        let restart = match self.restart {
            Restart::Game => "for every game",
            Restart::Pair => "for every two games with exchanged colors",
            Restart::Never => "once",
        };
        let conditions = [
            ("Openings", openings),
            ("Games of each pair", self.games.to_string()),
            ("Ends of games", if rules.is_empty() { "the rules of chess alone".to_owned() } else { rules }),
            ("Engines started", restart.to_owned()),
        ];
        conditions.into_iter().map(|(label, text)| (label.to_owned(), text)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::lab::selfplay::{Contender, Side};

    fn contestant(name: &str) -> ContestantConfig {
        ContestantConfig {
            name: name.to_owned(),
            options: BTreeMap::from([("Hash".to_owned(), "64".to_owned())]),
        }
    }

    fn terms(games: u32) -> Terms {
        let adjudication = Adjudication::default();
        Terms { games, openings: None, seed: 1, adjudication, restart: Restart::Game }
    }

    fn config() -> ExperimentConfig {
        let depth = |depth| Contender { side: Side::Engine, depth };
        ExperimentConfig {
            engine: contestant("Fish"),
            opponent: None,
            pairs: vec![Matchup { first: depth(1), second: depth(2) }],
            terms: terms(4),
        }
    }

    #[test]
    fn a_folder_of_another_experiment_is_refused_with_what_differs() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        assert!(!is_begun(&config(), folder.path()).expect("an empty folder"));
        let write = |text: &str| fs::write(folder.path().join(FILE), text).expect("a file");
        write(&serde_json::to_string(&config()).expect("JSON"));
        assert!(is_begun(&config(), folder.path()).expect("the same"));
        let refused =
            |other: ExperimentConfig| is_begun(&other, folder.path()).expect_err("another one").to_string();
        let more = refused(ExperimentConfig { terms: terms(6), engine: contestant("Whale"), ..config() });
        assert!(more.contains("differs in engine, games (4 there, 6 here)"), "{more}");
        write("{");
        assert!(refused(config()).contains("the unreadable experiment.json"));
    }

    #[test]
    fn files_without_an_experiment_are_not_written_over() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join(game_log::FILE), "").expect("a file");
        let error = is_begun(&config(), folder.path()).expect_err("a foreign folder").to_string();
        assert!(error.contains("contains games.pgn but no experiment.json"), "{error}");
    }
}
