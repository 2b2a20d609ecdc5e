//! [`LevelTask`]: the answer to `go` by a player at a level.

use std::{
    hash::{BuildHasher, RandomState},
    io::Write,
    time::Instant,
};

use shakmaty::Move;

use super::{control::Control, output::Output};
use crate::chess::GameSoFar;
use crate::engine::levels::{Level, LevelPlayer};
use crate::engine::uci::{command::Go, engine_line::EngineLine, engine_line::Info};

/// A request for a move at a level. The choice takes a few milliseconds, whatever the limits of the search.
pub(super) struct LevelTask {
    game: GameSoFar,
    level: Level,
    /// The moves to choose from; empty for all legal moves.
    among: Vec<Move>,
    ponder: bool,
    until_stop: bool,
    begun: Instant,
}

impl LevelTask {
    pub(super) fn new(go: &Go, game: &GameSoFar, level: Level, begun: Instant) -> LevelTask {
        let position = game.position();
        let among = go.searchmoves.iter().filter_map(|uci| uci.to_move(&position).ok()).collect();
        LevelTask { game: game.clone(), level, among, ponder: go.ponder, until_stop: go.infinite, begun }
    }

    /// Returns true if moves were requested but none of them is legal. All moves are then possible.
    pub(super) fn has_no_move_asked_for(&self, go: &Go) -> bool {
        !go.searchmoves.is_empty() && self.among.is_empty()
    }

    /// Chooses a move, waits for `stop` or `ponderhit` if necessary, and reports the move.
    pub(super) fn run<W: Write>(self, control: &Control, output: &Output<W>) {
        // From 0 to below 1, of 32 random bits.
        let lot = f64::from(RandomState::new().hash_one(0) as u32) / 2f64.powi(32);
        let chosen = LevelPlayer::default().choose(&self.game, self.level, &self.among, lot);
        let best = chosen.map(|choice| choice.chosen.to_uci(self.game.mode()));
        if let Some(choice) = chosen {
            output.say(&EngineLine::Info(Info {
                depth: Some(LevelPlayer::DEPTH),
                score: Some(choice.score),
                time_ms: u64::try_from(self.begun.elapsed().as_millis()).ok(),
                pv: best.into_iter().collect(),
                ..Info::default()
            }));
        }
        if self.until_stop || self.ponder {
            control.wait_for_stop(!self.until_stop);
        }
        output.say(&EngineLine::BestMove { best, ponder: None });
    }
}
