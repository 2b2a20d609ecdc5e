//! Owns [`ExperimentConfig`]: what an experiment is, and whether a folder is that of the same one.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{Contender, adjudicate::Adjudication, game_log, game_pool::Restart, schedule::Matchup};
use crate::text::counted;

/// The file that tells what an experiment is.
pub const FILE: &str = "experiment.json";

/// All that determines the games of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExperimentConfig {
    /// The engine that it is about.
    pub engine: ContestantConfig,
    /// The other one, where there is one.
    pub opponent: Option<ContestantConfig>,
    /// Who meets whom.
    pub pairs: Vec<Matchup>,
    /// Games of each pair.
    pub games: u32,
    /// Where games begin; `None` for the usual start.
    pub openings: Option<OpeningBook>,
    /// Where the random numbers begin.
    pub seed: u64,
    /// The rules beyond those of chess.
    pub adjudication: Adjudication,
    /// How long players are kept.
    pub restart: Restart,
}

/// An engine as it was set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContestantConfig {
    /// What it calls itself.
    pub name: String,
    /// Every option but buttons.
    pub options: BTreeMap<String, String>,
}

/// A list of openings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningBook {
    /// How many.
    pub count: u32,
    /// SHA-256 of all of them.
    pub sha256: String,
}

/// Why an experiment cannot go on in a folder.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The folder is another experiment's.
    #[error(
        "{} holds another experiment, which differs in {differences}",
        folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// In what.
        differences: String,
    },
    /// Files of ours without the one that tells what they are.
    #[error("{} holds {file} but no {FILE}", folder.display())]
    Unknown {
        /// The folder.
        folder: PathBuf,
        /// What is there.
        file: &'static str,
    },
    /// The disk.
    #[error("{} cannot be read", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl ExperimentConfig {
    /// Returns whether `folder` holds this experiment already; an error where it holds another one, or files
    /// that this one would write over.
    pub fn is_begun(&self, folder: &Path) -> Result<bool, ConfigError> {
        let path = folder.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // What else is there is told from ours when the report is written.
                let has_games = folder.join(game_log::FILE).exists();
                let unknown = || ConfigError::Unknown { folder: folder.to_owned(), file: game_log::FILE };
                return if has_games { Err(unknown()) } else { Ok(false) };
            }
            Err(source) => return Err(ConfigError::Read { path, source }),
        };
        match self.differences(&text) {
            differences if differences.is_empty() => Ok(true),
            differences => Err(ConfigError::Foreign { folder: folder.to_owned(), differences }),
        }
    }

    /// Returns who meets whom, two at a time.
    pub fn contenders(&self) -> Vec<[Contender; 2]> {
        self.pairs.iter().map(|pair| [pair.first, pair.second]).collect()
    }

    /// Returns how the games are played, by label.
    pub fn conditions(&self) -> BTreeMap<String, String> {
        let openings = match &self.openings {
            Some(book) => format!(
                "{}, seed {}, SHA-256 {}",
                counted(book.count.into(), "opening"),
                self.seed,
                book.sha256
            ),
            None => "the usual start".to_owned(),
        };
        let rules = self.adjudication.to_string();
        let restart = match self.restart {
            Restart::Game => "for every game",
            Restart::Pair => "for every two games with exchanged colours",
            Restart::Never => "once",
        };
        let named =
            |contestant: &ContestantConfig| contestant.options.get("Hash").map(|size| format!("{size} MB"));
        let hash = named(&self.engine).map(|size| ("Hash table".to_owned(), size));
        let conditions = [
            ("Openings", openings),
            ("Games of each pair", self.games.to_string()),
            ("Ends of games", if rules.is_empty() { "the rules of chess alone".to_owned() } else { rules }),
            ("Engines started", restart.to_owned()),
        ];
        conditions.into_iter().map(|(label, text)| (label.to_owned(), text)).chain(hash).collect()
    }

    /// Returns what differs in an experiment's file: names, with short values in both.
    fn differences(&self, other: &str) -> String {
        let Ok(other) = serde_json::from_str::<serde_json::Value>(other) else {
            return format!("its {FILE}, which cannot be read");
        };
        let ours = serde_json::to_value(self).expect("names and numbers");
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{Contender, Side};

    fn contestant(name: &str) -> ContestantConfig {
        ContestantConfig {
            name: name.to_owned(),
            options: BTreeMap::from([("Hash".to_owned(), "64".to_owned())]),
        }
    }

    fn config() -> ExperimentConfig {
        let depth = |depth| Contender { side: Side::Engine, depth };
        ExperimentConfig {
            engine: contestant("Fish"),
            opponent: None,
            pairs: vec![Matchup { first: depth(1), second: depth(2) }],
            games: 4,
            openings: None,
            seed: 1,
            adjudication: Adjudication::default(),
            restart: Restart::Game,
        }
    }

    #[test]
    fn a_folder_of_another_experiment_is_refused_with_what_differs() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        assert!(!config().is_begun(folder.path()).expect("an empty folder"));
        let write = |text: &str| fs::write(folder.path().join(FILE), text).expect("a file");
        write(&serde_json::to_string(&config()).expect("JSON"));
        assert!(config().is_begun(folder.path()).expect("the same"));
        let refused =
            |other: ExperimentConfig| other.is_begun(folder.path()).expect_err("another one").to_string();
        let more = refused(ExperimentConfig { games: 6, engine: contestant("Whale"), ..config() });
        assert!(more.contains("differs in engine, games (4 there, 6 here)"), "{more}");
        write("{");
        assert!(refused(config()).contains("cannot be read"));
    }

    #[test]
    fn files_without_an_experiment_are_not_written_over() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join(game_log::FILE), "").expect("a file");
        let error = config().is_begun(folder.path()).expect_err("a foreign folder").to_string();
        assert!(error.contains("holds games.pgn but no experiment.json"), "{error}");
    }
}
