//! Owns what outlives a game: the log of moves, and what is remembered of opponents.

use std::{collections::BTreeMap, fs::File, fs::OpenOptions, io, io::Write, path::Path, path::PathBuf};

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use super::{even::OpponentRecord, player::SparPlayer, question::SkillReport, question::SparMove};
use crate::chess::input_file;

/// Moves that what was learned of an opponent counts as at most when the next game begins.
const MOST_MOVES: f64 = 40.0;

#[derive(Debug)]
pub struct MoveLog(File);

#[derive(Serialize)]
struct MoveLogLine<'a> {
    game: u64,
    skill: &'a str,
    r#move: String,
    #[serde(flatten)]
    report: &'a SkillReport,
}

impl MoveLog {
    /// Goes on with a file, or begins it.
    pub fn open(path: &Path) -> io::Result<MoveLog> {
        OpenOptions::new().create(true).append(true).open(path).map(MoveLog)
    }

    pub fn add(&mut self, game: u64, skill: &str, uci: UciMove, report: &SkillReport) -> io::Result<()> {
        let line = MoveLogLine { game, skill, r#move: uci.to_string(), report };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        // At once, so that lines are whole whenever the process ends.
        self.0.write_all(text.as_bytes())
    }
}

#[derive(Debug)]
pub struct OpponentMemory {
    path: PathBuf,
    opponents: BTreeMap<String, OpponentRecord>,
}

#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    #[error("it cannot be read")]
    Read(#[source] io::Error),
    #[error("it is no file of opponents")]
    Parse(#[from] serde_json::Error),
    #[error("what it has of {0:?} is no record of moves")]
    Record(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryFile {
    /// By name; moves that counted, and percentage points lost by them.
    opponents: BTreeMap<String, OpponentRecord>,
}

impl OpponentMemory {
    /// Reads a file; one that is not there yet remembers nobody.
    pub fn open(path: &Path) -> Result<OpponentMemory, MemoryError> {
        let opponents = match input_file::read_text(path, input_file::SETTINGS) {
            Ok(text) => serde_json::from_str::<MemoryFile>(&text)?.opponents,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(MemoryError::Read(error)),
        };
        let is_sound = |record: &OpponentRecord| {
            record.moves.is_finite() && record.moves > 0.0 && (-100.0..=100.0).contains(&record.mean())
        };
        match opponents.iter().find(|(_, record)| !is_sound(record)) {
            Some((name, _)) => Err(MemoryError::Record(name.clone())),
            None => Ok(OpponentMemory { path: path.to_owned(), opponents }),
        }
    }

    /// Returns what is remembered of somebody, as a new game begins with it.
    pub fn of(&self, name: &str) -> Option<OpponentRecord> {
        self.opponents.get(name).map(|record| record.at_most(MOST_MOVES))
    }

    /// Remembers somebody; the file is written anew as a whole.
    pub fn keep(&mut self, name: &str, record: OpponentRecord) -> io::Result<()> {
        self.opponents.insert(name.to_owned(), record);
        let file = MemoryFile { opponents: self.opponents.clone() };
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut new = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
        writeln!(new, "{}", serde_json::to_string_pretty(&file)?)?;
        new.persist(&self.path)?;
        Ok(())
    }
}

/// What is told of games beside playing them: to a log, and to the memory of opponents.
#[derive(Debug, Default)]
pub struct SparNotes {
    pub log: Option<MoveLog>,
    pub memory: Option<OpponentMemory>,
    pub opponent: String,
    /// The number of the game, from 1 once one was begun.
    pub game: u64,
}

impl SparNotes {
    /// Lets a player meet the opponent with what is remembered of it.
    pub fn meet(&self, player: &mut SparPlayer) {
        player.meet(self.memory.as_ref().and_then(|memory| memory.of(&self.opponent)));
    }

    /// Writes down what is to outlive the game, and returns what cannot be written: that is no reason to end it.
    pub fn note(&mut self, skill: &str, found: &SparMove, player: &SparPlayer) -> Vec<String> {
        let (Some(best), Some(report)) = (found.best, &found.report) else { return Vec::new() };
        let logged = self.log.as_mut().map(|log| log.add(self.game, skill, best, report));
        let kept = self.memory.as_mut().zip(player.opponent());
        let kept = kept.map(|(memory, record)| memory.keep(&self.opponent, record));
        [("log", logged), ("file of opponents", kept)]
            .into_iter()
            .filter_map(|(what, done)| Some(format!("the {what} cannot be written: {}", done?.err()?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_is_kept_of_an_opponent_is_what_the_next_game_begins_with() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("memory.json");
        let mut memory = OpponentMemory::open(&path).expect("nothing yet");
        assert_eq!(memory.of("Ann"), None);
        memory.keep("Ann", OpponentRecord { moves: 80.0, lost: 400.0 }).expect("a writable folder");
        memory.keep("Bob", OpponentRecord { moves: 8.0, lost: 8.0 }).expect("a writable folder");
        let again = OpponentMemory::open(&path).expect("the file");
        assert_eq!(again.of("Ann"), Some(OpponentRecord { moves: 40.0, lost: 200.0 }));
        assert_eq!(again.of("Bob"), Some(OpponentRecord { moves: 8.0, lost: 8.0 }));
    }

    #[test]
    fn a_file_that_is_something_else_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("memory.json");
        for (text, problem) in [
            ("{", "no file of opponents"),
            ("{\"opponents\":{\"Ann\":{\"moves\":-1.0,\"lost\":2.0}}}", "\"Ann\""),
            ("{\"opponents\":{\"Ann\":{\"moves\":1.0,\"lost\":2000.0}}}", "\"Ann\""),
        ] {
            fs::write(&path, text).expect("a file");
            let error = OpponentMemory::open(&path).expect_err("no memory").to_string();
            assert!(error.contains(problem), "{error}");
        }
        assert!(matches!(OpponentMemory::open(folder.path()), Err(MemoryError::Read(_))));
    }
}
