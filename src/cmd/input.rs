//! Owns what is to be analysed: the games of the files that were named, by tournament.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use super::{
    CmdError,
    choice::{Chooser, Chosen, Wish},
    console::Console,
};
use crate::{
    game::{Game, GameSource},
    pgn::{self, BadGame, BadGameReason, Block, Blocks, GameReader, ReadError, Unpacked, decode_part},
    text::{counted, path_text},
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
    /// Those that could not be read.
    pub bad: Vec<BadGame>,
    /// What came of choosing among them.
    pub chosen: Chosen,
    /// How many there are in the files, those that are not wanted included.
    pub read: usize,
}

impl Input {
    /// Where its report is written unless the user wants it elsewhere.
    pub fn folder(&self) -> PathBuf {
        Path::new(REPORTS).join(&self.name)
    }

    /// Why there is no game to analyse, where there is none; `first` is the first of its files.
    fn nothing_left(&self, first: &Path) -> Option<CmdError> {
        let unreadable = self.bad.first().map_or(String::new(), |bad| {
            format!("; {} cannot be read, the first: {bad}", counted(self.bad.len() as u64, "game"))
        });
        let fault =
            || format!("{}: {}{unreadable}", path_text(&first.to_string_lossy()), self.chosen.nothing_fits());
        self.games.is_empty().then(|| CmdError::NoGames(fault()))
    }
}

/// Reads every file before anything else is done: all of them together are one tournament, or
/// each is its own where the user wants them separately. Of each tournament the games that `wish` is
/// for; one without any is left out, and an error if it is the only one.
pub fn read(
    pgn: &[PathBuf],
    separately: bool,
    wish: &Wish,
    console: &Console,
) -> Result<Vec<Input>, CmdError> {
    if !separately {
        return Ok(vec![read_together(pgn, wish, console)?]);
    }
    let (mut some, mut none) = (Vec::new(), Vec::new());
    for path in files(pgn)? {
        let input = read_one(&path, wish, console)?;
        match input.nothing_left(&path) {
            None => {
                input.chosen.say(Some(&input.name), console);
                some.push(input);
            }
            Some(error) => none.push(error),
        }
    }
    if some.is_empty() {
        return Err(none.remove(0));
    }
    none.iter().for_each(|error| console.warn(&error.to_string()));
    Ok(with_different_names(some))
}

/// The games of every file that `wish` is for, as one tournament.
pub fn read_together(pgn: &[PathBuf], wish: &Wish, console: &Console) -> Result<Input, CmdError> {
    let mut chooser = Chooser::new(wish);
    let paths = files(pgn)?;
    let mut read = Vec::new();
    for path in &paths {
        if chooser.has_enough() {
            chooser.end_early();
            break;
        }
        read.push(read_file(path, &mut chooser, console)?);
    }
    let input = Input { name: name_together(pgn), chosen: chooser.finish(), ..together(read) };
    if let Some(error) = input.nothing_left(&paths[0]) {
        return Err(error);
    }
    input.chosen.say(None, console);
    Ok(input)
}

/// The games of one file that `wish` is for.
pub fn read_one(path: &Path, wish: &Wish, console: &Console) -> Result<Input, CmdError> {
    let mut chooser = Chooser::new(wish);
    let input = read_file(path, &mut chooser, console)?;
    Ok(Input { chosen: chooser.finish(), ..input })
}

/// The files that `pgn` names, those in folders too: one at least, and such that can be read one after the
/// other.
pub fn files(pgn: &[PathBuf]) -> Result<Vec<PathBuf>, CmdError> {
    if pgn.is_empty() {
        return Err(CmdError::NoInput);
    }
    if pgn.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return Err(CmdError::Usage("standard input (-) can be read only once".to_owned()));
    }
    Ok(pgn::files(pgn)?)
}

/// The games of a file that `chooser` takes; what came of choosing is left with it.
fn read_file(path: &Path, chooser: &mut Chooser<'_>, console: &Console) -> Result<Input, CmdError> {
    let mut blocks = Blocks::new(Unpacked::open(path)?);
    let mut reading = Reading::of(path, chooser);
    while let Some(next) = blocks.next() {
        if reading.chooser.has_enough() {
            reading.chooser.end_early();
            break;
        }
        match next {
            Ok(block) => reading.take(block, false)?,
            Err(error) => {
                if let Some(Ok(last)) = blocks.next() {
                    reading.take(last, true)?;
                }
                reading.tell_torn(error, console)?;
                break;
            }
        }
    }
    reading.finish()
}

/// A file of games that is being read.
struct Reading<'c, 'w> {
    path: &'c Path,
    file: String,
    chooser: &'c mut Chooser<'w>,
    games: Vec<Game>,
    bad: Vec<BadGame>,
    /// Games so far, those that are not wanted included.
    read: usize,
    /// Whether nothing but white space was read.
    blank: bool,
}

impl<'c, 'w> Reading<'c, 'w> {
    fn of(path: &'c Path, chooser: &'c mut Chooser<'w>) -> Reading<'c, 'w> {
        let file = path.to_string_lossy().into_owned();
        Reading { path, file, chooser, games: Vec::new(), bad: Vec::new(), read: 0, blank: true }
    }

    /// Reads a block; the file breaks off behind one that is `torn`.
    fn take(&mut self, block: Block, torn: bool) -> Result<(), CmdError> {
        let bytes = match block {
            Block::Games(bytes) => bytes,
            Block::TooLarge(_) => {
                self.blank = false;
                self.read += 1;
                let source = GameSource { file: self.file.clone(), number: self.read, ordinal: self.read };
                return self.leave_out(BadGame::unseen(source, BadGameReason::TooLarge));
            }
        };
        let text = decode_part(bytes);
        self.blank &= text.trim().is_empty();
        let file = self.file.clone();
        let mut there = GameReader::new(&text, &file).after(self.read).with_aliases(self.chooser.aliases());
        while let Some(game) = there.next_wanted(|headers| self.chooser.wants(headers)) {
            match game {
                Ok(Game { source, .. }) | Err(BadGame { source, .. }) if torn && there.is_open() => {
                    self.leave_out(BadGame::unseen(source, BadGameReason::CutOff))?;
                }
                Ok(game) if self.chooser.takes(&game) => self.games.push(game),
                Ok(_) => {}
                Err(bad) => self.leave_out(bad)?,
            }
        }
        self.read = there.passed();
        Ok(())
    }

    fn leave_out(&mut self, bad: BadGame) -> Result<(), CmdError> {
        if self.chooser.is_strict() {
            return Err(CmdError::strict(&bad));
        }
        self.bad.push(bad);
        Ok(())
    }

    /// Tells where the file breaks off; an error if it does so before any game.
    fn tell_torn(&self, error: io::Error, console: &Console) -> Result<(), CmdError> {
        if self.read == 0 {
            return Err(ReadError::Io(self.file.clone(), error).into());
        }
        let told = breaks_off(self.path, self.read as u64, &error);
        if self.chooser.is_strict() {
            return Err(CmdError::strict(&told));
        }
        console.warn(&told);
        Ok(())
    }

    fn finish(self) -> Result<Input, CmdError> {
        let Reading { path, file, games, bad, read, blank, .. } = self;
        match bad.first() {
            _ if blank => Err(ReadError::Empty(file).into()),
            None if read == 0 => Err(CmdError::NoGames(format!("{}: no games in it", path_text(&file)))),
            Some(first) if read == bad.len() => Err(CmdError::NoGames(format!(
                "no game of {} can be read; the first: {first}",
                path_text(&file)
            ))),
            _ => Ok(Input { name: name_of(path), games, bad, chosen: Chosen::default(), read }),
        }
    }
}

/// Where a file ends before its time.
pub fn breaks_off(path: &Path, games: u64, error: &io::Error) -> String {
    format!("{} breaks off after {}: {error}", path_text(&path.to_string_lossy()), counted(games, "game"))
}

/// Tells of the games that cannot be read.
pub fn warn_of_bad_games<'a>(inputs: impl IntoIterator<Item = &'a Input>, console: &Console) {
    for bad in inputs.into_iter().flat_map(|input| &input.bad) {
        console.warn(&format!("left out: {bad}"));
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

/// The file's name without folder and extension; of one that is packed, without both.
fn name_of(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.strip_suffix(".pgn").unwrap_or(&stem);
    match stem {
        "-" => "stdin".to_owned(),
        // Dots alone would lead out of the folder of reports.
        stem if stem.chars().all(|c| c == '.') => "games".to_owned(),
        stem => stem.to_owned(),
    }
}

fn together(files: Vec<Input>) -> Input {
    let name = joint_name(files.iter().map(|file| file.name.clone()));
    let mut all = Input { name, games: Vec::new(), bad: Vec::new(), chosen: Chosen::default(), read: 0 };
    for mut file in files {
        file.games.iter_mut().for_each(|game| game.source.ordinal += all.read);
        file.bad.iter_mut().for_each(|bad| bad.source.ordinal += all.read);
        all.read += file.read;
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
        Input {
            name: name.to_owned(),
            games: Vec::new(),
            bad: Vec::new(),
            chosen: Chosen::default(),
            read: 0,
        }
    }

    #[test]
    fn a_report_is_called_after_its_file() {
        assert_eq!(name_of(Path::new("data/candidates-2013.pgn")), "candidates-2013");
        assert_eq!(name_of(Path::new("archive/2013-01.pgn.zst")), "2013-01");
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
