//! The engines of an experiment, which provide its players.

use shakmaty::ByColor;

use super::{
    game_pool::PlayerFactory, game_pool::Seat, game_record::Contender, game_record::Side,
    schedule::ScheduledGame,
};
use crate::chess::MoveLimit;
use crate::engine::{Engine, EngineCommand, EngineError, EngineIdentity};

/// An engine that can be restarted, with its identity at the first start.
#[derive(Debug, Clone)]
pub struct KnownEngine {
    pub command: EngineCommand,
    pub identity: EngineIdentity,
}

#[derive(Debug, Clone)]
pub struct Contestants {
    pub engine: KnownEngine,
    pub opponent: Option<KnownEngine>,
}

impl KnownEngine {
    /// Starts the engine and stops it again, to get its identity and to check its options before any game.
    pub async fn identify(command: EngineCommand) -> Result<KnownEngine, EngineError> {
        let engine = command.start().await?;
        let identity = engine.identity().clone();
        engine.quit().await;
        Ok(KnownEngine { command, identity })
    }

    /// Starts the engine. It must have the same identity as at the first start.
    pub async fn start(&self) -> Result<Engine, EngineError> {
        self.command.start_as(&self.identity).await
    }
}

const FIRST: Seat = Seat(0);

/// The seat of the opponent. If the engine plays itself, this is the engine's second seat.
const SECOND: Seat = Seat(1);

/// Returns the seats of a game's players. If both players are the same engine, the seats exchange colors with
/// each game, as the contenders do.
pub fn seats(scheduled: &ScheduledGame) -> ByColor<Seat> {
    let first_is_white = match (scheduled.white.side, scheduled.black.side) {
        (Side::Engine, Side::Opponent) => true,
        (Side::Opponent, Side::Engine) => false,
        _ => scheduled.game.is_multiple_of(2),
    };
    match first_is_white {
        true => ByColor { white: FIRST, black: SECOND },
        false => ByColor { white: SECOND, black: FIRST },
    }
}

impl PlayerFactory for Contestants {
    type Player = Engine;
    type Contender = Contender;

    fn seats(&self, scheduled: &ScheduledGame) -> ByColor<Seat> {
        seats(scheduled)
    }

    fn limit(&self, contender: Contender) -> MoveLimit {
        contender.limit()
    }

    async fn start(&self, seat: Seat) -> Result<Engine, EngineError> {
        let known = match (seat, &self.opponent) {
            (SECOND, Some(opponent)) => opponent,
            _ => &self.engine,
        };
        known.start().await
    }

    async fn stop(&self, player: Engine) {
        player.quit().await;
    }
}
