//! Owns the half of UCI's grammar that a user interface speaks: one command, written and read.
//!
//! Both ways here rather than by vampirc-uci, which keeps depths in a byte, one kind of limit at a time, and no
//! value of an option apart from its name where either has several words.

use std::{borrow::Cow, fmt, str::FromStr};

use shakmaty::{fen::Fen, uci::UciMove};

use super::engine_line::MAX_DEPTH;
use crate::{
    evaluation::Limit,
    game,
    player::{Clock, GameSoFar, MoveLimit},
    text::brief,
};

/// One command to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// Asks for name and options.
    Uci,
    /// Turns the engine's remarks on or off.
    Debug(bool),
    /// Asks for `readyok`.
    IsReady,
    /// Empties the hash table.
    NewGame,
    /// Sets an option; a button has no value.
    SetOption {
        /// Its name.
        name: Cow<'a, str>,
        /// What it is set to.
        value: Option<Cow<'a, str>>,
    },
    /// Answers a copy protection, which no engine here has: whatever it says is ignored.
    Register,
    /// Sets up the position after `moves`, from a FEN or from the usual start.
    Position {
        /// The start; `None` for the usual one.
        fen: Option<Cow<'a, str>>,
        /// The moves from there, legal or not.
        moves: Cow<'a, [UciMove]>,
    },
    /// Starts a search.
    Go(Go),
    /// Ends a search: its best move is told.
    Stop,
    /// Tells that the move pondered on was played.
    PonderHit,
    /// Ends the dialogue.
    Quit,
}

/// What a search is limited by, as `go` has it; without any limit it is up to the engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// The time is the opponent's: the search goes on until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Milliseconds on White's clock, below 0 where a user interface allows for its own delay.
    pub wtime: Option<i64>,
    /// Milliseconds on Black's clock.
    pub btime: Option<i64>,
    /// Milliseconds that White gets for each move.
    pub winc: Option<u64>,
    /// Milliseconds that Black gets for each move.
    pub binc: Option<u64>,
    /// Moves to the next time control; `None` where the time is for the rest of the game.
    pub movestogo: Option<u32>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Moves in which a mate is looked for.
    pub mate: Option<u32>,
    /// Milliseconds of this search.
    pub movetime: Option<u64>,
    /// The search goes on until `stop`.
    pub infinite: bool,
    /// The moves that are searched; all where there are none.
    pub searchmoves: Vec<UciMove>,
}

/// A line that is no command to an engine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseCommandError {
    /// It begins with no word of the protocol, which asks for such lines to be ignored.
    #[error("{0:?} is no command of UCI")]
    Unknown(String),
    /// A command with something that it cannot have.
    #[error("{command}: {problem}")]
    Argument {
        /// The command's word.
        command: &'static str,
        /// What is wrong, and what would be right.
        problem: String,
    },
}

impl<'a> Command<'a> {
    /// Sets an option to a value.
    pub fn set(name: &'a str, value: Option<&'a str>) -> Command<'a> {
        Command::SetOption { name: name.into(), value: value.map(Cow::from) }
    }

    /// Sets up the position at the end of a game.
    pub fn position(game: &'a GameSoFar) -> Command<'a> {
        let fen = game::start_fen(game.start()).map(Cow::from);
        Command::Position { fen, moves: game.moves().into() }
    }

    /// Reads a line as it came from a user interface, which may hold anything at all.
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
        // At the end, since some engines take all that follows for moves.
        write_moves(f, "searchmoves", &self.searchmoves)
    }
}

/// Returns a key and moves; nothing where there are none.
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
        // As engines take it that know the word alone.
        "on" | "" => Ok(Command::Debug(true)),
        "off" => Ok(Command::Debug(false)),
        other => Err(wrong("debug", format!("{:?} is neither on nor off", brief(other)))),
    }
}

/// `name N… [value V…]`; the value is kept as it is written.
fn set_option(rest: &str) -> Result<Command<'static>, ParseCommandError> {
    let no_name = || wrong("setoption", "it has no option: write setoption name NAME value VALUE");
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

/// The words of a text, with what is left of it.
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

/// `startpos` or `fen F…`, then `[moves M…]`.
fn position(rest: &str) -> Result<Command<'static>, ParseCommandError> {
    let mut words = Words(rest);
    let fen = match words.next() {
        Some("startpos") => None,
        Some("fen") => Some(()),
        _ => return Err(wrong("position", "it begins with neither startpos nor fen")),
    };
    let before: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let fen = match fen {
        Some(()) => Some(checked_fen(&before.join(" "))?.into()),
        None if before.is_empty() => None,
        None => return Err(wrong("position", format!("{:?} after startpos is not moves", brief(before[0])))),
    };
    let moves = words.map(|word| {
        let problem = || wrong("position", format!("{:?} is no move, as in e2e4 or e7e8q", brief(word)));
        read_move(word).ok_or_else(problem)
    });
    Ok(Command::Position { fen, moves: moves.collect::<Result<Vec<_>, _>>()?.into() })
}

fn checked_fen(fen: &str) -> Result<String, ParseCommandError> {
    match fen.parse::<Fen>() {
        Ok(_) => Ok(fen.to_owned()),
        Err(error) => Err(wrong("position", format!("{:?} is no FEN: {error}", brief(fen)))),
    }
}

/// Returns a move between two squares.
fn read_move(word: &str) -> Option<UciMove> {
    word.parse().ok().filter(|uci| matches!(uci, UciMove::Normal { .. }))
}

/// Words that `go` does not know are passed over, as the protocol wants; one that it knows must have its value.
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
    let problem = || wrong("go", format!("{key} {:?} is no number that it can have", brief(word)));
    word.parse().map_err(|_| problem())
}

/// Returns every word up to the first that is no move.
fn search_moves(words: &mut Words<'_>) -> Result<Vec<UciMove>, ParseCommandError> {
    let mut moves = Vec::new();
    loop {
        let rest = words.0;
        match words.next().and_then(read_move) {
            Some(uci) => moves.push(uci),
            None if moves.is_empty() => {
                return Err(wrong("go", "searchmoves has no move, as in searchmoves e2e4 d2d4"));
            }
            None => {
                words.0 = rest;
                return Ok(moves);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{num::NonZeroU32, time::Duration};

    use proptest::prelude::*;
    use shakmaty::ByColor;

    use super::*;

    fn moves(text: &str) -> Vec<UciMove> {
        text.split_whitespace().map(|m| m.parse().expect("a move")).collect()
    }

    fn read(line: &str) -> Result<Command<'static>, ParseCommandError> {
        line.parse()
    }

    #[test]
    fn commands_are_written_as_uci_has_them() {
        let printed = |command: Command<'_>| command.to_string();
        assert_eq!(printed(Command::NewGame), "ucinewgame");
        assert_eq!(printed(Command::Go(Limit::Depth(20).into())), "go depth 20");
        assert_eq!(printed(Command::Go(Limit::Depth(1000).into())), "go depth 245");
        assert_eq!(printed(Command::Go(Limit::Nodes(5000).into())), "go nodes 5000");
        assert_eq!(
            printed(Command::Position { fen: None, moves: moves("e2e4 e7e5 a7b8q").into() }),
            "position startpos moves e2e4 e7e5 a7b8q"
        );
        assert_eq!(
            printed(Command::Position {
                fen: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".into()),
                moves: Cow::default()
            }),
            "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1"
        );
        assert_eq!(printed(Command::set("Clear Hash", None)), "setoption name Clear Hash");
        assert_eq!(printed(Command::set("Hash", Some("64"))), "setoption name Hash value 64");
        assert_eq!(printed(Command::set("SyzygyPath", Some(""))), "setoption name SyzygyPath value");
    }

    #[test]
    fn a_clock_has_both_sides_and_the_moves_to_the_next_control() {
        let seconds = |white, black| ByColor { white, black }.map(Duration::from_secs);
        let clock =
            Clock { left: seconds(300, 250), increment: seconds(3, 2), moves_to_go: NonZeroU32::new(40) };
        assert_eq!(
            Go::from(MoveLimit::Clock(clock)).to_string(),
            "go wtime 300000 btime 250000 winc 3000 binc 2000 movestogo 40"
        );
        assert_eq!(Go::from(MoveLimit::Time(Duration::from_millis(1500))).to_string(), "go movetime 1500");
    }

    #[test]
    fn what_user_interfaces_write_is_read() {
        let go = |line: &str| match read(line) {
            Ok(Command::Go(go)) => go,
            other => panic!("{line}: {other:?}"),
        };
        let blitz = go("go wtime 300000 btime -12 winc 2000 binc 2000 movestogo 40");
        assert_eq!((blitz.wtime, blitz.btime, blitz.movestogo), (Some(300_000), Some(-12), Some(40)));
        let analysis = go("go searchmoves e2e4 d2d4 infinite");
        assert_eq!((analysis.searchmoves, analysis.infinite), (moves("e2e4 d2d4"), true));
        assert!(go("go ponder wtime 1 btime 1").ponder);
        assert_eq!(go("go depth 5 later words 7"), Go { depth: Some(5), ..Go::default() });
        assert_eq!(read("  position   startpos   moves e2e4\t"), read("position startpos moves e2e4"));
        assert_eq!(read("debug on"), Ok(Command::Debug(true)));
        assert_eq!(read("register name Ann code 4711"), Ok(Command::Register));
        let path = read("setoption name SyzygyPath value /a  b/c value");
        assert_eq!(path, Ok(Command::set("SyzygyPath", Some("/a  b/c value"))));
        assert_eq!(read("setoption name Clear Hash"), Ok(Command::set("Clear Hash", None)));
    }

    #[test]
    fn what_is_no_command_is_said() {
        let error = |line: &str| read(line).expect_err("an error").to_string();
        assert_eq!(error("bestmove e2e4"), "\"bestmove e2e4\" is no command of UCI");
        assert_eq!(error(" "), "\"?\" is no command of UCI");
        assert_eq!(error("go depth"), "go: depth \"?\" is no number that it can have");
        assert_eq!(error("go movetime -5"), "go: movetime \"-5\" is no number that it can have");
        assert!(error("go searchmoves infinite").contains("searchmoves has no move"));
        assert!(error("position e2e4").contains("neither startpos nor fen"));
        assert!(error("position startpos e2e4").contains("after startpos is not moves"));
        assert!(error("position startpos moves e2e4 0000").contains("\"0000\" is no move"));
        assert!(error("position fen 8/8 w - - 0 1").contains("is no FEN"));
        assert!(error("setoption Hash 5").contains("it has no option"));
        assert!(error("setoption name value 5").contains("it has no option"));
        assert!(error("debug maybe").contains("neither on nor off"));
    }

    fn any_moves() -> impl Strategy<Value = Vec<UciMove>> {
        prop::collection::vec(prop::sample::select(moves("e2e4 e7e5 e1h1 a7a8q b2a1n")), 0..6)
    }

    fn any_number() -> impl Strategy<Value = Option<u64>> {
        prop::option::of(any::<u64>())
    }

    prop_compose! {
        fn any_go()(
            (ponder, infinite) in any::<(bool, bool)>(), (wtime, btime) in any::<(Option<i64>, Option<i64>)>(),
            (winc, binc) in (any_number(), any_number()), (movestogo, depth, mate) in any::<(Option<u32>, Option<u32>, Option<u32>)>(),
            (nodes, movetime) in (any_number(), any_number()), searchmoves in any_moves(),
        ) -> Go {
            Go { ponder, wtime, btime, winc, binc, movestogo, depth, nodes, mate, movetime, infinite, searchmoves }
        }
    }

    fn any_position() -> impl Strategy<Value = Command<'static>> {
        let fens = ["8/8/8/8/8/8/8/K1k5 w - - 0 1", "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w KQkq - 0 1"];
        let fen = prop::option::of(prop::sample::select(fens.to_vec()));
        let position = |(fen, moves): (Option<&'static str>, Vec<UciMove>)| Command::Position {
            fen: fen.map(Cow::from),
            moves: moves.into(),
        };
        (fen, any_moves()).prop_map(position)
    }

    fn any_option() -> impl Strategy<Value = Command<'static>> {
        let name = "[A-Z][a-z]{0,6}( [A-Z][a-z]{0,6}){0,2}";
        let value = prop::option::of("([!-~]([ -~]{0,12}[!-~])?)?");
        (name, value)
            .prop_map(|(name, value)| Command::SetOption { name: name.into(), value: value.map(Cow::from) })
    }

    fn any_command() -> impl Strategy<Value = Command<'static>> {
        let plain = vec![
            Command::Uci,
            Command::Debug(true),
            Command::Debug(false),
            Command::IsReady,
            Command::NewGame,
            Command::Register,
            Command::Stop,
            Command::PonderHit,
            Command::Quit,
        ];
        prop_oneof![prop::sample::select(plain), any_go().prop_map(Command::Go), any_position(), any_option(),]
    }

    /// Words that are keys, values of them, or nothing at all.
    fn any_words() -> impl Strategy<Value = String> {
        let known = "go position setoption name value startpos fen moves searchmoves depth nodes wtime movetime infinite \
                     ponder mate e2e4 e7e8q 0000 -1 7 99999999999999999999 8/8/8/8/8/8/8/K1k5 w - on debug register";
        let known: Vec<&str> = known.split_whitespace().collect();
        let word = prop_oneof![prop::sample::select(known).prop_map(str::to_owned), ".{0,6}"];
        prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
    }

    proptest! {
        #[test]
        fn reading_a_command_is_the_inverse_of_writing_it(command in any_command()) {
            prop_assert_eq!(read(&command.to_string()), Ok(command));
        }

        #[test]
        fn no_line_is_a_panic_and_what_is_read_is_written_and_read_as_the_same(
            bytes in prop::collection::vec(any::<u8>(), 0..200), words in any_words(),
        ) {
            let _ = Command::from_bytes(&bytes);
            for start in ["", "go ", "position ", "position fen ", "setoption name "] {
                if let Ok(command) = read(&format!("{start}{words}")) {
                    prop_assert_eq!(read(&command.to_string()), Ok(command));
                }
            }
        }
    }
}
