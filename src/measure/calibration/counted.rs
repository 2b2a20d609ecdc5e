//! [`CountedMoves`]: the moves whose statistics a calibration uses.

use serde::{Deserialize, Serialize};

use crate::base::named::{named, read_by_name};
use crate::chess::Clip;
use crate::measure::tournament::{Method, filter::Filter};

named! {
    /// The moves whose statistics a calibration uses, and the bound of their evaluations.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(into = "&'static str", try_from = "String")]
    pub enum CountedMoves: in_words {
        /// All moves of games whose best moves are known, with evaluations within ±1000 centipawns.
        #[default]
        All => "all moves",
        /// The moves from positions within [`CountedMoves::UNDECIDED`], with evaluations clipped there. The best
        /// moves may be unknown. In decided positions, large losses are as usual among strong players as among
        /// weak ones.
        Undecided => "moves from positions within ±500 centipawns, with evaluations clipped there",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no choice of moves; write {names}", names = CountedMoves::ALL.map(CountedMoves::in_words).join(" or "))]
pub struct UnknownCountedMoves(String);

read_by_name!(CountedMoves, in_words, UnknownCountedMoves);

impl CountedMoves {
    /// The largest distance from 0, in centipawns, of the evaluation of an undecided position.
    const UNDECIDED: i32 = 500;

    pub fn is_default(&self) -> bool {
        *self == CountedMoves::default()
    }

    /// Returns the filter and the bound of evaluations.
    pub fn method(self) -> Method {
        match self {
            CountedMoves::All => Method::default(),
            CountedMoves::Undecided => Method {
                clip: Clip::new(CountedMoves::UNDECIDED).unwrap_or_default(),
                filter: Filter { max_eval: Some(CountedMoves::UNDECIDED as u32), ..Filter::default() },
                ..Method::default()
            },
        }
    }

    /// Returns whether the events of a calibration are sets of players, who have not met in one event.
    pub fn is_of_sets(self) -> bool {
        self == CountedMoves::Undecided
    }

    /// Returns whether only moves count for which the engine's best move is known.
    pub fn needs_best_moves(self) -> bool {
        self == CountedMoves::All
    }
}
