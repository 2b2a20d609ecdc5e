//! Owns [`LeftOut`]: a game that is wanted and cannot be counted, with its reason.

use std::{fmt, str::FromStr};

use crate::chess::BadGame;

/// A game that cannot be counted.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// Why.
    pub reason: LeftOutReason,
    /// What is wrong with one that cannot be read; its number is that in its block.
    pub bad: Option<Box<BadGame>>,
}

/// Why a game that is wanted is not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LeftOutReason {
    /// No position has one.
    NoEvaluations,
    /// Some have one and others do not.
    Incomplete,
    /// The evaluations are those of the engines that play.
    OwnEngines,
    /// There is no move.
    NoMoves,
    /// It is no PGN, or no chess.
    Unreadable,
    /// It is larger than any game.
    TooLarge,
    /// The file breaks off in it.
    CutOff,
}

impl LeftOutReason {
    /// All of them, in the order of tables.
    pub const ALL: [LeftOutReason; 7] = [
        LeftOutReason::NoEvaluations,
        LeftOutReason::Incomplete,
        LeftOutReason::OwnEngines,
        LeftOutReason::NoMoves,
        LeftOutReason::Unreadable,
        LeftOutReason::TooLarge,
        LeftOutReason::CutOff,
    ];

    /// Returns whether the file is at fault, and not only without evaluations.
    pub fn is_fault(self) -> bool {
        matches!(self, LeftOutReason::Unreadable | LeftOutReason::TooLarge | LeftOutReason::CutOff)
    }
}

impl fmt::Display for LeftOutReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeftOutReason::NoEvaluations => "without evaluations",
            LeftOutReason::Incomplete => "some positions without an evaluation",
            LeftOutReason::OwnEngines => "evaluations of the players' own engines",
            LeftOutReason::NoMoves => "without moves",
            LeftOutReason::Unreadable => "unreadable",
            LeftOutReason::TooLarge => "larger than 4 MiB",
            LeftOutReason::CutOff => "cut off by the end of the file",
        })
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
