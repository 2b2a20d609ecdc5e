//! Owns the quick reading of games that are written as programs write them: what archives hold by
//! the million.
//!
//! It takes a game only where the careful reader would find the same tags, moves, evaluations and
//! clocks in it, and leaves any other to that one. What it does not look at is whether the moves are
//! legal.

use std::time::Duration;

use memchr::{memchr, memchr2};

use super::{Command, MOST_TOKENS, Piece, is_own_evaluation, pieces, tokens, told::Told};
use crate::{game::GameResult, score::SignedScore};

/// A game as it is written, its moves not replayed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skimmed<'a> {
    /// Name and value of each tag pair.
    tags: Vec<(&'a str, &'a str)>,
    /// The moves of the main line.
    pub moves: Vec<SkimmedMove<'a>>,
    /// The evaluation recorded for the start position.
    pub start_eval: Option<SignedScore>,
    /// What stands at the end, or in the tag where that is `*`.
    pub result: Option<GameResult>,
    /// Whether a comment is of the kind that an engine leaves on its own moves.
    pub by_own_engines: bool,
    /// `[%eval]` commands in no known form, or out of range.
    pub odd_evals: u32,
}

/// A move as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SkimmedMove<'a> {
    /// Without glyphs, with marks of check and mate.
    pub san: &'a str,
    /// White's view of the position after it.
    pub eval: Option<SignedScore>,
    /// What `[%clk]` says: the time left to the mover.
    pub clock: Option<Duration>,
    /// What `[%emt]` says: the time spent on it.
    pub elapsed: Option<Duration>,
}

impl<'a> Skimmed<'a> {
    /// Reads the game that begins at `at` of `text`, and tells where it ends; `None` where it has
    /// anything in it that needs the careful reader.
    pub fn read(&mut self, text: &'a str, at: usize) -> Option<usize> {
        self.tags.clear();
        self.moves.clear();
        (self.start_eval, self.result, self.by_own_engines, self.odd_evals) = (None, None, false, 0);
        let begin = at;
        let at = self.read_tags(text, skip_white(text.as_bytes(), at))?;
        let end = self.read_moves(text, at)?;
        // So that it has no more tokens than the careful reader takes.
        if end - begin > MOST_TOKENS {
            return None;
        }
        if self.result == Some(GameResult::Unknown) {
            self.result = self.tag("Result").and_then(tokens::result);
        }
        Some(end)
    }

    /// The value of the first tag of that name, as [`crate::game::Tags::get`] has it.
    pub fn tag(&self, name: &str) -> Option<&'a str> {
        let tag = self.tags.iter().find(|(key, _)| key.eq_ignore_ascii_case(name));
        tag.map(|(_, value)| value.trim()).filter(|value| !value.is_empty() && *value != "?")
    }

    /// One tag pair a line, up to the blank line before the moves.
    fn read_tags(&mut self, text: &'a str, mut at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        while bytes.get(at) == Some(&b'[') {
            let end = at + memchr(b'\n', &bytes[at..])?;
            let pair = text[at + 1..end].strip_suffix("\"]")?;
            let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
            let (name, value) = pair.split_at(pair.bytes().take_while(is_plain).count());
            let value = value.strip_prefix(" \"")?;
            let odd = memchr2(b'"', b'\\', value.as_bytes()).is_some() || has_control(value);
            if name.is_empty() || odd {
                return None;
            }
            self.tags.push((name, value));
            at = end + 1;
        }
        let standard = self.tag("Variant").is_none_or(|variant| variant == "Standard");
        let usual_start = self.tag("FEN").is_none() && self.tag("SetUp").is_none();
        // Tags that go on after a blank line, and games without tags, are rare.
        let blank = bytes.get(at) == Some(&b'\n') && bytes.get(at + 1).is_some_and(|&byte| byte != b'[');
        (!self.tags.is_empty() && standard && usual_start && blank).then_some(at + 1)
    }

    fn read_moves(&mut self, text: &'a str, mut at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        loop {
            match *bytes.get(at)? {
                b' ' => at += 1,
                b'\n' => {
                    at += 1;
                    // An escaped line, or the next game where this one has no result.
                    if matches!(bytes.get(at), Some(b'%' | b'[')) {
                        return None;
                    }
                }
                b'{' => match self.read_usual_comment(bytes, at + 1) {
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
                _ => {
                    let length = san_length(&bytes[at..])?;
                    let san = &text[at..at + length];
                    self.moves.push(SkimmedMove { san, eval: None, clock: None, elapsed: None });
                    at += length;
                    at += bytes[at..].iter().take_while(|&&byte| matches!(byte, b'!' | b'?')).count();
                    if !matches!(bytes.get(at)?, b' ' | b'\n' | b'$' | b'{') {
                        return None;
                    }
                }
            }
        }
    }

    fn read_number(&self, bytes: &[u8], at: usize) -> Option<Number> {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let after = &bytes[at + digits..];
        if after.first() != Some(&b'.') {
            let word = bytes[at..].split(|&byte| byte == b' ' || byte == b'\n').next()?;
            let result = tokens::result(std::str::from_utf8(word).ok()?)?;
            return Some(Number::Result(result, at + word.len()));
        }
        let number = bytes[at..at + digits].iter().try_fold(0usize, |number, &digit| {
            number.checked_mul(10)?.checked_add(usize::from(digit - b'0'))
        })?;
        let (due, black) = (self.moves.len() / 2 + 1, self.moves.len() % 2 == 1);
        let dots = after.iter().take_while(|&&byte| byte == b'.').count();
        (number == due && (dots == 1 || dots == 3 && black)).then_some(Number::Of(at + digits + dots))
    }

    /// A game ends where nothing but white space stands between its result and the next tag.
    fn end(&mut self, bytes: &[u8], result: GameResult, at: usize) -> Option<usize> {
        self.result = Some(result);
        let next = skip_white(bytes, at);
        match bytes.get(next) {
            None => Some(next),
            Some(b'[') if bytes[next - 1] == b'\n' => Some(next),
            Some(_) => None,
        }
    }

    /// The comment that archives are full of, `{ [%eval 0.17] [%clk 0:03:00] }`, from behind its brace to
    /// behind its other one; `None` for any other, which is then read again from its beginning.
    fn read_usual_comment(&mut self, bytes: &[u8], at: usize) -> Option<usize> {
        let mut rest = bytes.get(at..)?;
        loop {
            rest = rest.strip_prefix(b" ").unwrap_or(rest);
            let (command, after) = if let Some(score) = rest.strip_prefix(b"[%eval ") {
                let (score, after) = usual_score(score)?;
                (Command::Eval { score, depth: None }, after)
            } else if let Some(time) = rest.strip_prefix(b"[%clk ") {
                let (time, after) = usual_time(time)?;
                (Command::Clock(time), after)
            } else {
                let after = rest.strip_prefix(b"}")?;
                return Some(bytes.len() - after.len());
            };
            rest = after.strip_prefix(b"]")?;
            self.take(command);
        }
    }

    fn read_comment(&mut self, comment: &str) -> Option<()> {
        let mut rest = comment;
        while let Some(open) = memchr(b'[', rest.as_bytes()) {
            let (before, from) = rest.split_at(open);
            // A line of a comment that begins as a tag does may be one.
            if before.trim_end_matches([' ', '\t']).ends_with('\n') && !from.starts_with("[%") {
                return None;
            }
            let close = memchr(b']', from.as_bytes())? + 1;
            // The tags of another game may stand behind a bracket that is not closed.
            if memchr(b'[', &from.as_bytes()[1..close]).is_some() {
                return None;
            }
            pieces(&from[..close]).for_each(|piece| match piece {
                Piece::Known { command, .. } => self.take(command),
                Piece::Odd { name, .. } => self.odd_evals += u32::from(name == "eval"),
                Piece::Text(_) => {}
            });
            rest = &from[close..];
        }
        // Few have one of these, and without them it is no engine's.
        let sought = !self.by_own_engines && !self.moves.is_empty();
        if sought && memchr2(b'/', b'=', comment.as_bytes()).is_some() {
            self.by_own_engines = is_own_evaluation(&Told::behind_a_move(comment).text);
        }
        Some(())
    }

    /// Of several evaluations or clocks after one move the last counts.
    fn take(&mut self, command: Command) {
        match (command, self.moves.last_mut()) {
            (Command::Eval { score, .. }, Some(last)) => last.eval = Some(score),
            (Command::Eval { score, .. }, None) => self.start_eval = Some(score),
            (Command::Clock(left), Some(last)) => last.clock = Some(left),
            (Command::Elapsed(spent), Some(last)) => last.elapsed = Some(spent),
            (Command::Clock(_) | Command::Elapsed(_), None) | (Command::Wdl(_) | Command::Best(_), _) => {}
        }
    }
}

/// Whether there is a control character in `value`, looked for byte by byte where that will do.
fn has_control(value: &str) -> bool {
    value.bytes().any(|byte| byte.is_ascii_control()) || !value.is_ascii() && value.contains(char::is_control)
}

enum Number {
    /// Of a move, up to here.
    Of(usize),
    Result(GameResult, usize),
}

fn skip_white(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n')).count()
}

/// The length of the move that `bytes` begins with, its mark of check or mate included.
fn san_length(bytes: &[u8]) -> Option<usize> {
    let file = |at: usize| matches!(bytes.get(at), Some(b'a'..=b'h'));
    let rank = |at: usize| matches!(bytes.get(at), Some(b'1'..=b'8'));
    let square = |at: usize| file(at) && rank(at + 1);
    let takes = |at: usize| bytes.get(at) == Some(&b'x');
    let length = match *bytes.first()? {
        b'O' if bytes.starts_with(b"O-O-O") => 5,
        b'O' if bytes.starts_with(b"O-O") => 3,
        b'a'..=b'h' => {
            let target = if takes(1) { 2 } else { 0 };
            let end = target + 2;
            match bytes.get(end..end + 2) {
                _ if !square(target) => return None,
                Some([b'=', b'Q' | b'R' | b'B' | b'N']) => end + 2,
                _ => end,
            }
        }
        b'K' | b'Q' | b'R' | b'B' | b'N' => {
            // From the shortest: what follows a square that is complete tells whether it was one.
            [1, 2, 2, 3]
                .into_iter()
                .zip([(false, false), (true, false), (false, true), (true, true)])
                .find_map(|(at, (from_file, from_rank))| {
                    let from = (!from_file || file(1)) && (!from_rank || rank(1 + usize::from(from_file)));
                    let target = at + usize::from(takes(at));
                    let ends = !matches!(bytes.get(target + 2), Some(b'a'..=b'h' | b'x' | b'1'..=b'8'));
                    (from && square(target) && ends).then_some(target + 2)
                })?
        }
        _ => return None,
    };
    Some(length + usize::from(matches!(bytes.get(length), Some(b'+' | b'#'))))
}

/// The number that `bytes` begin with, of at most six digits, and what follows it.
fn usual_number(bytes: &[u8]) -> Option<(i32, &[u8])> {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number =
        bytes[..digits].iter().take(6).fold(0, |number, &digit| 10 * number + i32::from(digit - b'0'));
    (1..=6).contains(&digits).then_some((number, &bytes[digits..]))
}

/// `0.17`, `-12.5`, `#-3` in White's view, and what follows it.
fn usual_score(bytes: &[u8]) -> Option<(SignedScore, &[u8])> {
    let (mate, size) = bytes.strip_prefix(b"#").map_or((false, bytes), |moves| (true, moves));
    let (sign, size) = size.strip_prefix(b"-").map_or((1, size), |size| (-1, size));
    let (whole, after) = usual_number(size)?;
    if mate {
        return Some((SignedScore::Mate(sign * whole), after));
    }
    let decimals = after.strip_prefix(b".")?;
    let (fraction, after) = usual_number(decimals)?;
    let hundredths = match decimals.len() - after.len() {
        1 => 10 * fraction,
        2 => fraction,
        _ => return None,
    };
    Some((SignedScore::Cp(sign * (100 * whole + hundredths)), after))
}

/// `0:03:00`, and what follows it.
fn usual_time(bytes: &[u8]) -> Option<(Duration, &[u8])> {
    let (hours, after) = usual_number(bytes)?;
    let (minutes, after) = usual_number(after.strip_prefix(b":")?)?;
    let (seconds, after) = usual_number(after.strip_prefix(b":")?)?;
    let plain = bytes.len() - after.len() <= 8 && minutes < 60 && seconds < 60;
    plain.then(|| (Duration::from_secs(((hours * 60 + minutes) * 60 + seconds) as u64), after))
}
