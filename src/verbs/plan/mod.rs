//! The parts of plans, as values that options or code describe: the games, the engine, its searches and their store,
//! the calibrations, and the share of the work.

mod evaluation;
pub mod fitness;
pub mod rating;

use std::path::PathBuf;

pub use self::evaluation::{EnginePlan, EvaluationPlan, EvaluationsFrom, Reach, ReadingPlan, StorePlan};
use crate::chess::Shard;

/// The part of a run that this process does: some games of a schedule, or some of the weights to learn.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RunShare {
    #[default]
    All,
    Part(Shard),
    /// No part: the results come from the folders of runs that did the parts.
    Gathered(Vec<PathBuf>),
}

impl RunShare {
    /// Returns the share by `--shard` and `--gather`, which exclude each other.
    pub fn of(part: Option<Shard>, folders: &[PathBuf]) -> RunShare {
        match part {
            Some(part) => RunShare::Part(part),
            None if folders.is_empty() => RunShare::All,
            None => RunShare::Gathered(folders.to_vec()),
        }
    }
}
