//! Owns [`EvaluatedGame`]: a game with what an engine says of each of its positions.

use crate::{
    evaluation::Evaluation,
    game::{Game, RecordedEval},
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
}
