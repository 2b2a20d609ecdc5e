//! The choice of a move at a level.

use super::SparPlayer;
use crate::chess::Score;
use crate::engine::levels::{Level, LevelPlayer};
use crate::lab::spar::{
    candidate::centipawns, human::BLUNDER, question::ChoiceQuestion, question::SkillReport,
    question::SparMove,
};

impl SparPlayer {
    /// Draws a move as people of this rating choose it.
    pub(super) fn by_level(&mut self, mut question: ChoiceQuestion<'_>, level: Level) -> SparMove {
        let position = question.position();
        let among: Vec<_> =
            question.segment.root_moves().iter().filter_map(|uci| uci.to_move(&position).ok()).collect();
        let share = question.random.share();
        let Some(choice) = self.levels.choose(question.game, level, &among, share) else {
            return SparMove::NONE;
        };
        SparMove {
            best: Some(choice.chosen.to_uci(question.game.mode())),
            ponder: None,
            score: Some(Score::from_side_to_move(choice.score, question.game.turn())),
            report: Some(SkillReport {
                ply: question.ply,
                s: centipawns(choice.best),
                depth: LevelPlayer::DEPTH,
                searched: Some(LevelPlayer::DEPTH),
                p: choice.probability,
                blunder: choice.loss >= BLUNDER,
                expected: choice.expected,
                loss: choice.loss,
                aim: None,
                elo: Some(level.elo().into()),
            }),
        }
    }
}
