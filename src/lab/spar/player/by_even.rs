//! The choice of a move by the controller, for the skill function `even`.

use super::{DEPTH_OF_THE_BEST, FIRST, RANKING, SparPlayer};
use crate::chess::GameSoFar;
use crate::engine::{EngineError, levels::Level};
use crate::lab::spar::{
    candidate::Candidate, candidate::centipawns, course::CourseMove, even, even::EvenChoice, human::BLUNDER,
    human_moves::first_move, question::ChoiceQuestion, question::SkillReport, question::SparMove,
};

/// Number of moves ranked for a choice by loss.
const CANDIDATES: u32 = 10;

/// Number of moves ranked if the losses of the first ten were too small.
const MANY_CANDIDATES: u32 = 30;

/// Search depth of the ranked moves, in plies. It is small, because there are ten moves.
const DEPTH_OF_CANDIDATES: u32 = 8;

/// The best move is searched more deeply if the intended mean loss is below this, in percentage points.
const NEGLIGIBLE_LOSS: f64 = 1.2;

impl SparPlayer {
    /// Ranks the moves, and plays the controller's choice.
    pub(super) async fn by_even(
        &mut self,
        mut question: ChoiceQuestion<'_>,
    ) -> Result<SparMove, EngineError> {
        let nodes = self.nodes(question.allowance);
        let mut controller = match &self.sparring {
            Some(sparring) => sparring.controller(),
            None => return Ok(SparMove::NONE),
        };
        let lines = if controller.lacks_losses() { MANY_CANDIDATES } else { CANDIDATES };
        let limits = question.allowance.limits(lines, DEPTH_OF_CANDIDATES, FIRST, nodes / RANKING);
        let mut evaluation = self.rank(&question, &limits).await?;
        let mut candidates = question.candidates_with_traits(&evaluation);
        let Some(best) = candidates.first().copied() else { return Ok(SparMove::NONE) };
        let aim = controller.aim(best.expected);
        self.add_chances(question.game, aim.opponent_elo, &mut candidates);
        let p = even::chance_of_blunder(aim, &candidates);
        let position = question.position();
        let first = first_move(&position, question.ply, &candidates, aim.most, question.random.share());
        let (choice, checked) = match first {
            Some(place) => (EvenChoice { place, loss: candidates[place].loss(&best) }, None),
            None => self.checked(&question, aim, evaluation.depth, &mut candidates).await,
        };
        let place = choice.place;
        let mut after = candidates[place].expected;
        let mut depth = limits.depth;
        if let Some(check) = checked {
            (evaluation, depth) = (check.evaluation, check.depth);
        }
        let limits = question.allowance.limits(1, DEPTH_OF_THE_BEST, 1.0, nodes);
        let is_best = place == 0 && aim.loss.min(aim.most) < NEGLIGIBLE_LOSS && candidates.len() > 1;
        if is_best && !(limits.is_over)() {
            let deeper = self.rank(&question, &limits).await?;
            let found = question.candidates(&deeper);
            // A search that was stopped early may be less deep than the ranking.
            if let Some(best) = found.first().filter(|_| deeper.depth >= evaluation.depth) {
                (after, depth) = (best.expected, limits.depth);
                (candidates, evaluation) = (found, deeper);
            }
        }
        if let Some(sparring) = &mut self.sparring {
            let (expected, loss) = (best.expected, choice.loss);
            sparring.course.push(CourseMove { ply: question.ply, expected, loss, after });
            sparring.so_far.push(candidates[place].uci);
        }
        let report = |_: &Candidate, _: &Candidate| SkillReport {
            ply: question.ply,
            s: centipawns(best.score),
            depth,
            searched: evaluation.depth,
            p,
            blunder: choice.loss >= BLUNDER,
            expected: best.expected,
            loss: choice.loss,
            aim: Some(aim.loss),
            elo: Some(aim.elo),
        };
        Ok(question.played(&evaluation, &candidates, place, report))
    }

    /// Adds the probabilities with which people of a rating play the candidates.
    fn add_chances(&mut self, game: &GameSoFar, elo: f64, candidates: &mut [Candidate]) {
        let Some((features, chances)) = self.levels.probabilities(game, Level::nearest(elo)) else { return };
        for (m, chance) in features.moves.iter().zip(chances) {
            let uci = m.to_uci(game.mode());
            candidates.iter_mut().filter(|one| one.uci == uci).for_each(|one| one.traits.chance = chance);
        }
    }
}
