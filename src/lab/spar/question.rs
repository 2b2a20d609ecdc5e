//! Owns [`ChoiceQuestion`]: what a choice of a move is made from, and what the choice comes to.

use shakmaty::{Position, uci::UciMove};

use super::{
    allowance::Allowance,
    candidate::Candidate,
    lot::Lots,
    player::SparMove,
    report::SkillReport,
    seen::{place_of, positions},
};
use crate::chess::{Evaluation, GameSoFar, Segment};

/// What a choice is made from.
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

/// Returns any move that may be played.
pub(super) fn at_random(mut question: ChoiceQuestion<'_>) -> SparMove {
    let position = question.segment.position(question.segment.moves().len());
    let legal = position.legal_moves().into_iter().map(|m| m.to_uci(question.game.mode()));
    let asked = question.segment.root_moves();
    let moves: Vec<UciMove> = legal.filter(|uci| asked.is_empty() || asked.contains(uci)).collect();
    let place = question.lots.below(moves.len().max(1));
    SparMove { best: moves.get(place).copied(), ..SparMove::NONE }
}
