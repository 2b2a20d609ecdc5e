//! The engine's half of the UCI grammar: one line from an engine.
//!
//! vampirc-uci's `parse_one` parses `id` and `info` lines. It gets only the words of an `info` line that it
//! reads faithfully. In a whole line, it would drop the text after an unknown key (`wdl`, `movesleft`). It
//! would also read mates beyond ±127 with the wrong sign, and panic on depths above 255.

use std::{fmt, str::FromStr};

use shakmaty::uci::UciMove;
use vampirc_uci::{UciInfoAttribute, UciMessage};

use super::{line::ParseLineError, options::EngineOption};
use crate::base::text::printable;
use crate::chess::SignedScore;

/// The largest depth that can be requested, in plies. Stockfish searches no deeper.
pub const MAX_DEPTH: u32 = 245;

/// The largest depth that an engine can report, in plies. No game is longer: the 75-move rule ends it after
/// 17,697 plies at the latest.
const DEEPEST: u32 = 20_000;

/// A line from an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineLine {
    /// `id name …`
    Name(String),
    /// `id author …`
    Author(String),
    /// `option name … type …`
    Option(EngineOption),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info …`
    Info(Info),
    /// `info string …`
    Remark(String),
    /// `bestmove …`
    BestMove {
        /// The move; `None` if the engine reports in any known form that it has no move.
        best: Option<UciMove>,
        /// The reply to ponder on, if given.
        ponder: Option<UciMove>,
    },
    /// `bestmove …` with a word that is neither a move nor a known form of "no move". The word is in lower
    /// case and cut to 40 characters.
    NoMove(String),
    /// `info depth …` with an impossible depth, which is cut to 40 characters.
    NoDepth(String),
    /// Anything else, which UCI says to ignore.
    Other,
}

/// The data of an `info` line about a search, without keys that an evaluation does not use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// The rank of the line, from 1.
    pub multipv: Option<u32>,
    /// The score from the view of the side to move.
    pub score: Option<SignedScore>,
    /// Set if the score is only a bound.
    pub bound: Option<ScoreBound>,
    /// Chances per mille of win, draw and loss, from the view of the side to move.
    pub wdl: Option<[u16; 3]>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions per second.
    pub nps: Option<u64>,
    /// Use of the transposition table, per mille.
    pub hashfull: Option<u32>,
    /// Time in milliseconds.
    pub time_ms: Option<u64>,
    /// The principal variation.
    pub pv: Vec<UciMove>,
    /// The number of the root move being searched: not used in an evaluation, but it shows that the engine is
    /// alive.
    pub currmovenumber: Option<u32>,
}

/// The relation of the reported score to the real score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreBound {
    /// The real score is at least the reported score.
    Lower,
    /// The real score is at most the reported score.
    Upper,
}

impl EngineLine {
    /// Parses a line from the engine, which may contain anything.
    pub fn from_bytes(line: &[u8]) -> EngineLine {
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        match text.split_whitespace().next() {
            Some("info") => info(text),
            Some("option") => text.parse().map_or(EngineLine::Other, EngineLine::Option),
            Some("bestmove") => best_move(text),
            Some("id" | "uciok" | "readyok") => greeting(text),
            _ => EngineLine::Other,
        }
    }
}

/// Parses the lines `id …`, `uciok` and `readyok`.
fn greeting(text: &str) -> EngineLine {
    match vampirc_uci::parse_one(text) {
        // The names go to terminals, files and pictures.
        UciMessage::Id { name: Some(name), .. } => EngineLine::Name(printable(&name)),
        UciMessage::Id { author: Some(author), .. } => EngineLine::Author(printable(&author)),
        UciMessage::UciOk => EngineLine::UciOk,
        UciMessage::ReadyOk => EngineLine::ReadyOk,
        _ => EngineLine::Other,
    }
}

/// Parses a line that is a remark or reports on a search.
fn info(text: &str) -> EngineLine {
    let rest = text.strip_prefix("info").map(str::trim_start).and_then(|rest| rest.strip_prefix("string"));
    match rest {
        Some(remark) if remark.is_empty() || remark.starts_with(char::is_whitespace) => {
            EngineLine::Remark(remark.trim_start().to_owned())
        }
        _ => match SplitInfo::of(text) {
            Some(SplitInfo { no_depth: Some(word), .. }) => {
                EngineLine::NoDepth(word.chars().take(NONSENSE).collect())
            }
            Some(sifted) => EngineLine::Info(sifted.into_info()),
            None => EngineLine::Other,
        },
    }
}

/// Parses a depth in plies; `None` if the word is not a possible depth.
pub(super) fn plies(word: &str) -> Option<u32> {
    word.parse().ok().filter(|&plies| plies <= DEEPEST)
}

/// Parses `bestmove e2e4 ponder e7e5`. Engines print all sorts of things after `ponder`, including `(none)`.
fn best_move(text: &str) -> EngineLine {
    let tokens: Vec<String> = text.split_whitespace().skip(1).take(3).map(str::to_ascii_lowercase).collect();
    let best = match tokens.first() {
        Some(token) if !NO_MOVE.contains(&token.as_str()) => match read_move(token) {
            None => return EngineLine::NoMove(token.chars().take(NONSENSE).collect()),
            best => best,
        },
        _ => None,
    };
    let ponder = match tokens.as_slice() {
        [_, key, token] if key == "ponder" && best.is_some() => read_move(token),
        _ => None,
    };
    EngineLine::BestMove { best, ponder }
}

/// Number of characters kept of an invalid move or depth.
const NONSENSE: usize = 40;

/// The words that engines use for "no move".
const NO_MOVE: [&str; 6] = ["(none)", "none", "0000", "null", "a1a1", "nomove"];

fn read_move(token: &str) -> Option<UciMove> {
    match token.parse() {
        // `a1a1` is a null move in some engines.
        Ok(uci @ UciMove::Normal { from, to, .. }) if from != to => Some(uci),
        _ => None,
    }
}

impl FromStr for EngineLine {
    type Err = std::convert::Infallible;

    fn from_str(line: &str) -> Result<EngineLine, Self::Err> {
        Ok(EngineLine::from_bytes(line.as_bytes()))
    }
}

impl fmt::Display for EngineLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineLine::Name(name) => write!(f, "id name {name}"),
            EngineLine::Author(author) => write!(f, "id author {author}"),
            EngineLine::Option(option) => option.fmt(f),
            EngineLine::UciOk => f.write_str("uciok"),
            EngineLine::ReadyOk => f.write_str("readyok"),
            EngineLine::Info(info) => info.fmt(f),
            EngineLine::Remark(remark) => write!(f, "info string {remark}"),
            EngineLine::BestMove { best: Some(best), ponder: Some(ponder) } => {
                write!(f, "bestmove {best} ponder {ponder}")
            }
            EngineLine::BestMove { best: Some(best), ponder: None } => write!(f, "bestmove {best}"),
            EngineLine::BestMove { best: None, .. } => f.write_str("bestmove (none)"),
            EngineLine::NoMove(text) => write!(f, "bestmove {text}"),
            EngineLine::NoDepth(text) => write!(f, "info depth {text}"),
            EngineLine::Other => Ok(()),
        }
    }
}

impl FromStr for Info {
    type Err = ParseLineError;

    fn from_str(line: &str) -> Result<Info, ParseLineError> {
        let sifted = SplitInfo::of(line).ok_or_else(|| ParseLineError(line.to_owned()))?;
        Ok(sifted.into_info())
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let mut key = |name: &str, value: Option<String>| match value {
            Some(value) => write!(f, " {name} {value}"),
            None => Ok(()),
        };
        let text = |number: Option<u64>| number.map(|number| number.to_string());
        key("depth", text(self.depth.map(u64::from)))?;
        key("seldepth", text(self.seldepth.map(u64::from)))?;
        key("multipv", text(self.multipv.map(u64::from)))?;
        key("score", self.score.map(|score| score_text(score, self.bound)))?;
        key("wdl", self.wdl.map(|[win, draw, loss]| format!("{win} {draw} {loss}")))?;
        key("currmovenumber", text(self.currmovenumber.map(u64::from)))?;
        key("nodes", text(self.nodes))?;
        key("nps", text(self.nps))?;
        key("hashfull", text(self.hashfull.map(u64::from)))?;
        key("time", text(self.time_ms))?;
        let pv: Vec<String> = self.pv.iter().map(UciMove::to_string).collect();
        key("pv", (!pv.is_empty()).then(|| pv.join(" ")))
    }
}

/// Returns the words after `score`.
fn score_text(score: SignedScore, bound: Option<ScoreBound>) -> String {
    let bound = match bound {
        Some(ScoreBound::Lower) => " lowerbound",
        Some(ScoreBound::Upper) => " upperbound",
        None => "",
    };
    format!("{score}{bound}")
}

/// An `info` line in two parts: words that vampirc-uci reads faithfully, and values that are parsed here.
#[derive(Default)]
struct SplitInfo<'a> {
    /// Keys and values for the parser.
    faithful: Vec<&'a str>,
    /// Values that are parsed here, because vampirc-uci does not know their keys or cannot represent them.
    own: Info,
    /// The text of an impossible depth.
    no_depth: Option<&'a str>,
}

impl<'a> SplitInfo<'a> {
    /// Splits an `info` line; `None` for other lines.
    fn of(line: &'a str) -> Option<SplitInfo<'a>> {
        let mut tokens = line.split_whitespace();
        tokens.next().filter(|&token| token == "info")?;
        let mut sifted = SplitInfo::default();
        sifted.split(&tokens.collect::<Vec<_>>());
        Some(sifted)
    }

    fn split(&mut self, mut tokens: &[&'a str]) {
        while let [key, rest @ ..] = tokens {
            let taken = match *key {
                // The rest of the line is free text.
                "string" => break,
                "pv" => self.moves(key, rest),
                "refutation" | "currline" => rest.iter().take_while(|token| is_move(token)).count(),
                "score" => self.score(rest),
                "wdl" => self.wdl(rest),
                "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "time"
                | "currmovenumber" => self.number(key, rest),
                // Any other key, or a value of such a key.
                _ => 0,
            };
            tokens = &rest[taken..];
        }
    }

    fn moves(&mut self, key: &'a str, rest: &[&'a str]) -> usize {
        let count = rest.iter().take_while(|token| is_move(token)).count();
        if count > 0 {
            self.faithful.push(key);
            self.faithful.extend(&rest[..count]);
        }
        count
    }

    /// Takes a key with a whole number, and returns the number of words taken after the key. Numbers that
    /// vampirc-uci does not read or cannot represent are stored in `own`. For example, vampirc-uci has one
    /// byte for a depth and two bytes for a line's rank. An impossible depth is stored in `no_depth`.
    fn number(&mut self, key: &'a str, rest: &[&'a str]) -> usize {
        if key == "depth"
            && let Some(&word) = rest.first()
            && is_whole_number(word)
            && plies(word).is_none()
        {
            self.no_depth = Some(word);
            return 1;
        }
        let Some(value) = rest.first().and_then(|token| token.parse::<u64>().ok()) else {
            return 0;
        };
        let small = u32::try_from(value).ok();
        match key {
            "depth" | "seldepth" if value > 255 => match key {
                "depth" => self.own.depth = small,
                _ => self.own.seldepth = small,
            },
            "multipv" if value > u64::from(u16::MAX) => self.own.multipv = small,
            "currmovenumber" => self.own.currmovenumber = small,
            "hashfull" => self.own.hashfull = small,
            "nps" => self.own.nps = Some(value),
            // A number above i64 is not a plausible count, and SQLite cannot store it.
            "nodes" | "time" if i64::try_from(value).is_err() => {}
            "nodes" if value >= PARSER_LIMIT => self.own.nodes = Some(value),
            "time" if value >= PARSER_LIMIT => self.own.time_ms = Some(value),
            _ => self.faithful.extend([key, rest[0]]),
        }
        1
    }

    fn score(&mut self, rest: &[&'a str]) -> usize {
        let [kind @ ("cp" | "mate"), value, after @ ..] = rest else {
            return 0;
        };
        // The smallest i32 has no positive counterpart, so White's view of it cannot be computed.
        let Some(number) = value.parse::<i32>().ok().filter(|number| *number != i32::MIN) else {
            return 0;
        };
        let bounds = after.iter().take_while(|token| matches!(**token, "lowerbound" | "upperbound")).count();
        if *kind == "mate" && i8::try_from(number).is_err() {
            self.own.score = Some(SignedScore::Mate(number));
            self.own.bound = after[..bounds].first().map(|word| match *word {
                "lowerbound" => ScoreBound::Lower,
                _ => ScoreBound::Upper,
            });
        } else {
            self.faithful.extend(["score", kind, value]);
            self.faithful.extend(&after[..bounds.min(1)]);
        }
        2 + bounds
    }

    fn wdl(&mut self, rest: &[&'a str]) -> usize {
        let values: Vec<u16> = rest.iter().take(3).map_while(|token| token.parse::<u16>().ok()).collect();
        self.own.wdl = <[u16; 3]>::try_from(values.as_slice()).ok().or(self.own.wdl);
        values.len()
    }

    fn into_info(self) -> Info {
        let mut info = self.own;
        if self.faithful.is_empty() {
            return info;
        }
        let line = format!("info {}", self.faithful.join(" "));
        if let UciMessage::Info(attributes) = vampirc_uci::parse_one(&line) {
            attributes.into_iter().for_each(|attribute| info.set(attribute));
        }
        info
    }
}

/// Returns whether a word is a whole number of any size and sign.
fn is_whole_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// The smallest number that the parser would truncate: it reads twelve digits.
const PARSER_LIMIT: u64 = 1_000_000_000_000;

impl Info {
    fn set(&mut self, attribute: UciInfoAttribute) {
        match attribute {
            UciInfoAttribute::Depth(plies) => self.depth = Some(u32::from(plies)),
            UciInfoAttribute::SelDepth(plies) => self.seldepth = Some(u32::from(plies)),
            UciInfoAttribute::MultiPv(line) => self.multipv = Some(u32::from(line)),
            UciInfoAttribute::Nodes(nodes) => self.nodes = Some(nodes),
            UciInfoAttribute::Time(time) => self.time_ms = u64::try_from(time.num_milliseconds()).ok(),
            UciInfoAttribute::Pv(moves) => {
                self.pv = moves.iter().map_while(|m| m.to_string().parse().ok()).collect();
            }
            UciInfoAttribute::Score { cp, mate, lower_bound, upper_bound } => {
                let mate = mate.map(|moves| SignedScore::Mate(i32::from(moves)));
                self.score = cp.map(SignedScore::Cp).or(mate);
                self.bound = match (lower_bound, upper_bound) {
                    (Some(true), _) => Some(ScoreBound::Lower),
                    (_, Some(true)) => Some(ScoreBound::Upper),
                    _ => None,
                };
            }
            _ => {}
        }
    }
}

/// Returns whether a token is a move between two squares, as in a principal variation.
fn is_move(token: &str) -> bool {
    matches!(token.parse(), Ok(UciMove::Normal { .. }))
}

#[cfg(test)]
mod tests;
