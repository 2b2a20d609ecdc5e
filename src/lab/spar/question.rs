//! Owns [`ChoiceQuestion`]: what a choice of a move is made from, the [`SparMove`] that it comes to, and the [`SkillReport`] of how.

use std::{collections::HashSet, fmt};

use serde::Serialize;
use shakmaty::{Chess, Position, uci::UciMove};

use super::{allowance::Allowance, candidate::Candidate, lot::Lots};
use crate::chess::{Evaluation, GameSoFar, Score, Segment, game};

#[derive(Debug, Clone, PartialEq)]
pub struct SparMove {
    pub best: Option<UciMove>,
    /// The answer that is expected, where the search told one.
    pub ponder: Option<UciMove>,
    pub score: Option<Score>,
    /// How the move came about; `None` where there was nothing to choose by.
    pub report: Option<SkillReport>,
}

impl SparMove {
    pub(super) const NONE: SparMove = SparMove { best: None, ponder: None, score: None, report: None };
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SkillReport {
    pub ply: u64,
    /// The score that it went by: centipawns of one's own side before the move, within ±1000.
    pub s: i32,
    pub depth: u32,
    pub searched: Option<u32>,
    pub p: f64,
    pub blunder: bool,
    /// The score expected before the move, 0 to 1.
    pub expected: f64,
    /// What the move loses, in percentage points of the expected score.
    pub loss: f64,
    /// The mean loss that was aimed at; `None` where a move is not chosen by its loss.
    pub aim: Option<f64>,
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

pub(super) struct ChoiceQuestion<'a> {
    pub segment: Segment,
    pub game: &'a GameSoFar,
    pub allowance: &'a Allowance,
    pub lots: Lots,
    pub ply: u64,
}

impl ChoiceQuestion<'_> {
    /// Returns the moves that an engine has ranked, as their player sees them.
    pub fn candidates(&self, evaluation: &Evaluation) -> Vec<Candidate> {
        let position = self.segment.position(self.segment.moves().len());
        let seen = positions(self.game);
        let repeats = |uci: UciMove| {
            let after = uci.to_move(&position).ok().and_then(|m| position.clone().play(m).ok());
            after.is_some_and(|after| seen.contains(&place_of(&after)))
        };
        Candidate::of(evaluation, self.game.turn(), repeats)
    }

    /// Returns the candidate at `place`, with a report of the best one and of it.
    pub fn played(
        &self,
        evaluation: &Evaluation,
        candidates: &[Candidate],
        place: usize,
        report: impl Fn(&Candidate, &Candidate) -> SkillReport,
    ) -> SparMove {
        let (Some(best), Some(chosen)) = (candidates.first(), candidates.get(place)) else {
            return SparMove::NONE;
        };
        let line = evaluation.lines().find(|line| line.best == chosen.uci);
        SparMove {
            best: Some(chosen.uci),
            ponder: line.as_ref().and_then(|line| line.pv.get(1).copied()),
            score: line.map(|line| line.score),
            report: Some(report(best, chosen)),
        }
    }
}

pub(super) fn at_random(mut question: ChoiceQuestion<'_>) -> SparMove {
    let position = question.segment.position(question.segment.moves().len());
    let legal = position.legal_moves().into_iter().map(|m| m.to_uci(question.game.mode()));
    let asked = question.segment.root_moves();
    let moves: Vec<UciMove> = legal.filter(|uci| asked.is_empty() || asked.contains(uci)).collect();
    let place = question.lots.below(moves.len().max(1));
    SparMove { best: moves.get(place).copied(), ..SparMove::NONE }
}

/// Returns what makes positions the same for a repetition.
pub(super) fn place_of(position: &Chess) -> String {
    let fen = game::fen(position);
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

pub(super) fn positions(game: &GameSoFar) -> HashSet<String> {
    let mut position = game.start().clone();
    let mut seen = HashSet::from([place_of(&position)]);
    for uci in game.moves() {
        if let Ok(m) = uci.to_move(&position) {
            position.play_unchecked(m);
            seen.insert(place_of(&position));
        }
    }
    seen
}
