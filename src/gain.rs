//! Owns the gain of a move: how much better or worse it left its mover, as an engine sees it.

use shakmaty::Color;

use crate::{
    evaluation::Evaluation,
    game::{Game, RecordedEval},
    score::{Clip, Score},
};

/// The tag that tells who gave the evaluations that are recorded in a game.
pub const JUDGE: &str = "EvaluatedBy";

/// A game with the evaluation of each of its positions.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedGame {
    game: Game,
    evaluations: Vec<Evaluation>,
    searched: bool,
    choices: Option<Vec<Evaluation>>,
}

impl EvaluatedGame {
    /// A game of n moves with its n + 1 evaluations, as its file records them, the start
    /// position's first.
    ///
    /// # Panics
    ///
    /// If there is not one evaluation per position.
    pub fn new(game: Game, evaluations: Vec<Evaluation>) -> EvaluatedGame {
        assert_eq!(evaluations.len(), game.position_count(), "one evaluation per position");
        EvaluatedGame { game, evaluations, searched: false, choices: None }
    }

    /// The same, as an engine gave them.
    ///
    /// # Panics
    ///
    /// If there is not one evaluation per position.
    pub fn searched(game: Game, evaluations: Vec<Evaluation>) -> EvaluatedGame {
        EvaluatedGame { searched: true, ..EvaluatedGame::new(game, evaluations) }
    }

    /// The same, with the evaluation after the engine's own best move in each of the n positions
    /// in which a move was played.
    ///
    /// # Panics
    ///
    /// If there is not one evaluation per move.
    pub fn with_choices(self, choices: Vec<Evaluation>) -> EvaluatedGame {
        assert_eq!(choices.len(), self.game.moves.len(), "one choice per move");
        EvaluatedGame { choices: Some(choices), ..self }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The n + 1 evaluations, the start position's first.
    pub fn evaluations(&self) -> &[Evaluation] {
        &self.evaluations
    }

    /// The n evaluations after the engine's own best moves, the one in the start position first;
    /// `None` where nobody asked for them.
    pub fn choices(&self) -> Option<&[Evaluation]> {
        self.choices.as_deref()
    }

    /// The game without its evaluations.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// The game with its evaluations recorded in it; where an engine gave them, with its name and
    /// limit, `judge`, in the tag [`JUDGE`].
    pub fn annotated(&self, judge: Option<&str>) -> Game {
        let mut game = self.game.clone();
        let mut records = self.evaluations.iter().map(|evaluation| RecordedEval {
            score: evaluation.score.to_signed(),
            depth: evaluation.depth,
            wdl: evaluation.wdl,
            best: evaluation.best,
        });
        game.start_eval = records.next();
        for (played, eval) in game.moves.iter_mut().zip(records) {
            played.eval = Some(eval);
        }
        if let Some(judge) = judge.filter(|_| self.searched) {
            game.tags.set(JUDGE, judge);
        }
        game
    }

    /// The gain of each of the n moves, in centipawns from the mover's view, both evaluations
    /// clamped to `±clip` before they are subtracted.
    pub fn gains(&self, clip: Clip) -> impl Iterator<Item = i32> {
        self.game
            .movers()
            .zip(self.evaluations.windows(2))
            .map(move |(mover, pair)| gain(pair[0].score, pair[1].score, mover, clip))
    }
}

/// The evaluation `after` a move minus the one `before` it, from the view of the `mover`.
fn gain(before: Score, after: Score, mover: Color, clip: Clip) -> i32 {
    let white = after.clipped(clip) - before.clipped(clip);
    mover.fold_wb(white, -white)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::SignedScore;

    fn cp(cp: i32) -> Score {
        Score::Cp(cp)
    }

    #[test]
    fn a_gain_is_seen_by_the_side_that_moved() {
        let clip = Clip::default();
        assert_eq!(gain(cp(20), cp(35), Color::White, clip), 15);
        assert_eq!(gain(cp(20), cp(35), Color::Black, clip), -15);
    }

    #[test]
    fn hurrying_a_mate_is_no_gain_and_missing_one_costs_the_way_down_from_the_clip() {
        let clip = Clip::default();
        let mate = |n| Score::from_white_view(SignedScore::Mate(n), Color::White);
        assert_eq!(gain(mate(5), mate(4), Color::White, clip), 0);
        assert_eq!(gain(mate(5), cp(300), Color::White, clip), -700);
        assert_eq!(gain(mate(-2), mate(3), Color::Black, clip), -2000);
    }
}
