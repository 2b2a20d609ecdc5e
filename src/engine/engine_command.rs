//! [`Engine`]: an engine that evaluates and plays, either a UCI program or the built-in engine.

use std::{io, num::NonZeroU32, path::Path};

use shakmaty::CastlingMode;

use crate::base::work::Stop;
use crate::chess::{
    ChosenMove, Evaluation, Evaluator, GameSoFar, MoveLimit, Player, Protocol, Ranker, RankingLimits,
    Segment, SegmentResult,
};
use crate::engine::builtin::blocking::{Blocking, BlockingError};
use crate::engine::builtin::{BuiltinCommand, BuiltinEngine, BuiltinError};
use crate::engine::uci::options::SettingError;
use crate::engine::uci::process::{EngineProcess, ProcessError};
use crate::engine::{EngineChoice, EngineIdentity, ProcessCommand, Setup, choice};

/// The reason why an engine cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// Error of a program's process.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// The built-in engine rejects a setting.
    #[error("engine {}", choice::BUILTIN)]
    Setting(#[from] SettingError),
    /// The system has no thread for the built-in engine.
    #[error("engine {} cannot be started", choice::BUILTIN)]
    Thread(#[source] io::Error),
    /// A search of the built-in engine failed.
    #[error("engine {}", choice::BUILTIN)]
    Builtin(#[from] BlockingError<BuiltinError>),
    /// The engine cannot be started again, so it cannot search anything.
    #[error(transparent)]
    OutOfService(Box<EngineError>),
}

/// An engine that can be started any number of times.
#[derive(Debug, Clone)]
pub enum EngineCommand {
    /// A program that speaks UCI.
    Program(ProcessCommand),
    /// The built-in engine.
    Builtin(BuiltinCommand),
}

impl EngineCommand {
    /// Returns the command for the selected engine with this setup.
    ///
    /// # Errors
    ///
    /// If the built-in engine rejects a setting. The options of a program are known only once it runs.
    pub fn new(choice: &EngineChoice, setup: &Setup) -> Result<EngineCommand, EngineError> {
        Ok(match choice {
            EngineChoice::Program(path) => {
                EngineCommand::Program(ProcessCommand { path: path.clone(), setup: setup.clone() })
            }
            EngineChoice::Builtin { .. } => EngineCommand::Builtin(BuiltinCommand::new(setup)?),
        })
    }

    /// Starts the engine and sets it up.
    pub async fn start(&self) -> Result<Engine, EngineError> {
        match self {
            EngineCommand::Program(command) => Ok(Engine::Program(Box::new(command.start().await?))),
            EngineCommand::Builtin(engine) => Engine::start_builtin(engine),
        }
    }

    /// Starts the engine. A program must have the `identity` from the beginning of the run, because a package
    /// may be upgraded during a long run.
    pub async fn start_as(&self, identity: &EngineIdentity) -> Result<Engine, EngineError> {
        match self {
            EngineCommand::Program(command) => {
                Ok(Engine::Program(Box::new(command.start_as(identity).await?)))
            }
            EngineCommand::Builtin(engine) => Engine::start_builtin(engine),
        }
    }

    /// Returns a SHA-256 in hexadecimal: of a program's executable file, or of everything that determines the
    /// built-in engine's evaluations.
    pub fn digest(&self) -> Result<String, EngineError> {
        match self {
            EngineCommand::Program(command) => Ok(command.digest()?),
            EngineCommand::Builtin(engine) => Ok(engine.digest()),
        }
    }

    /// Returns the program's path; `None` for the built-in engine.
    pub fn program(&self) -> Option<&Path> {
        match self {
            EngineCommand::Program(command) => Some(&command.path),
            EngineCommand::Builtin(_) => None,
        }
    }
}

/// A running engine, which ends when dropped.
#[derive(Debug)]
pub enum Engine {
    /// A process.
    Program(Box<EngineProcess>),
    /// The built-in engine on a thread of this process.
    Builtin {
        /// The engine's name and options.
        identity: EngineIdentity,
        /// The thread.
        thread: Blocking<BuiltinEngine>,
    },
}

impl Engine {
    fn start_builtin(engine: &BuiltinCommand) -> Result<Engine, EngineError> {
        let thread = engine.start().map_err(EngineError::Thread)?;
        Ok(Engine::Builtin { identity: engine.identity().clone(), thread })
    }

    /// Returns the engine's name and options.
    pub fn identity(&self) -> &EngineIdentity {
        match self {
            Engine::Program(process) => process.identity(),
            Engine::Builtin { identity, .. } => identity,
        }
    }

    /// Ends the engine. A program is asked to quit, and killed if it does not.
    pub async fn quit(self) {
        match self {
            Engine::Program(process) => process.quit().await,
            Engine::Builtin { .. } => {}
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
            Engine::Builtin { identity, thread } => {
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
            Engine::Builtin { thread, .. } => {
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
            Engine::Builtin { thread, .. } => {
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
            Engine::Builtin { thread, .. } => {
                let game = game.clone();
                Ok(thread.run(move |engine, stop| engine.choose(&game, limit, stop)).await?)
            }
        }
    }

    fn is_stall(error: &EngineError) -> bool {
        matches!(error, EngineError::Process(error) if EngineProcess::is_stall(error))
    }
}

/// An engine that is started when first needed, and restarted after each error.
#[derive(Debug)]
pub struct Restarting {
    command: EngineCommand,
    identity: EngineIdentity,
    engine: Option<Engine>,
}

impl Restarting {
    /// Wraps a running engine.
    pub fn with(command: EngineCommand, engine: Engine) -> Restarting {
        Restarting { command, identity: engine.identity().clone(), engine: Some(engine) }
    }

    /// Returns `jobs` engines, at least one: the `running` engines, and engines that start when needed. When
    /// an engine starts, its identity must equal `identity`, under which the evaluations are stored.
    pub fn all(
        command: &EngineCommand,
        identity: &EngineIdentity,
        running: impl IntoIterator<Item = Engine>,
        jobs: usize,
    ) -> Vec<Restarting> {
        let one = |engine| Restarting { command: command.clone(), identity: identity.clone(), engine };
        let mut engines: Vec<Restarting> = running.into_iter().map(|engine| one(Some(engine))).collect();
        engines.resize_with(jobs.max(1), || one(None));
        engines
    }
}

impl Evaluator for Restarting {
    type Error = EngineError;

    fn is_out_of_service(error: &EngineError) -> bool {
        matches!(error, EngineError::OutOfService(_))
    }

    async fn evaluate(
        &mut self,
        segment: &Segment,
        protocol: &Protocol,
    ) -> Result<SegmentResult, EngineError> {
        // The engine is taken out, so that it is dropped and killed if it fails.
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self
                .command
                .start_as(&self.identity)
                .await
                .map_err(|error| EngineError::OutOfService(Box::new(error)))?,
        };
        let result = engine.evaluate(segment, protocol).await?;
        self.engine = Some(engine);
        Ok(result)
    }
}
