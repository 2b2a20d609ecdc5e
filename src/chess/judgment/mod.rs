//! [`Judgment`]: inaccuracies, mistakes and blunders by lichess's rule, and lichess's centipawn loss.
//!
//! The rule is documented only in lichess's source. `Advice.scala` (module tree) has the bounds and the
//! treatment of mates. `AnalysisBuilder.scala` (fishnet) skips the engine's best move and checkmating moves.
//! `AccuracyCP.scala` (analyze) computes the centipawn loss. `eval.scala` of scalachess has the curve of
//! winning chances and the limit of ±1000 centipawns.

pub(crate) mod notes;

use std::ops::AddAssign;

use serde::Serialize;
use shakmaty::Color;

use crate::base::named::named;
use crate::chess::{
    evaluated_game::EvaluatedGame, gain::MoveEvals, score::Clip, score::Score, win_probability,
};

/// The score before the first move of a game. It replaces the engine's score.
pub const START: Score = Score::Cp(15);

named! {
    /// The judgment of a bad move. Moves that lose or allow a forced mate have bounds of their own (see
    /// [`Judgment::of_move`]).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Judgment: name {
        /// The mover's winning chance falls by 5 to 10 percentage points (by 0.1 to 0.2 on lichess's scale
        /// from −1 to 1).
        Inaccuracy => "inaccuracy",
        /// The mover's winning chance falls by 10 to 15 percentage points.
        Mistake => "mistake",
        /// The mover's winning chance falls by 15 percentage points or more.
        Blunder => "blunder",
    }
}

impl Judgment {
    /// Returns the plural of the name, the sign after the move, the sign's number in PGN, and the smallest
    /// fall of the mover's winning chance, from 0 to 1.
    fn facts(self) -> (&'static str, &'static str, u8, f64) {
        match self {
            Judgment::Inaccuracy => ("inaccuracies", "?!", 6, 0.05),
            Judgment::Mistake => ("mistakes", "?", 2, 0.10),
            Judgment::Blunder => ("blunders", "??", 4, 0.15),
        }
    }

    pub(crate) fn plural(self) -> &'static str {
        self.facts().0
    }

    pub(crate) fn symbol(self) -> &'static str {
        self.facts().1
    }

    /// Returns the number of the PGN glyph: 6, 2 or 4.
    pub fn nag(self) -> u8 {
        self.facts().2
    }

    /// Judges a move of `mover` by the scores before and after it. `None` if the move is not bad.
    ///
    /// If both scores are in centipawns, the fall of the winning chance decides. Losing a forced mate is
    /// normally a blunder. It counts as a mistake if the mover is still more than 7 pawns ahead after the
    /// move, and as an inaccuracy from 10 pawns on. Allowing a forced mate is normally a blunder. It counts
    /// as a mistake if the mover was already more than 7 pawns behind before the move, and as an inaccuracy
    /// from 10 pawns on. Delaying a forced mate is not bad. No move of a side that is already being mated is
    /// bad.
    pub fn of_move(mover: Color, before: Score, after: Score) -> Option<Judgment> {
        let mates = |score: Score| Some(score.mate()?.signum() * mover.fold_wb(1, -1));
        let pawns = |score: Score| score.cp().map_or(0, |cp| mover.fold_wb(cp, -cp));
        match (mates(before), mates(after)) {
            (None, None) => {
                let chance = |score: Score| score.cp().map(|cp| win_probability::of_centipawns(cp.into()));
                let fall = -MoveEvals { mover, before, after }.change(chance)?;
                Judgment::ALL.into_iter().rev().find(|judgment| fall >= judgment.facts().3)
            }
            (None, Some(-1)) => Some(Judgment::of_mate(-pawns(before))),
            (Some(1), None | Some(-1)) => Some(Judgment::of_mate(pawns(after))),
            _ => None,
        }
    }

    /// Judges a lost mate by the mover's lead after the move, or an allowed mate by the mover's deficit
    /// before the move. `centipawns` is this lead or deficit.
    fn of_mate(centipawns: i32) -> Judgment {
        match centipawns {
            1000.. => Judgment::Inaccuracy,
            701.. => Judgment::Mistake,
            _ => Judgment::Blunder,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct JudgmentCounts {
    pub inaccuracies: u64,
    pub mistakes: u64,
    pub blunders: u64,
}

impl JudgmentCounts {
    pub fn of(self, judgment: Judgment) -> u64 {
        match judgment {
            Judgment::Inaccuracy => self.inaccuracies,
            Judgment::Mistake => self.mistakes,
            Judgment::Blunder => self.blunders,
        }
    }
}

impl AddAssign<Judgment> for JudgmentCounts {
    fn add_assign(&mut self, judgment: Judgment) {
        *match judgment {
            Judgment::Inaccuracy => &mut self.inaccuracies,
            Judgment::Mistake => &mut self.mistakes,
            Judgment::Blunder => &mut self.blunders,
        } += 1;
    }
}

impl FromIterator<Judgment> for JudgmentCounts {
    fn from_iter<I: IntoIterator<Item = Judgment>>(judgments: I) -> JudgmentCounts {
        let mut counts = JudgmentCounts::default();
        judgments.into_iter().for_each(|judgment| counts += judgment);
        counts
    }
}

/// lichess's verdict on one move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveVerdict {
    /// The judgment; `None` for a move that is not bad, for the engine's best move and for a checkmating
    /// move.
    pub judgment: Option<Judgment>,
    /// The loss in centipawns, with scores limited to ±1000 and mates at the limit; `None` for a checkmating
    /// move.
    pub centipawn_loss: Option<u32>,
}

impl MoveVerdict {
    /// Returns lichess's verdict on a move of `mover`. `is_choice` is true if the move is the engine's best
    /// move.
    pub fn of(mover: Color, before: Score, after: Score, is_choice: bool) -> MoveVerdict {
        if after == Score::checkmate(!mover) {
            return MoveVerdict::default();
        }
        let gain = MoveEvals { mover, before, after }
            .change(|score| Some(score.clipped(Clip::TEN_PAWNS)))
            .unwrap_or(0);
        MoveVerdict {
            judgment: if is_choice { None } else { Judgment::of_move(mover, before, after) },
            centipawn_loss: Some(gain.min(0).unsigned_abs()),
        }
    }
}

/// Returns lichess's verdict on each move of a game. The position before the first move has the score
/// [`START`].
pub fn verdicts(game: &EvaluatedGame) -> impl Iterator<Item = MoveVerdict> {
    let evaluations = game.evaluations();
    let moves = game.game().moves.iter().zip(game.game().movers()).enumerate();
    moves.map(move |(ply, (played, mover))| {
        let before = evaluations.at(ply);
        let is_choice = before.is_some_and(|before| before.best == Some(played.uci));
        let score = match (ply, before) {
            (0, _) | (_, None) => START,
            (_, Some(before)) => before.score,
        };
        MoveVerdict::of(mover, score, evaluations.after_moves()[ply].score, is_choice)
    })
}

#[cfg(test)]
mod tests;
