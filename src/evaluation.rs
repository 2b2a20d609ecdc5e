//! Owns [`Evaluation`]: what an engine said of one position, with the [`Protocol`] it was asked by.

use std::fmt;

use shakmaty::{Chess, Position, uci::UciMove};

use crate::score::Score;

/// What an engine said of one position.
///
/// Everything but the score is absent where the source does not tell it: a recorded `[%eval]`
/// has no nodes, a position without legal moves was never searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// White's view.
    pub score: Score,
    /// Depth of the search in plies.
    pub depth: Option<u32>,
    /// Deepest line looked at, in plies.
    pub seldepth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Milliseconds of search by the engine's own clock.
    pub time_ms: Option<u64>,
    /// The engine's choice.
    pub best: Option<UciMove>,
    /// The line that the engine expects, its first move being `best` as a rule.
    pub pv: Vec<UciMove>,
    /// The outcome that the engine expects.
    pub wdl: Option<Wdl>,
}

/// Chances of a win, a draw and a loss per mille, from White's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Wdl {
    /// White wins.
    pub win: u16,
    /// Nobody wins.
    pub draw: u16,
    /// Black wins.
    pub loss: u16,
}

impl Evaluation {
    /// An evaluation of which only the score is known.
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
        }
    }

    /// The evaluation of a position that has no legal moves, `None` for any other: such a
    /// position is never sent to an engine. Checkmate is mate against the side to move,
    /// stalemate is 0.
    pub fn terminal(position: &Chess) -> Option<Evaluation> {
        if position.is_checkmate() {
            Some(Evaluation::of_score(Score::checkmate(position.turn())))
        } else if position.is_stalemate() {
            Some(Evaluation::of_score(Score::DRAW))
        } else {
            None
        }
    }
}

/// When a search ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// After the iteration of this many plies.
    Depth(u32),
    /// After about this many positions.
    Nodes(u64),
}

impl fmt::Display for Limit {
    /// As in UCI's `go`: `depth 20`, `nodes 100000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::Depth(plies) => write!(f, "depth {plies}"),
            Limit::Nodes(nodes) => write!(f, "nodes {nodes}"),
        }
    }
}

/// Which end of a game is cut and searched first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// From the last position to the first, so that a search knows what came of the position.
    #[default]
    Backward,
    /// From the first position to the last, as the game was played.
    Forward,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Order::Backward => "backward",
            Order::Forward => "forward",
        })
    }
}

/// How positions are put to an engine: together with the engine and its options it determines
/// every score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Protocol {
    /// When a search ends.
    pub limit: Limit,
    /// Which end of a game comes first.
    pub order: Order,
    /// Positions of a game that share one hash table, at least 1.
    pub segment: usize,
}

impl Protocol {
    /// Positions in a segment unless asked otherwise: keeps most of the work that neighbouring
    /// positions share, and one game still spreads over many cores.
    pub const SEGMENT: usize = 16;
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
        let mated = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
        let stalemated = position("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
        let score = |p| Evaluation::terminal(p).map(|e| e.score);
        assert_eq!(score(&mated), Some(Score::checkmate(Color::Black)));
        assert_eq!(score(&stalemated), Some(Score::DRAW));
        assert_eq!(score(&Chess::default()), None);
    }
}
