//! Reads games quickly if they have the form that programs write. Archives of millions of games are read in
//! this way.
//!
//! This reader does not check whether moves are legal. If it accepts a game of legal moves, the careful
//! reader ([`super::GameReader`]) would find equal tags, moves, evaluations and clocks, and nothing to
//! repair. All other games are left to the careful reader.

mod canonical;
mod san;

use memchr::{memchr, memchr2};

use super::{
    CommentCommand, CommentPart, MOST_TOKENS, comment_facts::CommentFacts, comment_parts, hundredths,
    is_player_eval, readings::needs_reading,
};
use crate::chess::{choice::MoveText, game::GameResult, score::SignedScore};

/// A game as in the file. Its moves have not been replayed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FastGame<'a> {
    tags: Vec<(&'a str, &'a str)>,
    /// The moves of the main line.
    pub moves: Vec<FastMove<'a>>,
    /// The moves as digested for fingerprints.
    pub move_text: MoveText,
    /// The evaluation recorded for the start position.
    pub start_eval: Option<SignedScore>,
    /// The result after the moves. If this result is `*`, the result in the tag `Result`.
    pub result: Option<GameResult>,
    /// True if a comment has the form of a playing engine's evaluation of its own move.
    pub has_player_evals: bool,
    /// Number of `[%eval]` commands that are malformed or out of range.
    pub odd_evals: u32,
    /// True if an evaluation after a move has a depth.
    pub has_depths: bool,
}

/// A move as in the file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FastMove<'a> {
    /// The move with marks of check and mate, without glyphs.
    pub san: &'a str,
    /// The evaluation recorded after the move, from White's view.
    pub eval: Option<SignedScore>,
    /// The mover's clock (`[%clk]`), in hundredths of a second.
    pub clock: Option<u32>,
    /// The time spent on the move (`[%emt]`), in hundredths of a second.
    pub elapsed: Option<u32>,
}

impl<'a> FastGame<'a> {
    /// Reads the game at byte `at` of `text`, and returns the end of the game. `None` if the careful reader
    /// must read the game.
    pub fn read(&mut self, text: &'a str, at: usize) -> Option<usize> {
        self.tags.clear();
        self.moves.clear();
        self.move_text.clear();
        (self.start_eval, self.result, self.has_player_evals, self.odd_evals) = (None, None, false, 0);
        self.has_depths = false;
        let begin = at;
        let at = self.read_tags(text, skip_white(text.as_bytes(), at))?;
        let end = self.read_moves(text, at)?;
        // This also enforces the token limit of the careful reader, because each token has at least one byte.
        if end - begin > MOST_TOKENS {
            return None;
        }
        let clock = || self.moves.iter().take(2).filter_map(|played| played.clock).max();
        if needs_reading(&self.tags, |name| self.tag(name), || clock().map(|left| left / 100)) {
            return None;
        }
        // If the tag and the end of the moves differ, the careful reader settles the result.
        match (self.tag("Result").map(str::parse), self.result) {
            (None | Some(Ok(GameResult::Unknown)), _) => {}
            (Some(Ok(tag)), Some(GameResult::Unknown)) => self.result = Some(tag),
            (Some(Ok(tag)), Some(after)) if tag == after => {}
            _ => return None,
        }
        Some(end)
    }

    /// Returns the value of the first tag with this name, like [`crate::chess::game::Tags::get`].
    pub fn tag(&self, name: &str) -> Option<&'a str> {
        let tag = self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.trim()).filter(|value| !value.is_empty() && *value != "?")
    }

    /// Reads the tag pairs, one per line, up to the blank line before the moves. Returns the start of the
    /// moves.
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
        // The careful reader reads games without tags, and games with tags after a blank line. Both are rare.
        let blank = bytes.get(at) == Some(&b'\n') && bytes.get(at + 1).is_some_and(|&byte| byte != b'[');
        (!self.tags.is_empty() && standard && usual_start && blank).then_some(at + 1)
    }

    fn read_moves(&mut self, text: &'a str, mut at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        loop {
            // A space follows nearly every move, number and comment.
            at += usize::from(bytes.get(at) == Some(&b' '));
            match *bytes.get(at)? {
                b' ' => {}
                b'\n' => {
                    at += 1;
                    // This is an escaped line, or the next game if this game has no result.
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
        let word = bytes[at..].split(|byte| b" \n[".contains(byte)).next()?;
        let result = std::str::from_utf8(word).ok()?.parse().ok().filter(|&it| it != GameResult::BothLose)?;
        Some(Number::Result(result, at + word.len()))
    }

    /// Stores the result and returns the end of the game. `None` if anything but white space is between the
    /// result and the next tag.
    fn end(&mut self, bytes: &[u8], result: GameResult, at: usize) -> Option<usize> {
        self.result = Some(result);
        let next = skip_white(bytes, at);
        match bytes.get(next) {
            None => Some(next),
            Some(b'[') if bytes[next - 1] == b'\n' || next == at => Some(next),
            Some(_) => None,
        }
    }

    /// Reads a comment in the usual form of archives, `{ [%eval 0.17] [%clk 0:03:00] }`. `at` is the byte
    /// after the opening brace. Returns the end of the comment, or `None` for a comment in another form,
    /// which is left to `read_comment`.
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
        let (mut rest, mut has_odd_clock) = (comment, false);
        while let Some(open) = memchr(b'[', rest.as_bytes()) {
            let (before, from) = rest.split_at(open);
            // A line of a comment that begins like a tag may be a tag, if a brace was not closed.
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
                CommentPart::Odd { name: "clk" | "emt", .. } => has_odd_clock = true,
                CommentPart::Odd { name, .. } => self.odd_evals += u32::from(name == "eval"),
                CommentPart::Text(_) => {}
            });
            rest = &from[close..];
        }
        if has_odd_clock {
            return None;
        }
        // Every comment with an engine's own evaluation has one of these characters, and few other comments
        // have one.
        let sought = !self.has_player_evals && !self.moves.is_empty();
        if sought && memchr2(b'/', b'=', comment.as_bytes()).is_some() {
            self.has_player_evals = is_player_eval(&CommentFacts::behind_a_move(comment).text);
        }
        Some(())
    }

    /// Stores the command's value. If a move has several evaluations or clocks, the last one counts.
    fn take(&mut self, command: CommentCommand) {
        match (command, self.moves.last_mut()) {
            (CommentCommand::Eval { score, depth }, Some(last)) => {
                last.eval = Some(score);
                self.has_depths |= depth.is_some();
            }
            (CommentCommand::Eval { score, .. }, None) => self.start_eval = Some(score),
            (CommentCommand::Clock(left), Some(last)) => last.clock = Some(hundredths(left)),
            (CommentCommand::Elapsed(spent), Some(last)) => last.elapsed = Some(hundredths(spent)),
            (CommentCommand::Clock(_) | CommentCommand::Elapsed(_), None)
            | (CommentCommand::Wdl(_) | CommentCommand::Best(_), _) => {}
        }
    }
}

/// The bytes that this reader accepts in tag names.
static IN_NAMES: [bool; 256] = bytes_that(true);
/// The bytes that this reader accepts in tag values: all except quotes, backslashes and control characters.
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
    /// A move number; the field is the byte after it.
    Of(usize),
    Result(GameResult, usize),
}

fn skip_white(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n')).count()
}
