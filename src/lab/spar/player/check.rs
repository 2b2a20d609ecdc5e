//! The check of a chosen loss: a deeper search of the chosen move and the best move.

use shakmaty::Color;

use super::{FIRST, NEGLIGIBLE_LOSS, RANKING, SparPlayer};
use crate::chess::{Evaluation, SignedScore};
use crate::lab::spar::{
    candidate::Candidate, candidate::centipawns, candidate::expected, even, even::EvenAim, even::EvenChoice,
    question::ChoiceQuestion,
};

/// Loss in percentage points from which the chosen move is searched again.
const CHECKED_LOSS: f64 = 0.5;

/// Largest loss in percentage points without a check: if the engine cannot search two moves alone, or if the
/// time is over.
const MOST_UNCHECKED: f64 = 5.0;

/// Number of moves in a check: the chosen move and the best move.
const LINES: u32 = 2;

const DEPTH_OF_CHECKS: u32 = 12;

const MOST_CHECKS: u32 = 5;

const BEST: EvenChoice = EvenChoice { place: 0, loss: 0.0 };

pub(super) struct Check {
    pub evaluation: Evaluation,
    /// The requested depth in plies.
    pub depth: u32,
}

impl SparPlayer {
    /// Returns `aim`. If the engine cannot check losses, the result allows only small losses.
    pub(super) fn checkable(&self, aim: EvenAim) -> EvenAim {
        let most = if self.source.can_check() { aim.most } else { aim.most.min(MOST_UNCHECKED) };
        EvenAim { most, ..aim }
    }

    /// Chooses among `candidates`, which were ranked to the depth `ranked`. A chosen loss is searched more
    /// deeply, because the move that seems to lose just enough at a small depth often loses more. If it loses
    /// too much, another move is chosen.
    pub(super) async fn checked(
        &mut self,
        question: &ChoiceQuestion<'_>,
        aim: EvenAim,
        ranked: Option<u32>,
        candidates: &mut [Candidate],
    ) -> (EvenChoice, Option<Check>) {
        let nodes = self.nodes(question.allowance) / RANKING;
        let unchecked = match self.source.can_check() {
            false => MOST_UNCHECKED,
            true if aim.loss.min(aim.most) < NEGLIGIBLE_LOSS => 0.0,
            true => CHECKED_LOSS,
        };
        let mut random = question.random.clone();
        let mut checks = 0;
        loop {
            let choice = even::choose(aim, candidates, &mut random);
            // If the time is over, only a small loss is played without a check.
            let hasty = if choice.loss < MOST_UNCHECKED { choice } else { BEST };
            if choice.place == 0 || choice.loss < unchecked {
                return (choice, None);
            }
            if checks == MOST_CHECKS {
                return (BEST, None);
            }
            checks += 1;
            let share = FIRST + (1.0 - FIRST) * f64::from(checks) / f64::from(MOST_CHECKS);
            let limits = question.allowance.limits(LINES, DEPTH_OF_CHECKS, share, nodes);
            if (limits.is_over)() {
                return (hasty, None);
            }
            let (best, chosen) = (candidates[0], candidates[choice.place]);
            let both = question.segment.clone().restricted_to(&[best.uci, chosen.uci]);
            let Ok(both) = both else { return (choice, None) };
            let found = self.source.check(&both, &limits, question.allowance.grace).await;
            let Some(evaluation) = found else { return (BEST, None) };
            if evaluation.depth < ranked {
                return (hasty, None);
            }
            let checked = compared(&evaluation, question.game.turn(), &best, &chosen);
            let Some(checked) = checked else { return (BEST, None) };
            candidates[choice.place] = checked;
            if even::is_allowed(aim, &checked, &best) {
                let choice = EvenChoice { loss: checked.loss(&best), ..choice };
                return (choice, Some(Check { evaluation, depth: limits.depth }));
            }
        }
    }
}

/// Returns `chosen` with its loss in a search of both moves. Only the difference of the two scores counts,
/// because the score of `best` is from another depth. `None` if the search lacks one of the moves.
fn compared(evaluation: &Evaluation, side: Color, best: &Candidate, chosen: &Candidate) -> Option<Candidate> {
    let score = |one: &Candidate| {
        let line = evaluation.lines().find(|line| line.best == one.uci)?;
        Some(line.score.seen_by(side))
    };
    let (deep_best, deep_chosen) = (score(best)?, score(chosen)?);
    let loss = (expected(deep_best) - expected(deep_chosen)).max(0.0);
    let lost = (centipawns(deep_best) - centipawns(deep_chosen)).max(0);
    let score = match deep_chosen {
        SignedScore::Mate(_) => deep_chosen,
        SignedScore::Cp(_) => SignedScore::Cp(centipawns(best.score) - lost),
    };
    Some(Candidate { score, expected: (best.expected - loss).max(0.0), ..*chosen })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Mate, RankedLine, Score};
    use crate::lab::spar::candidate::MoveTraits;

    fn candidate(uci: &str, cp: i32) -> Candidate {
        let score = SignedScore::Cp(cp);
        let uci = uci.parse().expect("a move");
        Candidate { uci, score, expected: expected(score), traits: MoveTraits::default() }
    }

    /// Returns a search in which White's move e2e4 has the score `best`, and a2a3 the score `chosen`.
    fn search(best: Score, chosen: Score) -> Evaluation {
        let line =
            RankedLine { rank: 2, best: "a2a3".parse().expect("a move"), score: chosen, pv: Vec::new() };
        let evaluation = Evaluation::of_score(best);
        Evaluation { best: "e2e4".parse().ok(), alternatives: vec![line], ..evaluation }
    }

    #[test]
    fn a_checked_loss_is_that_between_two_scores_of_one_depth() {
        let (best, chosen) = (candidate("e2e4", 100), candidate("a2a3", 0));
        let checked = |found: &Evaluation| compared(found, Color::White, &best, &chosen);
        let deep = checked(&search(Score::Cp(30), Score::Cp(-50))).expect("both moves");
        let loss = 100.0 * (expected(SignedScore::Cp(30)) - expected(SignedScore::Cp(-50)));
        assert!((deep.loss(&best) - loss).abs() < 1e-9, "{deep:?}");
        assert_eq!((deep.uci, deep.score), (chosen.uci, SignedScore::Cp(20)));
        let better = checked(&search(Score::Cp(-50), Score::Cp(30))).expect("both moves");
        assert_eq!((better.loss(&best), better.score), (0.0, best.score));
        let mate = Score::Mate(Mate { winner: Color::Black, moves: 2 });
        let mated = checked(&search(Score::Cp(0), mate)).expect("both moves");
        assert_eq!((mated.is_mated_in(), mated.expected >= 0.0), (Some(2), true));
        let alone = Evaluation { alternatives: Vec::new(), ..search(Score::Cp(0), Score::Cp(0)) };
        assert_eq!(checked(&alone), None);
    }
}
