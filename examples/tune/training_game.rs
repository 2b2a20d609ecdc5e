//! Games of the engine against itself, from which quiet positions are taken.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shakmaty::{Chess, Move, Position};

use crate::positions::PositionPlan;
use gainalyze::chess::SignedScore;
use gainalyze::engine::chess_engine::{ChessEngine, Limits, Root, Variation};
use gainalyze::numbers::stats::bootstrap::below;

/// One in this many moves is random, so that games reach positions that good play avoids.
const RANDOM_MOVE_IN: usize = 30;

/// Advantage, in centipawns, at which a position is called lopsided. Fewer such positions are taken, because
/// the game is nearly decided.
const LOPSIDED: i32 = 700;

/// One in this many quiet lopsided positions is taken.
const LOPSIDED_TAKEN_IN: usize = 3;

/// Longest game, in plies.
const LONGEST: usize = 240;

/// Largest advantage after the opening moves, in centipawns. A game with a larger advantage ends there.
const UNFAIR: i32 = 350;

/// Advantage in centipawns above which a game counts as decided and ends.
const DECIDED: i32 = 2500;

/// Plays a game from an opening of random moves, and returns its quiet positions, but only some of those that
/// are lopsided.
pub fn quiet_positions(plan: &PositionPlan, engine: &mut ChessEngine, game: u64) -> Vec<Chess> {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(game);
    engine.clear();
    let opening = 6 + below(&mut random, 6);
    let mut root = Root::new(Chess::default());
    let mut quiet = Vec::new();
    for ply in 0..LONGEST {
        let chess = root.position().chess();
        if chess.is_game_over() || chess.halfmoves() >= 100 {
            break;
        }
        let m = if ply < opening {
            random_move(chess, &mut random)
        } else {
            let found = engine.search(&root, &Limits::nodes(plan.nodes), &mut ());
            let Some((best, value)) = found.variations.first().and_then(best_and_value) else { break };
            if value.abs() > if ply == opening { UNFAIR } else { DECIDED } {
                break;
            }
            let taken_in = if value.abs() < LOPSIDED { 1 } else { LOPSIDED_TAKEN_IN };
            if is_quiet(chess, best) && below(&mut random, taken_in) == 0 {
                quiet.push(chess.clone());
            }
            let random_instead = below(&mut random, RANDOM_MOVE_IN) == 0;
            if random_instead { random_move(chess, &mut random) } else { best }
        };
        if root.play(m).is_err() {
            break;
        }
    }
    quiet
}

fn random_move(chess: &Chess, random: &mut ChaCha8Rng) -> Move {
    let moves = chess.legal_moves();
    moves[below(random, moves.len())]
}

fn best_and_value(line: &Variation) -> Option<(Move, i32)> {
    match line.score {
        SignedScore::Cp(value) => Some((*line.moves.first()?, value)),
        SignedScore::Mate(_) => None,
    }
}

/// Returns whether a position is quiet: no check, and the best move is neither a capture nor a promotion.
fn is_quiet(chess: &Chess, best: Move) -> bool {
    !chess.is_check() && !best.is_capture() && !best.is_promotion()
}
