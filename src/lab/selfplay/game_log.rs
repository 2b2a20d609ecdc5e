//! [`GameLog`]: the file to which an experiment's finished games are appended.

use std::{
    collections::BTreeSet, fs::File, fs::OpenOptions, fs::TryLockError, io, io::BufRead, io::BufReader,
    io::Read, io::Write, path::Path, path::PathBuf, time::Duration, time::Instant,
};

use super::{
    game_pgn, game_pgn::GameHeader, game_record::Contender, game_record::GameRecord, schedule::ScheduledGame,
};
use crate::base::{input_file, text::full_path};
use crate::chess::{GameReader, pgn::LARGEST_GAME};

pub const FILE: &str = "games.pgn";

#[derive(Debug, thiserror::Error)]
pub enum GameLogError {
    #[error("{}, game {number}: {problem}; nothing was changed", full_path(path))]
    Game { path: PathBuf, number: usize, problem: String },
    #[error("{} is a link; games can only be added to a regular file in the folder", full_path(path))]
    Link { path: PathBuf },
    #[error("{} is in use by another run", full_path(path))]
    InUse { path: PathBuf },
    #[error("{} cannot be read or written", full_path(path))]
    Io { path: PathBuf, source: io::Error },
}

#[derive(Debug)]
pub struct GameLog {
    path: PathBuf,
    file: File,
    synced: Instant,
}

/// Shortest interval between syncs: short games need not wait for the disk one by one. A power failure may
/// lose the games since the last sync.
const SYNC_EVERY: Duration = Duration::from_secs(1);

#[derive(Debug, PartialEq, Eq)]
pub struct LoggedGames<C = Contender> {
    /// The games, in the order in which they ended.
    pub records: Vec<GameRecord<C>>,
    /// True if an incomplete last game was cut off.
    pub was_torn: bool,
}

impl GameLog {
    /// Opens the file of games in `folder`. Its games must match the schedule `scheduled_games`.
    ///
    /// An incomplete game left by a killed run is cut off. Any other mismatch is an error, and the file stays
    /// unchanged. The file is locked against other runs.
    pub fn open<C: Copy + Ord>(
        folder: &Path,
        header: &GameHeader<C>,
        scheduled_games: &[ScheduledGame<C>],
    ) -> Result<(GameLog, LoggedGames<C>), GameLogError> {
        let path = folder.join(FILE);
        let failed = |source| GameLogError::Io { path: path.clone(), source };
        if path.is_symlink() {
            return Err(GameLogError::Link { path });
        }
        // A pipe of that name would block.
        if path.exists() {
            input_file::open(&path).map_err(failed)?;
        }
        let file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => GameLogError::InUse { path: path.clone() },
            TryLockError::Error(source) => failed(source),
        })?;
        let mut found = LoggedGames { records: Vec::new(), was_torn: false };
        let whole =
            read_games(&file, &path, header, scheduled_games, |record, _| found.records.push(record))?;
        if let Some(whole) = whole {
            // Otherwise the text of the next game would become a part of the incomplete game.
            file.set_len(whole).map_err(failed)?;
            found.was_torn = true;
        }
        Ok((GameLog { path, file, synced: Instant::now() }, found))
    }

    /// Appends a game. The game is in the file when this returns. The file is synced if the last sync was at
    /// least one second ago.
    pub fn append(&mut self, game: &str) -> Result<(), GameLogError> {
        let written = self.file.write_all(game.as_bytes());
        written.map_err(|source| GameLogError::Io { path: self.path.clone(), source })?;
        if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    pub fn sync(&mut self) -> Result<(), GameLogError> {
        let synced = self.file.sync_data();
        synced.map_err(|source| GameLogError::Io { path: self.path.clone(), source })?;
        self.synced = Instant::now();
        Ok(())
    }
}

/// Returns the games in `folder`, in the order of the schedule, each with its text. An incomplete last game
/// is left out.
pub(crate) fn read<C: Copy + Ord>(
    folder: &Path,
    header: &GameHeader<C>,
    scheduled_games: &[ScheduledGame<C>],
) -> Result<Vec<(GameRecord<C>, String)>, GameLogError> {
    let path = folder.join(FILE);
    let failed = |source| GameLogError::Io { path: path.clone(), source };
    let file = input_file::open(&path).map_err(failed)?;
    file.try_lock_shared().map_err(|error| match error {
        TryLockError::WouldBlock => GameLogError::InUse { path: path.clone() },
        TryLockError::Error(source) => failed(source),
    })?;
    let mut games = Vec::new();
    let mut take = |record, text: &[u8]| games.push((record, String::from_utf8_lossy(text).into_owned()));
    read_games(&file, &path, header, scheduled_games, &mut take)?;
    games.sort_unstable_by_key(|(record, _)| record.game);
    Ok(games)
}

/// Passes each complete game of a file, with its text, to `take`. If the last game is incomplete, returns the
/// length of the complete games in bytes, otherwise `None`.
fn read_games<C: Copy + Ord>(
    file: &File,
    path: &Path,
    header: &GameHeader<C>,
    scheduled_games: &[ScheduledGame<C>],
    mut take: impl FnMut(GameRecord<C>, &[u8]),
) -> Result<Option<u64>, GameLogError> {
    let failed = |source| GameLogError::Io { path: path.to_owned(), source };
    let (mut lines, mut seen, mut begin) = (BufReader::new(file), BTreeSet::new(), 0);
    while let Some(text) = next_text(&mut lines).map_err(failed)? {
        let record = record(&text, header, scheduled_games).and_then(|record| {
            let is_new = seen.insert(record.game);
            if is_new { Ok(record) } else { Err(format!("game {} occurs twice", record.game)) }
        });
        match record {
            Ok(record) => take(record, &text),
            Err(_) if is_torn(&text) => return Ok(Some(begin)),
            Err(problem) => {
                let number = seen.len() + 1;
                return Err(GameLogError::Game { path: path.to_owned(), number, problem });
            }
        }
        begin += text.len() as u64;
    }
    Ok(None)
}

/// Returns the record of the game in `text`.
fn record<C: Copy + Ord>(
    text: &[u8],
    header: &GameHeader<C>,
    scheduled_games: &[ScheduledGame<C>],
) -> Result<GameRecord<C>, String> {
    if !is_whole(text) {
        return Err("the file ends within the game".to_owned());
    }
    let text = String::from_utf8_lossy(text);
    match GameReader::new(&text, FILE).next() {
        Some(Ok(game)) => {
            let record =
                game_pgn::read(&game, header, |number| scheduled_games.get(number as usize).copied())?;
            game_pgn::check_digest(&text).map_err(|error| format!("game {}: {error}", record.game))?;
            Ok(record)
        }
        Some(Err(bad)) => Err(bad.reason.to_string()),
        None => Err("it is not a game".to_owned()),
    }
}

/// Returns whether the text of a game is complete: with a result and a blank line at its end.
fn is_whole(text: &[u8]) -> bool {
    [&b"1-0\n\n"[..], b"0-1\n\n", b"1/2-1/2\n\n"].iter().any(|end| text.ends_with(end))
}

/// Returns whether the text may be an incomplete game left by a killed run.
fn is_torn(text: &[u8]) -> bool {
    !is_whole(text) && String::from_utf8_lossy(text).matches("[Event ").count() <= 1
}

/// Returns the next game's text, up to the end of the game or file; `None` at the end of the file.
fn next_text(lines: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut text = Vec::new();
    while !is_whole(&text) {
        if text.len() > LARGEST_GAME {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "a game in the file does not end"));
        }
        if lines.by_ref().take(LARGEST_GAME as u64).read_until(b'\n', &mut text)? == 0 {
            return Ok((!text.is_empty()).then_some(text));
        }
    }
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::chess::Ending;
    use crate::engine::Command;
    use crate::lab::selfplay::Side;
    use crate::lab::selfplay::openings::Opening;
    use crate::lab::selfplay::play::{PlayedGame, Ply};
    use crate::lab::selfplay::schedule::{Matchup, schedule};

    fn scheduled_games() -> Vec<ScheduledGame> {
        let depth = |depth| Contender { side: Side::Engine, depth };
        schedule(&[Matchup { first: depth(1), second: depth(2) }], 4, 0, 1)
    }

    fn header() -> GameHeader {
        let contenders = scheduled_games().into_iter().map(|game| game.white);
        let date = "2026.01.31".to_owned();
        GameHeader { date, ..GameHeader::of_depths("Fish", None, contenders) }
    }

    /// Returns the text of a game of one move, and its record.
    fn game(number: usize) -> (String, GameRecord) {
        let uci = ["e2e4", "d2d4", "c2c4", "g1f3"][number].parse().expect("a move");
        let opening = Opening { moves: vec![uci], ..Opening::default() };
        let game = PlayedGame {
            scheduled: scheduled_games()[number],
            start: opening.start.clone(),
            mode: opening.mode,
            moves: vec![Ply { uci, thought: None }],
            result: crate::chess::game::GameResult::WhiteWins,
            ending: Ending::Crash,
            fault: Some("it went".to_owned()),
            line: Command::line_digest(&opening.game()),
            busy: std::time::Duration::ZERO,
        };
        (game_pgn::write(&game, &header()), game.record())
    }

    fn folder() -> tempfile::TempDir {
        tempfile::TempDir::new().expect("a temporary folder")
    }

    fn open(folder: &Path) -> Result<(GameLog, LoggedGames), GameLogError> {
        GameLog::open(folder, &header(), &scheduled_games())
    }

    #[test]
    fn wherever_the_last_game_is_torn_the_games_before_it_stay() {
        let ((first, one), (second, two), (third, three)) = (game(2), game(0), game(1));
        for end in 0..=third.len() {
            let folder = folder();
            let path = folder.path().join(FILE);
            let whole = [&first[..], &second].concat();
            fs::write(&path, [&whole, &third[..end]].concat()).expect("a file");
            let (mut game_log, found) = open(folder.path()).expect("a game log");
            if end == third.len() {
                assert_eq!(found, LoggedGames { records: vec![one, two, three], was_torn: false });
                continue;
            }
            assert_eq!(found, LoggedGames { records: vec![one, two], was_torn: end > 0 }, "{end}");
            game_log.append(&third).expect("room");
            assert_eq!(fs::read_to_string(&path).expect("text"), [whole, third.clone()].concat());
        }
    }

    #[test]
    fn a_file_with_a_foreign_game_is_refused_and_stays_as_it_is() {
        let folder = folder();
        let path = folder.path().join(FILE);
        let ((first, _), (second, _)) = (game(0), game(1));
        let refused = |text: &str, problem: &str| {
            fs::write(&path, text).expect("a file");
            let error = open(folder.path()).map(|_| ()).expect_err("a foreign game").to_string();
            assert!(error.contains(problem), "{error}");
            assert_eq!(fs::read_to_string(&path).expect("text"), text);
        };
        refused(&[&*first, &*first].concat(), "games.pgn, game 2: game 0 occurs twice");
        refused(
            &[&first.replace("Fish", "Whale"), &*second].concat(),
            "game 1: game 0 has the player \"Whale",
        );
        let quicker = first.replace("[Annotator \"gainalyze", "[Annotator \"Gainalyze");
        refused(&quicker, "game 1: game 0: it has changed since gainalyze wrote it");
        refused(&first.replace("GameId \"0", "GameId \"9"), "game 9 is not in the schedule");
        refused(&first.replace("1. e4", "1. e5"), "illegal move");
        refused(
            "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n1. d4 *\n\n",
            "game 1: the file ends within the game",
        );
    }

    #[test]
    fn two_runs_do_not_write_into_one_file() {
        let folder = folder();
        let first = open(folder.path()).expect("a game log");
        let error = open(folder.path()).map(|_| ()).expect_err("a locked file").to_string();
        assert!(error.ends_with("games.pgn is in use by another run"), "{error}");
        drop(first);
        open(folder.path()).expect("an unlocked file");
    }
}
