//! Splitting of a text into games.

use std::collections::HashSet;

use super::{
    bad::{BadGameReason, Fault, MOST_TAGS, MOST_TOKENS},
    tags::{begins_tag, take_tag},
    tokens::{Lexer, Token},
};
use crate::chess::game::Tags;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct GameText<'a> {
    pub tags: Tags,
    pub tokens: Vec<Token<'a>>,
    /// The text after the tags, which holds the moves.
    pub moves: &'a str,
    pub ended: bool,
    /// A fault that is found before the moves are replayed, such as text that is not a game.
    pub fault: Option<Fault>,
}

/// An iterator over the games of a text.
///
/// A game ends before the next line that begins with a tag pair. It also ends after its result and the
/// comments on that result. Blank lines among its moves do not end it. Text without tags that does not begin
/// with a move or result is one piece up to the next tag pair.
#[derive(Debug, Clone)]
pub(super) struct GameSplitter<'a> {
    pub text: &'a str,
    /// Number of bytes read.
    pub at: usize,
}

impl GameSplitter<'_> {
    pub fn is_at_end(&self) -> bool {
        self.text[self.at..].trim().is_empty()
    }
}

impl<'a> Iterator for GameSplitter<'a> {
    type Item = GameText<'a>;

    fn next(&mut self) -> Option<GameText<'a>> {
        let mut lexer = Lexer::new(self.text, self.at);
        lexer.skip_blank();
        if lexer.rest().is_empty() {
            return None;
        }
        let begin = lexer.offset();
        let mut game =
            GameText { tags: Tags::default(), tokens: Vec::new(), moves: "", ended: false, fault: None };
        game.take_tags(&mut lexer);
        game.take_moves(&mut lexer);
        if game.tags.iter().next().is_none() {
            // Comments at the head of a file belong to its first game.
            if game.tokens.iter().all(|token| matches!(token, Token::Comment(_))) {
                game.take_tags(&mut lexer);
                game.take_moves(&mut lexer);
            }
            if !game.is_chess() {
                game.fault = Some(skip_junk(&self.text[begin..], &mut lexer));
            }
        }
        self.at = lexer.offset();
        Some(game)
    }
}

impl<'a> GameText<'a> {
    fn take_tags(&mut self, lexer: &mut Lexer<'a>) {
        let mut tags: Vec<(String, String)> = Vec::new();
        let mut names: HashSet<String> = HashSet::new();
        loop {
            let blank_line = lexer.skip_blank() >= 2;
            let known = |name: &str| name == "Event" || names.contains(name);
            let next_game = blank_line && !tags.is_empty() && begins_tag(lexer.rest()).is_some_and(known);
            let foreign = tags.is_empty() && begins_tag(lexer.rest()).is_none();
            let Some(tag) = take_tag(lexer.rest()).filter(|_| !next_game && !foreign) else {
                break;
            };
            lexer.skip_to(lexer.offset() + tag.length);
            if !tag.closed && lexer.rest().is_empty() {
                self.fault = Some(BadGameReason::UnterminatedTag.into());
            }
            if tags.len() == MOST_TAGS {
                self.fault = Some(BadGameReason::TooLong.into());
                continue;
            }
            names.insert(tag.name.to_owned());
            // Control characters, such as tabs, do not belong to a value.
            tags.push((tag.name.to_owned(), tag.value.replace(char::is_control, " ")));
        }
        self.tags = tags.into_iter().collect();
    }

    fn take_moves(&mut self, lexer: &mut Lexer<'a>) {
        let (text, begin) = (lexer.rest(), lexer.offset());
        let mut depth = 0_usize;
        let mut before = lexer.clone();
        while let Some(token) = lexer.next() {
            let of_this_game = matches!(token, Token::Comment(_) | Token::Nag(_) | Token::Result { .. });
            if self.ended && !of_this_game {
                *lexer = before;
                break;
            }
            match token {
                Token::Open => depth += 1,
                Token::Close => depth = depth.saturating_sub(1),
                Token::Result { .. } => self.ended |= depth == 0,
                _ => (),
            }
            if self.tokens.len() < MOST_TOKENS {
                self.tokens.push(token);
            } else {
                self.fault = Some(BadGameReason::TooLong.into());
            }
            before = lexer.clone();
        }
        self.moves = &text[..lexer.offset() - begin];
    }

    /// Returns whether the text has tags, or begins with a move or a result.
    fn is_chess(&self) -> bool {
        let first = self.tokens.iter().find(|token| {
            !matches!(token, Token::Number { .. } | Token::Comment(_) | Token::Nag(_) | Token::Remark(_))
        });
        self.tags.iter().next().is_some() || matches!(first, Some(Token::Move { .. } | Token::Result { .. }))
    }
}

/// Skips `junk`, a text that is not a game, up to its first tag pair, and returns the fault.
fn skip_junk(junk: &str, lexer: &mut Lexer<'_>) -> Fault {
    let end = lexer.offset() + lexer.rest().len();
    let next = junk.match_indices('[').find(|&(at, _)| begins_tag(&junk[at..]).is_some());
    lexer.skip_to(end - junk.len() + next.map_or(junk.len(), |(at, _)| at));
    let token = junk.split_whitespace().next().unwrap_or_default();
    Fault { ply: None, ..Fault::at(0, token, BadGameReason::NotPgn) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns for each game the value of its first tag and its number of tokens.
    fn games(text: &str) -> Vec<(Option<String>, usize)> {
        let first = |tags: &Tags| tags.iter().next().map(|(_, value)| value.to_owned());
        GameSplitter { text, at: 0 }.map(|game| (first(&game.tags), game.tokens.len())).collect()
    }

    fn tagged(name: &str, tokens: usize) -> (Option<String>, usize) {
        (Some(name.to_owned()), tokens)
    }

    #[test]
    fn a_game_begins_with_a_tag_after_moves_or_with_a_move_after_a_result() {
        let text = "[White \"a\"]\n\ne4\n\n\ne5\n [White \"b\"] 1-0 {x} [White \"c\"]\n*\n\nd4 d5 * c4";
        assert_eq!(games(text), [tagged("a", 2), tagged("b", 2), tagged("c", 1), (None, 3), (None, 1)]);
    }

    #[test]
    fn a_game_without_moves_ends_where_a_tag_comes_again_after_a_blank_line() {
        let text = "[White \"a\"]\n[Black \"b\"]\n\n[Site \"s\"]\n\n[White \"c\"]\n\n[Event \"e\"]";
        assert_eq!(games(text), [tagged("a", 0), tagged("c", 0), tagged("e", 0)]);
    }

    #[test]
    fn comments_after_the_result_belong_to_the_game_and_those_before_the_tags_too() {
        assert_eq!(
            games("; head\n\n[White \"a\"]\n\n{b} e4 1-0 {c} ; d\n\ne4 *"),
            [tagged("a", 6), (None, 2)]
        );
    }

    #[test]
    fn text_that_is_no_chess_is_one_piece_up_to_the_next_tag() {
        let text = "From: me (x) e4 * 1-0\n{ --\n\n[White \"a\"]\n\ne4 1-0\n</pre> 2 * 3 *";
        let split: Vec<_> =
            GameSplitter { text, at: 0 }.map(|game| game.fault.and_then(|fault| fault.token)).collect();
        assert_eq!(split, [Some("From:".to_owned()), None, Some("</pre>".to_owned())]);
    }
}
