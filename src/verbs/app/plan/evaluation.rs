//! Owns which games are read, and where their evaluations come from: who searches, how far, and where that is kept.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::chess::{OpeningNames, Order, Protocol, Selection, Shard, text::shell_quoted, text::shown_path};
use crate::engine::{
    Behaviour, Engine, EngineChoice, EngineCommand, EngineIdentity, Purpose, Setting, Setup, choice::WITHIN,
    uci::locate::is_node_script, within, work::cores,
};
use crate::lab::KnownEngine;
use crate::measure::Calibration;
#[cfg(feature = "postgres")]
use crate::store::server::{Address, waiting};
use crate::store::{self, EngineStamp, EvaluationStore};
use crate::verbs::{
    app::Observer, app::event_loop, app::fitness, app::rated, app::rated::CalibrationPlan,
    app::rated::NoRating, app::rated::Uncalibrated, error::VerbError,
};

#[derive(Debug, Clone, PartialEq)]
pub struct ReadingPlan {
    pub selection: Selection,
    /// Whether the first thing that cannot be read ends the reading.
    pub strict: bool,
    /// Names of openings by position; without them the tags of the games name openings.
    pub openings: Option<OpeningNames>,
    /// Workers that read; no result depends on their number.
    pub jobs: usize,
}

impl Default for ReadingPlan {
    /// Reads everything, copies once, by all cores.
    fn default() -> ReadingPlan {
        ReadingPlan { selection: Selection::default(), strict: false, openings: None, jobs: cores() }
    }
}

impl ReadingPlan {
    /// Returns all games that there are, copies too, with the names that count.
    pub fn everything(&self) -> ReadingPlan {
        ReadingPlan { selection: self.selection.everything(), strict: false, ..self.clone() }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationPlan {
    pub from: EvaluationsFrom,
    /// Plies that a recorded evaluation must have at least; `None` takes it as it is.
    pub least_depth: Option<u32>,
    pub engine: EnginePlan,
    pub protocol: Protocol,
    /// Whether its limit is the engine's usual one, since none was asked for.
    pub is_usual_limit: bool,
    pub store: StorePlan,
    /// Whether those are needed of the positions that the engine's own moves lead to.
    pub own_moves: bool,
    pub reach: Reach,
    pub shard: Option<Shard>,
    /// The priority among the runs whose positions workers search, where they do: a higher one goes first, the same take
    /// turns.
    pub queue: Option<i32>,
    pub calibrations: CalibrationPlan,
}

impl Default for EvaluationPlan {
    /// Takes recorded evaluations where a game has all of them, else those of the usual engine to its usual depth.
    fn default() -> EvaluationPlan {
        let engine = EnginePlan::default();
        EvaluationPlan {
            from: EvaluationsFrom::default(),
            least_depth: None,
            protocol: Protocol::new(engine.choice.usual_limit(), Order::default(), Protocol::SEGMENT),
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

/// Which evaluations are taken.
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

/// How far one goes for an evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// What is not stored is searched.
    #[default]
    Search,
    /// What is not stored is an error.
    Stored,
    /// The same; of the engine's own moves, which nobody needs, is taken what is stored.
    StoredWithChoices,
}

/// An engine, and how many of it work at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnginePlan {
    pub choice: EngineChoice,
    /// The user's name for it, which tells two builds of one `id name` apart; `None` leaves it at that.
    pub label: Option<String>,
    pub setup: Setup,
    /// How many: processes of a program, threads of the built-in engine.
    pub jobs: usize,
}

impl Default for EnginePlan {
    /// Returns the usual engine, on each core.
    fn default() -> EnginePlan {
        EnginePlan { choice: EngineChoice::usual(), label: None, setup: Setup::default(), jobs: cores() }
    }
}

impl EnginePlan {
    pub fn command(&self) -> Result<EngineCommand, VerbError> {
        Ok(EngineCommand::new(&self.choice, &self.setup)?)
    }

    /// Starts the first engine of a run, and tells who it is.
    pub async fn start(
        &self,
        command: &EngineCommand,
        observer: &dyn Observer,
    ) -> Result<(Engine, EngineStamp), VerbError> {
        let engine = command.start().await?;
        self.say_who(observer);
        let EngineIdentity { name, options } = engine.identity();
        fitness::warn_of_threads([engine.identity()], Purpose::Analysis, observer);
        let (name, options) = (name.clone(), options.values().clone());
        let stamp = EngineStamp { name, options, digest: command.digest()?, behaviour: None };
        Ok((engine, stamp))
    }

    /// Starts the engine and ends it again, to know before any search who it is and that it takes its options.
    pub fn identify(&self) -> Result<EngineIdentity, VerbError> {
        let command = self.command()?;
        Ok(event_loop()?.block_on(KnownEngine::identify(command))?.identity)
    }

    /// Starts the engine and ends it again, to know who it is and how it behaves.
    pub fn behaviour(&self) -> Result<(EngineIdentity, Behaviour), VerbError> {
        let command = self.command()?;
        event_loop()?.block_on(async {
            let mut engine = command.start().await?;
            let behaviour = Behaviour::of(&mut engine).await?;
            let identity = engine.identity().clone();
            engine.quit().await;
            Ok((identity, behaviour))
        })
    }

    /// Finds the calibration of the engine by how it behaves.
    pub fn calibration<'c>(
        &self,
        calibrations: &'c [Calibration],
        protocol: &Protocol,
    ) -> Result<Result<&'c Calibration, NoRating>, VerbError> {
        let (EngineIdentity { name, options }, behaviour) = self.behaviour()?;
        let found = rated::of_engine(calibrations, &behaviour, options.values(), protocol);
        Ok(found.ok_or_else(|| {
            NoRating::of_engine(self.uncalibrated(&name, Some(&behaviour)), protocol, calibrations)
        }))
    }

    /// Returns the engine, which calls itself `name`, as one without a calibration.
    pub fn uncalibrated(&self, name: &str, behaviour: Option<&Behaviour>) -> Uncalibrated {
        Uncalibrated::new(name, self.arguments(), self.jobs, behaviour)
    }

    /// Returns the options of a command line that mean this engine, set in this way.
    fn arguments(&self) -> String {
        let engine = match &self.choice {
            EngineChoice::Program(path) => path.to_string_lossy(),
            EngineChoice::Within { .. } => WITHIN.into(),
        };
        let hash = self.setup.hash.map(|megabytes| format!(" --hash {megabytes}"));
        let settings = self.setup.settings.iter().map(|Setting { name, value }| {
            let value = value.as_ref().map_or_else(String::new, |value| format!("={value}"));
            format!(" --engine-option {}", shell_quoted(&format!("{name}{value}")))
        });
        let options: String = hash.into_iter().chain(settings).collect();
        format!("--engine {}{options}", shell_quoted(&engine))
    }

    /// Says so where an engine works for lack of an installed one: the built-in engine, or npm's.
    pub fn say_who(&self, observer: &dyn Observer) {
        match &self.choice {
            EngineChoice::Within { is_named: false } => observer.note(&format!(
                "no engine is named or installed: {} ({}) is used; a stronger one comes with `sudo apt-get install \
                 stockfish` (Debian, Ubuntu), `brew install stockfish` (macOS) or `choco install stockfish` (Windows), or with --engine PATH",
                within::NAME,
                within::STRENGTH,
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
    /// In the user's cache directory.
    #[default]
    Usual,
    /// In this SQLite file, or on this server.
    At(PathBuf),
    Nowhere,
}

impl StorePlan {
    #[cfg(feature = "postgres")]
    pub fn server(&self) -> Result<Address, VerbError> {
        let StorePlan::At(path) = self else { return Err(VerbError::no_server()) };
        Ok(Address::parse(&store::server_address(path).ok_or_else(VerbError::no_server)?)?)
    }

    /// Opens the store, if there is to be one.
    pub fn open(&self) -> Result<Option<Box<dyn EvaluationStore>>, VerbError> {
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
