//! The user interface's half of the UCI grammar: parsing and writing of one command.
//!
//! vampirc-uci is not used here. It stores depths in a byte, and allows one kind of limit at a time. It
//! cannot split an option's name from its value if either has several words.

use std::{borrow::Cow, fmt, str::FromStr};

use sha2::{Digest, Sha256};
use shakmaty::{fen::Fen, uci::UciMove};

use super::engine_line::MAX_DEPTH;
use crate::base::text::brief;
use crate::chess::{Clock, GameSoFar, Limit, MoveLimit, game};

/// A command to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// Asks for name and options.
    Uci,
    /// Turns the engine's remarks on or off.
    Debug(bool),
    /// Asks for `readyok`.
    IsReady,
    /// Announces a new game. The built-in engine then forgets all earlier searches.
    NewGame,
    /// Sets an option; a button has no value.
    SetOption {
        /// Name of the option.
        name: Cow<'a, str>,
        /// Value of the option.
        value: Option<Cow<'a, str>>,
    },
    /// Answers an engine's copy protection. No engine here has one, so the content of the command is ignored.
    Register,
    /// Sets up the position after `moves`, from a FEN or from the initial position of chess.
    Position {
        /// The start position; `None` for the initial position of chess.
        fen: Option<Cow<'a, str>>,
        /// The moves from the start, legal or not.
        moves: Cow<'a, [UciMove]>,
    },
    /// Starts a search.
    Go(Go),
    /// Ends a search, which then reports its best move.
    Stop,
    /// Signals that the pondered move was played.
    PonderHit,
    /// Ends the dialogue.
    Quit,
}

/// The arguments of `go`: limits and options of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Search in the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// White's clock in milliseconds. It is negative if a user interface subtracts more time than is left.
    pub wtime: Option<i64>,
    /// Black's clock in milliseconds.
    pub btime: Option<i64>,
    /// White's increment per move in milliseconds.
    pub winc: Option<u64>,
    /// Black's increment per move in milliseconds.
    pub binc: Option<u64>,
    /// Moves to the next time control; `None` if the time is for the rest of the game.
    pub movestogo: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of positions to search.
    pub nodes: Option<u64>,
    /// Number of moves within which to find a mate.
    pub mate: Option<u32>,
    /// Time of this search in milliseconds.
    pub movetime: Option<u64>,
    /// The search continues until `stop`.
    pub infinite: bool,
    /// The moves to search; empty for all.
    pub searchmoves: Vec<UciMove>,
}

/// A line that is not a command to an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseCommandError {
    /// The line does not begin with a command of the protocol, which says to ignore such lines.
    #[error("{0:?} is not a UCI command")]
    Unknown(String),
    /// A command with an invalid argument.
    #[error("{command}: {problem}")]
    Argument {
        command: &'static str,
        /// The problem, in words.
        problem: String,
    },
}

impl<'a> Command<'a> {
    /// Returns the command that sets an option; a button has no value.
    pub fn set(name: &'a str, value: Option<&'a str>) -> Command<'a> {
        Command::SetOption { name: name.into(), value: value.map(Cow::from) }
    }

    /// Makes the command that sets up the position at the end of a game.
    pub fn position(game: &'a GameSoFar) -> Command<'a> {
        let fen = game::start_fen(game.start()).map(Cow::from);
        Command::Position { fen, moves: game.moves().into() }
    }

    /// Returns a 64-bit digest of the start and moves of `game`, from the text sent to engines. Two different
    /// games have equal digests with a probability of 2⁻⁶⁴. Game logs contain the digest, so its definition
    /// must not change.
    pub fn line_digest(game: &GameSoFar) -> u64 {
        let digest = Sha256::digest(Command::position(game).to_string());
        digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
    }

    /// Parses a line from a user interface, which may contain anything.
    pub fn from_bytes(line: &[u8]) -> Result<Command<'static>, ParseCommandError> {
        String::from_utf8_lossy(line).parse()
    }
}

impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                match value.as_deref() {
                    None => Ok(()),
                    Some("") => f.write_str(" value"),
                    Some(value) => write!(f, " value {value}"),
                }
            }
            Command::Register => f.write_str("register later"),
            Command::Position { fen, moves } => {
                match fen {
                    Some(fen) => write!(f, "position fen {fen}")?,
                    None => f.write_str("position startpos")?,
                }
                write_moves(f, "moves", moves)
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.ponder { "go ponder" } else { "go" })?;
        let mut number = |key: &str, value: Option<i128>| match value {
            Some(value) => write!(f, " {key} {value}"),
            None => Ok(()),
        };
        number("wtime", self.wtime.map(i128::from))?;
        number("btime", self.btime.map(i128::from))?;
        number("winc", self.winc.map(i128::from))?;
        number("binc", self.binc.map(i128::from))?;
        number("movestogo", self.movestogo.map(i128::from))?;
        number("depth", self.depth.map(i128::from))?;
        number("nodes", self.nodes.map(i128::from))?;
        number("mate", self.mate.map(i128::from))?;
        number("movetime", self.movetime.map(i128::from))?;
        f.write_str(if self.infinite { " infinite" } else { "" })?;
        // At the end, because some engines read everything after `searchmoves` as moves.
        write_moves(f, "searchmoves", &self.searchmoves)
    }
}

/// Writes a key and moves; writes nothing if there are no moves.
fn write_moves(f: &mut fmt::Formatter<'_>, key: &str, moves: &[UciMove]) -> fmt::Result {
    if !moves.is_empty() {
        write!(f, " {key}")?;
    }
    moves.iter().try_for_each(|uci| write!(f, " {uci}"))
}

impl From<Limit> for Go {
    fn from(limit: Limit) -> Go {
        match limit {
            Limit::Depth(plies) => Go { depth: Some(plies.min(MAX_DEPTH)), ..Go::default() },
            Limit::Nodes(nodes) => Go { nodes: Some(nodes), ..Go::default() },
        }
    }
}

impl From<MoveLimit> for Go {
    fn from(limit: MoveLimit) -> Go {
        let clock_ms = |time: std::time::Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        match limit {
            MoveLimit::Search(limit) => limit.into(),
            MoveLimit::Time(time) => Go { movetime: Some(ms(time)), ..Go::default() },
            MoveLimit::Clock(Clock { left, increment, moves_to_go }) => Go {
                wtime: Some(clock_ms(left.white)),
                btime: Some(clock_ms(left.black)),
                winc: Some(ms(increment.white)),
                binc: Some(ms(increment.black)),
                movestogo: moves_to_go.map(u32::from),
                ..Go::default()
            },
        }
    }
}

/// The command that sets up a game, extended move by move. Writing the whole command for each move would take
/// longer than a search to a low depth.
#[derive(Debug, Default)]
pub(super) struct PositionText {
    /// The game that `text` sets up.
    game: Option<GameSoFar>,
    pub(super) text: String,
}

impl PositionText {
    /// Returns the lines that set up `game` and start a search.
    pub(super) fn lines(&mut self, game: &GameSoFar, limit: MoveLimit) -> String {
        self.follow(game);
        format!("{}\n{}\n", self.text, Command::Go(limit.into()))
    }

    pub(super) fn follow(&mut self, game: &GameSoFar) {
        let PositionText { game: told, text } = self;
        let Some(told) = told.as_mut().filter(|told| game.continues(told)) else {
            *self = PositionText { game: Some(game.clone()), text: Command::position(game).to_string() };
            return;
        };
        for &uci in &game.moves()[told.moves().len()..] {
            let separator = if told.moves().is_empty() { " moves " } else { " " };
            *text += &format!("{separator}{uci}");
            told.push(uci);
        }
    }
}

impl FromStr for Command<'static> {
    type Err = ParseCommandError;

    fn from_str(line: &str) -> Result<Command<'static>, ParseCommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "uci" => Ok(Command::Uci),
            "debug" => debug(rest.trim()),
            "isready" => Ok(Command::IsReady),
            "ucinewgame" => Ok(Command::NewGame),
            "setoption" => set_option(rest),
            "register" => Ok(Command::Register),
            "position" => position(rest),
            "go" => go(rest).map(Command::Go),
            "stop" => Ok(Command::Stop),
            "ponderhit" => Ok(Command::PonderHit),
            "quit" => Ok(Command::Quit),
            _ => Err(ParseCommandError::Unknown(brief(line))),
        }
    }
}

fn wrong(command: &'static str, problem: impl Into<String>) -> ParseCommandError {
    ParseCommandError::Argument { command, problem: problem.into() }
}

fn debug(state: &str) -> Result<Command<'static>, ParseCommandError> {
    match state {
        // `debug` without a state turns remarks on.
        "on" | "" => Ok(Command::Debug(true)),
        "off" => Ok(Command::Debug(false)),
        other => Err(wrong("debug", format!("{:?} is neither on nor off", brief(other)))),
    }
}

/// Parses `name N… [value V…]`. The value is kept as written, except for spaces at its ends.
fn set_option(rest: &str) -> Result<Command<'static>, ParseCommandError> {
    let no_name = || wrong("setoption", "no option is named; write setoption name NAME value VALUE");
    let mut words = Words(rest);
    words.next().filter(|&word| word == "name").ok_or_else(no_name)?;
    let mut name = Vec::new();
    let mut value = None;
    while let Some(word) = words.next() {
        if word == "value" {
            value = Some(words.0.trim().to_owned().into());
            break;
        }
        name.push(word);
    }
    if name.is_empty() {
        return Err(no_name());
    }
    Ok(Command::SetOption { name: name.join(" ").into(), value })
}

/// An iterator over the words of a text. The field is the unread rest of the text.
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Parses `startpos` or `fen F…`, then `[moves M…]`.
fn position(rest: &str) -> Result<Command<'static>, ParseCommandError> {
    let mut words = Words(rest);
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(()),
        _ => return Err(wrong("position", "write startpos or fen after position")),
    };
    let before: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let fen = match fen {
        Some(()) => Some(checked_fen(&before.join(" "))?.into()),
        None if before.is_empty() => None,
        None => return Err(wrong("position", format!("found {:?} instead of \"moves\"", brief(before[0])))),
    };
    let moves = words.map(|word| {
        let problem = || wrong("position", format!("{:?} is not a move such as e2e4 or e7e8q", brief(word)));
        read_move(word).ok_or_else(problem)
    });
    Ok(Command::Position { fen, moves: moves.collect::<Result<Vec<_>, _>>()?.into() })
}

fn checked_fen(fen: &str) -> Result<String, ParseCommandError> {
    match fen.parse::<Fen>() {
        Ok(_) => Ok(fen.to_owned()),
        Err(error) => Err(wrong("position", format!("{:?} is not a FEN: {error}", brief(fen)))),
    }
}

/// Parses a move between two squares.
fn read_move(word: &str) -> Option<UciMove> {
    word.parse().ok().filter(|uci| matches!(uci, UciMove::Normal { .. }))
}

/// Parses the arguments of `go`. Unknown words are ignored, as the protocol says; a known word must have its
/// value.
fn go(rest: &str) -> Result<Go, ParseCommandError> {
    let (mut go, mut words) = (Go::default(), Words(rest));
    while let Some(key) = words.next() {
        match key {
            "ponder" => go.ponder = true,
            "infinite" => go.infinite = true,
            "wtime" => go.wtime = Some(number(key, words.next())?),
            "btime" => go.btime = Some(number(key, words.next())?),
            "winc" => go.winc = Some(number(key, words.next())?),
            "binc" => go.binc = Some(number(key, words.next())?),
            "movestogo" => go.movestogo = Some(number(key, words.next())?),
            "depth" => go.depth = Some(number(key, words.next())?),
            "nodes" => go.nodes = Some(number(key, words.next())?),
            "mate" => go.mate = Some(number(key, words.next())?),
            "movetime" => go.movetime = Some(number(key, words.next())?),
            "searchmoves" => go.searchmoves = search_moves(&mut words)?,
            _ => {}
        }
    }
    Ok(go)
}

fn number<T: FromStr>(key: &str, word: Option<&str>) -> Result<T, ParseCommandError> {
    let word = word.unwrap_or_default();
    let problem = || wrong("go", format!("{key} {:?} is not a valid number", brief(word)));
    word.parse().map_err(|_| problem())
}

/// Returns the moves up to the first word that is not a move. It is an error if there are none.
fn search_moves(words: &mut Words<'_>) -> Result<Vec<UciMove>, ParseCommandError> {
    let mut moves = Vec::new();
    loop {
        let rest = words.0;
        match words.next().and_then(read_move) {
            Some(uci) => moves.push(uci),
            None if moves.is_empty() => {
                return Err(wrong("go", "searchmoves has no move; write searchmoves e2e4 d2d4"));
            }
            None => {
                words.0 = rest;
                return Ok(moves);
            }
        }
    }
}

#[cfg(test)]
mod tests;
