//! Owns the engines of an experiment, from which its players come.

use super::{game_pool::PlayerFactory, game_record::Side};
use crate::{
    engine::{Engine, EngineCommand, EngineError},
    uci::session::EngineIdentity,
};

/// An engine that can be started again and again, and who it was at first.
#[derive(Debug, Clone)]
pub struct KnownEngine {
    /// How to start it.
    pub command: EngineCommand,
    /// Who it must be each time.
    pub identity: EngineIdentity,
}

/// The engines of an experiment.
#[derive(Debug, Clone)]
pub struct Contestants {
    /// The engine that it is about.
    pub engine: KnownEngine,
    /// The other one, where there is one.
    pub opponent: Option<KnownEngine>,
}

impl KnownEngine {
    /// Starts the engine and stops it again, to know before any game who it is and that it
    /// takes its options.
    pub async fn identify(command: EngineCommand) -> Result<KnownEngine, EngineError> {
        let engine = command.start().await?;
        let identity = engine.identity().clone();
        engine.quit().await;
        Ok(KnownEngine { command, identity })
    }
}

impl PlayerFactory for Contestants {
    type Player = Engine;

    async fn start(&self, side: Side) -> Result<Engine, EngineError> {
        let known = match (side, &self.opponent) {
            (Side::Opponent, Some(opponent)) => opponent,
            _ => &self.engine,
        };
        known.command.start_as(&known.identity).await
    }

    async fn stop(&self, player: Engine) {
        player.quit().await;
    }
}
