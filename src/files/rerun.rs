//! [`Common`]: games that another run has also evaluated, with the evaluations of both runs.

use std::collections::HashMap;

use shakmaty::{ByColor, Color};

use crate::base::text::folded_name;
use crate::chess::{EvaluatedGame, Evaluations, Game, game};

#[derive(Debug, Clone, PartialEq)]
pub struct RecordedGame {
    /// The game's number among the games that the other run read, from 1.
    pub number: usize,
    /// The players' names, with white space folded.
    pub players: ByColor<String>,
    pub start: String,
    /// The moves in the notation of UCI.
    pub moves: Vec<String>,
    pub evaluations: Evaluations,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Common {
    /// The common games with the evaluations of this run.
    pub ours: Vec<EvaluatedGame>,
    /// The same games in the same order, with the evaluations of the other run.
    pub theirs: Vec<EvaluatedGame>,
    /// Number of games with moves in this run.
    pub wanted: usize,
    /// The first game that the other run lacks, as part of a sentence: `games.pgn, game 3 (Anand – Carlsen),
    /// whose ply 4 is e7e5 here and c7c5 there`. The difference is given if the other run has a game with the
    /// same number and players.
    pub first_missing: Option<String>,
    /// Number of games that only the other run has.
    pub more: usize,
}

impl RecordedGame {
    pub fn of(evaluated: &EvaluatedGame) -> RecordedGame {
        let game = evaluated.game();
        RecordedGame {
            number: game.source.ordinal,
            players: players(game),
            start: game::fen(&game.start),
            moves: moves(game),
            evaluations: evaluated.evaluations().clone(),
        }
    }

    fn plays_as(&self, game: &Game) -> bool {
        self.moves == moves(game) && self.start == game::fen(&game.start)
    }

    /// Describes the difference from `game`, which has the same players; `None` if there is no difference.
    fn difference(&self, game: &Game) -> Option<String> {
        if self.start != game::fen(&game.start) {
            return Some(", which starts from another position there".to_owned());
        }
        let moves = moves(game);
        let longest = moves.len().max(self.moves.len());
        let index = (0..longest).find(|&index| moves.get(index) != self.moves.get(index))?;
        let [here, there] =
            [&moves, &self.moves].map(|moves| moves.get(index).map_or("none", String::as_str));
        Some(format!(", whose ply {} is {here} here and {there} there", index + 1))
    }
}

impl Common {
    /// Finds each of this run's games in the other run. A game of the other run with an equal number matches
    /// if its starting position and moves are equal. Otherwise, a game with equal players, starting position
    /// and moves matches. Each game of the other run matches at most one game. Games without moves are
    /// ignored.
    ///
    /// # Panics
    ///
    /// If a game of the other run does not have one evaluation after each move.
    pub fn of(ours: Vec<EvaluatedGame>, theirs: Vec<RecordedGame>) -> Common {
        let mut others = Others::new(theirs);
        let mut common =
            Common { ours: Vec::new(), theirs: Vec::new(), wanted: 0, first_missing: None, more: 0 };
        // Games with equal numbers are matched first, because a game may occur twice.
        let taken: Vec<Option<RecordedGame>> =
            ours.iter().map(|evaluated| others.take_same_number(evaluated.game())).collect();
        for (evaluated, same_number) in ours.into_iter().zip(taken) {
            let game = evaluated.game();
            if game.moves.is_empty() {
                continue;
            }
            common.wanted += 1;
            match same_number.or_else(|| others.take_same_moves(game)) {
                Some(other) => {
                    common.theirs.push(EvaluatedGame::new(game.clone(), other.evaluations));
                    common.ours.push(evaluated);
                }
                None if common.first_missing.is_none() => {
                    common.first_missing = Some(game.title() + &others.difference(game).unwrap_or_default());
                }
                None => {}
            }
        }
        common.more = others.left();
        common
    }
}

struct Others {
    games: Vec<Option<RecordedGame>>,
    by_number: HashMap<usize, usize>,
    by_moves: HashMap<Vec<String>, Vec<usize>>,
}

impl Others {
    fn new(games: Vec<RecordedGame>) -> Others {
        let games: Vec<RecordedGame> = games.into_iter().filter(|game| !game.moves.is_empty()).collect();
        let by_number = games.iter().enumerate().map(|(place, game)| (game.number, place)).collect();
        let mut by_moves: HashMap<Vec<String>, Vec<usize>> = HashMap::new();
        for (place, game) in games.iter().enumerate() {
            by_moves.entry(game.moves.clone()).or_default().push(place);
        }
        Others { games: games.into_iter().map(Some).collect(), by_number, by_moves }
    }

    fn take_same_number(&mut self, game: &Game) -> Option<RecordedGame> {
        let place = *self.by_number.get(&game.source.ordinal)?;
        self.games[place].take_if(|other| other.plays_as(game))
    }

    fn take_same_moves(&mut self, game: &Game) -> Option<RecordedGame> {
        let places = self.by_moves.get(&moves(game))?;
        let same = |other: &RecordedGame| other.plays_as(game) && other.players == players(game);
        let place = *places.iter().find(|&&place| self.games[place].as_ref().is_some_and(same))?;
        self.games[place].take()
    }

    fn difference(&self, game: &Game) -> Option<String> {
        let place = *self.by_number.get(&game.source.ordinal)?;
        let other = self.games[place].as_ref().filter(|other| other.players == players(game))?;
        other.difference(game)
    }

    fn left(&self) -> usize {
        self.games.iter().flatten().count()
    }
}

fn players(game: &Game) -> ByColor<String> {
    ByColor::new_with(|color: Color| folded_name(game.player(color)))
}

fn moves(game: &Game) -> Vec<String> {
    game.moves.iter().map(|played| played.uci.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Evaluation, Score, pgn::parse_games};

    fn games(pgn: &str) -> Vec<Game> {
        parse_games(pgn, "test.pgn").into_iter().map(|game| game.expect("a game")).collect()
    }

    /// Returns the games of `pgn`, with every position evaluated at `cp` centipawns.
    fn evaluated(pgn: &str, cp: i32) -> Vec<EvaluatedGame> {
        let level = Evaluation::of_score(Score::Cp(cp));
        let with_evaluations = |game: Game| {
            let evaluations = vec![level.clone(); game.position_count()];
            EvaluatedGame::new(game, evaluations)
        };
        games(pgn).into_iter().map(with_evaluations).collect()
    }

    fn recorded(pgn: &str, cp: i32) -> Vec<RecordedGame> {
        evaluated(pgn, cp).iter().map(RecordedGame::of).collect()
    }

    const FIRST: &str = "[White \"Ann\"]\n[Black \"Ben\"]\n\n1. e4 e5 *\n\n";
    const SECOND: &str = "[White \"Ben\"]\n[Black \"Cid\"]\n\n1. d4 d5 *\n\n";
    const FORFEIT: &str = "[White \"Cid\"]\n[Black \"Ann\"]\n\n1-0\n\n";

    #[test]
    fn the_same_games_are_found_in_whatever_order() {
        let ours = evaluated(&[FIRST, SECOND, FORFEIT].concat(), 10);
        let common = Common::of(ours, recorded(&[SECOND, FIRST].concat(), 20));
        assert_eq!((common.wanted, common.more, common.first_missing), (2, 0, None));
        for (here, there) in common.ours.iter().zip(&common.theirs) {
            assert_eq!(here.game(), there.game());
            assert_eq!(here.evaluations().at(0).expect("known").score, Score::Cp(10));
            assert_eq!(there.evaluations().at(2).expect("known").score, Score::Cp(20));
        }
        assert_eq!(common.theirs[1].game().source.ordinal, 2);
    }

    #[test]
    fn a_game_of_other_moves_is_named_with_the_ply() {
        let other = FIRST.replace("e5", "c5");
        let common =
            Common::of(evaluated(&[FIRST, SECOND].concat(), 0), recorded(&[&other, SECOND].concat(), 0));
        assert_eq!((common.ours.len(), common.wanted, common.more), (1, 2, 1));
        let missing = common.first_missing.expect("the first game");
        assert_eq!(missing, "test.pgn, game 1 (Ann – Ben), whose ply 2 is e7e5 here and c7c5 there");
        let longer = FIRST.replace("e5", "e5 2. f4");
        let common = Common::of(evaluated(FIRST, 0), recorded(&longer, 0));
        let missing = common.first_missing.expect("the first game");
        assert!(missing.ends_with("ply 3 is none here and f2f4 there"), "{missing}");
    }

    #[test]
    fn another_start_or_other_players_make_another_game() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        let set_up = FIRST.replace("\n\n1.", &format!("\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1."));
        let common = Common::of(evaluated(FIRST, 0), recorded(&set_up, 0));
        let missing = common.first_missing.expect("the first game");
        assert_eq!(missing, "test.pgn, game 1 (Ann – Ben), which starts from another position there");
        let renamed = [SECOND, &FIRST.replace("Ann", "Eve")].concat();
        let common = Common::of(evaluated(FIRST, 0), recorded(&renamed, 0));
        assert_eq!(common.first_missing.as_deref(), Some("test.pgn, game 1 (Ann – Ben)"));
        assert_eq!(common.more, 2);
    }

    #[test]
    fn each_of_two_equal_games_has_its_own_evaluations() {
        let twice = [FIRST, FIRST].concat();
        let mut theirs = recorded(&twice, 0);
        theirs[1].evaluations = recorded(FIRST, 7)[0].evaluations.clone();
        theirs.reverse();
        let common = Common::of(evaluated(&twice, 0), theirs);
        let scores: Vec<Score> =
            common.theirs.iter().map(|game| game.evaluations().at(0).expect("known").score).collect();
        assert_eq!(scores, [Score::Cp(0), Score::Cp(7)]);
    }
}
