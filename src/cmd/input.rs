//! Owns what is to be analysed: the games of the files that were named, by tournament.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{CmdError, progress::Display};
use crate::{
    game::Game,
    pgn::{self, BadGame, Games},
    text::path_text,
};

/// Where reports go unless the user wants them elsewhere.
pub const REPORTS: &str = "reports";

/// The games that one report is about.
#[derive(Debug, Clone)]
pub struct Input {
    /// What the report is called: the file's name without its extension.
    pub name: String,
    /// The games that could be read, in the order of the files.
    pub games: Vec<Game>,
    /// The others.
    pub bad: Vec<BadGame>,
}

impl Input {
    /// Where its report is written unless the user wants it elsewhere.
    pub fn folder(&self) -> PathBuf {
        Path::new(REPORTS).join(&self.name)
    }
}

/// Reads every file before anything else is done: all of them together are one tournament, or
/// each is its own where the user wants them separately.
pub fn read(pgn: &[PathBuf], separately: bool) -> Result<Vec<Input>, CmdError> {
    let files = read_files(pgn)?;
    if separately { Ok(with_different_names(files)) } else { Ok(vec![together(files)]) }
}

/// The games of every file as one tournament.
pub fn read_together(pgn: &[PathBuf]) -> Result<Input, CmdError> {
    Ok(together(read_files(pgn)?))
}

fn read_files(pgn: &[PathBuf]) -> Result<Vec<Input>, CmdError> {
    if pgn.is_empty() {
        return Err(CmdError::NoInput);
    }
    if pgn.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return Err(CmdError::Usage("standard input (-) can be read only once".to_owned()));
    }
    pgn.iter().map(|file| read_file(file)).collect()
}

/// The games of one file.
pub fn read_file(path: &Path) -> Result<Input, CmdError> {
    let text = pgn::read_source(path)?;
    let file = &path.to_string_lossy();
    let (mut games, mut bad) = (Vec::new(), Vec::new());
    for game in Games::new(&text, file) {
        match game {
            Ok(game) => games.push(game),
            Err(error) => bad.push(error),
        }
    }
    if games.is_empty() {
        return Err(CmdError::NoGames(match bad.as_slice() {
            [] => format!("{}: no games in it", path_text(file)),
            [first, ..] => format!("no game of {} can be read; the first: {first}", path_text(file)),
        }));
    }
    Ok(Input { name: name_of(path), games, bad })
}

/// Tells of the games that cannot be read.
pub fn warn_of_bad_games<'a>(inputs: impl IntoIterator<Item = &'a Input>, display: &Display) {
    for bad in inputs.into_iter().flat_map(|input| &input.bad) {
        display.warn(&format!("left out: {bad}"));
    }
}

/// What the report of all files together is called.
pub fn name_together(paths: &[PathBuf]) -> String {
    joint_name(paths.iter().map(|path| name_of(path)))
}

/// The first of several names, and how many more there are.
fn joint_name(mut names: impl Iterator<Item = String>) -> String {
    let mut name = names.next().unwrap_or_default();
    match names.count() {
        0 => {}
        others => name.push_str(&format!("-and-{others}-more")),
    }
    name
}

/// The file's name without folder and extension.
fn name_of(path: &Path) -> String {
    match path.file_stem() {
        Some(stem) if stem == "-" => "stdin".to_owned(),
        // Dots alone would lead out of the folder of reports.
        Some(stem) if stem.to_string_lossy().chars().any(|c| c != '.') => stem.to_string_lossy().into_owned(),
        _ => "games".to_owned(),
    }
}

fn together(files: Vec<Input>) -> Input {
    let name = joint_name(files.iter().map(|file| file.name.clone()));
    let mut all = Input { name, games: Vec::new(), bad: Vec::new() };
    for mut file in files {
        let before = all.games.len() + all.bad.len();
        file.games.iter_mut().for_each(|game| game.source.ordinal += before);
        all.games.extend(file.games);
        all.bad.extend(file.bad);
    }
    all
}

/// Files of one name in different folders are told apart by a number.
fn with_different_names(mut files: Vec<Input>) -> Vec<Input> {
    let mut taken = BTreeSet::new();
    for file in &mut files {
        let stem = file.name.clone();
        let mut number = 1;
        while !taken.insert(file.name.to_lowercase()) {
            number += 1;
            file.name = format!("{stem}-{number}");
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Input {
        Input { name: name.to_owned(), games: Vec::new(), bad: Vec::new() }
    }

    #[test]
    fn a_report_is_called_after_its_file() {
        assert_eq!(name_of(Path::new("data/candidates-2013.pgn")), "candidates-2013");
        assert_eq!(name_of(Path::new("-")), "stdin");
        assert_eq!(name_of(Path::new("data/...pgn")), "games");
        assert_eq!(together(vec![named("a"), named("b"), named("c")]).name, "a-and-2-more");
    }

    #[test]
    fn two_files_of_one_name_get_two_folders() {
        let files = with_different_names(vec![named("round"), named("Round"), named("round-2")]);
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["round", "Round-2", "round-2-2"]);
    }
}
