//! Owns [`LeftOut`]: a game that is wanted and cannot be counted, with its reason.

use std::str::FromStr;

use crate::chess::{BadGame, named::named};

/// A game that cannot be counted.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// Why.
    pub reason: LeftOutReason,
    /// What is wrong with one that cannot be read; its number is that in its block.
    pub bad: Option<Box<BadGame>>,
}

named! {
    /// Why a game that is wanted is not counted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum LeftOutReason: in_words {
        /// No position has one.
        NoEvaluations => "without evaluations",
        /// Some have one and others do not.
        Incomplete => "some positions without an evaluation",
        /// The evaluations are those of the engines that play.
        OwnEngines => "evaluations of the players' own engines",
        /// There is no move.
        NoMoves => "without moves",
        /// It is no PGN, or no chess.
        Unreadable => "unreadable",
        /// It is larger than any game.
        TooLarge => "larger than 4 MiB",
        /// The file breaks off in it.
        CutOff => "cut off by the end of the file",
    }
}

impl LeftOutReason {
    /// Returns whether the file is at fault, and not only without evaluations.
    pub fn is_fault(self) -> bool {
        matches!(self, LeftOutReason::Unreadable | LeftOutReason::TooLarge | LeftOutReason::CutOff)
    }
}

impl FromStr for LeftOutReason {
    type Err = ();

    fn from_str(text: &str) -> Result<LeftOutReason, ()> {
        LeftOutReason::ALL.into_iter().find(|reason| reason.to_string() == text).ok_or(())
    }
}

impl From<LeftOutReason> for LeftOut {
    fn from(reason: LeftOutReason) -> LeftOut {
        LeftOut { reason, bad: None }
    }
}
