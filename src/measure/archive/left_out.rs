//! [`LeftOut`]: a chosen game that cannot be counted, with the reason.

use std::str::FromStr;

use crate::base::named::named;
use crate::chess::BadGame;

/// A game that cannot be counted.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    /// The reason.
    pub reason: LeftOutReason,
    /// The error in an unreadable game. The game number in the error is always 1; it is not the number in the
    /// file.
    pub bad: Option<Box<BadGame>>,
}

named! {
    /// The reason why a chosen game is not counted.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum LeftOutReason: in_words {
        /// No position has an evaluation.
        NoEvaluations => "without evaluations",
        /// Some positions have no evaluation.
        Incomplete => "some positions without an evaluation",
        /// The evaluations come from the playing engines.
        OwnEngines => "evaluations of the players' own engines",
        /// The game has no moves.
        NoMoves => "without moves",
        /// The text is not PGN or not chess.
        Unreadable => "unreadable",
        /// The text exceeds the size limit of a game.
        TooLarge => "larger than 4 MiB",
        /// The file breaks off in the game.
        CutOff => "cut off by the end of the file",
    }
}

impl LeftOutReason {
    /// Returns whether the text of the game is faulty: unreadable, too large or cut off.
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
