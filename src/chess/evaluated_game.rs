//! [`EvaluatedGame`]: a game with the [`Evaluations`] of its positions.

use crate::chess::{
    evaluation::Evaluation,
    game::{Game, RecordedEval},
};

/// The tag that names the engine whose evaluations are recorded in a game.
pub const JUDGE: &str = "EvaluatedBy";

/// Evaluations of the n + 1 positions of a game of n moves, or of all except the first. lichess records none
/// for the start position; the first move then has no gain.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluations {
    start: Option<Evaluation>,
    after_moves: Vec<Evaluation>,
}

impl Evaluations {
    /// Holds an evaluation after each of the n moves, and that of the start position if it is known.
    pub fn new(start: Option<Evaluation>, after_moves: Vec<Evaluation>) -> Evaluations {
        Evaluations { start, after_moves }
    }

    /// Returns the evaluation after `ply` moves; `None` for a start position without one.
    ///
    /// # Panics
    ///
    /// If the game has fewer moves.
    pub fn at(&self, ply: usize) -> Option<&Evaluation> {
        match ply.checked_sub(1) {
            None => self.start.as_ref(),
            Some(index) => Some(&self.after_moves[index]),
        }
    }

    /// Returns the evaluations after each of the n moves.
    pub fn after_moves(&self) -> &[Evaluation] {
        &self.after_moves
    }

    /// Iterates over the known evaluations, n + 1 or n, in the order of the positions.
    pub fn iter(&self) -> impl Iterator<Item = &Evaluation> {
        self.start.iter().chain(&self.after_moves)
    }
}

impl From<Vec<Evaluation>> for Evaluations {
    /// Converts evaluations of all positions, the start position first.
    fn from(evaluations: Vec<Evaluation>) -> Evaluations {
        let mut evaluations = evaluations.into_iter();
        Evaluations { start: evaluations.next(), after_moves: evaluations.collect() }
    }
}

/// A game with evaluations of its positions.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedGame {
    game: Game,
    evaluations: Evaluations,
    searched: bool,
    choices: Option<Vec<Evaluation>>,
}

impl EvaluatedGame {
    /// Returns a game of n moves with evaluations recorded in its file: [`Evaluations`], or a list of n + 1,
    /// the start position first.
    ///
    /// # Panics
    ///
    /// If there is not one evaluation after each move.
    pub fn new(game: Game, evaluations: impl Into<Evaluations>) -> EvaluatedGame {
        let evaluations = evaluations.into();
        assert_eq!(evaluations.after_moves.len(), game.moves.len(), "one evaluation after each move");
        EvaluatedGame { game, evaluations, searched: false, choices: None }
    }

    /// Returns a game with evaluations from an engine.
    ///
    /// # Panics
    ///
    /// If there is not one evaluation after each move.
    pub fn searched(game: Game, evaluations: Vec<Evaluation>) -> EvaluatedGame {
        EvaluatedGame { searched: true, ..EvaluatedGame::new(game, evaluations) }
    }

    /// Adds the evaluation after the engine's best move in each of the n positions where a move was played.
    ///
    /// # Panics
    ///
    /// If there is not one evaluation per move.
    pub fn with_choices(self, choices: Vec<Evaluation>) -> EvaluatedGame {
        assert_eq!(choices.len(), self.game.moves.len(), "one choice per move");
        EvaluatedGame { choices: Some(choices), ..self }
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the evaluations of its positions.
    pub fn evaluations(&self) -> &Evaluations {
        &self.evaluations
    }

    /// Returns the n evaluations after the engine's best moves, from the start position on; `None` if they
    /// were not requested.
    pub fn choices(&self) -> Option<&[Evaluation]> {
        self.choices.as_deref()
    }

    /// Returns the game without its evaluations.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// Returns the game with its evaluations as comments. If an engine computed them, the tag [`JUDGE`] gets
    /// `judge`, its name and search settings.
    pub fn annotated(&self, judge: Option<&str>) -> Game {
        let mut game = self.game.clone();
        game.start_eval = self.evaluations.start.as_ref().map(record);
        for (played, evaluation) in game.moves.iter_mut().zip(&self.evaluations.after_moves) {
            played.eval = Some(record(evaluation));
        }
        if let Some(judge) = judge.filter(|_| self.searched) {
            game.tags.set(JUDGE, judge);
        }
        game
    }
}

/// Returns the judge of all `games` by the tag [`JUDGE`]. `None` if a game has no such tag, or if tags
/// differ. Reports are pooled by that name, so it must hold for every game.
pub fn recorded_judge<'g>(games: impl IntoIterator<Item = &'g EvaluatedGame>) -> Option<&'g str> {
    let mut judges = games.into_iter().map(|game| game.game().tags.get(JUDGE));
    let first = judges.next().flatten();
    first.filter(|_| judges.all(|judge| judge == first))
}

fn record(evaluation: &Evaluation) -> RecordedEval {
    RecordedEval {
        score: evaluation.score.to_signed(),
        depth: evaluation.depth,
        wdl: evaluation.wdl,
        best: evaluation.best,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::parse_games;

    #[test]
    fn a_judge_is_named_only_where_every_game_names_the_same_one() {
        let judge = |tags: &[Option<&str>]| {
            let games: Vec<EvaluatedGame> = tags
                .iter()
                .map(|judge| {
                    let tag = judge.map_or(String::new(), |judge| format!("[{JUDGE} \"{judge}\"]\n"));
                    let game = parse_games(&format!("[White \"A\"]\n{tag}\n*\n"), "test").remove(0);
                    EvaluatedGame::new(
                        game.expect("a game"),
                        vec![Evaluation::of_score(crate::chess::score::Score::DRAW)],
                    )
                })
                .collect();
            recorded_judge(&games).map(str::to_owned)
        };
        assert_eq!(judge(&[Some("Fish 1"), Some("Fish 1")]), Some("Fish 1".to_owned()));
        assert_eq!(judge(&[Some("Fish 1"), None]), None);
        assert_eq!(judge(&[None, Some("Fish 1")]), None);
        assert_eq!(judge(&[Some("Fish 1"), Some("Fish 2")]), None);
        assert_eq!(judge(&[]), None);
    }
}
