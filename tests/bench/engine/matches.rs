//! Plays a match of the engine against itself, at equal nodes. The two sides differ in their search or their
//! evaluation.

use gainalyze::chess::{Score, SignedScore};
use gainalyze::engine::chess_engine::{ChessEngine, Limits, Root};
use gainalyze::lab::{Adjudication, DrawRule, Opening, ResignRule, selfplay::openings};
use gainalyze::numbers::{EloCurve, GamePairs};
use shakmaty::{Color, Position};

/// Number of random plies in each opening.
const OPENING_PLIES: u32 = 8;

/// Centipawns and nodes: an opening is fair if a search of this many nodes gives neither side a lead of this
/// many centipawns.
const FAIR: (i32, u64) = (90, 5_000);

/// The 97.5 % quantile of the normal distribution, for intervals of 95 %.
const QUANTILE: f64 = 1.959_964;

/// Rules that end a game early: both sides agree on the result, or each side has played 120 moves.
const ADJUDICATION: Adjudication = Adjudication {
    draw: Some(DrawRule { from: 40, moves: 8, cp: 10 }),
    resign: Some(ResignRule { moves: 4, cp: 600 }),
    max_moves: Some(120),
};

/// A match, from the view of its first side.
#[derive(Default)]
pub struct Match {
    wins: u32,
    draws: u32,
    losses: u32,
    /// Numbers of pairs of games from the same opening, by the half-points of the first side in both games.
    pairs: [u32; 5],
}

/// Draws up to `count` different openings that are fair. Every run draws the same openings.
pub fn fair_openings(count: usize) -> Vec<Opening> {
    let mut judge = ChessEngine::new(1);
    let is_fair = |opening: &Opening| {
        judge.clear();
        let root = Root::new(opening.referee().position().clone());
        let found = judge.search(&root, &Limits::nodes(FAIR.1), &mut ());
        matches!(found.variations[0].score, SignedScore::Cp(cp) if cp.abs() < FAIR.0)
    };
    let drawn = openings::random(OPENING_PLIES, 8 * count as u32, 1);
    drawn.into_iter().filter(is_fair).take(count).collect()
}

/// Plays each opening twice with colors reversed. Each side has the same nodes per move and its own table.
pub fn play(sides: &mut [ChessEngine; 2], openings: &[Opening], nodes: u64) -> Match {
    let mut played = Match::default();
    for opening in openings {
        let half_points = Color::ALL.map(|first| play_game(sides, first, opening, nodes));
        for half_points in half_points {
            match half_points {
                2 => played.wins += 1,
                1 => played.draws += 1,
                _ => played.losses += 1,
            }
        }
        played.pairs[half_points.iter().sum::<usize>()] += 1;
    }
    played
}

/// Plays a game and returns the half-points of the first side, which has the color `first`.
fn play_game(sides: &mut [ChessEngine; 2], first: Color, opening: &Opening, nodes: u64) -> usize {
    sides.iter_mut().for_each(ChessEngine::clear);
    let mut referee = opening.referee();
    let mut root = Root::new(referee.position().clone());
    let mut scores = Vec::new();
    loop {
        let turn = referee.position().turn();
        let plies = opening.moves.len() + scores.len();
        let ending = referee.ending().or_else(|| ADJUDICATION.ending(&scores, !turn, plies));
        if let Some((_, winner)) = ending {
            return winner.map_or(1, |winner| if winner == first { 2 } else { 0 });
        }
        let side = &mut sides[usize::from(turn != first)];
        let found = side.search(&root, &Limits::nodes(nodes), &mut ());
        let best = &found.variations[0];
        scores.push(Some(Score::from_side_to_move(best.score, turn)));
        referee.play(best.moves[0]);
        root.play(best.moves[0]).expect("a legal move");
    }
}

impl Match {
    /// Returns the result as text, with the first side's advantage in Elo points and its 95 % interval by
    /// pairs.
    pub fn told(&self) -> String {
        let Match { wins, draws, losses, pairs } = *self;
        let pairs = GamePairs::new(pairs).expect("a pair");
        let curve = EloCurve::Logistic;
        let elo = curve.bounded_difference(pairs.score(), 2 * pairs.pairs());
        let reach = QUANTILE * pairs.standard_error() * curve.slope(elo);
        format!("{wins} {draws} {losses}, {:.3}, {elo:+.0} ± {reach:.0} Elo", pairs.score())
    }
}
