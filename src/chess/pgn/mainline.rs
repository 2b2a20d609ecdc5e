//! Checks the main line of a game move by move, including the move numbers.

use shakmaty::{Chess, Color, Position};

use super::{
    bad::{BadGameReason, Fault},
    tokens::{Token, WrittenMove},
};
use crate::chess::game::Tags;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbering {
    pub first: u32,
    pub black_first: bool,
}

impl Numbering {
    pub fn of(start: &Chess) -> Numbering {
        Numbering { first: start.fullmoves().get(), black_first: start.turn() == Color::Black }
    }

    /// Returns the number of the move after `plies` plies, minus the number of the first move.
    fn offset(self, plies: usize) -> u32 {
        u32::try_from((plies + usize::from(self.black_first)) / 2).unwrap_or(u32::MAX)
    }

    pub fn number(self, plies: usize) -> u32 {
        self.first.saturating_add(self.offset(plies))
    }

    pub fn is_black(self, plies: usize) -> bool {
        (plies % 2 == 1) != self.black_first
    }
}

#[derive(Debug, Clone)]
pub(super) struct MainLine<'t, 'a> {
    tokens: std::slice::Iter<'t, Token<'a>>,
    depth: usize,
    plies: usize,
    numbering: Numbering,
    settled: bool,
}

impl<'t, 'a> MainLine<'t, 'a> {
    pub fn new(tokens: &'t [Token<'a>], numbering: Numbering) -> MainLine<'t, 'a> {
        MainLine { tokens: tokens.iter(), depth: 0, plies: 0, numbering, settled: false }
    }

    /// Returns the ply of the next move, from 1.
    pub fn due(&self) -> usize {
        self.plies + 1
    }

    /// Returns the next move, as text and parsed; `None` at the end of a valid game.
    pub fn next_move(&mut self) -> Result<Option<(&'a str, WrittenMove)>, Fault> {
        while let Some(&token) = self.tokens.next() {
            let fault = |text: &str, reason| Err(Fault::at(self.plies + 1, text, reason));
            match token {
                Token::Unterminated(text) => return fault(text, BadGameReason::UnterminatedComment),
                Token::Open => self.depth += 1,
                Token::Close if self.depth == 0 => return fault(")", BadGameReason::UnknownToken),
                Token::Close => self.depth -= 1,
                _ if self.depth > 0 => (),
                Token::Unknown(text) => return fault(text, BadGameReason::UnknownToken),
                Token::Null(text) => return fault(text, BadGameReason::NullMove),
                Token::Number { written, number, black } => self.check_number(written, number, black)?,
                Token::Move { written, mv } => {
                    self.plies += 1;
                    return Ok(Some((written, mv)));
                }
                Token::Nag(_) | Token::Remark(_) | Token::Comment(_) | Token::Result(_) => (),
            }
        }
        if self.depth > 0 {
            return Err(Fault { ply: Some(self.due()), ..BadGameReason::UnterminatedVariation.into() });
        }
        Ok(None)
    }

    /// Checks a move number. If the start position has a higher number than 1, the moves may be numbered from
    /// that number or from 1.
    fn check_number(&mut self, written: &str, number: u32, black: bool) -> Result<(), Fault> {
        let from_one = Numbering { first: 1, ..self.numbering };
        if !self.settled && number == from_one.number(self.plies) {
            self.numbering = from_one;
        }
        self.settled = true;
        let due = self.numbering.number(self.plies);
        if number != due || (black && !self.numbering.is_black(self.plies)) {
            return Err(Fault::at(self.due(), written, BadGameReason::MoveNumber { due }));
        }
        Ok(())
    }
}

/// Returns the game as a text that pgn-reader reads without loss: one tag per line, the moves in one
/// paragraph, every comment in braces, and the result at the end. In variations, text that pgn-reader would
/// skip becomes a comment. In the main line, such text is left out here, because [`MainLine`] rejects the
/// game.
pub(super) fn reader_text(tags: &Tags, tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for (name, value) in tags.iter() {
        text += &format!("[{name} \"{}\"]\n", super::tags::escape(value));
    }
    text.push('\n');
    let (mut depth, mut result) = (0_usize, None);
    for &token in tokens {
        match token {
            Token::Number { .. } | Token::Unterminated(_) => continue,
            Token::Move { mv, .. } => text += &mv.san.to_string(),
            Token::Null(_) => text.push_str("--"),
            Token::Nag(nag) => text += &format!("${nag}"),
            Token::Unknown(word) if depth > 0 => push_comment(&mut text, word),
            Token::Unknown(_) => continue,
            Token::Remark(comment) | Token::Comment(comment) => push_comment(&mut text, comment),
            Token::Open => {
                depth += 1;
                text.push('(');
            }
            Token::Close => {
                depth = depth.saturating_sub(1);
                text.push(')');
            }
            Token::Result(inner) if depth > 0 => push_comment(&mut text, &inner.to_string()),
            Token::Result(outcome) => {
                result.get_or_insert(outcome);
                continue;
            }
        }
        text.push(' ');
    }
    text + &result.map(|result| result.to_string()).unwrap_or_default()
}

fn push_comment(text: &mut String, comment: &str) {
    text.push('{');
    text.push_str(&comment.replace('}', ")"));
    text.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::tokens::Lexer;

    /// Returns the number of moves of a valid main line. For an invalid main line, the error has the ply and
    /// the token of the fault.
    fn walk(text: &str, first: u32, black_first: bool) -> Result<usize, (Option<usize>, Option<String>)> {
        let tokens: Vec<_> = Lexer::new(text, 0).collect();
        let mut line = MainLine::new(&tokens, Numbering { first, black_first });
        let mut moves = 0;
        while line.next_move().map_err(|fault| (fault.ply, fault.token))?.is_some() {
            moves += 1;
        }
        Ok(moves)
    }

    fn fault(ply: usize, token: &str) -> Result<usize, (Option<usize>, Option<String>)> {
        Err((Some(ply), Some(token.to_owned())))
    }

    #[test]
    fn a_number_must_be_that_of_the_moves_counted() {
        assert_eq!(walk("1. e4 e5 2. Nf3 2... Nc6 Bb5 3… a6", 1, false), Ok(6));
        assert_eq!(walk("1. e4 2. Nf3", 1, false), fault(2, "2."));
        assert_eq!(walk("1. e4 e5 2... Nf3", 1, false), fault(3, "2..."));
    }

    #[test]
    fn a_game_from_a_position_may_be_numbered_from_it_or_from_one() {
        assert_eq!(walk("17... Nf6 18. e4", 17, true), Ok(2));
        assert_eq!(walk("1... Nf6 2. e4", 17, true), Ok(2));
        assert_eq!(walk("1... Nf6 18. e4", 17, true), fault(2, "18."));
        assert_eq!(walk("5... Nf6", 17, true), fault(1, "5..."));
    }

    #[test]
    fn variations_are_left_alone_but_must_end() {
        assert_eq!(walk("1. e4 (9. Sf3 (--) foo) e5", 1, false), Ok(2));
        assert_eq!(walk("1. e4 ) e5", 1, false), fault(2, ")"));
        assert_eq!(walk("1. e4 (e5", 1, false), Err((Some(2), None)));
    }
}
