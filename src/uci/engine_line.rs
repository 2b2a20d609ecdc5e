//! Owns the grammar of UCI's half that engines speak: one line from an engine.
//!
//! The parser is vampirc-uci's `parse_one`, behind a layer that shows it only what it reads
//! faithfully. Left to itself it loses the rest of an `info` line after a key it does not know
//! (`wdl`, `movesleft`), flips mates beyond ±127, and panics on depths above 255.

use std::{fmt, str::FromStr};

use shakmaty::uci::UciMove;
use vampirc_uci::{UciInfoAttribute, UciMessage};

use super::{line::ParseLineError, options::EngineOption};
use crate::{score::SignedScore, text::printable};

/// The most plies that an engine can be asked for: UCI engines number plies in a byte or less.
pub const MAX_DEPTH: u32 = 245;

/// One line from an engine.
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
        /// The move; `None` for the ways in which engines say that there is none.
        best: Option<UciMove>,
        /// The answer that the engine would like to think about, where it tells one.
        ponder: Option<UciMove>,
    },
    /// Anything else, which UCI asks to be ignored.
    Other,
}

/// What an `info` line tells of a search; keys of no use to an evaluation are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// Plies of the deepest line.
    pub seldepth: Option<u32>,
    /// Which of several lines this is, from 1.
    pub multipv: Option<u32>,
    /// From the view of the side to move.
    pub score: Option<SignedScore>,
    /// Whether the score is only a bound of the real one.
    pub bound: Option<ScoreBound>,
    /// Chances per mille of win, draw and loss, from the view of the side to move.
    pub wdl: Option<[u16; 3]>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions searched a second.
    pub nps: Option<u64>,
    /// How full the hash table is, per mille.
    pub hashfull: Option<u32>,
    /// Milliseconds.
    pub time_ms: Option<u64>,
    /// The expected line.
    pub pv: Vec<UciMove>,
    /// Which move at the root is being searched: nothing of an evaluation, but a sign of life.
    pub currmovenumber: Option<u32>,
}

/// On which side of a printed score the real one lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScoreBound {
    /// The real score is at least this.
    Lower,
    /// The real score is at most this.
    Upper,
}

impl EngineLine {
    /// Reads a line as it came from the engine, which may hold anything at all.
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

/// Returns the lines of a handshake.
fn greeting(text: &str) -> EngineLine {
    match vampirc_uci::parse_one(text) {
        // They go to terminals, files and pictures.
        UciMessage::Id { name: Some(name), .. } => EngineLine::Name(printable(&name)),
        UciMessage::Id { author: Some(author), .. } => EngineLine::Author(printable(&author)),
        UciMessage::UciOk => EngineLine::UciOk,
        UciMessage::ReadyOk => EngineLine::ReadyOk,
        _ => EngineLine::Other,
    }
}

/// Returns a line that is a remark as a whole, or tells of a search.
fn info(text: &str) -> EngineLine {
    let rest = text.strip_prefix("info").map(str::trim_start).and_then(|rest| rest.strip_prefix("string"));
    match rest {
        Some(remark) if remark.is_empty() || remark.starts_with(char::is_whitespace) => {
            EngineLine::Remark(remark.trim_start().to_owned())
        }
        _ => text.parse().map_or(EngineLine::Other, EngineLine::Info),
    }
}

/// `bestmove e2e4 ponder e7e5`. Engines print all sorts of things after `ponder`, `(none)` among them.
fn best_move(text: &str) -> EngineLine {
    let tokens: Vec<String> = text.split_whitespace().skip(1).take(3).map(str::to_ascii_lowercase).collect();
    let best = tokens.first().and_then(|token| read_move(token));
    let ponder = match tokens.as_slice() {
        [_, key, token] if key == "ponder" && best.is_some() => read_move(token),
        _ => None,
    };
    EngineLine::BestMove { best, ponder }
}

fn read_move(token: &str) -> Option<UciMove> {
    match token.parse() {
        // `a1a1` is a null move to some engines.
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
            EngineLine::Other => Ok(()),
        }
    }
}

impl FromStr for Info {
    type Err = ParseLineError;

    fn from_str(line: &str) -> Result<Info, ParseLineError> {
        let mut tokens = line.split_whitespace();
        if tokens.next() != Some("info") {
            return Err(ParseLineError(line.to_owned()));
        }
        let mut sifted = Sifted::default();
        sifted.sift(&tokens.collect::<Vec<_>>());
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
    match score {
        SignedScore::Cp(cp) => format!("cp {cp}{bound}"),
        SignedScore::Mate(moves) => format!("mate {moves}{bound}"),
    }
}

/// An `info` line sorted into what vampirc-uci reads faithfully and what it does not.
#[derive(Default)]
struct Sifted<'a> {
    /// Keys with their values that go to the parser.
    faithful: Vec<&'a str>,
    /// Values read here: out of the parser's range, or of a key that it does not know.
    own: Info,
}

impl<'a> Sifted<'a> {
    fn sift(&mut self, mut tokens: &[&'a str]) {
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
                // Any other key, or a value of one.
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

    /// Returns a key with a whole number. The parser holds plies in a byte and lines in two.
    fn number(&mut self, key: &'a str, rest: &[&'a str]) -> usize {
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
            // More than SQLite, or any search, can hold is no number of nodes.
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
        // The least i32 has no opposite, and so no White's view.
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

    /// Unknown to the parser.
    fn wdl(&mut self, rest: &[&'a str]) -> usize {
        let values: Vec<u16> = rest.iter().take(3).map_while(|token| token.parse().ok()).collect();
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

/// The parser reads twelve digits and cuts what is longer.
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn info(line: &str) -> Info {
        line.parse().expect("an info line")
    }

    fn line(line: &str) -> EngineLine {
        EngineLine::from_bytes(line.as_bytes())
    }

    #[test]
    fn a_line_of_stockfish_is_read_whole_in_spite_of_its_wdl() {
        let info = info(
            "info depth 20 seldepth 29 multipv 1 score cp 34 wdl 69 919 12 nodes 903422 nps 1063 \
             hashfull 301 tbhits 0 time 849 pv e2e4 e7e5 g1f3",
        );
        assert_eq!(info.depth, Some(20));
        assert_eq!(info.score, Some(SignedScore::Cp(34)));
        assert_eq!(info.wdl, Some([69, 919, 12]));
        assert_eq!((info.nodes, info.time_ms), (Some(903_422), Some(849)));
        assert_eq!((info.nps, info.hashfull), (Some(1063), Some(301)));
        assert_eq!(info.pv.len(), 3);
    }

    #[test]
    fn a_line_of_lc0_keeps_its_score_behind_moves_left() {
        let info =
            info("info depth 5 seldepth 18 time 99 nodes 41 movesleft 84 score cp -12 wdl 1 2 3 pv d2d4");
        assert_eq!(info.score, Some(SignedScore::Cp(-12)));
        assert_eq!(info.pv.len(), 1);
    }

    #[test]
    fn bounds_are_seen_before_and_after_other_keys() {
        assert_eq!(
            info("info depth 9 score cp 12 lowerbound wdl 1 2 3 nodes 7").bound,
            Some(ScoreBound::Lower)
        );
        assert_eq!(info("info score mate -3 upperbound").bound, Some(ScoreBound::Upper));
        assert_eq!(info("info depth 9 score cp 12").bound, None);
    }

    #[test]
    fn numbers_beyond_the_parsers_range_keep_their_value_and_sign() {
        assert_eq!(info("info score mate -200").score, Some(SignedScore::Mate(-200)));
        assert_eq!(info("info score mate 129 lowerbound").bound, Some(ScoreBound::Lower));
        assert_eq!(info("info depth 300 seldepth 999").depth, Some(300));
        assert_eq!(info("info nodes 12345678901234").nodes, Some(12_345_678_901_234));
        assert_eq!(info("info score cp 2000000000").score, Some(SignedScore::Cp(2_000_000_000)));
        assert_eq!(info("info score cp 99999999999999").score, None);
    }

    #[test]
    fn free_text_is_not_read_as_keys() {
        assert_eq!(info("info string score cp 77 depth 3"), Info::default());
        assert_eq!(info("info currmove e2e4 currmovenumber 1 depth 4").depth, Some(4));
    }

    #[test]
    fn every_way_of_saying_no_move_is_none() {
        for text in ["bestmove (none)", "bestmove 0000", "bestmove NULL", "bestmove", "bestmove a1a1"] {
            assert_eq!(line(text), EngineLine::BestMove { best: None, ponder: None }, "{text}");
        }
        let promotion = "e7e8q".parse().expect("a move");
        let alone = EngineLine::BestMove { best: Some(promotion), ponder: None };
        assert_eq!(line("bestmove e7e8q ponder (none)"), alone);
    }

    #[test]
    fn the_answer_that_an_engine_would_ponder_on_is_read() {
        let [best, ponder] = ["e2e4", "e7e5"].map(|uci| uci.parse().ok());
        assert_eq!(line("bestmove e2e4 ponder e7e5"), EngineLine::BestMove { best, ponder });
        assert_eq!(line("bestmove e2e4 later e7e5"), EngineLine::BestMove { best, ponder: None });
    }

    #[test]
    fn a_line_of_text_is_a_remark_and_nothing_of_a_search() {
        assert_eq!(line("info  string  two  words "), EngineLine::Remark("two  words".to_owned()));
        assert_eq!(line("info string"), EngineLine::Remark(String::new()));
        assert!(matches!(line("info strings 5"), EngineLine::Info(_)));
        assert_eq!(line("id author Ann & Bob"), EngineLine::Author("Ann & Bob".to_owned()));
    }

    #[test]
    fn junk_is_another_line_and_bytes_that_are_no_text_do_no_harm() {
        assert_eq!(line("Stockfish 15.1 by the Stockfish developers"), EngineLine::Other);
        assert_eq!(EngineLine::from_bytes(b"\xff\xfeinfo"), EngineLine::Other);
        let EngineLine::Info(info) = EngineLine::from_bytes(b"info depth 3 \xff score cp 5") else {
            panic!("an info line");
        };
        assert_eq!(info.score, Some(SignedScore::Cp(5)));
    }

    fn any_score() -> impl Strategy<Value = SignedScore> {
        prop_oneof![
            any::<i32>().prop_filter("no minimum", |cp| *cp != i32::MIN).prop_map(SignedScore::Cp),
            (-1000i32..1000).prop_map(SignedScore::Mate)
        ]
    }

    fn any_bound() -> impl Strategy<Value = Option<ScoreBound>> {
        prop_oneof![Just(None), Just(Some(ScoreBound::Lower)), Just(Some(ScoreBound::Upper))]
    }

    fn any_pv() -> impl Strategy<Value = Vec<UciMove>> {
        let moves = ["e2e4", "e7e5", "e1h1", "a7a8q", "b2a1n"].map(|m| m.parse().expect("a move"));
        prop::collection::vec(prop::sample::select(moves.to_vec()), 0..6)
    }

    fn any_count() -> impl Strategy<Value = Option<u64>> {
        prop::option::of(0..=i64::MAX as u64)
    }

    /// Words that are keys, values of them, or nothing at all.
    fn any_words() -> impl Strategy<Value = String> {
        let known = "info id name bestmove ponder option type spin combo var default min max depth seldepth \
                     score cp mate lowerbound upperbound nodes time multipv pv wdl string refutation currline \
                     e2e4 a7a8q e1h1 (none) 0 -1 128 256 70000 99999999999999999999 uciok readyok";
        let known: Vec<&str> = known.split_whitespace().collect();
        let word = prop_oneof![prop::sample::select(known).prop_map(str::to_owned), ".{0,6}"];
        prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
    }

    prop_compose! {
        fn any_info()(
            depth in prop::option::of(0u32..400), seldepth in prop::option::of(0u32..400),
            multipv in prop::option::of(1u32..100_000), score in prop::option::of(any_score()),
            bound in any_bound(), wdl in prop::option::of(any::<[u16; 3]>()),
            nodes in any_count(), nps in any::<Option<u64>>(), hashfull in any::<Option<u32>>(),
            time_ms in any_count(), pv in any_pv(), currmovenumber in prop::option::of(0u32..300),
        ) -> Info {
            let bound = score.and(bound);
            Info { depth, seldepth, multipv, score, bound, wdl, nodes, nps, hashfull, time_ms, pv, currmovenumber }
        }
    }

    proptest! {
        #[test]
        fn an_info_line_printed_and_read_is_the_same(info in any_info()) {
            let printed = EngineLine::Info(info).to_string();
            prop_assert_eq!(line(&printed).to_string(), printed);
        }

        #[test]
        fn reading_an_info_line_is_the_inverse_of_printing_it(info in any_info()) {
            prop_assert_eq!(info.to_string().parse::<Info>().expect("an info line"), info);
        }

        #[test]
        fn no_line_is_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), words in any_words()) {
            let _ = EngineLine::from_bytes(&bytes);
            for start in ["", "info ", "id ", "bestmove ", "option name "] {
                let _ = EngineLine::from_bytes(format!("{start}{words}").as_bytes());
            }
        }
    }
}
