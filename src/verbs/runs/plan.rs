//! [`Plan`]: the options of a run that makes reports, as values. A plan is made once, before the run, and all steps
//! of the run follow it.

use std::path::{Path, PathBuf};

use crate::chess::pgn;
use crate::engine::EngineChoice;
use crate::measure::{GivenElo, Method};
use crate::verbs::{
    args::NamedEngine, args::ReportArgs, plan::EvaluationPlan, plan::EvaluationsFrom, plan::ReadingPlan,
};

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// PGN files and folders; `-` is standard input.
    pub files: Vec<PathBuf>,
    /// True if each file is a separate tournament.
    pub separately: bool,
    pub reading: ReadingPlan,
    /// The judges of a panel. With fewer than two, the engine of the evaluations is the only judge.
    pub judges: Vec<JudgeChoice>,
    pub evaluations: EvaluationPlan,
    pub method: Method,
    /// Ratings that replace the ratings in the games' tags.
    pub elo: Vec<GivenElo>,
    pub report: ReportArgs,
    /// The verb in the name of the report's folder; `None` for the default verb.
    pub verb: Option<&'static str>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JudgeChoice {
    /// An engine with the user's label.
    Engine(EngineChoice, Option<String>),
    /// A file with recorded evaluations of the same games.
    Recorded(PathBuf),
}

impl JudgeChoice {
    /// Returns the judge that `--engine` names: a recording if the name is a file name of games, else an
    /// engine.
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
    /// Returns the plan for one judge of several. Its reports go to `folder`.
    pub fn with_judge(&self, judge: &JudgeChoice, folder: PathBuf) -> Plan {
        let mut plan = self.clone();
        plan.judges = vec![judge.clone()];
        plan.report.table.output = Some(folder);
        let evaluations = &mut plan.evaluations;
        match judge {
            JudgeChoice::Engine(choice, label) => {
                evaluations.engine.label.clone_from(label);
                (evaluations.engine.choice, evaluations.from) = (choice.clone(), EvaluationsFrom::Engine);
            }
            // The file's evaluations are taken unchanged.
            JudgeChoice::Recorded(_) => {
                (evaluations.from, evaluations.least_depth) = (EvaluationsFrom::Pgn, None);
            }
        }
        plan
    }
}
