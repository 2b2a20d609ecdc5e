//! [`GameReader`]: reads games from a text, one by one.

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

/// Parses all games of `text`, each as a game or as the reason for skipping it. `file` is the name used in
/// messages and [`GameSource`].
pub fn parse_games(text: &str, file: &str) -> Vec<Result<Game, BadGame>> {
    GameReader::new(text, file).collect()
}

/// An iterator over the games of a text.
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
    /// Returns a reader of `text`. `file` is the name used in messages and [`GameSource`].
    pub fn new(text: &'a str, file: &'a str) -> GameReader<'a> {
        GameReader::from(text, file, 0)
    }

    /// Returns a reader of `text` from byte `at` on, where a game begins.
    pub fn from(text: &'a str, file: &'a str, at: usize) -> GameReader<'a> {
        let split = GameSplitter { text, at };
        GameReader { file, aliases: None, growing: false, count: 0, ended: false, split }
    }

    /// Returns the number of bytes read.
    pub fn reached(&self) -> usize {
        self.split.at
    }

    /// Replaces `aliases` by main names in the games read.
    pub fn with_aliases(self, aliases: &'a Aliases) -> GameReader<'a> {
        GameReader { aliases: Some(aliases), ..self }
    }

    /// Sets whether the text may still grow. If so, a last game without a result is read up to its last
    /// complete move, and is absent before its first move.
    pub fn growing(self, growing: bool) -> GameReader<'a> {
        GameReader { growing, ..self }
    }

    /// Continues the numbering after `games` earlier games.
    pub fn after(self, games: usize) -> GameReader<'a> {
        GameReader { count: games, ..self }
    }

    /// Returns the next game whose tags satisfy `wanted`. The moves of skipped games are not examined.
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
                    // A readable game may lack moves too; they will be there when the text is read again.
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

    /// Returns the number of games so far, including unwanted and unreadable ones.
    pub fn passed(&self) -> usize {
        self.count
    }

    /// Returns whether the text may break off in the last game: nothing follows it, and it has no result
    /// after its moves.
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
