//! [`EvaluatedGame`]: a game with the [`Evaluations`] of its positions.

use crate::chess::{evaluation::Evaluation, game::Game, game::RecordedEval, rating_system::RatingSystem};

/// The tag that names the engine and settings of the evaluations recorded in a game.
pub const JUDGE: &str = "EvaluatedBy";

/// The judge of games from lichess with evaluations by its servers. Their engine and its search are not recorded.
pub const LICHESS: &str = "lichess's analysis";

/// Returns the value of the tag [`JUDGE`]: the engine's name, and the search settings as
/// [`crate::chess::Protocol::brief`] formats them.
pub fn judge_of(engine: &str, brief: &str) -> String {
    format!("{engine}, {brief}")
}

/// Evaluations of the n + 1 positions of a game of n moves. The evaluation of the start position may be
/// missing, as in games from lichess; then the first move has no gain.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluations {
    start: Option<Evaluation>,
    after_moves: Vec<Evaluation>,
}

impl Evaluations {
    /// Combines the evaluation of the start position, if it is known, with the n evaluations after the moves.
    pub fn new(start: Option<Evaluation>, after_moves: Vec<Evaluation>) -> Evaluations {
        Evaluations { start, after_moves }
    }

    /// Returns the evaluation of the position after `ply` moves. `None` for the start position if its
    /// evaluation is unknown.
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

    /// Returns the n evaluations of the positions after the moves.
    pub fn after_moves(&self) -> &[Evaluation] {
        &self.after_moves
    }

    /// Iterates over the known evaluations, in the order of the positions.
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

/// A game with evaluations of its positions, either recorded in its file or computed by an engine.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluatedGame {
    game: Game,
    evaluations: Evaluations,
    searched: bool,
    choices: Option<Vec<Evaluation>>,
    factor: f64,
}

impl EvaluatedGame {
    /// Returns a game with evaluations recorded in its file. `evaluations` may be [`Evaluations`], or a list
    /// of evaluations of all positions, the start position first.
    ///
    /// # Panics
    ///
    /// If there is not one evaluation after each move.
    pub fn new(game: Game, evaluations: impl Into<Evaluations>) -> EvaluatedGame {
        let evaluations = evaluations.into();
        assert_eq!(evaluations.after_moves.len(), game.moves.len(), "one evaluation after each move");
        EvaluatedGame { game, evaluations, searched: false, choices: None, factor: 1.0 }
    }

    /// Returns a game with evaluations of all positions by an engine, the start position first.
    ///
    /// # Panics
    ///
    /// If there is not one evaluation after each move.
    pub fn searched(game: Game, evaluations: Vec<Evaluation>) -> EvaluatedGame {
        EvaluatedGame { searched: true, ..EvaluatedGame::new(game, evaluations) }
    }

    /// Adds, for each of the n moves, the evaluation of the position after the engine's best move instead of
    /// the played move.
    ///
    /// # Panics
    ///
    /// If the number of evaluations differs from the number of moves.
    pub fn with_choices(self, choices: Vec<Evaluation>) -> EvaluatedGame {
        assert_eq!(choices.len(), self.game.moves.len(), "one choice per move");
        EvaluatedGame { choices: Some(choices), ..self }
    }

    /// Sets the factor from the evaluations to the centipawns of today's Stockfishes, whose scale is that of
    /// Stockfish 15.1. The evaluations themselves do not change.
    pub fn rescaled(self, factor: f64) -> EvaluatedGame {
        EvaluatedGame { factor, ..self }
    }

    /// Returns the factor of [`EvaluatedGame::rescaled`]; 1 by default.
    pub fn factor(&self) -> f64 {
        self.factor
    }

    /// Returns the game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the evaluations of the game's positions.
    pub fn evaluations(&self) -> &Evaluations {
        &self.evaluations
    }

    /// Returns the evaluations added by [`EvaluatedGame::with_choices`], one per move; `None` if there are
    /// none.
    pub fn choices(&self) -> Option<&[Evaluation]> {
        self.choices.as_deref()
    }

    /// Returns the game without its evaluations.
    pub fn into_game(self) -> Game {
        self.game
    }

    /// Returns the game with its evaluations as recorded evaluations. If an engine computed them and `judge`
    /// is given, the tag [`JUDGE`] is set to `judge`: the name of the engine and its search settings.
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

/// Returns the engine and the settings of the evaluations recorded in a game: the tag [`JUDGE`], or [`LICHESS`] if
/// the game is from lichess and its evaluations have no depths. `None` if unknown.
pub fn judge_of_game(game: &Game) -> Option<&str> {
    judge_by_tags(
        |name| game.tags.get(name),
        || {
            let mut evals = game.moves.iter().filter_map(|played| played.eval.as_ref()).peekable();
            evals.peek().is_some() && evals.all(|eval| eval.depth.is_none())
        },
    )
}

/// Returns the judge of a game with these tags, as [`judge_of_game`] does. `is_plain` returns whether there are
/// evaluations, and none has a depth.
pub fn judge_by_tags<'a>(
    tag: impl Fn(&'static str) -> Option<&'a str>,
    is_plain: impl FnOnce() -> bool,
) -> Option<&'a str> {
    tag(JUDGE).or_else(|| (is_plain() && RatingSystem::is_on_lichess(tag)).then_some(LICHESS))
}

/// Returns whether two judges evaluate alike. A build for Node.js evaluates as the native build of the same version
/// does, but has another name.
pub fn is_same_judge(one: &str, other: &str) -> bool {
    let native = |judge: &str| judge.replace(" WASM", "");
    native(one) == native(other)
}

/// Returns the judge, as in [`judge_of_game`], that all `games` have in common. `None` if a game has no judge, if
/// the judges differ, or if there is no game. The judge must be right for every game, because only reports with the
/// same judge are pooled.
pub fn recorded_judge<'g>(games: impl IntoIterator<Item = &'g EvaluatedGame>) -> Option<&'g str> {
    let mut judges = games.into_iter().map(|game| judge_of_game(game.game()));
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
