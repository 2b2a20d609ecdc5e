//! [`Habits`]: statistics of the games of two tournaments, from which artificial games are made.

use gainalyze::chess::{Clip, Game, Phase, Score, pgn::parse_games};
use shakmaty::{Chess, Move, Position};

use super::dice::Dice;

const CANDIDATES: &str =
    include_str!("../../../../data/candidates-2013-stockfish-15.1-depth-20-backward.pgn");
const LONDON: &str = include_str!("../../../../data/london-chess-classic-2011.pgn");

pub struct Habits {
    /// The moves of each game, from the initial position.
    games: Vec<Vec<Move>>,
    propensities: [Propensity; CLASSES],
    /// The gain of each move with evaluations, in centipawns.
    pub gains: Vec<i32>,
}

/// Number of times that moves of a class were legal, and number of times that they were played.
#[derive(Clone, Copy, Default)]
struct Propensity {
    offered: u32,
    played: u32,
}

/// Number of classes that [`class`] distinguishes.
const CLASSES: usize = 6 * 3 * 2 * 3;

/// Returns the class of a move: its piece, capture or recapture, check, and the phase of the game.
fn class(position: &Chess, m: Move, last: Option<Move>) -> usize {
    let recaptures = last.is_some_and(|last| last.to() == m.to());
    let capture = usize::from(m.is_capture()) * (1 + usize::from(recaptures));
    // A pawn that becomes a queen counts as a queen.
    let role = m.promotion().unwrap_or(m.role()) as usize - 1;
    let check = usize::from(after(position, m).is_check());
    ((role * 3 + capture) * 2 + check) * 3 + Phase::of(position) as usize
}

fn after(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}

impl Habits {
    /// Returns the habits of the players in the Candidates Tournament of 2013 and the London Chess Classic of
    /// 2011. The gains are only from the first tournament.
    pub fn of_tournaments() -> Habits {
        let games = |text| parse_games(text, "data").into_iter().map(|game| game.expect("a legal game"));
        let candidates: Vec<Game> = games(CANDIDATES).collect();
        let mut habits = Habits {
            games: Vec::new(),
            propensities: [Propensity::default(); CLASSES],
            gains: candidates.iter().flat_map(gains).collect(),
        };
        for game in candidates.into_iter().chain(games(LONDON)) {
            habits.learn(&game);
        }
        habits
    }

    fn learn(&mut self, game: &Game) {
        let mut moves: Vec<Move> = Vec::with_capacity(game.moves.len());
        for (position, played) in game.positions().zip(&game.moves) {
            let last = moves.last().copied();
            let played = played.uci.to_move(&position).expect("a legal move");
            for m in position.legal_moves() {
                let propensity = &mut self.propensities[class(&position, m, last)];
                propensity.offered += 1;
                propensity.played += u32::from(m == played);
            }
            moves.push(played);
        }
        self.games.push(moves);
    }

    /// Draws a length in plies from the lengths of the games.
    pub fn length(&self, dice: &mut Dice) -> usize {
        dice.pick(&self.games).len()
    }

    /// Returns all games as possible models of an artificial game.
    pub fn book(&self) -> Book<'_> {
        Book { games: self.games.iter().collect() }
    }

    /// Draws a move for `position`, which has legal moves, by the habits of the players. A mate is always
    /// played. Other moves are weighted by their class's frequency.
    pub fn draw(&self, position: &Chess, last: Option<Move>, dice: &mut Dice) -> Move {
        let legal = position.legal_moves();
        let mate = legal.iter().find(|&&m| after(position, m).is_checkmate());
        let weight = |&m: &Move| self.propensities[class(position, m, last)].weight();
        let weights: Vec<f64> = legal.iter().map(weight).collect();
        mate.copied().unwrap_or_else(|| legal[dice.weighted(&weights)])
    }
}

impl Propensity {
    /// Returns the share of the class's legal moves that were played. One legal move is added, half of it
    /// played, so that a class without data has the share 0.5.
    fn weight(self) -> f64 {
        (f64::from(self.played) + 0.5) / (f64::from(self.offered) + 1.0)
    }
}

/// The games that begin with the moves so far.
pub struct Book<'a> {
    games: Vec<&'a Vec<Move>>,
}

impl Book<'_> {
    /// Draws a game of the book, and returns its move after `ply` moves. `None` if fewer than two games of
    /// the book are that long, because a single game would be copied to its end.
    pub fn draw(&mut self, ply: usize, dice: &mut Dice) -> Option<Move> {
        self.games.retain(|game| game.len() > ply);
        if self.games.len() < 2 {
            return None;
        }
        let m = dice.pick(&self.games)[ply];
        self.games.retain(|game| game[ply] == m);
        Some(m)
    }
}

/// Returns the gains of the moves that have evaluations before and after them, from the mover's view.
/// Evaluations are limited to ±1000 centipawns.
fn gains(game: &Game) -> Vec<i32> {
    let clip = Clip::default();
    let recorded = |ply| game.recorded_eval(ply).map(|eval| eval.score);
    let cp = |(ply, position): (usize, Chess)| {
        let score = recorded(ply).map(|score| Score::from_white_view(score, position.turn()));
        score.map(|score| score.clipped(clip))
    };
    let evals: Vec<Option<i32>> = game.positions().enumerate().map(cp).collect();
    let signs = game.movers().map(|mover| mover.fold_wb(1, -1));
    evals.windows(2).zip(signs).filter_map(|(pair, sign)| Some(sign * (pair[1]? - pair[0]?))).collect()
}
