//! The choice of a move by the controller, for the skill function `even`.

use shakmaty::CastlingMode;

use super::{CHANCES, DEPTH_OF_THE_BEST, FIRST, NEGLIGIBLE_LOSS, RANKING, SparPlayer};
use crate::engine::{EngineError, levels::ChoiceFeatures, levels::Level};
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
        // Computed before the ranking, because the ranking ends when its share of the time is over.
        let is_over = || (question.allowance.is_over)(CHANCES);
        let features = self.levels.features(question.game, &is_over);
        let mut evaluation = self.rank(&question, &limits).await?;
        let mut candidates = question.candidates_with_traits(&evaluation);
        let Some(best) = candidates.first().copied() else { return Ok(SparMove::NONE) };
        let aim = controller.aim(best.expected);
        if let Some(features) = &features {
            add_chances(features, aim.opponent_elo, question.game.mode(), &mut candidates);
        }
        let position = question.position();
        let first = first_move(&position, question.ply, &candidates, aim.most, question.random.share());
        let mut p = 0.0;
        let (choice, checked) = match first {
            Some(place) => (EvenChoice { place, loss: candidates[place].loss(&best) }, None),
            None => {
                let aim = self.checkable(aim);
                p = even::chance_of_blunder(aim, &candidates);
                self.checked(&question, aim, evaluation.depth, &mut candidates).await
            }
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
            let found = question.candidates_with_traits(&deeper);
            let best = found.first().filter(|best| !even::is_unwelcome(best, best));
            // A search that was stopped early may be less deep than the ranking.
            if let Some(best) = best.filter(|_| deeper.depth >= evaluation.depth) {
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
}

/// Adds the probabilities with which a player at the level nearest to a rating chooses the candidates.
fn add_chances(features: &ChoiceFeatures, elo: f64, mode: CastlingMode, candidates: &mut [Candidate]) {
    let chances = Level::nearest(elo).probabilities(features);
    for (m, chance) in features.moves.iter().zip(chances) {
        let uci = m.to_uci(mode);
        candidates.iter_mut().filter(|one| one.uci == uci).for_each(|one| one.traits.chance = chance);
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, fen::Fen};

    use super::*;
    use crate::{
        chess::GameSoFar, chess::SignedScore, engine::levels::LevelPlayer, lab::spar::candidate::MoveTraits,
    };

    #[test]
    fn every_move_has_the_chance_of_its_level_also_castling_in_both_notations() {
        let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
        let chess: Chess =
            fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
        for (mode, castling) in [(CastlingMode::Standard, "e1g1"), (CastlingMode::Chess960, "e1h1")] {
            let game = GameSoFar::new(chess.clone(), mode);
            let features = LevelPlayer::default().features(&game, &|| false).expect("legal moves");
            let candidate = |m: &shakmaty::Move| {
                let (uci, score, traits) = (m.to_uci(mode), SignedScore::Cp(0), MoveTraits::default());
                Candidate { uci, score, expected: 0.5, traits }
            };
            let mut candidates: Vec<Candidate> = features.moves.iter().map(candidate).collect();
            add_chances(&features, 1500.0, mode, &mut candidates);
            let sum: f64 = candidates.iter().map(|one| one.traits.chance).sum();
            assert!((sum - 1.0).abs() < 1e-9, "{sum}");
            let castles = candidates.iter().find(|one| one.uci.to_string() == castling).expect("a move");
            assert!(castles.traits.chance > 0.05, "{castles:?}");
        }
    }
}
