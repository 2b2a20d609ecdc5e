//! [`Evaluation`]: an engine's assessment of a position; and [`Protocol`], the settings of the search.

use std::{fmt, num::NonZeroU32, num::NonZeroUsize, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize};
use shakmaty::{Chess, Position, uci::UciMove};

use crate::base::named::{as_text, named, read_by_name};
use crate::chess::score::Score;

/// An engine's assessment of a position.
///
/// Only the score is always present. For example, a recorded evaluation has no number of nodes, and the
/// evaluation of a position without legal moves has no depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// The score from White's view.
    pub score: Score,
    /// Depth of the search in plies.
    pub depth: Option<u32>,
    /// Selective depth: the length of the longest line searched, in plies.
    pub seldepth: Option<u32>,
    /// Number of positions searched.
    pub nodes: Option<u64>,
    /// Search time in milliseconds, as reported by the engine.
    pub time_ms: Option<u64>,
    /// The engine's best move.
    pub best: Option<UciMove>,
    /// The principal variation. Its first move is usually `best`.
    pub pv: Vec<UciMove>,
    /// The engine's chances of a win, a draw and a loss.
    pub wdl: Option<Wdl>,
    /// The second and further lines of the search, if several lines were requested.
    pub alternatives: Vec<RankedLine>,
}

/// One line of a search with several lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedLine {
    /// Rank of the line; the best line has rank 1.
    pub rank: u32,
    /// The first move of the line.
    pub best: UciMove,
    /// The score from White's view.
    pub score: Score,
    /// The moves of the line.
    pub pv: Vec<UciMove>,
}

/// Chances of a win, a draw and a loss for White, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Wdl {
    /// The chance that White wins.
    pub win: u16,
    /// The chance of a draw.
    pub draw: u16,
    /// The chance that Black wins.
    pub loss: u16,
}

impl Wdl {
    const WON: Wdl = Wdl { win: 1000, draw: 0, loss: 0 };
    const DRAWN: Wdl = Wdl { win: 0, draw: 1000, loss: 0 };
    const LOST: Wdl = Wdl { win: 0, draw: 0, loss: 1000 };

    /// Returns these chances; `None` if their sum is not about 1000.
    pub fn new(win: u16, draw: u16, loss: u16) -> Option<Wdl> {
        let sum: u32 = [win, draw, loss].map(u32::from).iter().sum();
        // The rounding of three chances changes their sum by two at most.
        (998..=1002).contains(&sum).then_some(Wdl { win, draw, loss })
    }
}

impl Evaluation {
    /// Returns an evaluation that has only a score.
    pub fn of_score(score: Score) -> Evaluation {
        Evaluation {
            score,
            depth: None,
            seldepth: None,
            nodes: None,
            time_ms: None,
            best: None,
            pv: Vec::new(),
            wdl: None,
            alternatives: Vec::new(),
        }
    }

    /// Returns all lines of the search, the best first. If the best move is unknown, the best line is
    /// missing.
    pub fn lines(&self) -> impl Iterator<Item = RankedLine> {
        let first =
            self.best.map(|best| RankedLine { rank: 1, best, score: self.score, pv: self.pv.clone() });
        first.into_iter().chain(self.alternatives.iter().cloned())
    }

    /// Returns the evaluation of a checkmate or stalemate, which no engine needs to search; `None` for any
    /// other position. A checkmate is a mate against the side to move, and a stalemate has the score 0. The
    /// chance of the actual result is 1000 thousandths, and the other two chances are 0.
    pub fn terminal(position: &Chess) -> Option<Evaluation> {
        let turn = position.turn();
        let (score, wdl) = if position.is_checkmate() {
            (Score::checkmate(turn), turn.fold_wb(Wdl::LOST, Wdl::WON))
        } else if position.is_stalemate() {
            (Score::DRAW, Wdl::DRAWN)
        } else {
            return None;
        };
        Some(Evaluation { wdl: Some(wdl), ..Evaluation::of_score(score) })
    }
}

/// The limit of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// The search ends after the iteration to this depth, in plies.
    Depth(u32),
    /// The search ends after about this many positions.
    Nodes(u64),
}

impl fmt::Display for Limit {
    /// Formats like an argument of UCI's `go`: `depth 20` or `nodes 100000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Depth(plies) => write!(f, "depth {plies}"),
            Limit::Nodes(nodes) => write!(f, "nodes {nodes}"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not of the form \"depth N\" or \"nodes N\"")]
pub struct UnknownLimit(String);

impl FromStr for Limit {
    type Err = UnknownLimit;

    fn from_str(text: &str) -> Result<Limit, UnknownLimit> {
        let parsed = match text.split_once(' ') {
            Some(("depth", plies)) => plies.parse().ok().map(Limit::Depth),
            Some(("nodes", nodes)) => nodes.parse().ok().map(Limit::Nodes),
            _ => None,
        };
        parsed.ok_or_else(|| UnknownLimit(text.to_owned()))
    }
}

named! {
    /// The direction in which the positions of a game are searched. The game is also divided into segments in
    /// this direction.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[cfg_attr(feature = "program", derive(clap::ValueEnum))]
    pub enum Order: name {
        /// From the first position to the last, as the game was played.
        #[default]
        #[cfg_attr(feature = "program", value(help = "From the first position to the last"))]
        Forward => "forward",
        /// From the last position to the first. The transposition table then has entries for the later
        /// positions, so the played move is the best move more often.
        #[cfg_attr(feature = "program", value(help = "From the last position to the first: the \
                                                      transposition table then has the later moves"))]
        Backward => "backward",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither forward nor backward")]
pub struct UnknownOrder(String);

read_by_name!(Order, name, UnknownOrder);

/// The settings of searches. Together with the engine and its options, they determine every score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Protocol {
    /// The limit of each search.
    #[serde(with = "as_text")]
    pub limit: Limit,
    /// The direction in which the positions of a game are searched.
    #[serde(with = "as_text")]
    pub order: Order,
    /// Number of successive positions that are searched with one transposition table, at least 1.
    #[serde(deserialize_with = "above_0")]
    pub segment: usize,
    /// Number of lines per position (UCI's MultiPV). Serialization leaves it out, so a deserialized protocol
    /// has 1. Stores of evaluations keep it.
    #[serde(skip, default = "one")]
    pub lines: NonZeroU32,
}

fn above_0<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    NonZeroUsize::deserialize(deserializer).map(NonZeroUsize::get)
}

fn one() -> NonZeroU32 {
    NonZeroU32::MIN
}

impl Protocol {
    /// Default number of positions in a segment. It is large enough for neighboring positions to share most
    /// of their work, and small enough to distribute a game over many cores.
    pub const SEGMENT: usize = 16;

    /// Returns a protocol for one line per position.
    pub fn new(limit: Limit, order: Order, segment: usize) -> Protocol {
        Protocol { limit, order, segment, lines: NonZeroU32::MIN }
    }

    /// Formats limit and order, and the segment length if it is not the default: `depth 20, forward`. The
    /// engine's name and this text together name the source of evaluations.
    pub fn brief(&self) -> String {
        Protocol::brief_of(&self.limit, &self.order, self.segment)
    }

    /// Formats like [`Protocol::brief`], from limit, order and segment length as stored in a file.
    pub fn brief_of(limit: &impl fmt::Display, order: &impl fmt::Display, segment: usize) -> String {
        match segment {
            Protocol::SEGMENT => format!("{limit}, {order}"),
            other => format!("{limit}, {order}, segments of {other}"),
        }
    }
}

impl fmt::Display for Protocol {
    /// Formats as `depth 20, backward, segments of 16`, followed by the number of lines if there are several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Protocol { limit, order, segment, lines } = self;
        write!(f, "{limit}, {order}, segments of {segment}")?;
        if lines.get() > 1 { write!(f, ", {lines} lines") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Color, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("test fen");
        fen.into_position(CastlingMode::Standard).expect("legal test position")
    }

    #[test]
    fn positions_without_moves_need_no_engine() {
        let terminal = |fen| Evaluation::terminal(&position(fen)).map(|e| (e.score, e.wdl));
        let certain = |win, draw, loss| Some(Wdl { win, draw, loss });
        let black_is_mated = terminal("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(black_is_mated, Some((Score::checkmate(Color::Black), certain(1000, 0, 0))));
        let white_is_mated = terminal("7K/6q1/6k1/8/8/8/8/8 w - - 0 1");
        assert_eq!(white_is_mated, Some((Score::checkmate(Color::White), certain(0, 0, 1000))));
        let stalemated = terminal("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        assert_eq!(stalemated, Some((Score::DRAW, certain(0, 1000, 0))));
        assert_eq!(Evaluation::terminal(&Chess::default()), None);
    }

    #[test]
    fn limits_and_orders_are_read_as_they_are_written() {
        for limit in [Limit::Depth(20), Limit::Nodes(100_000)] {
            assert_eq!(limit.to_string().parse(), Ok(limit));
        }
        for order in [Order::Backward, Order::Forward] {
            assert_eq!(order.to_string().parse(), Ok(order));
        }
        let error = "movetime 5".parse::<Limit>().expect_err("no limit").to_string();
        assert_eq!(error, "\"movetime 5\" is not of the form \"depth N\" or \"nodes N\"");
        assert!("sideways".parse::<Order>().is_err());
    }

    #[test]
    fn the_name_of_a_protocol_has_what_is_unusual() {
        let name = |order, segment| Protocol::new(Limit::Depth(8), order, segment).brief();
        assert_eq!(name(Order::Forward, 16), "depth 8, forward");
        assert_eq!(name(Order::Backward, 1), "depth 8, backward, segments of 1");
    }

    #[test]
    fn chances_are_a_whole_up_to_the_rounding_of_each() {
        assert_eq!(Wdl::new(120, 800, 80), Some(Wdl { win: 120, draw: 800, loss: 80 }));
        for (win, accepted) in [(897, false), (898, true), (902, true), (903, false)] {
            assert_eq!(Wdl::new(win, 60, 40).is_some(), accepted, "{win}");
        }
        assert_eq!(Wdl::new(u16::MAX, u16::MAX, u16::MAX), None);
    }
}
