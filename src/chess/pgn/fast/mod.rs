//! Fast reading of games in the form that programs write, for archives of millions of games.
//!
//! It accepts a game only if the careful reader would find the same tags, moves, evaluations and clocks in
//! it; other games go to the careful reader. It does not check that moves are legal.

mod canonical;
mod san;

use memchr::{memchr, memchr2};

use super::{
    CommentCommand, CommentPart, MOST_TOKENS, comment_facts::CommentFacts, comment_parts, hundredths,
    is_player_eval, tokens,
};
use crate::chess::{choice::MoveText, game::GameResult, score::SignedScore};

/// A game as written, with its moves not replayed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FastGame<'a> {
    tags: Vec<(&'a str, &'a str)>,
    /// The moves of the main line.
    pub moves: Vec<FastMove<'a>>,
    /// The moves in the form used for fingerprints.
    pub move_text: MoveText,
    /// The evaluation recorded for the start position.
    pub start_eval: Option<SignedScore>,
    /// The result after the moves, or the tag `Result` if that is `*`.
    pub result: Option<GameResult>,
    /// True if a comment looks like a playing engine's evaluation of its own move.
    pub has_player_evals: bool,
    /// Number of `[%eval]` commands that are malformed or out of range.
    pub odd_evals: u32,
}

/// A move as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FastMove<'a> {
    /// Without glyphs, with marks of check and mate.
    pub san: &'a str,
    /// Evaluation after the move, in White's view.
    pub eval: Option<SignedScore>,
    /// The mover's clock by `[%clk]`, in hundredths of a second.
    pub clock: Option<u32>,
    /// The time spent on the move by `[%emt]`, in hundredths of a second.
    pub elapsed: Option<u32>,
}

impl<'a> FastGame<'a> {
    /// Reads the game at byte `at` of `text` and returns its end. `None` if the game needs the careful
    /// reader.
    pub fn read(&mut self, text: &'a str, at: usize) -> Option<usize> {
        self.tags.clear();
        self.moves.clear();
        self.move_text.clear();
        (self.start_eval, self.result, self.has_player_evals, self.odd_evals) = (None, None, false, 0);
        let begin = at;
        let at = self.read_tags(text, skip_white(text.as_bytes(), at))?;
        let end = self.read_moves(text, at)?;
        // The careful reader's token limit holds here too.
        if end - begin > MOST_TOKENS {
            return None;
        }
        if self.result == Some(GameResult::Unknown) {
            self.result = self.tag("Result").and_then(tokens::result);
        }
        Some(end)
    }

    /// Returns the value of the first tag of that name, like [`crate::chess::game::Tags::get`].
    pub fn tag(&self, name: &str) -> Option<&'a str> {
        let tag = self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.trim()).filter(|value| !value.is_empty() && *value != "?")
    }

    /// Reads one tag pair per line, up to the blank line before the moves.
    fn read_tags(&mut self, text: &'a str, mut at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        while bytes.get(at) == Some(&b'[') {
            let name = at + 1;
            let name_end = name + bytes[name..].iter().position(|&byte| !IN_NAMES[usize::from(byte)])?;
            let value = name_end + 2;
            if name == name_end || !bytes[name_end..].starts_with(b" \"") {
                return None;
            }
            let value_end = value + bytes[value..].iter().position(|&byte| !IN_VALUES[usize::from(byte)])?;
            if !bytes[value_end..].starts_with(b"\"]\n") {
                return None;
            }
            let (name, value) = (&text[name..name_end], &text[value..value_end]);
            if !value.is_ascii() && value.contains(char::is_control) {
                return None;
            }
            self.tags.push((name, value));
            at = value_end + 3;
        }
        let standard = self.tag("Variant").is_none_or(|variant| variant == "Standard");
        let usual_start = self.tag("FEN").is_none() && self.tag("SetUp").is_none();
        // Tags that continue after a blank line, and games without tags, are rare.
        let blank = bytes.get(at) == Some(&b'\n') && bytes.get(at + 1).is_some_and(|&byte| byte != b'[');
        (!self.tags.is_empty() && standard && usual_start && blank).then_some(at + 1)
    }

    fn read_moves(&mut self, text: &'a str, mut at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        loop {
            // A space follows nearly everything.
            at += usize::from(bytes.get(at) == Some(&b' '));
            match *bytes.get(at)? {
                b' ' => {}
                b'\n' => {
                    at += 1;
                    // An escaped line, or the next game if this one has no result.
                    if matches!(bytes.get(at), Some(b'%' | b'[')) {
                        return None;
                    }
                }
                b'{' => match self.read_canonical_comment(bytes, at + 1) {
                    Some(end) => at = end,
                    None => {
                        let end = at + memchr(b'}', &bytes[at..])?;
                        self.read_comment(&text[at + 1..end])?;
                        at = end + 1;
                    }
                },
                b'0'..=b'9' => match self.read_number(bytes, at)? {
                    Number::Of(end) => at = end,
                    Number::Result(result, end) => return self.end(bytes, result, end),
                },
                b'*' => return self.end(bytes, GameResult::Unknown, at + 1),
                b'$' => {
                    let digits = bytes[at + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                    let number: Option<u8> = text[at + 1..at + 1 + digits].parse().ok();
                    number?;
                    at += 1 + digits;
                }
                _ => at = self.read_move(text, at)?,
            }
        }
    }

    fn read_move(&mut self, text: &'a str, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let eight = bytes.get(at..at + 8).and_then(|eight| <[u8; 8]>::try_from(eight).ok());
        let written = match eight.and_then(|eight| Some((eight, san::canonical(eight)?))) {
            Some((eight, written)) => {
                self.move_text.push_short(eight, written.plain);
                written
            }
            None => {
                let written = san::read(&bytes[at..])?;
                self.move_text.push(&text[at..at + written.plain]);
                written
            }
        };
        let san = &text[at..at + written.san];
        self.moves.push(FastMove { san, eval: None, clock: None, elapsed: None });
        Some(at + written.end)
    }

    fn read_number(&self, bytes: &[u8], at: usize) -> Option<Number> {
        let (due, black) = (self.moves.len() / 2 + 1, self.moves.len() % 2 == 1);
        if let Some((number, end)) = canonical::number(bytes, at)
            && bytes.get(end) == Some(&b'.')
        {
            let dots = if black && bytes[end..].starts_with(b"...") { 3 } else { 1 };
            return (number as usize == due).then_some(Number::Of(end + dots));
        }
        let word = bytes[at..].split(|&byte| byte == b' ' || byte == b'\n').next()?;
        let result = tokens::result(std::str::from_utf8(word).ok()?)?;
        Some(Number::Result(result, at + word.len()))
    }

    /// Returns the end of a game if only white space stands between its result and the next tag.
    fn end(&mut self, bytes: &[u8], result: GameResult, at: usize) -> Option<usize> {
        self.result = Some(result);
        let next = skip_white(bytes, at);
        match bytes.get(next) {
            None => Some(next),
            Some(b'[') if bytes[next - 1] == b'\n' => Some(next),
            Some(_) => None,
        }
    }

    /// Reads the usual comment of archives, `{ [%eval 0.17] [%clk 0:03:00] }`, from after its opening brace
    /// to after its closing one. Returns `None` for any other comment, which is then read again from its
    /// beginning.
    fn read_canonical_comment(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let (mut eval, mut left, mut at) = (None, None, at);
        let behind = loop {
            at += usize::from(bytes.get(at) == Some(&b' '));
            let rest = bytes.get(at..)?;
            if rest.starts_with(b"[%eval ") {
                let (score, end) = canonical::score(bytes, at + 7)?;
                (eval, at) = (Some(score), end);
            } else if rest.starts_with(b"[%clk ") {
                let (time, end) = canonical::clock(bytes, at + 6)?;
                (left, at) = (Some(time), end);
            } else if rest.starts_with(b"}") {
                break at + 1;
            } else {
                return None;
            }
            if bytes.get(at) != Some(&b']') {
                return None;
            }
            at += 1;
        };
        match self.moves.last_mut() {
            Some(last) => (last.eval, last.clock) = (eval.or(last.eval), left.or(last.clock)),
            None => self.start_eval = eval.or(self.start_eval),
        }
        Some(behind)
    }

    fn read_comment(&mut self, comment: &str) -> Option<()> {
        let mut rest = comment;
        while let Some(open) = memchr(b'[', rest.as_bytes()) {
            let (before, from) = rest.split_at(open);
            // A comment line that begins like a tag may be a tag.
            if before.trim_end_matches([' ', '\t']).ends_with('\n') && !from.starts_with("[%") {
                return None;
            }
            let close = memchr(b']', from.as_bytes())? + 1;
            // After an unclosed bracket, the tags of another game may follow.
            if memchr(b'[', &from.as_bytes()[1..close]).is_some() {
                return None;
            }
            comment_parts(&from[..close]).for_each(|piece| match piece {
                CommentPart::Known { command, .. } => self.take(command),
                CommentPart::Odd { name, .. } => self.odd_evals += u32::from(name == "eval"),
                CommentPart::Text(_) => {}
            });
            rest = &from[close..];
        }
        // Few games have one of these characters, and without them it is not an engine's comment.
        let sought = !self.has_player_evals && !self.moves.is_empty();
        if sought && memchr2(b'/', b'=', comment.as_bytes()).is_some() {
            self.has_player_evals = is_player_eval(&CommentFacts::behind_a_move(comment).text);
        }
        Some(())
    }

    /// Stores the command's value. Of several evaluations or clocks after one move the last counts.
    fn take(&mut self, command: CommentCommand) {
        match (command, self.moves.last_mut()) {
            (CommentCommand::Eval { score, .. }, Some(last)) => last.eval = Some(score),
            (CommentCommand::Eval { score, .. }, None) => self.start_eval = Some(score),
            (CommentCommand::Clock(left), Some(last)) => last.clock = Some(hundredths(left)),
            (CommentCommand::Elapsed(spent), Some(last)) => last.elapsed = Some(hundredths(spent)),
            (CommentCommand::Clock(_) | CommentCommand::Elapsed(_), None)
            | (CommentCommand::Wdl(_) | CommentCommand::Best(_), _) => {}
        }
    }
}

/// The bytes allowed in tag names.
static IN_NAMES: [bool; 256] = bytes_that(true);
/// The bytes that stand for themselves in a tag value. A quote or a backslash is escaped.
static IN_VALUES: [bool; 256] = bytes_that(false);

const fn bytes_that(are_in_names: bool) -> [bool; 256] {
    let mut table = [false; 256];
    let mut at = 0;
    while at < 256 {
        let byte = at as u8;
        table[at] = match are_in_names {
            true => byte.is_ascii_alphanumeric() || byte == b'_',
            false => byte != b'"' && byte != b'\\' && !byte.is_ascii_control(),
        };
        at += 1;
    }
    table
}

enum Number {
    /// The byte just after the move.
    Of(usize),
    Result(GameResult, usize),
}

fn skip_white(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n')).count()
}
