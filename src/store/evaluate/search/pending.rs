//! [`Pending`]: the evaluations of one game so far.

use shakmaty::{Chess, Position};

use super::{SearchNotice, SearchedGame};
use crate::chess::{EvaluatedGame, Evaluation, Game, PlyEvaluation, Protocol, Segment};

#[derive(Debug)]
pub struct Pending {
    subject: Subject,
    evaluations: Vec<Option<Evaluation>>,
    /// Number of missing evaluations, kept as a field because progress is read often.
    missing: usize,
    failure: Option<String>,
}

#[derive(Debug)]
enum Subject {
    /// All positions of the game: one more than its moves.
    Positions(Game),
    /// The positions after the engine's best moves: one for each move of the game.
    Choices(EvaluatedGame),
}

impl Pending {
    /// Returns the state of `game` before a search of its positions, and the segments to search.
    pub fn positions(game: Game, protocol: &Protocol) -> (Pending, Vec<Segment>) {
        let segments = Segment::cut(&game, protocol);
        let evaluations = game.positions().map(|position| Evaluation::terminal(&position)).collect();
        (Pending::new(Subject::Positions(game), evaluations), segments)
    }

    /// Returns the state of `game` before a search of the positions after the engine's best moves, and the
    /// segments to search. The game fails at once if the engine named no move in one of its positions.
    pub fn choices(game: EvaluatedGame) -> (Pending, Vec<Segment>) {
        let choices: Result<Vec<OwnMove>, String> =
            game.game().positions().zip(0..game.game().moves.len()).map(|at| choice(&game, at)).collect();
        let (choices, failure) = match choices {
            Ok(choices) => (choices, None),
            Err(failure) => (Vec::new(), Some(failure)),
        };
        let (mut evaluations, mut segments) = (Vec::new(), Vec::new());
        for choice in choices {
            match choice {
                OwnMove::Known(evaluation) => evaluations.push(Some(evaluation)),
                OwnMove::Unknown(segment) => {
                    evaluations.push(None);
                    segments.push(segment);
                }
            }
        }
        (Pending { failure, ..Pending::new(Subject::Choices(game), evaluations) }, segments)
    }

    fn new(subject: Subject, evaluations: Vec<Option<Evaluation>>) -> Pending {
        let missing = evaluations.iter().filter(|evaluation| evaluation.is_none()).count();
        Pending { subject, evaluations, missing, failure: None }
    }

    pub fn game(&self) -> &Game {
        match &self.subject {
            Subject::Positions(game) => game,
            Subject::Choices(evaluated) => evaluated.game(),
        }
    }

    /// Returns the number of positions that wait for an evaluation; 0 for a failed game.
    pub fn awaited(&self) -> usize {
        if self.failure.is_some() { 0 } else { self.missing }
    }

    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    pub fn fill(&mut self, evaluations: Vec<PlyEvaluation>) {
        // No engine's move leads to the start position.
        let first = match self.subject {
            Subject::Positions(_) => 0,
            Subject::Choices(_) => 1,
        };
        for (ply, evaluation) in evaluations {
            if self.evaluations[ply - first].replace(evaluation).is_none() {
                self.missing -= 1;
            }
        }
    }

    /// Gives the game up and reports the failure, unless the game has failed before.
    pub fn report_failure(&mut self, error: String, watch: &mut impl FnMut(SearchNotice<'_>)) {
        if self.failure.is_none() {
            let error = self.in_context(error);
            watch(SearchNotice::Failed { game: self.game(), error: &error });
            self.failure = Some(error);
        }
    }

    /// Returns the engine's error. If the searched position follows the engine's own best move, the text says
    /// so.
    fn in_context(&self, error: String) -> String {
        match self.subject {
            Subject::Positions(_) => error,
            Subject::Choices(_) => format!("after the engine's own move: {error}"),
        }
    }

    /// Returns the game with all of its evaluations; `None` while an evaluation is missing, and for a failed
    /// game.
    pub fn evaluated(&self) -> Option<EvaluatedGame> {
        if self.failure.is_some() {
            return None;
        }
        let evaluations = self.evaluations.iter().cloned().collect::<Option<Vec<_>>>()?;
        Some(match &self.subject {
            Subject::Positions(game) => EvaluatedGame::searched(game.clone(), evaluations),
            Subject::Choices(game) => game.clone().with_choices(evaluations),
        })
    }

    pub fn finish(self) -> SearchedGame {
        let evaluations = self.evaluations.into_iter().collect::<Option<Vec<_>>>();
        match (self.failure, evaluations, self.subject) {
            (Some(error), _, subject) => SearchedGame::Failed { game: subject.into_game(), error },
            (None, None, subject) => SearchedGame::Unfinished { game: subject.into_game() },
            (None, Some(evaluations), Subject::Positions(game)) => {
                SearchedGame::Complete(Box::new(EvaluatedGame::searched(game, evaluations)))
            }
            (None, Some(choices), Subject::Choices(game)) => {
                SearchedGame::Complete(Box::new(game.with_choices(choices)))
            }
        }
    }
}

impl Subject {
    fn into_game(self) -> Box<Game> {
        Box::new(match self {
            Subject::Positions(game) => game,
            Subject::Choices(evaluated) => evaluated.into_game(),
        })
    }
}

/// The evaluation after the engine's best move in one position.
enum OwnMove {
    /// The move was played, or it ends the game.
    Known(Evaluation),
    /// The segment must be searched.
    Unknown(Segment),
}

/// Returns the evaluation after the engine's best move in `position`, or the segment to search for this
/// evaluation. `position` is reached after `ply` moves of the game. Fails if the engine named no legal move
/// there.
fn choice(evaluated: &EvaluatedGame, (mut position, ply): (Chess, usize)) -> Result<OwnMove, String> {
    let (game, evaluations) = (evaluated.game(), evaluated.evaluations());
    let best = evaluations.at(ply).and_then(|said| said.best).and_then(|best| best.to_move(&position).ok());
    let best = best.ok_or_else(|| format!("the engine named no best move after {ply} plies"))?;
    // Compared as moves, because castling can be written in two ways.
    if game.moves[ply].uci.to_move(&position).is_ok_and(|played| played == best) {
        return Ok(OwnMove::Known(evaluations.after_moves()[ply].clone()));
    }
    position.play_unchecked(best);
    let terminal = Evaluation::terminal(&position).map(OwnMove::Known);
    Ok(terminal.unwrap_or_else(|| OwnMove::Unknown(Segment::choice(game, ply, best))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{Limit, Order, Score, pgn::parse_games};

    /// Returns the game of `moves`. The position after i plies has an evaluation of i centipawns, and `bests`
    /// are the best moves.
    fn evaluated(moves: &str, bests: &str) -> EvaluatedGame {
        let game = parse_games(moves, "test").remove(0).expect("a game");
        // The last position needs no move.
        let bests = bests.split_whitespace().map(|best| best.parse().ok()).chain([None]);
        let of_best = |(best, cp)| Evaluation { best, ..Evaluation::of_score(Score::Cp(cp)) };
        EvaluatedGame::searched(game, bests.zip(0..).map(of_best).collect())
    }

    fn complete(pending: Pending) -> EvaluatedGame {
        match pending.finish() {
            SearchedGame::Complete(game) => *game,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_a_choice_that_was_not_played_and_does_not_end_the_game_is_searched() {
        // The first is played, the second is not, the third is mate and missed.
        let game = evaluated("1. f3 e5 2. g4 d6 *", "f2f3 g8f6 g2g4 d8h4");
        let (mut pending, segments) = Pending::choices(game);
        let firsts: Vec<usize> = segments.iter().map(Segment::first).collect();
        assert_eq!((firsts, pending.awaited()), (vec![2], 1));
        assert_eq!(segments[0].moves(), ["f2f3", "g8f6"].map(|uci| uci.parse().expect("a move")));
        pending.fill(vec![(2, Evaluation::of_score(Score::Cp(-77)))]);
        assert_eq!(pending.awaited(), 0);
        let scores: Vec<Score> =
            complete(pending).choices().expect("choices").iter().map(|choice| choice.score).collect();
        let mate = Score::checkmate(shakmaty::Color::White);
        assert_eq!(scores, [Score::Cp(1), Score::Cp(-77), Score::Cp(3), mate]);
    }

    #[test]
    fn a_choice_that_stalemates_is_a_draw_without_a_search() {
        let moves = "[FEN \"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1\"]\n\n1. Qf8# *";
        let (pending, segments) = Pending::choices(evaluated(moves, "f1f7"));
        assert!(segments.is_empty());
        assert_eq!(complete(pending).choices().expect("choices")[0].score, Score::DRAW);
    }

    #[test]
    fn castling_is_the_move_that_was_played_however_it_is_written() {
        let moves = "[FEN \"4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1\"]\n\n1. O-O *";
        for best in ["e1g1", "e1h1"] {
            let (pending, segments) = Pending::choices(evaluated(moves, best));
            assert!(segments.is_empty());
            assert_eq!(complete(pending).choices().expect("choices")[0].score, Score::Cp(1));
        }
    }

    #[test]
    fn a_position_in_which_the_engine_named_no_move_is_a_failure() {
        for (bests, ply) in [("e2e4 0000 g1f3", 1), ("e2e5 e7e5 g1f3", 0)] {
            let (pending, segments) = Pending::choices(evaluated("1. e4 e5 2. Nf3 *", bests));
            assert_eq!((segments.len(), pending.awaited()), (0, 0));
            let SearchedGame::Failed { error, .. } = pending.finish() else { panic!("a failure") };
            assert_eq!(error, format!("the engine named no best move after {ply} plies"));
        }
    }

    #[test]
    fn a_game_without_a_move_has_no_choices() {
        let (pending, segments) = Pending::choices(evaluated("*", ""));
        assert!(segments.is_empty());
        assert_eq!(complete(pending).choices(), Some([].as_slice()));
    }

    #[test]
    fn what_is_missing_makes_a_game_unfinished_and_what_failed_a_failure() {
        let protocol = Protocol::new(Limit::Depth(1), Order::Backward, 2);
        let game = || parse_games("1. e4 e5 *", "test").remove(0).expect("a game");
        let (mut pending, segments) = Pending::positions(game(), &protocol);
        assert_eq!((segments.len(), pending.awaited()), (2, 3));
        pending.fill(vec![(1, Evaluation::of_score(Score::DRAW))]);
        pending.fill(vec![(1, Evaluation::of_score(Score::DRAW))]);
        assert_eq!(pending.awaited(), 2, "one that came twice counts once");
        assert!(matches!(pending.finish(), SearchedGame::Unfinished { .. }));
        let (mut failed, _) = Pending::positions(game(), &protocol);
        failed.report_failure("gone".to_owned(), &mut |_| {});
        assert_eq!((failed.awaited(), failed.failure()), (0, Some("gone")));
        assert!(matches!(failed.finish(), SearchedGame::Failed { error, .. } if error == "gone"));
    }

    proptest! {
        #[test]
        fn who_plays_what_the_engine_wants_gains_what_it_gains(scores in prop::array::uniform5(-1500i32..1500)) {
            let game = evaluated("1. e4 e5 2. Nf3 Nc6 *", "e2e4 e7e5 g1f3 b8c6");
            let scored = game.evaluations().iter().zip(scores);
            let evaluations = scored.map(|(e, cp)| Evaluation { score: Score::Cp(cp), ..e.clone() }).collect();
            let (pending, segments) = Pending::choices(EvaluatedGame::searched(game.into_game(), evaluations));
            prop_assert!(segments.is_empty());
            let game = complete(pending);
            prop_assert_eq!(game.evaluations().after_moves(), game.choices().expect("choices"));
        }
    }
}
