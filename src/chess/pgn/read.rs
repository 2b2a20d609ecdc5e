//! Owns the reading of games from a text, one by one.

use super::{
    bad::{BadGame, Fault},
    replay::{replay, replay_begun},
    split::{GameSplitter, GameText},
    tokens::Token,
};
use crate::chess::{
    choice::{Aliases, Headers},
    game::{Game, GameResult, GameSource, Tags},
};

/// Returns all games of `text`, each as it is or as the reason why it is left out; `file` is the name that
/// messages and [`GameSource`] give.
pub fn parse_games(text: &str, file: &str) -> Vec<Result<Game, BadGame>> {
    GameReader::new(text, file).collect()
}

/// The games of a text one by one, as [`parse_games`] gives them all.
#[derive(Debug, Clone)]
pub struct GameReader<'a> {
    file: &'a str,
    aliases: Option<&'a Aliases>,
    growing: bool,
    count: usize,
    ended: bool,
    split: GameSplitter<'a>,
}

impl<'a> GameReader<'a> {
    /// Returns the games of `text`; `file` is the name that messages and [`GameSource`] give.
    pub fn new(text: &'a str, file: &'a str) -> GameReader<'a> {
        GameReader::from(text, file, 0)
    }

    /// Returns the games of `text` from the byte `at` on, where one begins.
    pub fn from(text: &'a str, file: &'a str, at: usize) -> GameReader<'a> {
        let split = GameSplitter { text, at };
        GameReader { file, aliases: None, growing: false, count: 0, ended: false, split }
    }

    /// Returns how many bytes of the text have been read.
    pub fn reached(&self) -> usize {
        self.split.at
    }

    /// Returns the same with the names that count in the place of `aliases`.
    pub fn with_aliases(self, aliases: &'a Aliases) -> GameReader<'a> {
        GameReader { aliases: Some(aliases), ..self }
    }

    /// Returns the same where the text may still be written: a game at its end without a result is read as far as its moves go,
    /// and is not there yet before its first move.
    pub fn growing(self, growing: bool) -> GameReader<'a> {
        GameReader { growing, ..self }
    }

    /// Returns the same, numbered on from `games` that stand before them.
    pub fn after(self, games: usize) -> GameReader<'a> {
        GameReader { count: games, ..self }
    }

    /// Returns the next game of which `wanted` says so by its tags; the moves of those before it are not
    /// looked at.
    pub fn next_wanted(
        &mut self,
        mut wanted: impl FnMut(&Headers<'_>) -> bool,
    ) -> Option<Result<Game, BadGame>> {
        loop {
            let mut text = self.split.next()?;
            self.count += 1;
            self.ended = text.ended;
            self.rename(&mut text.tags);
            if wanted(&headers(&text)) {
                let source = self.source();
                let replayed = match replay(&text) {
                    // What can be read may lack moves too, which are there when the text is read again.
                    Err(_) if self.growing && self.is_open() => Ok(replay_begun(&text)?),
                    replayed => replayed,
                };
                return Some(match replayed {
                    Ok(game) => Ok(Game { source, ..game }),
                    Err(fault) => Err(bad_game(fault, source, &text.tags)),
                });
            }
        }
    }

    /// Returns the number of games so far, those that were not wanted or could not be read included.
    pub fn passed(&self) -> usize {
        self.count
    }

    /// Returns whether the text may break off in the last game: nothing follows it, and it has no result
    /// behind its moves.
    pub fn is_open(&self) -> bool {
        !self.ended && self.split.is_at_end()
    }

    fn source(&self) -> GameSource {
        GameSource { file: self.file.to_owned(), number: self.count, ordinal: self.count }
    }

    fn rename(&self, tags: &mut Tags) {
        let Some(aliases) = self.aliases else { return };
        for tag in ["White", "Black"] {
            if let Some(counts) = tags.get(tag).and_then(|name| aliases.behind(name)) {
                tags.set(tag, counts);
            }
        }
    }
}

fn headers<'a>(text: &'a GameText<'_>) -> Headers<'a> {
    let headers = Headers::of(&text.tags);
    let last = text.tokens.iter().rev().find_map(|token| match token {
        Token::Result(result) => Some(*result),
        _ => None,
    });
    Headers { result: last.filter(|&last| last != GameResult::Unknown).unwrap_or(headers.result), ..headers }
}

impl Iterator for GameReader<'_> {
    type Item = Result<Game, BadGame>;

    fn next(&mut self) -> Option<Result<Game, BadGame>> {
        self.next_wanted(|_| true)
    }
}

fn bad_game(fault: Fault, source: GameSource, tags: &Tags) -> BadGame {
    let player = |tag| tags.get(tag).unwrap_or("?").to_owned();
    let Fault { ply, token, reason } = fault;
    BadGame { source, white: player("White"), black: player("Black"), ply, token, reason }
}
