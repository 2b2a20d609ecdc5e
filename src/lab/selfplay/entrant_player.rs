//! Owns [`EntrantPlayer`]: an entrant at the board, whichever way it comes to its moves.

use shakmaty::{ByColor, CastlingMode};

use super::{
    contestants::KnownEngine, entrants::Entrant, entrants::EntrantNumber, entrants::Entrants,
    entrants::MoverWay, game_pool::PlayerFactory, game_pool::Seat, schedule::ScheduledGame,
};
use crate::chess::{ChosenMove, GameSoFar, MoveLimit, Player};
use crate::engine::{Engine, EngineError, Restarting};
use crate::lab::{deep::TreePlayer, deep::TreeSettings, deep::growing::GrowthError, spar::SparPlayer};

pub enum EntrantPlayer {
    Engine(Engine),
    Tree(TreePlayer<Restarting>),
    Spar(Box<SparPlayer>),
}

#[derive(Debug, thiserror::Error)]
pub enum EntrantError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Tree(#[from] GrowthError),
    /// The engine of one who plays by a skill function, for which the engine within would take over elsewhere.
    #[error("{0}")]
    Spar(String),
}

impl EntrantPlayer {
    /// Starts the engine of an entrant, which must be who it was.
    pub async fn start(entrant: &Entrant) -> Result<EntrantPlayer, EntrantError> {
        Ok(match entrant.way {
            MoverWay::Search => EntrantPlayer::Engine(entrant.engine.start().await?),
            MoverWay::Tree(settings) => EntrantPlayer::Tree(tree(&entrant.engine, settings).await?),
            MoverWay::Spar(skill, settings) => {
                let (command, engine) = (entrant.engine.command.clone(), entrant.engine.start().await?);
                EntrantPlayer::Spar(Box::new(SparPlayer::with_engine(command, engine, skill, settings)))
            }
        })
    }

    pub async fn quit(self) {
        match self {
            EntrantPlayer::Engine(engine) => engine.quit().await,
            // What is dropped ends.
            EntrantPlayer::Tree(_) => {}
            EntrantPlayer::Spar(mut player) => player.quit().await,
        }
    }
}

async fn tree(known: &KnownEngine, settings: TreeSettings) -> Result<TreePlayer<Restarting>, EngineError> {
    let engine = Restarting::with(known.command.clone(), known.start().await?);
    Ok(TreePlayer::new(engine, settings))
}

/// Returns `found`, unless the engine has failed on the way: what the engine within has found in its place is no move of this
/// entrant.
fn unhurt<T>(player: &mut SparPlayer, found: T) -> Result<T, EntrantError> {
    match player.take_remarks().into_iter().next() {
        Some(remark) => Err(EntrantError::Spar(remark)),
        None => Ok(found),
    }
}

impl Player for EntrantPlayer {
    type Error = EntrantError;

    async fn new_game(&mut self, mode: CastlingMode) -> Result<(), EntrantError> {
        match self {
            EntrantPlayer::Engine(engine) => Ok(engine.new_game(mode).await?),
            EntrantPlayer::Tree(tree) => Ok(tree.new_game(mode).await?),
            EntrantPlayer::Spar(player) => {
                player.new_game(mode).await?;
                unhurt(player, ())
            }
        }
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, EntrantError> {
        match self {
            EntrantPlayer::Engine(engine) => Ok(engine.choose(game, limit).await?),
            EntrantPlayer::Tree(tree) => Ok(tree.choose(game, limit).await?),
            EntrantPlayer::Spar(player) => {
                let chosen = player.choose(game, limit).await?;
                unhurt(player, chosen)
            }
        }
    }

    fn is_stall(error: &EntrantError) -> bool {
        match error {
            EntrantError::Engine(error) => Engine::is_stall(error),
            EntrantError::Tree(error) => TreePlayer::<Restarting>::is_stall(error),
            EntrantError::Spar(_) => false,
        }
    }
}

/// An entrant has a seat of its own, so that its player can be kept whomever it meets.
impl PlayerFactory for Entrants {
    type Player = EntrantPlayer;
    type Contender = EntrantNumber;

    fn seats(&self, scheduled: &ScheduledGame<EntrantNumber>) -> ByColor<Seat> {
        ByColor { white: Seat(scheduled.white.0), black: Seat(scheduled.black.0) }
    }

    fn limit(&self, EntrantNumber(number): EntrantNumber) -> MoveLimit {
        MoveLimit::Search(self.get(number).limit)
    }

    async fn start(&self, Seat(number): Seat) -> Result<EntrantPlayer, EntrantError> {
        EntrantPlayer::start(self.get(number)).await
    }

    async fn stop(&self, player: EntrantPlayer) {
        player.quit().await;
    }
}
