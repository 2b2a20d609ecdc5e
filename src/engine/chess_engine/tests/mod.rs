//! Tests of the engine, and their positions.

mod endings;
mod evaluating;
mod exchanges;
mod features;
mod hostile;
mod keys;
mod mates;
mod minimax;
mod network;
mod results;
mod rules;
mod tables;

use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen};

use super::position::KeyedPosition;

/// Random numbers from a seed, the same on every machine.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((u128::from(self.0 >> 11) * bound as u128) >> 53) as usize
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

fn chess(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Chess960).expect("a position")
}

fn keyed(fen: &str) -> KeyedPosition {
    KeyedPosition::new(chess(fen))
}

fn fen(chess: &Chess) -> String {
    Fen::from_position(chess, EnPassantMode::Legal).to_string()
}

/// Parses a move of a position from UCI notation.
fn uci(chess: &Chess, text: &str) -> Move {
    let uci: shakmaty::uci::UciMove = text.parse().expect("a move in UCI");
    uci.to_move(chess).expect("a legal move")
}

/// Plays random games from `start`, and returns `count` of their positions, one every `apart` plies.
/// Positions in which the game is over are left out.
fn random_positions(start: &str, seed: u64, count: usize, apart: usize) -> Vec<Chess> {
    let mut draw = Draw(seed);
    let mut position = chess(start);
    let mut found = Vec::new();
    let mut plies = 0;
    while found.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || position.halfmoves() >= 100 || position.is_insufficient_material() {
            position = chess(start);
            continue;
        }
        position.play_unchecked(draw.of(&moves));
        plies += 1;
        if plies % apart == 0 && !position.is_game_over() {
            found.push(position.clone());
        }
    }
    found
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const CHESS960: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
