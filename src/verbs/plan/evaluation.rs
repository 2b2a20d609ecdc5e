//! Plans of reading and evaluation: the games, the source of evaluations, the engine, its limit and the
//! store.

use std::path::PathBuf;

use etcetera::BaseStrategy;
use shakmaty::CastlingMode;

use crate::base::{text::shell_quoted, text::shown_path, work::cores};
use crate::chess::{OpeningNames, Order, Protocol, Selection, Shard};
use crate::engine::{
    Behavior, Engine, EngineChoice, EngineCommand, EngineIdentity, Purpose, Setting, Setup, builtin,
    choice::BUILTIN, uci::locate::is_node_script,
};
use crate::lab::KnownEngine;
use crate::measure::{Calibration, NoRating, Uncalibrated};
use crate::store::{self, EngineStamp, EvaluationStore};
#[cfg(feature = "postgres")]
use crate::store::{server::Address, waiting};
use crate::verbs::{
    error::Result, error::VerbError, observer::Observer, observer::event_loop, plan::fitness, plan::rating,
    plan::rating::CalibrationPlan,
};

/// The games to read: by default all games except copies.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadingPlan {
    pub selection: Selection,
    /// Names of openings by position. Without them, openings are named by the games' tags.
    pub openings: Option<OpeningNames>,
}

impl ReadingPlan {
    /// Returns a plan for all games, copies included, with the aliases of players.
    pub fn everything(&self) -> ReadingPlan {
        ReadingPlan { selection: self.selection.everything(), ..self.clone() }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationPlan {
    pub from: EvaluationsFrom,
    /// Least depth of a recorded evaluation, in plies; `None` for no condition.
    pub least_depth: Option<u32>,
    pub engine: EnginePlan,
    pub protocol: Protocol,
    /// True if the limit is the engine's default, because the user gave none.
    pub is_usual_limit: bool,
    pub store: StorePlan,
    /// True if the positions after the engine's own moves need evaluations too.
    pub own_moves: bool,
    pub reach: Reach,
    pub shard: Option<Shard>,
    /// The priority of the run in the queue; `None` if no queue is used. Higher priorities go first; runs
    /// with equal priority take turns.
    pub queue: Option<i32>,
    pub calibrations: CalibrationPlan,
}

impl Default for EvaluationPlan {
    /// Returns a plan that takes the recorded evaluations of a game if they are complete. Other games are
    /// searched by the default engine to its default depth.
    fn default() -> EvaluationPlan {
        let engine = EnginePlan::default();
        EvaluationPlan {
            from: EvaluationsFrom::default(),
            least_depth: None,
            protocol: Protocol::new(EngineChoice::USUAL_LIMIT, Order::default(), Protocol::SEGMENT),
            is_usual_limit: true,
            engine,
            store: StorePlan::default(),
            own_moves: false,
            reach: Reach::default(),
            shard: None,
            queue: None,
            calibrations: CalibrationPlan::default(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum EvaluationsFrom {
    /// Recorded evaluations if complete, else the engine's.
    #[default]
    Auto,
    /// Only recorded evaluations.
    Pgn,
    /// Only the engine's evaluations.
    Engine,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Missing evaluations are searched.
    #[default]
    Search,
    /// Missing evaluations are an error.
    Stored,
    /// Missing evaluations are an error, except those after the engine's own moves, which are optional and
    /// taken if stored.
    StoredWithChoices,
}

/// An engine, and the number of its simultaneous processes or threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnginePlan {
    pub choice: EngineChoice,
    /// The user's label, which distinguishes two builds with the same `id name`; `None` for no label.
    pub label: Option<String>,
    pub setup: Setup,
    /// Number of processes of a program, or of threads of the built-in engine.
    pub jobs: usize,
}

impl Default for EnginePlan {
    /// Returns the default engine, with one process or thread for each core.
    fn default() -> EnginePlan {
        EnginePlan {
            choice: EngineChoice::usual(),
            label: None,
            setup: Setup::default(),
            jobs: cores().get(),
        }
    }
}

impl EnginePlan {
    pub fn command(&self) -> Result<EngineCommand> {
        Ok(EngineCommand::new(&self.choice, &self.setup)?)
    }

    /// Starts the first engine of a run on games of these `modes`, and reports notes and warnings on it.
    /// Returns the engine with its identity. Fails if the engine does not support the modes, or if its scores
    /// are in another unit or view than UCI requires.
    pub async fn start(
        &self,
        command: &EngineCommand,
        modes: impl IntoIterator<Item = CastlingMode>,
        observer: &dyn Observer,
    ) -> Result<(Engine, EngineStamp)> {
        let engine = command.start().await?;
        self.note_engine(observer);
        fitness::check_variants(modes, [engine.identity()], Purpose::Analysis)?;
        let engine = fitness::with_checked_scores(engine, command).await?;
        let EngineIdentity { name, options } = engine.identity();
        fitness::warn_of_threads([engine.identity()], Purpose::Analysis, observer);
        let (name, options) = (name.clone(), options.values().clone());
        let stamp = EngineStamp { name, options, digest: command.digest()?, behavior: None };
        Ok((engine, stamp))
    }

    /// Starts the engine and ends it again, to learn its identity and check its options before any search.
    pub fn identify(&self) -> Result<EngineIdentity> {
        let command = self.command()?;
        Ok(event_loop()?.block_on(KnownEngine::identify(command))?.identity)
    }

    /// Starts the engine and ends it again, to learn its identity and behavior.
    pub fn behavior(&self) -> Result<(EngineIdentity, Behavior)> {
        let command = self.command()?;
        event_loop()?.block_on(async {
            let mut engine = fitness::with_checked_scores(command.start().await?, &command).await?;
            let behavior = Behavior::of(&mut engine).await?;
            let identity = engine.identity().clone();
            engine.quit().await;
            Ok((identity, behavior))
        })
    }

    /// Returns the calibration of the engine, found by its behavior; or the reason why there is none.
    pub fn calibration<'c>(
        &self,
        calibrations: &'c [Calibration],
        protocol: &Protocol,
    ) -> Result<Result<&'c Calibration, NoRating>> {
        let (EngineIdentity { name, options }, behavior) = self.behavior()?;
        let found = rating::of_engine(calibrations, &behavior, options.values(), protocol);
        Ok(found.ok_or_else(|| {
            NoRating::of_engine(self.uncalibrated(&name, Some(&behavior)), protocol, calibrations)
        }))
    }

    /// Describes this engine as an engine without calibration. `name` is its `id name`.
    pub fn uncalibrated(&self, name: &str, behavior: Option<&Behavior>) -> Uncalibrated {
        let minutes = behavior.and_then(|found| rating::minutes(found.time_a_position, self.jobs));
        Uncalibrated { name: name.to_owned(), arguments: self.arguments(), minutes }
    }

    /// Returns the command-line options that select this engine with its settings.
    fn arguments(&self) -> String {
        let engine = match &self.choice {
            EngineChoice::Program(path) => path.to_string_lossy(),
            EngineChoice::Builtin { .. } => BUILTIN.into(),
        };
        let hash = self.setup.hash.map(|megabytes| format!(" --hash {megabytes}"));
        let settings = self.setup.settings.iter().map(|Setting { name, value }| {
            let value = value.as_ref().map_or_else(String::new, |value| format!("={value}"));
            format!(" --engine-option {}", shell_quoted(&format!("{name}{value}")))
        });
        let options: String = hash.into_iter().chain(settings).collect();
        format!("--engine {}{options}", shell_quoted(&engine))
    }

    /// Reports a note if the built-in engine is used because no engine is named or installed, or if the
    /// engine runs under node.
    pub fn note_engine(&self, observer: &dyn Observer) {
        match &self.choice {
            EngineChoice::Builtin { is_named: false } => observer.note(&format!(
                "no engine is named or installed, so {} is used ({}); for a stronger engine, install Stockfish (`npm \
                 install -g stockfish` with Node.js, `sudo apt-get install stockfish` on Debian and Ubuntu, `brew install \
                 stockfish` on macOS, `choco install stockfish` on Windows), or name an engine with --engine PATH",
                builtin::NAME,
                builtin::STRENGTH,
            )),
            EngineChoice::Program(path) if is_node_script(path) => {
                observer.note(&format!("the engine runs under node: {}", shown_path(path)));
            }
            _ => {}
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum StorePlan {
    /// The store in the user's cache directory.
    #[default]
    Usual,
    /// This SQLite file, or the store on this server.
    At(PathBuf),
    Nowhere,
}

impl StorePlan {
    #[cfg(feature = "postgres")]
    pub fn server(&self) -> Result<Address> {
        let StorePlan::At(path) = self else { return Err(VerbError::no_server()) };
        Ok(Address::parse(&store::server_address(path).ok_or_else(VerbError::no_server)?)?)
    }

    pub fn open(&self) -> Result<Option<Box<dyn EvaluationStore>>> {
        let path = match self {
            StorePlan::Nowhere => return Ok(None),
            StorePlan::At(path) => path.clone(),
            StorePlan::Usual => {
                let unknown = |_| {
                    VerbError::new("the user's cache directory is unknown")
                        .with_hint(": name a store with --store PATH, or use --no-store")
                        .of_the_system()
                };
                let strategy = etcetera::choose_base_strategy().map_err(unknown)?;
                strategy.cache_dir().join("gainalyze").join("evaluations.sqlite")
            }
        };
        let store = store::open(&path)?;
        #[cfg(feature = "postgres")]
        if store::is_on_server(&path) {
            store::offer_unsent().iter().for_each(|offer| waiting::tell(offer));
        }
        Ok(Some(store))
    }
}
