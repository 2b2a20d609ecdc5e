//! Owns what an experiment finds in its folder and adds to it: what it is, and the games so far.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, BufRead, BufReader, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    adjudicate::Adjudication,
    crew::Restart,
    outcome::Outcome,
    record::{self, Header},
    results,
    schedule::{Fixture, Pair},
};
use crate::pgn::Games;

/// The file that tells what an experiment is.
pub const EXPERIMENT: &str = "experiment.json";
/// The file of its games.
pub const GAMES: &str = "games.pgn";
/// The file of what differs from run to run.
pub const RUN: &str = "run.json";

/// All that determines the games of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experiment {
    /// The engine that it is about.
    pub engine: Entrant,
    /// The other one, where there is one.
    pub opponent: Option<Entrant>,
    /// Who meets whom.
    pub pairs: Vec<Pair>,
    /// Games of each pair.
    pub games: u32,
    /// Where games begin; `None` for the usual start.
    pub openings: Option<Book>,
    /// Where the random numbers begin.
    pub seed: u64,
    /// The rules beyond those of chess.
    pub adjudication: Adjudication,
    /// How long players are kept.
    pub restart: Restart,
}

/// An engine as it was set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// What it calls itself.
    pub name: String,
    /// Every option but buttons.
    pub options: BTreeMap<String, String>,
}

/// A list of openings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Book {
    /// How many.
    pub count: u32,
    /// SHA-256 of all of them.
    pub sha256: String,
}

/// Why an experiment cannot go on in a folder.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The folder is another experiment's.
    #[error(
        "{} holds another experiment, which differs in {differences}: name another folder with --output",
        folder.display()
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// In what.
        differences: String,
    },
    /// Files of ours without the one that tells what they are.
    #[error("{} holds {file} but no {EXPERIMENT}: name another folder with --output", folder.display())]
    Unknown {
        /// The folder.
        folder: PathBuf,
        /// What is there.
        file: &'static str,
    },
    /// A game that is none of this experiment.
    #[error("{}, game {number}: {problem}: nothing was changed, name another folder with --output", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Which one in the file, from 1.
        number: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// Somebody else writes.
    #[error("{} is in use: another run is playing there", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The disk.
    #[error("{} cannot be read or written", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Experiment {
    /// Whether `folder` holds this experiment already; an error where it holds another one, or
    /// files that this one would write over.
    pub fn is_begun(&self, folder: &Path) -> Result<bool, ResumeError> {
        let path = folder.join(EXPERIMENT);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let found = [GAMES, results::FILE, RUN].into_iter().find(|file| folder.join(file).exists());
                let unknown = |file| ResumeError::Unknown { folder: folder.to_owned(), file };
                return found.map_or(Ok(false), |file| Err(unknown(file)));
            }
            Err(source) => return Err(ResumeError::Io { path, source }),
        };
        match self.differences(&text) {
            differences if differences.is_empty() => Ok(true),
            differences => Err(ResumeError::Foreign { folder: folder.to_owned(), differences }),
        }
    }

    /// What is other in an experiment's file: names, with short values in both.
    fn differences(&self, other: &str) -> String {
        let Ok(other) = serde_json::from_str::<serde_json::Value>(other) else {
            return format!("its {EXPERIMENT}, which cannot be read");
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

/// The file of games, open for more.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

/// What a journal held when it was opened.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Found {
    /// The games, in the order in which they ended.
    pub outcomes: Vec<Outcome>,
    /// Whether a game at its end was not whole, and has been cut off.
    pub was_torn: bool,
}

impl Journal {
    /// Opens the games in `folder`, which belong to a schedule of `fixtures`.
    ///
    /// A game that a killed run has left unfinished is cut off; any other that does not fit is an
    /// error, and the file stays as it is. Nobody else can open it meanwhile.
    pub fn open(
        folder: &Path,
        header: &Header,
        fixtures: &[Fixture],
    ) -> Result<(Journal, Found), ResumeError> {
        let path = folder.join(GAMES);
        let failed = |source| ResumeError::Io { path: path.clone(), source };
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => ResumeError::InUse { path: path.clone() },
            TryLockError::Error(source) => failed(source),
        })?;
        let mut lines = BufReader::new(&file);
        let (mut found, mut seen) = (Found::default(), BTreeSet::new());
        let mut begin = 0;
        while let Some(text) = next_text(&mut lines).map_err(failed)? {
            let outcome = outcome(&text, header, fixtures).and_then(|outcome| {
                let is_new = seen.insert(outcome.game);
                if is_new { Ok(outcome) } else { Err(format!("game {} is there twice", outcome.game)) }
            });
            match outcome {
                Ok(outcome) => found.outcomes.push(outcome),
                // No text follows: it would have been taken for the rest of this one.
                Err(_) if is_torn(&text) => {
                    file.set_len(begin).map_err(failed)?;
                    found.was_torn = true;
                }
                Err(problem) => {
                    let number = found.outcomes.len() + 1;
                    return Err(ResumeError::Game { path: path.clone(), number, problem });
                }
            }
            begin += text.len() as u64;
        }
        Ok((Journal { path, file }, found))
    }

    /// Adds a game, which is in the file when this returns.
    pub fn append(&mut self, game: &str) -> Result<(), ResumeError> {
        let written = self.file.write_all(game.as_bytes());
        written.map_err(|source| ResumeError::Io { path: self.path.clone(), source })
    }
}

/// What is remembered of the game in `text`.
fn outcome(text: &[u8], header: &Header, fixtures: &[Fixture]) -> Result<Outcome, String> {
    if !is_whole(text) {
        return Err("it has no end".to_owned());
    }
    let text = String::from_utf8_lossy(text);
    match Games::new(&text, GAMES).next() {
        Some(Ok(game)) => record::read(&game, header, |number| fixtures.get(number as usize).copied()),
        Some(Err(bad)) => Err(bad.reason.to_string()),
        None => Err("it is no game".to_owned()),
    }
}

/// Whether the text of a game goes to its end, a result and a blank line.
fn is_whole(text: &[u8]) -> bool {
    [&b"1-0\n\n"[..], b"0-1\n\n", b"1/2-1/2\n\n"].iter().any(|end| text.ends_with(end))
}

/// Whether the text may be what a killed run has left of one game.
fn is_torn(text: &[u8]) -> bool {
    !is_whole(text) && String::from_utf8_lossy(text).matches("[Event ").count() <= 1
}

/// The next game's text, up to its end or to that of the file; `None` where nothing is left.
fn next_text(lines: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut text = Vec::new();
    while !is_whole(&text) {
        if lines.read_until(b'\n', &mut text)? == 0 {
            return Ok((!text.is_empty()).then_some(text));
        }
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::{
        Contender, Ending, Side,
        openings::Opening,
        play::{PlayedGame, Ply},
        schedule::schedule,
    };

    fn entrant(name: &str) -> Entrant {
        Entrant { name: name.to_owned(), options: BTreeMap::from([("Hash".to_owned(), "64".to_owned())]) }
    }

    fn experiment() -> Experiment {
        let depth = |depth| Contender { side: Side::Engine, depth };
        Experiment {
            engine: entrant("Fish"),
            opponent: None,
            pairs: vec![Pair { first: depth(1), second: depth(2) }],
            games: 4,
            openings: None,
            seed: 1,
            adjudication: Adjudication::default(),
            restart: Restart::Game,
        }
    }

    fn fixtures() -> Vec<Fixture> {
        schedule(&experiment().pairs, 4, 0, 1)
    }

    fn header() -> Header {
        let date = "2026.01.31".to_owned();
        Header { engine: "Fish".to_owned(), opponent: None, adjudication: String::new(), date }
    }

    /// The text of a game of one move, and what is remembered of it.
    fn game(number: usize) -> (String, Outcome) {
        let uci = ["e2e4", "d2d4", "c2c4", "g1f3"][number].parse().expect("a move");
        let opening = Opening { moves: vec![uci], ..Opening::default() };
        let game = PlayedGame {
            fixture: fixtures()[number],
            start: opening.start.clone(),
            mode: opening.mode,
            moves: vec![Ply { uci, thought: None }],
            result: crate::game::GameResult::WhiteWins,
            ending: Ending::Crash,
            fault: Some("it went".to_owned()),
            line: opening.line().digest(),
            busy: std::time::Duration::ZERO,
        };
        (record::write(&game, &header()), game.outcome())
    }

    fn folder() -> tempfile::TempDir {
        tempfile::TempDir::new().expect("a temporary folder")
    }

    fn open(folder: &Path) -> Result<(Journal, Found), ResumeError> {
        Journal::open(folder, &header(), &fixtures())
    }

    #[test]
    fn wherever_the_last_game_is_torn_the_games_before_it_stay() {
        let ((first, one), (second, two), (third, three)) = (game(2), game(0), game(1));
        for end in 0..=third.len() {
            let folder = folder();
            let path = folder.path().join(GAMES);
            let whole = [&first[..], &second].concat();
            fs::write(&path, [&whole, &third[..end]].concat()).expect("a file");
            let (mut journal, found) = open(folder.path()).expect("a journal");
            if end == third.len() {
                assert_eq!(found, Found { outcomes: vec![one, two, three], was_torn: false });
                continue;
            }
            assert_eq!(found, Found { outcomes: vec![one, two], was_torn: end > 0 }, "{end}");
            journal.append(&third).expect("room");
            assert_eq!(fs::read_to_string(&path).expect("text"), [whole, third.clone()].concat());
        }
    }

    #[test]
    fn a_file_with_a_foreign_game_is_refused_and_stays_as_it_is() {
        let folder = folder();
        let path = folder.path().join(GAMES);
        let ((first, _), (second, _)) = (game(0), game(1));
        let refused = |text: &str, problem: &str| {
            fs::write(&path, text).expect("a file");
            let error = open(folder.path()).map(|_| ()).expect_err("a foreign game").to_string();
            assert!(error.contains(problem), "{error}");
            assert_eq!(fs::read_to_string(&path).expect("text"), text);
        };
        refused(&[&*first, &*first].concat(), "games.pgn, game 2: game 0 is there twice");
        refused(&[&first.replace("Fish", "Whale"), &*second].concat(), "game 1: game 0 is one of \"Whale");
        refused(&first.replace("GameId \"0", "GameId \"9"), "game 9 is not in the schedule");
        refused(&first.replace("1. e4", "1. e5"), "illegal move");
        refused("[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n\n", "game 1: it has no end");
    }

    #[test]
    fn two_runs_do_not_write_into_one_file() {
        let folder = folder();
        let first = open(folder.path()).expect("a journal");
        let error = open(folder.path()).map(|_| ()).expect_err("a locked file").to_string();
        assert!(error.ends_with("games.pgn is in use: another run is playing there"), "{error}");
        drop(first);
        open(folder.path()).expect("nobody writes any more");
    }

    #[test]
    fn a_folder_of_another_experiment_is_refused_with_what_differs() {
        let folder = folder();
        assert!(!experiment().is_begun(folder.path()).expect("an empty folder"));
        let write = |text: &str| fs::write(folder.path().join(EXPERIMENT), text).expect("a file");
        write(&serde_json::to_string(&experiment()).expect("JSON"));
        assert!(experiment().is_begun(folder.path()).expect("the same"));
        let refused = |other: Experiment| other.is_begun(folder.path()).expect_err("another one").to_string();
        let more = refused(Experiment { games: 6, engine: entrant("Whale"), ..experiment() });
        assert!(more.contains("differs in engine, games (4 there, 6 here)"), "{more}");
        write("{");
        assert!(refused(experiment()).contains("cannot be read"));
    }

    #[test]
    fn files_without_an_experiment_are_not_written_over() {
        let folder = folder();
        fs::write(folder.path().join(RUN), "{}").expect("a file");
        let error = experiment().is_begun(folder.path()).expect_err("a foreign folder").to_string();
        assert!(error.contains("holds run.json but no experiment.json"), "{error}");
    }
}
