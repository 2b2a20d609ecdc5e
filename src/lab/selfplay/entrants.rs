//! [`Entrants`]: the players of a round robin, each with an engine, a limit and a method. [`EntrantPlayer`]
//! is an entrant whose engine runs.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, CastlingMode};

use super::{
    contestants::KnownEngine, game_pool::PlayerFactory, game_pool::Seat, schedule::Matchup,
    schedule::ScheduledGame,
};
use crate::chess::{ChosenMove, GameSoFar, Limit, MoveLimit, Player};
use crate::engine::{Engine, EngineChoice, EngineError, Restarting};
use crate::lab::{
    deep::TreePlayer, deep::TreeSettings, deep::growing::GrowthError, spar::SkillFunction, spar::SparPlayer,
    spar::SparSettings,
};

/// An entrant's index, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntrantNumber(pub u32);

impl EntrantNumber {
    pub fn place(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for EntrantNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[derive(Debug, Clone)]
pub struct Entrant {
    pub name: String,
    pub engine: KnownEngine,
    /// The limit of a move, or the clock at the start of a game.
    pub limit: MoveLimit,
    pub way: MoveMethod,
}

impl Entrant {
    /// Returns the limit and the method of a move in words, for example `depth 8`.
    pub fn effort(&self) -> String {
        match &self.way {
            MoveMethod::Search => self.limit.to_string(),
            MoveMethod::Tree(settings) => format!("{} a search, {settings}", self.limit),
            MoveMethod::Spar(skill, settings) => {
                format!("{} a search, skill {skill}, {settings}", self.limit)
            }
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum MoveMethod {
    #[default]
    Search,
    Tree(TreeSettings),
    Spar(SkillFunction, SparSettings),
}

impl MoveMethod {
    pub fn usual_limit(&self) -> Limit {
        match self {
            MoveMethod::Search | MoveMethod::Tree(_) => EngineChoice::USUAL_LIMIT,
            MoveMethod::Spar(_, settings) => Limit::Nodes(settings.nodes),
        }
    }
}

#[derive(Debug, Clone)]
pub struct Entrants(pub Vec<Entrant>);

impl Entrants {
    pub fn get(&self, number: u32) -> &Entrant {
        &self.0[number as usize]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Meetings {
    #[default]
    RoundRobin,
    Gauntlet,
}

impl Meetings {
    pub fn pairs(self, entrants: u32) -> Vec<Matchup<EntrantNumber>> {
        let firsts = match self {
            Meetings::RoundRobin => 0..entrants,
            Meetings::Gauntlet => 0..entrants.min(1),
        };
        let pair = |first, second| Matchup { first: EntrantNumber(first), second: EntrantNumber(second) };
        firsts.flat_map(|first| (first + 1..entrants).map(move |second| pair(first, second))).collect()
    }
}

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
    /// The engine of an entrant with a skill function has failed. Outside of tournaments, the built-in engine
    /// would replace it.
    #[error("{0}")]
    Spar(String),
}

impl EntrantPlayer {
    /// Starts the engine of an entrant. The engine must be the same as at the beginning of the run.
    pub async fn start(entrant: &Entrant) -> Result<EntrantPlayer, EntrantError> {
        Ok(match entrant.way {
            MoveMethod::Search => EntrantPlayer::Engine(entrant.engine.start().await?),
            MoveMethod::Tree(settings) => EntrantPlayer::Tree(tree(&entrant.engine, settings).await?),
            MoveMethod::Spar(skill, settings) => {
                let (command, engine) = (entrant.engine.command.clone(), entrant.engine.start().await?);
                EntrantPlayer::Spar(Box::new(SparPlayer::with_engine(command, engine, skill, settings)))
            }
        })
    }

    pub async fn quit(self) {
        match self {
            EntrantPlayer::Engine(engine) => engine.quit().await,
            // Dropping the tree ends its engine.
            EntrantPlayer::Tree(_) => {}
            EntrantPlayer::Spar(mut player) => player.quit().await,
        }
    }
}

async fn tree(known: &KnownEngine, settings: TreeSettings) -> Result<TreePlayer<Restarting>, EngineError> {
    let engine = Restarting::with(known.command.clone(), known.start().await?);
    Ok(TreePlayer::new(engine, settings))
}

/// Returns `found`, or an error if the engine failed meanwhile. After a failure, the built-in engine chooses
/// the moves, so they are no longer moves of this entrant.
fn unless_engine_failed<T>(player: &mut SparPlayer, found: T) -> Result<T, EntrantError> {
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
                unless_engine_failed(player, ())
            }
        }
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, EntrantError> {
        match self {
            EntrantPlayer::Engine(engine) => Ok(engine.choose(game, limit).await?),
            EntrantPlayer::Tree(tree) => Ok(tree.choose(game, limit).await?),
            EntrantPlayer::Spar(player) => {
                let chosen = player.choose(game, limit).await?;
                unless_engine_failed(player, chosen)
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

/// Each entrant has its own seat, so that its player is kept when the opponent changes.
impl PlayerFactory for Entrants {
    type Player = EntrantPlayer;
    type Contender = EntrantNumber;

    fn seats(&self, scheduled: &ScheduledGame<EntrantNumber>) -> ByColor<Seat> {
        ByColor { white: Seat(scheduled.white.0), black: Seat(scheduled.black.0) }
    }

    fn limit(&self, EntrantNumber(number): EntrantNumber) -> MoveLimit {
        self.get(number).limit
    }

    async fn start(&self, Seat(number): Seat) -> Result<EntrantPlayer, EntrantError> {
        EntrantPlayer::start(self.get(number)).await
    }

    async fn stop(&self, player: EntrantPlayer) {
        player.quit().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(meetings: Meetings, entrants: u32) -> Vec<(u32, u32)> {
        meetings.pairs(entrants).iter().map(|pair| (pair.first.0, pair.second.0)).collect()
    }

    #[test]
    fn everybody_meets_everybody_else_once_or_the_first_all_others() {
        assert_eq!(pairs(Meetings::RoundRobin, 4), [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]);
        assert_eq!(pairs(Meetings::Gauntlet, 4), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(pairs(Meetings::RoundRobin, 1), []);
        assert_eq!(pairs(Meetings::Gauntlet, 0), []);
    }
}
