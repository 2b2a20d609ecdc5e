//! Owns [`EntrantPlayer`]: an entrant at the board, whichever way it comes to its moves.

use shakmaty::CastlingMode;

use super::{
    contestants::KnownEngine,
    entrants::{Entrant, MoverWay},
};
use crate::{
    deep::{TreePlayer, TreeSettings, growing::GrowthError},
    engine::{Engine, EngineError, Restarting},
    player::{ChosenMove, GameSoFar, MoveLimit, Player},
};

/// An entrant at the board.
pub enum EntrantPlayer {
    /// It plays what its engine finds.
    Engine(Engine),
    /// It plays by a tree.
    Tree(TreePlayer<Restarting>),
}

/// Why an entrant cannot play.
#[derive(Debug, thiserror::Error)]
pub enum EntrantError {
    /// Its engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Its tree.
    #[error(transparent)]
    Tree(#[from] GrowthError),
}

impl EntrantPlayer {
    /// Starts the engine of an entrant, which must be who it was.
    pub async fn start(entrant: &Entrant) -> Result<EntrantPlayer, EntrantError> {
        Ok(match entrant.way {
            MoverWay::Search => EntrantPlayer::Engine(entrant.engine.start().await?),
            MoverWay::Tree(settings) => EntrantPlayer::Tree(tree(&entrant.engine, settings).await?),
        })
    }

    /// Stops it.
    pub async fn quit(self) {
        match self {
            EntrantPlayer::Engine(engine) => engine.quit().await,
            // What is dropped ends.
            EntrantPlayer::Tree(_) => {}
        }
    }
}

async fn tree(known: &KnownEngine, settings: TreeSettings) -> Result<TreePlayer<Restarting>, EngineError> {
    let engine = Restarting::with(known.command.clone(), known.start().await?);
    Ok(TreePlayer::new(engine, settings))
}

impl Player for EntrantPlayer {
    type Error = EntrantError;

    async fn new_game(&mut self, mode: CastlingMode) -> Result<(), EntrantError> {
        match self {
            EntrantPlayer::Engine(engine) => Ok(engine.new_game(mode).await?),
            EntrantPlayer::Tree(tree) => Ok(tree.new_game(mode).await?),
        }
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, EntrantError> {
        match self {
            EntrantPlayer::Engine(engine) => Ok(engine.choose(game, limit).await?),
            EntrantPlayer::Tree(tree) => Ok(tree.choose(game, limit).await?),
        }
    }

    fn is_stall(error: &EntrantError) -> bool {
        match error {
            EntrantError::Engine(error) => Engine::is_stall(error),
            EntrantError::Tree(error) => TreePlayer::<Restarting>::is_stall(error),
        }
    }
}
