//! Owns what stands for a queue in a program that was built without PostgreSQL: there is none.

use crate::chess::Game;
use crate::engine::Stop;
use crate::store::{EngineStamp, EvaluationStore, Search};
use crate::verbs::{app::Observer, app::plan::EvaluationPlan, error::VerbError};

/// A run whose searches are made by workers; there is none here.
pub enum NoQueue {}

impl NoQueue {
    /// Refuses a queue.
    pub async fn open(
        plan: &EvaluationPlan,
        _: &EngineStamp,
        _: &[&[Game]],
        _: &dyn Observer,
    ) -> Result<Option<NoQueue>, VerbError> {
        if plan.queue.is_some() { Err(VerbError::no_server()) } else { Ok(None) }
    }

    /// Never happens.
    pub async fn search(
        &mut self,
        _: &mut Search,
        _: &dyn EvaluationStore,
        _: &Stop,
        _: &mut dyn Observer,
    ) -> Result<bool, VerbError> {
        match *self {}
    }

    /// Never happens.
    pub async fn finish(self, _: &dyn Observer) -> Result<(), VerbError> {
        match self {}
    }
}
