//! Owns where the evaluations of games come from: who searches, how far, and where that is kept.

use std::path::PathBuf;

use etcetera::BaseStrategy;

use crate::chess::{Order, Protocol, Shard};
use crate::engine::{EngineChoice, Setup, work::cores};
#[cfg(feature = "postgres")]
use crate::store::server::Address;
use crate::store::{self, EvaluationStore};
use crate::verbs::{app::rated::CalibrationPlan, error::VerbError};

/// Where the evaluations of games come from.
#[derive(Debug, Clone, PartialEq)]
pub struct EvaluationPlan {
    /// Recorded, searched, or both.
    pub from: EvaluationsFrom,
    /// Plies that a recorded evaluation must have at least; `None` takes it as it is.
    pub least_depth: Option<u32>,
    /// Who searches.
    pub engine: EnginePlan,
    /// How positions are put to the engine.
    pub protocol: Protocol,
    /// Whether its limit is the engine's usual one, since none was asked for.
    pub is_usual_limit: bool,
    /// Where searched evaluations are kept.
    pub store: StorePlan,
    /// Whether those are needed of the positions that the engine's own moves lead to.
    pub own_moves: bool,
    /// How far one goes for what is not recorded.
    pub reach: Reach,
    /// Which part of the games is searched, where that is not all.
    pub shard: Option<Shard>,
    /// Whether others search what is missing, and how urgent that is.
    pub queue: Option<QueuePlan>,
    /// Which calibrations a rating of play may come from.
    pub calibrations: CalibrationPlan,
}

/// How a run has its positions searched by workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePlan {
    /// Runs of a higher one go first, those of the same take turns.
    pub priority: i32,
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
    /// Recorded where complete, else the engine's.
    #[default]
    Auto,
    /// Only recorded ones.
    Pgn,
    /// Only the engine's.
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
    /// Which one.
    pub choice: EngineChoice,
    /// How each is set up.
    pub setup: Setup,
    /// How many: processes of a program, threads of the engine within.
    pub jobs: usize,
}

impl Default for EnginePlan {
    /// Returns the usual engine, on each core.
    fn default() -> EnginePlan {
        EnginePlan { choice: EngineChoice::usual(), setup: Setup::default(), jobs: cores() }
    }
}

/// Where searched evaluations are kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum StorePlan {
    /// In the user's cache directory.
    #[default]
    Usual,
    /// In this SQLite file.
    At(PathBuf),
    /// Nowhere.
    Nowhere,
}

impl StorePlan {
    /// Returns the server that it is on.
    #[cfg(feature = "postgres")]
    pub fn server(&self) -> Result<Address, VerbError> {
        match self {
            StorePlan::At(path) => match store::server_address(path) {
                Some(name) => Ok(Address::parse(name)?),
                None => Err(VerbError::no_server()),
            },
            StorePlan::Usual | StorePlan::Nowhere => Err(VerbError::no_server()),
        }
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
        Ok(Some(store::open(&path)?))
    }
}
