//! Owns [`SkillReport`]: how a move came about, in the words of an `info string` and as a line of a log.

use std::fmt;

use serde::Serialize;

/// How a move came about.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SkillReport {
    /// Moves of both sides before it.
    pub ply: u64,
    /// The score that it went by: centipawns of one's own side before the move, within ±1000.
    pub s: i32,
    /// The depth that was asked for, in plies.
    pub depth: u32,
    /// The depth that was reached.
    pub searched: Option<u32>,
    /// The probability of a blunder.
    pub p: f64,
    /// Whether it is one.
    pub blunder: bool,
    /// The score expected before the move, 0 to 1.
    pub expected: f64,
    /// What the move loses, in percentage points of the expected score.
    pub loss: f64,
    /// The mean loss that was aimed at; `None` where a move is not chosen by its loss.
    pub aim: Option<f64>,
    /// The rating of players who lose so much.
    pub elo: Option<f64>,
}

impl fmt::Display for SkillReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SkillReport { s, depth, p, expected, loss, .. } = self;
        let blunder = if self.blunder { "yes" } else { "no" };
        write!(
            f,
            "skill s={s} depth={depth} p={p:.3} blunder={blunder} expected={expected:.3} loss={loss:.1}"
        )?;
        match (self.aim, self.elo) {
            (Some(aim), Some(elo)) => write!(f, " aim={aim:.1} elo={elo:.0}"),
            _ => Ok(()),
        }
    }
}
