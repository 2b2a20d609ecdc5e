//! [`GameReader`]: reads the games of a text one by one.

use super::{
    bad::BadGame, bad::Fault, readings::add_readings, replay::replay, replay::replay_begun,
    split::GameSplitter, split::GameText, tokens::Token,
};
use crate::chess::{
    choice::{Aliases, Headers, Selection},
    game::{Game, GameResult, GameSource, Tags},
};

/// Parses all games of `text`. A game that cannot be read becomes a [`BadGame`]. `file` is the name used in
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
    strict: bool,
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
        GameReader { file, aliases: None, growing: false, strict: false, count: 0, ended: false, split }
    }

    /// Returns the byte of `text` up to which games were read.
    pub fn reached(&self) -> usize {
        self.split.at
    }

    /// Makes the reader follow `selection`: its aliases, whether the text may still grow, and whether reading
    /// is strict.
    pub(crate) fn of_selection(self, selection: &'a Selection) -> GameReader<'a> {
        let Selection { aliases, growing, strict, .. } = selection;
        GameReader { aliases: Some(aliases), growing: *growing, strict: *strict, ..self }
    }

    /// Sets whether the text may still grow. If so, and the last game has no result yet, the game is read up
    /// to its last complete move. If it has no complete move yet, it is left out.
    pub fn growing(self, growing: bool) -> GameReader<'a> {
        GameReader { growing, ..self }
    }

    /// Numbers the games from `games` + 1 on.
    pub fn after(self, games: usize) -> GameReader<'a> {
        GameReader { count: games, ..self }
    }

    /// Returns the next game whose tags satisfy `wanted`. The moves of other games are not examined.
    pub fn next_wanted(
        &mut self,
        mut wanted: impl FnMut(&Headers<'_>) -> bool,
    ) -> Option<Result<Game, BadGame>> {
        loop {
            let mut text = self.split.next()?;
            self.count += 1;
            self.ended = text.ended;
            self.rename(&mut text.tags);
            let repairs = add_readings(&mut text.tags, &text.tokens);
            if wanted(&headers(&text)) {
                let source = self.source();
                let is_growing = self.growing && self.is_open();
                let replayed = match replay(&text, self.strict || is_growing) {
                    // An incomplete game is read up to its last complete move. A readable game may lack moves
                    // too; a later reading of the grown text finds them.
                    Err(_) if is_growing => Ok(replay_begun(&text)?),
                    replayed => replayed,
                };
                return Some(match replayed {
                    Ok(game) => Ok(Game { source, repairs: game.repairs.and(repairs), ..game }),
                    Err(fault) => Err(bad_game(fault, source, &text.tags)),
                });
            }
        }
    }

    /// Returns the number of games so far, including unwanted and unreadable games.
    pub fn passed(&self) -> usize {
        self.count
    }

    /// Returns whether the last game read may be incomplete: it is the last in the text, and has no result
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
        Token::Result { result, .. } => Some(*result),
        _ => None,
    });
    match headers.result {
        GameResult::Unknown => Headers { result: last.unwrap_or(GameResult::Unknown), ..headers },
        _ => headers,
    }
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
