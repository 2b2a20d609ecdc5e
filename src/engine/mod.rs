//! Owns [`Engine`]: what evaluates and plays, a program that speaks UCI or the engine within, used in the same way.

#[cfg(feature = "program")]
mod behaviour;
pub mod bench;
pub(crate) mod blocking;
pub(crate) mod builtin;
pub mod chess_engine;
pub(crate) mod choice;
mod restarting;
pub mod server;
pub(crate) mod thinking_time;
pub(crate) mod uci;
pub mod weights;
pub mod within;
pub mod work;

pub(crate) use self::uci::session::EngineIdentity;
#[cfg(feature = "program")]
pub(crate) use self::{
    behaviour::Behaviour,
    uci::engine_line::Info,
    uci::options::{EngineOption, OptionKind},
};
pub use self::{
    builtin::BuiltinEngine,
    choice::EngineChoice,
    restarting::Restarting,
    thinking_time::ThinkingTime,
    uci::command::{Command, Go},
    uci::engine_line::EngineLine,
    uci::locate::installed_stockfish,
    uci::options::Setting,
    uci::process::ProcessCommand,
    uci::session::{Purpose, Setup},
    work::Stop,
};
use std::{io, num::NonZeroU32, path::Path};

use shakmaty::CastlingMode;

use self::within::EngineWithin;
use crate::chess::{
    ChosenMove, Evaluation, Evaluator, GameSoFar, MoveLimit, Player, Protocol, Ranker, RankingLimits,
    Segment, SegmentResult,
};
use crate::engine::blocking::{Blocking, BlockingError};
use crate::engine::builtin::BuiltinError;
use crate::engine::uci::options::SettingError;
use crate::engine::uci::process::{EngineProcess, ProcessError};

/// Why an engine cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The process of a program.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The engine within does not take a setting.
    #[error("engine {}", choice::WITHIN)]
    Setting(#[from] SettingError),
    /// The system has no thread for the engine within.
    #[error("engine {} cannot be started", choice::WITHIN)]
    Thread(#[source] io::Error),
    /// The engine within does not search what it is given.
    #[error("engine {}", choice::WITHIN)]
    Within(#[from] BlockingError<BuiltinError>),
    /// It cannot be had any more, whatever it should search.
    #[error(transparent)]
    OutOfService(Box<EngineError>),
}

/// An engine to be started as often as it takes.
#[derive(Debug, Clone)]
pub enum EngineCommand {
    /// A program that speaks UCI.
    Program(ProcessCommand),
    /// The engine within.
    Within(EngineWithin),
}

impl EngineCommand {
    /// Returns what starts the engine that is meant, set up in that way.
    ///
    /// # Errors
    ///
    /// If the engine within does not take a setting. What a program takes is known once it runs.
    pub fn new(choice: &EngineChoice, setup: &Setup) -> Result<EngineCommand, EngineError> {
        Ok(match choice {
            EngineChoice::Program(path) => {
                EngineCommand::Program(ProcessCommand { path: path.clone(), setup: setup.clone() })
            }
            EngineChoice::Within { .. } => EngineCommand::Within(EngineWithin::new(setup)?),
        })
    }

    /// Starts the engine and sets it up.
    pub async fn start(&self) -> Result<Engine, EngineError> {
        match self {
            EngineCommand::Program(command) => Ok(Engine::Program(Box::new(command.start().await?))),
            EngineCommand::Within(engine) => Engine::within(engine),
        }
    }

    /// Starts an engine that must be who it was when the run began: a package may be upgraded in the middle of a long
    /// one.
    pub async fn start_as(&self, identity: &EngineIdentity) -> Result<Engine, EngineError> {
        match self {
            EngineCommand::Program(command) => {
                Ok(Engine::Program(Box::new(command.start_as(identity).await?)))
            }
            EngineCommand::Within(engine) => Engine::within(engine),
        }
    }

    /// Returns the SHA-256 of the executable, in hexadecimal; of the engine within, that of all that its evaluations
    /// follow from.
    pub fn digest(&self) -> Result<String, EngineError> {
        match self {
            EngineCommand::Program(command) => Ok(command.digest()?),
            EngineCommand::Within(engine) => Ok(engine.digest()),
        }
    }

    /// Returns the program; `None` of the engine within.
    pub fn program(&self) -> Option<&Path> {
        match self {
            EngineCommand::Program(command) => Some(&command.path),
            EngineCommand::Within(_) => None,
        }
    }
}

/// A running engine, which ends when dropped.
#[derive(Debug)]
pub enum Engine {
    /// A process.
    Program(Box<EngineProcess>),
    /// A thread of this process.
    Within {
        /// Who it is.
        identity: EngineIdentity,
        /// The thread.
        thread: Blocking<BuiltinEngine>,
    },
}

impl Engine {
    fn within(engine: &EngineWithin) -> Result<Engine, EngineError> {
        let thread = engine.start().map_err(EngineError::Thread)?;
        Ok(Engine::Within { identity: engine.identity().clone(), thread })
    }

    /// Returns who the engine is, and how it has been set.
    pub fn identity(&self) -> &EngineIdentity {
        match self {
            Engine::Program(process) => process.identity(),
            Engine::Within { identity, .. } => identity,
        }
    }

    /// Asks the engine to leave, and makes it if it does not.
    pub async fn quit(self) {
        match self {
            Engine::Program(process) => process.quit().await,
            Engine::Within { .. } => {}
        }
    }
}

impl Evaluator for Engine {
    type Error = EngineError;

    async fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> Result<SegmentResult, EngineError> {
        match self {
            Engine::Program(process) => Ok(process.evaluate(segment, protocol).await?),
            Engine::Within { identity, thread } => {
                let lines = identity.options.lines_for(protocol.lines);
                let lines = NonZeroU32::new(lines).unwrap_or(protocol.lines);
                let (segment, protocol) = (segment.clone(), Protocol { lines, ..*protocol });
                Ok(thread.run(move |engine, stop| engine.evaluate(&segment, &protocol, stop)).await?)
            }
        }
    }
}

impl Ranker for Engine {
    type Error = EngineError;

    async fn rank(&mut self, segment: &Segment, limits: &RankingLimits) -> Result<Evaluation, EngineError> {
        match self {
            Engine::Program(process) => Ok(process.rank(segment, limits).await?),
            Engine::Within { thread, .. } => {
                let (segment, limits) = (segment.clone(), limits.clone());
                Ok(thread.run(move |engine, stop| engine.rank(&segment, &limits, stop)).await?)
            }
        }
    }
}

impl Player for Engine {
    type Error = EngineError;

    async fn new_game(&mut self, mode: CastlingMode) -> Result<(), EngineError> {
        match self {
            Engine::Program(process) => Ok(process.new_game(mode).await?),
            Engine::Within { thread, .. } => {
                let forget = |engine: &mut BuiltinEngine, _: &Stop| {
                    engine.new_game();
                    Ok(())
                };
                Ok(thread.run(forget).await?)
            }
        }
    }

    async fn choose(&mut self, game: &GameSoFar, limit: MoveLimit) -> Result<ChosenMove, EngineError> {
        match self {
            Engine::Program(process) => Ok(process.choose(game, limit).await?),
            Engine::Within { thread, .. } => {
                let game = game.clone();
                Ok(thread.run(move |engine, stop| engine.choose(&game, limit, stop)).await?)
            }
        }
    }

    fn is_stall(error: &EngineError) -> bool {
        matches!(error, EngineError::Process(error) if EngineProcess::is_stall(error))
    }
}
