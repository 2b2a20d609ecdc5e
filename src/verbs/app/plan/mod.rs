//! Owns what a run is to do, as values: made once by whoever asks for it, and obeyed by everything below.

mod evaluation;

use std::path::PathBuf;

pub use self::evaluation::{EnginePlan, EvaluationPlan, EvaluationsFrom, Reach, ReadingPlan, StorePlan};
use crate::chess::Shard;
use crate::engine::EngineChoice;
use crate::measure::{GivenElo, Method};
use crate::verbs::args::ReportArgs;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// PGN files and folders of them; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Whether each file is a tournament of its own.
    pub separately: bool,
    pub reading: ReadingPlan,
    /// Engines that are compared; fewer than two leave it at the one of the evaluations.
    pub engines: Vec<EngineChoice>,
    pub evaluations: EvaluationPlan,
    pub method: Method,
    /// Ratings in place of the games' own.
    pub elo: Vec<GivenElo>,
    pub report: ReportArgs,
    /// The verb in the name of the report's folder; `None` of the default one.
    pub verb: Option<&'static str>,
}

impl Plan {
    /// Returns the same for one of several engines, whose reports are in `folder`.
    pub fn with_engine(&self, choice: EngineChoice, folder: PathBuf) -> Plan {
        let mut plan = self.clone();
        plan.engines = vec![choice.clone()];
        if plan.evaluations.is_usual_limit {
            plan.evaluations.protocol.limit = choice.usual_limit();
        }
        plan.evaluations.engine.choice = choice;
        plan.evaluations.from = EvaluationsFrom::Engine;
        plan.report.table.output = Some(folder);
        plan
    }
}

/// Which part of a run is done here: of the games of a schedule, or of the weights that are learned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RunShare {
    #[default]
    All,
    Part(Shard),
    /// None: what it comes to is taken from the folders of runs that have done parts of it.
    Gathered(Vec<PathBuf>),
}

impl RunShare {
    /// Returns what `--shard` and `--gather` ask for, which exclude each other.
    pub fn of(part: Option<Shard>, folders: &[PathBuf]) -> RunShare {
        match part {
            Some(part) => RunShare::Part(part),
            None if folders.is_empty() => RunShare::All,
            None => RunShare::Gathered(folders.to_vec()),
        }
    }
}
