//! [`GameFile`]: the file of a game in the terminal.

use std::{io, io::Write, path::Path, path::PathBuf};

use crate::base::{input_file, output::FileError, output::hold_folder, output::write_named_file};

/// The file of a game. Another board may use the same file, and a person may edit it, so text not written by
/// this board is kept.
pub struct GameFile {
    pub path: PathBuf,
    /// The file's text as last written or read by this board; `None` before the board's first move.
    left: Option<String>,
}

impl GameFile {
    /// Returns a file that this board has not written yet.
    pub fn new(path: PathBuf) -> GameFile {
        GameFile { path, left: None }
    }

    /// Returns a file that exists with the text `text`.
    pub fn left(path: PathBuf, text: String) -> GameFile {
        GameFile { path, left: Some(text) }
    }

    /// Returns whether the file has the game, or an earlier state of it.
    pub fn is_written(&self) -> bool {
        self.left.is_some()
    }

    /// Writes `text` over the text that this board wrote before. If the file has changed in the meantime,
    /// writes `text` to a new file in the same folder instead, and returns the path of the changed file. The
    /// game then continues in the new file.
    pub fn write(&mut self, text: &str) -> Result<Option<PathBuf>, FileError> {
        let held = hold_folder(&self.path);
        let is_left =
            |path: &Path, left: Option<&str>| match (input_file::read(path, input_file::SETTINGS), left) {
                (Ok(found), Some(left)) => found == left.as_bytes(),
                (Err(error), _) => error.kind() == io::ErrorKind::NotFound,
                (Ok(_), None) => false,
            };
        let other = (!is_left(&self.path, self.left.as_deref())).then(|| self.path.clone());
        if let Some(path) = &other {
            self.path = free_beside(path);
        }
        write_named_file(&self.path, |out| out.write_all(text.as_bytes()))?;
        self.left = Some(text.to_owned());
        drop(held);
        Ok(other)
    }
}

/// Returns a free path in the folder of `path`: its name, followed by a number.
pub fn free_beside(path: &Path) -> PathBuf {
    let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let mut names = (2..).map(|count| path.with_file_name(format!("{stem}-{count}.pgn")));
    names.find(|path| !path.exists()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_with_one_file_each_keep_their_game() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("game.pgn");
        let mut boards = [0; 3].map(|_| GameFile::new(path.clone()));
        for turn in ["first", "second"] {
            for (number, board) in boards.iter_mut().enumerate() {
                let other = board.write(&format!("{turn} of {number}")).expect("room");
                assert_eq!(other.is_some(), turn == "first" && number > 0);
            }
        }
        for (number, name) in ["game.pgn", "game-2.pgn", "game-3.pgn"].iter().enumerate() {
            let text = std::fs::read_to_string(folder.path().join(name)).expect("a game");
            assert_eq!(text, format!("second of {number}"));
        }
    }
}
