//! The log of moves, and the memory of opponents.

use std::{collections::BTreeMap, fs::File, fs::OpenOptions, io, io::Write, path::Path, path::PathBuf};

use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use super::{
    course::MOST_MOVES, course::OpponentRecord, player::SparPlayer, question::SkillReport, question::SparMove,
};
use crate::base::output::{FileError, hold_folder, write_named_file};
use crate::base::{input_file, text::with_causes};

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
    pub fn open(path: &Path) -> io::Result<MoveLog> {
        OpenOptions::new().create(true).append(true).open(path).map(MoveLog)
    }

    pub fn add(&mut self, game: u64, skill: &str, uci: UciMove, report: &SkillReport) -> io::Result<()> {
        let line = MoveLogLine { game, skill, r#move: uci.to_string(), report };
        let mut text = serde_json::to_string(&line)?;
        text.push('\n');
        // Written at once, so that no line is cut off when the process ends.
        self.0.write_all(text.as_bytes())
    }
}

#[derive(Debug)]
pub struct OpponentMemory {
    path: PathBuf,
    opponents: BTreeMap<String, OpponentRecord>,
    /// The records at the start of a resumed game, or last written by this process. Other processes may write
    /// to the same file.
    kept: BTreeMap<String, OpponentRecord>,
}

#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    #[error("the file cannot be read")]
    Read(#[source] io::Error),
    #[error(transparent)]
    Write(#[from] FileError),
    #[error("the file is not a file of opponents")]
    Parse(#[from] serde_json::Error),
    #[error("the record of {0:?} is invalid")]
    Record(String),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MemoryFile {
    /// The records by name: number of counted moves, and their loss in percentage points.
    opponents: BTreeMap<String, OpponentRecord>,
}

impl OpponentMemory {
    /// Reads a file. A missing file is an empty memory.
    pub fn open(path: &Path) -> Result<OpponentMemory, MemoryError> {
        let opponents = OpponentMemory::read(path)?;
        Ok(OpponentMemory { path: path.to_owned(), opponents, kept: BTreeMap::new() })
    }

    fn read(path: &Path) -> Result<BTreeMap<String, OpponentRecord>, MemoryError> {
        let opponents = match input_file::read_text(path, input_file::SETTINGS) {
            Ok(text) => serde_json::from_str::<MemoryFile>(&text)?.opponents,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(MemoryError::Read(error)),
        };
        match opponents.iter().find(|(_, record)| !record.is_sound()) {
            Some((name, _)) => Err(MemoryError::Record(name.clone())),
            None => Ok(opponents),
        }
    }

    /// Returns the record of an opponent for the start of a new game.
    pub fn of(&self, name: &str) -> Option<OpponentRecord> {
        self.opponents.get(name).map(|record| record.at_most(MOST_MOVES))
    }

    /// Stores an opponent's record. The whole file is written again, with the changes that other processes
    /// made meanwhile.
    pub fn keep(&mut self, name: &str, record: OpponentRecord) -> Result<(), MemoryError> {
        let path = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let _held = hold_folder(&path);
        let mut opponents = OpponentMemory::read(&path)?;
        let begun = self.of(name);
        let known = opponents.get(name).copied();
        let now = match (self.kept.get(name), known) {
            (Some(kept), Some(known)) => known.with_change(*kept, record),
            (None, Some(known)) if Some(&known) != self.opponents.get(name) => {
                let begun = begun.unwrap_or(OpponentRecord { moves: 0.0, lost: 0.0 });
                known.at_most(MOST_MOVES).with_change(begun, record)
            }
            _ => record,
        };
        // A resumed game may have been played without this memory.
        let now = if now.is_sound() { now } else { record };
        opponents.insert(name.to_owned(), now);
        let text = serde_json::to_string_pretty(&MemoryFile { opponents: opponents.clone() })?;
        write_named_file(&path, |file| writeln!(file, "{text}"))?;
        self.opponents = opponents;
        self.kept.insert(name.to_owned(), record);
        Ok(())
    }

    /// Forgets the record written for the previous game. The next game starts with the record in the current
    /// file.
    fn begin(&mut self, name: &str) {
        self.kept.remove(name);
        // An unreadable file is reported when the record is stored.
        if let Ok(opponents) = OpponentMemory::read(&self.path) {
            self.opponents = opponents;
        }
    }
}

/// The records of games: a log, and the memory of opponents.
#[derive(Debug, Default)]
pub struct SparNotes {
    pub log: Option<MoveLog>,
    pub memory: Option<OpponentMemory>,
    pub opponent: String,
    /// The number of the game, from 1; 0 before the first game.
    pub game: u64,
}

impl SparNotes {
    pub fn memory_path(&self) -> Option<&Path> {
        self.memory.as_ref().map(|memory| memory.path.as_path())
    }

    pub fn meet(&mut self, player: &mut SparPlayer) {
        if let Some(memory) = &mut self.memory {
            memory.begin(&self.opponent);
        }
        player.meet(self.memory.as_ref().and_then(|memory| memory.of(&self.opponent)));
    }

    /// Takes the opponent's record from the player of a resumed game. The memory already has the earlier
    /// moves of this game, so only new moves are added.
    pub fn resumed(&mut self, player: &SparPlayer) {
        if let Some((memory, record)) = self.memory.as_mut().zip(player.opponent()) {
            memory.kept.insert(self.opponent.clone(), record);
        }
    }

    /// Writes the records of a move, and returns the errors. An error does not end the game.
    pub fn note(&mut self, skill: &str, found: &SparMove, player: &SparPlayer) -> Vec<String> {
        let (Some(best), Some(report)) = (found.best, &found.report) else { return Vec::new() };
        let logged = self.log.as_mut().map(|log| log.add(self.game, skill, best, report));
        let logged = logged.and_then(Result::err).map(|error| format!("cannot write the log: {error}"));
        let kept = self.memory.as_mut().zip(player.opponent());
        let kept = kept.and_then(|(memory, record)| memory.keep(&self.opponent, record).err());
        let kept = kept
            .map(|error| format!("the opponent's record is not saved in --memory: {}", with_causes(&error)));
        logged.into_iter().chain(kept).collect()
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
    fn programs_with_one_file_lose_nothing_of_each_others() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("memory.json");
        let record = |moves, lost| OpponentRecord { moves, lost };
        let mut first = OpponentMemory::open(&path).expect("nothing yet");
        first.keep("Ann", record(20.0, 60.0)).expect("a writable folder");
        let mut games = [0; 2].map(|_| OpponentMemory::open(&path).expect("the file"));
        games[0].keep("Bob", record(8.0, 8.0)).expect("a writable folder");
        // Both processes play Ann: one adds a move that loses 5, the other a move that loses 1.
        games[0].keep("Ann", record(21.0, 65.0)).expect("a writable folder");
        games[1].keep("Ann", record(21.0, 61.0)).expect("a writable folder");
        games[0].keep("Ann", record(22.0, 66.0)).expect("a writable folder");
        let found = OpponentMemory::open(&path).expect("the file");
        assert_eq!(found.of("Ann"), Some(record(23.0, 67.0)));
        assert_eq!(found.of("Bob"), Some(record(8.0, 8.0)));
    }

    #[test]
    fn a_resumed_game_adds_its_new_moves_to_the_games_played_meanwhile() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("memory.json");
        let record = |moves, lost| OpponentRecord { moves, lost };
        // Game A is paused after a move that loses 5. Then game B adds three moves that lose 3.
        OpponentMemory::open(&path).expect("nothing yet").keep("Ann", record(5.0, 25.0)).expect("room");
        let mut second = OpponentMemory::open(&path).expect("the file");
        second.begin("Ann");
        second.keep("Ann", record(8.0, 28.0)).expect("room");
        let mut again = OpponentMemory::open(&path).expect("the file");
        again.begin("Ann");
        again.kept.insert("Ann".to_owned(), record(5.0, 25.0));
        again.keep("Ann", record(6.0, 27.0)).expect("room");
        let found = OpponentMemory::open(&path).expect("the file");
        assert_eq!(found.of("Ann"), Some(record(9.0, 30.0)));
    }

    #[test]
    fn a_file_that_is_something_else_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("memory.json");
        for (text, problem) in [
            ("{", "the file is not a file of opponents"),
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
