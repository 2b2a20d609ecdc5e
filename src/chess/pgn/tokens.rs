//! Tokens of the movetext, between a game's tags and its end.

use shakmaty::{Chess, Move, Square, san::San, san::SanError, san::SanPlus, uci::UciMove};

use super::tags::begins_tag;
use crate::chess::game::{DASHES, GameResult};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A move number. `black` is set if three or more dots follow it.
    Number {
        written: &'a str,
        number: u32,
        black: bool,
    },
    /// A word in the form of a move, legal or not. A glyph attached to it is a token of its own.
    Move {
        written: &'a str,
        mv: WrittenMove,
    },
    Null(&'a str),
    /// A numeric annotation glyph (NAG), or the NAG of a sign such as `±`.
    Nag(u8),
    /// A glyph with a number above 255, such as `$300`. It is kept as a comment.
    Remark(&'a str),
    Comment(&'a str),
    /// A comment without a closing brace. It ends with the text or at the next game's tags.
    Unterminated(&'a str),
    Open,
    Close,
    /// A result. `is_usual` is false if it is in another form than those of PGN, such as `1:0`.
    Result {
        result: GameResult,
        is_usual: bool,
    },
    Unknown(&'a str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WrittenMove {
    /// A move in coordinate notation is stored as a pawn's move between the two squares, whatever piece
    /// moves.
    pub san: SanPlus,
    pub by_squares: bool,
}

impl WrittenMove {
    /// Returns the one legal move of `position` with this notation.
    ///
    /// In coordinate notation, castling is the king's move onto its rook, or two squares from e1 or e8, as in
    /// UCI. Other king moves are not castling.
    pub fn to_move(self, position: &Chess) -> Result<Move, SanError> {
        let San::Normal { file: Some(file), rank: Some(rank), capture, to, promotion, .. } = self.san.san
        else {
            return self.san.san.to_move(position);
        };
        if !self.by_squares {
            return self.san.san.to_move(position);
        }
        let squares = UciMove::Normal { from: Square::from_coords(file, rank), to, promotion };
        let legal = squares.to_move(position).ok();
        legal.filter(|legal| !capture || legal.is_capture()).ok_or(SanError::IllegalSan)
    }
}

/// Signs that may follow a move, separate or attached, with their NAG (`None`: the sign is ignored). No sign
/// is a move or a significant part of a move.
const SIGNS: [(&[&str], Option<u8>); 17] = [
    (&["N", "TN"], Some(146)),
    (&["D"], Some(220)),
    (&["+-", "+−"], Some(18)),
    (&["-+", "−+"], Some(19)),
    (&["+/-", "±"], Some(16)),
    (&["-/+", "∓"], Some(17)),
    (&["+/=", "+=", "⩲"], Some(14)),
    (&["=/+", "=+", "⩱"], Some(15)),
    (&["="], Some(10)),
    (&["∞"], Some(13)),
    (&["□"], Some(7)),
    (&["⊕"], Some(138)),
    (&["‼"], Some(3)),
    (&["⁇"], Some(4)),
    (&["⁉"], Some(5)),
    (&["⁈"], Some(6)),
    (&["+", "++", "#", "†", "‡", "ep", "e.p.", "…", "."], None),
];

/// The tokens of a text, up to its end or to the next tag pair outside a comment.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// The NAG of the sign attached to the previous move.
    glued: Option<u8>,
    after_result: bool,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str, at: usize) -> Lexer<'a> {
        Lexer { text, at, glued: None, after_result: false }
    }

    pub fn offset(&self) -> usize {
        self.at
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space and lines escaped by `%`, and returns the number of line ends.
    pub fn skip_blank(&mut self) -> usize {
        let mut lines = 0;
        while let Some(c) = self.rest().chars().next() {
            let at_line_start = self.at == 0 || self.text[..self.at].ends_with('\n');
            if c == '%' && at_line_start {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            } else if is_blank(c) {
                lines += usize::from(c == '\n');
                self.at += c.len_utf8();
            } else {
                break;
            }
        }
        lines
    }

    /// Returns whether the next game begins here, with a tag pair that is at the start of a line or after a
    /// result. Elsewhere in a line of moves, a bracket is an unknown token.
    fn at_next_game(&self) -> bool {
        let line = self.text[..self.at].trim_end_matches([' ', '\t']);
        let in_place = self.after_result || line.is_empty() || line.ends_with('\n');
        in_place && begins_tag(self.rest()).is_some()
    }

    pub fn skip_to(&mut self, at: usize) {
        self.at = at.max(self.at);
    }

    fn take(&mut self, length: usize) -> &'a str {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    /// Returns a comment up to its closing brace. It is unterminated if a line in it begins a game's tags
    /// (`Event`, or any tag after a blank line). It is better to misread one odd comment than to lose all
    /// games after an open brace.
    fn comment(&mut self) -> Token<'a> {
        let rest = self.rest();
        let (mut blank_line, mut from) = (false, 1);
        while let Some(found) = rest[from..].find(['}', '\n']) {
            let at = from + found;
            if rest[at..].starts_with('}') {
                return Token::Comment(&self.take(at + 1)[1..at]);
            }
            let next_line = rest[at + 1..].trim_start_matches([' ', '\t']);
            if begins_tag(next_line).is_some_and(|name| blank_line || name == "Event") {
                return Token::Unterminated(self.take(at + 1));
            }
            blank_line = next_line.starts_with('\n');
            from = at + 1;
        }
        Token::Unterminated(self.take(rest.len()))
    }

    fn lex(&mut self) -> Option<Token<'a>> {
        loop {
            self.skip_blank();
            return Some(match self.rest().chars().next()? {
                '{' => self.comment(),
                ';' => self.line_comment(),
                '$' => self.dollar(),
                '!' | '?' => self.glyph(),
                '[' if self.at_next_game() => return None,
                '(' | ')' | '}' | '*' => self.single(),
                _ => match self.result().or_else(|| self.word()) {
                    Some(token) => token,
                    None => continue,
                },
            });
        }
    }

    /// Reads a result. It may contain spaces, as in `1 - 0`. The forms that may also be castling or a sign are no
    /// results here: `0-0`, `=` and `+-`.
    fn result(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_ascii_digit() || "½=".contains(c)) {
            return None;
        }
        let in_results = |c: char| c.is_ascii_digit() || "½/:=.,OFf \t".contains(c) || DASHES.contains(&c);
        let written = rest[..rest.find(|c| !in_results(c)).unwrap_or(rest.len())].trim_end();
        let word = written.split([' ', '\t']).next().unwrap_or_default();
        let read =
            |text: &&str| GameResult::read(text).filter(|&it| it != GameResult::BothLose && *text != "=");
        let (text, result) = [written, word].into_iter().find_map(|text| Some((text, read(&text)?)))?;
        Some(Token::Result { result, is_usual: self.take(text.len()) == result.name() })
    }

    fn line_comment(&mut self) -> Token<'a> {
        let length = self.rest().find('\n').unwrap_or(self.rest().len());
        Token::Comment(&self.take(length)[1..])
    }

    fn dollar(&mut self) -> Token<'a> {
        let digits = self.rest()[1..].bytes().take_while(u8::is_ascii_digit).count();
        let written = self.take(1 + digits);
        match written[1..].parse() {
            Ok(nag) => Token::Nag(nag),
            Err(_) if digits > 0 => Token::Remark(written),
            Err(_) => Token::Unknown(written),
        }
    }

    fn single(&mut self) -> Token<'a> {
        match self.take(1) {
            "(" => Token::Open,
            ")" => Token::Close,
            "*" => Token::Result { result: GameResult::Unknown, is_usual: true },
            other => Token::Unknown(other),
        }
    }

    fn glyph(&mut self) -> Token<'a> {
        let pair = self.rest().bytes().take(2).take_while(|b| b"!?".contains(b)).count();
        Token::Nag(match self.take(pair) {
            "!" => 1,
            "?" => 2,
            "!!" => 3,
            "??" => 4,
            "!?" => 5,
            _ => 6,
        })
    }

    /// Reads a word, up to white space or the start of another token. `None` if it is a sign without a NAG.
    fn word(&mut self) -> Option<Token<'a>> {
        let rest = self.rest();
        let end = |c: char| is_blank(c) || "{}();$!?*.…".contains(c);
        let length = rest.find(end).unwrap_or(rest.len());
        // The dots of "e.p." do not end a word.
        let length = if rest[..length].ends_with('e') && rest[length..].starts_with(".p.") {
            length + 3
        } else {
            length.max(rest.chars().next().map_or(0, char::len_utf8))
        };
        self.classify(&rest[..length])
    }

    fn classify(&mut self, word: &'a str) -> Option<Token<'a>> {
        let fixed = fixed(word);
        if fixed.is_none() && word.starts_with(|c: char| c.is_ascii_digit()) {
            return Some(self.number(word));
        }
        self.take(word.len());
        match SIGNS.iter().find(|(signs, _)| signs.contains(&word)) {
            Some((_, nag)) => nag.map(Token::Nag),
            None => Some(fixed.unwrap_or_else(|| self.san(word))),
        }
    }

    /// Returns a move number with the dots after it. If the number is too large, or if text other than a move
    /// directly follows the digits, returns an unknown token.
    fn number(&mut self, word: &'a str) -> Token<'a> {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (Ok(number), true) =
            (word[..digits].parse(), digits == word.len() || split_san(&word[digits..]).is_some())
        else {
            return Token::Unknown(self.take(word.len()));
        };
        let after = &self.rest()[digits..];
        let dots = after.len() - after.trim_start_matches(['.', '…', ' ']).len();
        let black = after[..dots].contains("...") || after[..dots].contains('…');
        Token::Number { written: self.take(digits + dots).trim_end(), number, black }
    }

    fn san(&mut self, word: &'a str) -> Token<'a> {
        match split_san(word) {
            Some((mv, nag)) => {
                self.glued = nag;
                Token::Move { written: word, mv }
            }
            None => Token::Unknown(word),
        }
    }
}

impl<'a> Iterator for Lexer<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let token = match self.glued.take() {
            Some(nag) => Token::Nag(nag),
            None => self.lex()?,
        };
        self.after_result = match token {
            Token::Result { .. } => true,
            Token::Comment(_) | Token::Nag(_) => self.after_result,
            _ => false,
        };
        Some(token)
    }
}

/// Returns whether a character counts as white space. Characters without width come from web pages.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Parses null moves and castling, with any kind of dash. Castling may use zeros.
fn fixed(word: &str) -> Option<Token<'_>> {
    let dashed = word.replace(DASHES, "-");
    if dashed.starts_with("0-0") || dashed.starts_with("O-O") {
        let san = dashed.replace('0', "O").parse().ok()?;
        return Some(Token::Move { written: word, mv: WrittenMove { san, by_squares: false } });
    }
    let bare = dashed.trim_end_matches(['+', '#']);
    matches!(bare, "--" | "Z0" | "0000" | "@@@@" | "null" | "pass").then_some(Token::Null(word))
}

/// Splits a word into a move and the NAG of the sign after the move. The NAG is `None` without a sign, or for
/// a sign without a NAG. The result is `None` if the word is not a move.
pub(super) fn split_san(word: &str) -> Option<(WrittenMove, Option<u8>)> {
    if let Some(mv) = written_move(word) {
        return Some((mv, None));
    }
    let mut signs = SIGNS.iter().flat_map(|(signs, nag)| signs.iter().map(move |sign| (sign, nag)));
    signs.find_map(|(sign, nag)| Some((written_move(word.strip_suffix(sign)?)?, *nag)))
}

/// Parses a move in coordinate notation, SAN or long algebraic notation. A promotion may lack its equals
/// sign; pgn-reader would drop such a promotion.
fn written_move(word: &str) -> Option<WrittenMove> {
    if let Some(san) = by_squares(word) {
        return Some(WrittenMove { san, by_squares: true });
    }
    let san: SanPlus = word.parse().ok().or_else(|| promotion(word)).or_else(|| long_algebraic(word))?;
    matches!(san.san, San::Normal { .. } | San::Castle(_)).then_some(WrittenMove { san, by_squares: false })
}

/// Parses coordinate notation (`g1f3`, `g1-f3`, `e7e8q`, `e7-e8=Q+`) as the move of a pawn.
fn by_squares(word: &str) -> Option<SanPlus> {
    let (from, rest) = word.split_at_checked(2)?;
    let _: Square = from.parse().ok()?;
    let dashed = rest.strip_prefix(DASHES);
    let rest = dashed.or_else(|| rest.strip_prefix('x')).unwrap_or(rest);
    let (to, end) = rest.split_at_checked(2)?;
    let _: Square = to.parse().ok()?;
    let capture = if rest.len() < word.len() - 2 && dashed.is_none() { "x" } else { "" };
    let promotion = end.trim_end_matches(['+', '#']);
    let mark = &end[promotion.len()..];
    let promotion = match promotion.strip_prefix('=').unwrap_or(promotion) {
        "" if promotion.is_empty() => String::new(),
        "q" | "r" | "b" | "n" | "Q" | "R" | "B" | "N" if to.ends_with(['1', '8']) => {
            format!("={}", promotion.trim_start_matches('=').to_uppercase())
        }
        _ => return None,
    };
    format!("{from}{capture}{to}{promotion}{mark}").parse().ok()
}

/// Parses `Ng1-f3` as `Ng1f3`.
fn long_algebraic(word: &str) -> Option<SanPlus> {
    let (from, to) = word.split_once(DASHES)?;
    let is_square = |text: Option<&str>| text.is_some_and(|text| text.parse::<Square>().is_ok());
    (is_square(from.get(1..)) && is_square(to.get(..2))).then(|| format!("{from}{to}").parse().ok()).flatten()
}

/// Parses `e8Q+` as `e8=Q+`.
fn promotion(word: &str) -> Option<SanPlus> {
    let piece = word.find(['Q', 'R', 'B', 'N']).filter(|&at| at >= 2)?;
    let (square, piece) = word.split_at(piece);
    let last_rank = square.ends_with(['1', '8']);
    last_rank.then(|| format!("{square}={piece}").parse().ok()).flatten()
}

#[cfg(test)]
mod tests;
