//! Owns what a run is to do, as values: made once by whoever asks for it, and obeyed by everything below.

mod evaluation;

use std::path::{Path, PathBuf};

pub use self::evaluation::{EnginePlan, EvaluationPlan, EvaluationsFrom, Reach, ReadingPlan, StorePlan};
use crate::chess::{Shard, pgn};
use crate::engine::EngineChoice;
use crate::measure::{GivenElo, Method};
use crate::verbs::args::{NamedEngine, ReportArgs};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// PGN files and folders of them; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// Whether each file is a tournament of its own.
    pub separately: bool,
    pub reading: ReadingPlan,
    /// The judges of a panel; fewer than two leave it at the engine of the evaluations.
    pub judges: Vec<JudgeChoice>,
    pub evaluations: EvaluationPlan,
    pub method: Method,
    /// Ratings in place of the games' own.
    pub elo: Vec<GivenElo>,
    pub report: ReportArgs,
    /// The verb in the name of the report's folder; `None` of the default one.
    pub verb: Option<&'static str>,
}

/// A judge of a panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JudgeChoice {
    /// With the user's name for it.
    Engine(EngineChoice, Option<String>),
    /// A file that records evaluations of the same games.
    Recorded(PathBuf),
}

impl JudgeChoice {
    /// Returns the judge that `--engine` means: a file by its name, else an engine.
    pub fn of(engine: &NamedEngine) -> JudgeChoice {
        match &engine.choice {
            EngineChoice::Program(path) if pgn::is_called_games(path) => JudgeChoice::Recorded(path.clone()),
            choice => JudgeChoice::Engine(choice.clone(), engine.label.clone()),
        }
    }

    pub fn recording(&self) -> Option<&Path> {
        match self {
            JudgeChoice::Recorded(path) => Some(path),
            JudgeChoice::Engine(..) => None,
        }
    }
}

impl Plan {
    /// Returns the same for one of several judges, whose reports are in `folder`.
    pub fn with_judge(&self, judge: &JudgeChoice, folder: PathBuf) -> Plan {
        let mut plan = self.clone();
        plan.judges = vec![judge.clone()];
        plan.report.table.output = Some(folder);
        let evaluations = &mut plan.evaluations;
        match judge {
            JudgeChoice::Engine(choice, label) => {
                if evaluations.is_usual_limit {
                    evaluations.protocol.limit = choice.usual_limit();
                }
                evaluations.engine.label.clone_from(label);
                (evaluations.engine.choice, evaluations.from) = (choice.clone(), EvaluationsFrom::Engine);
            }
            // What it records is taken as it is.
            JudgeChoice::Recorded(_) => {
                (evaluations.from, evaluations.least_depth) = (EvaluationsFrom::Pgn, None);
            }
        }
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
