//! [`Choice`]: a position with a player's choice among its moves, as an example for training.

use gainalyze::chess::{BaseAndIncrement, Game};
use gainalyze::engine::chess_engine::{ChessEngine, Root};
use gainalyze::engine::levels::{ChoiceFeatures, ChoiceNetwork, ChoosingPlayer, INPUTS};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use shakmaty::Position;

/// One game in this many is held out of training.
const HELD_OUT_IN: usize = 5;

/// The expected time of a game whose time control is unknown, in seconds.
const UNKNOWN_TIME: f64 = 600.0;

pub struct Choice {
    /// The number of the game.
    pub game: usize,
    pub ply: usize,
    /// The rating of the player.
    pub elo: u32,
    /// The inputs of the network for each legal move.
    pub inputs: Vec<[f32; INPUTS]>,
    /// The place of the move played.
    pub played: usize,
    /// The loss of each move, in percentage points of the expected score.
    pub losses: Vec<f32>,
    /// The expected score before the move, 0 to 1.
    pub expected: f64,
}

/// Returns the choices of the held-out games and of the training games. Positions with one legal move and
/// moves of unrated players are left out.
pub fn of_games(games: &[Game]) -> (Vec<Choice>, Vec<Choice>) {
    let found: Vec<Vec<Choice>> = games
        .par_iter()
        .enumerate()
        .map_init(|| ChessEngine::by_terms(1), |engine, (number, game)| of_game(engine, number, game))
        .collect();
    let (mut held_out, mut training) = (Vec::new(), Vec::new());
    for (number, choices) in found.into_iter().enumerate() {
        if number.is_multiple_of(HELD_OUT_IN) { &mut held_out } else { &mut training }.extend(choices);
    }
    (held_out, training)
}

fn of_game(engine: &mut ChessEngine, number: usize, game: &Game) -> Vec<Choice> {
    let seconds = game.tags.time_control().and_then(BaseAndIncrement::of_tag);
    let seconds = seconds.map_or(UNKNOWN_TIME, |control| control.expected_seconds() as f64);
    let mut root = Root::new(game.start.clone());
    let (mut last, mut choices) = ([None; 2], Vec::new());
    for (ply, played) in game.moves.iter().enumerate() {
        let chess = root.position().chess().clone();
        let Ok(m) = played.uci.to_move(&chess) else { break };
        if let Some(elo) = game.elo(chess.turn()).filter(|_| chess.legal_moves().len() > 1) {
            let features = ChoiceFeatures::of(engine, &root, last, &|| false);
            let player = ChoosingPlayer { elo: elo.into(), seconds };
            let expected: Vec<f64> = features.expected().collect();
            let best = expected.iter().copied().fold(0.0, f64::max);
            let place = features.moves.iter().position(|other| *other == m);
            choices.extend(place.map(|played| Choice {
                game: number,
                ply,
                elo,
                inputs: ChoiceNetwork::inputs(&features, player),
                played,
                losses: expected.iter().map(|expected| (100.0 * (best - expected)) as f32).collect(),
                expected: best,
            }));
        }
        last = [Some(m), last[0]];
        if root.play(m).is_err() {
            break;
        }
    }
    choices
}
