//! Owns the options of where evaluations come from.

use clap::Args;

use super::{EngineArgs, StoreArgs};
use crate::measure::{EngineHistogram, Method};
use crate::verbs::app::plan::{EvaluationPlan, EvaluationsFrom, Reach};
use crate::verbs::app::rated::CalibrationPlan;

/// Where evaluations come from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Evaluations")]
pub struct SourceArgs {
    /// Take evaluations from the PGN's [%eval] comments, from the engine, or (auto) from the PGN
    /// for each game in which every position has one deep enough, else from the engine.
    #[arg(long, value_enum, default_value_t)]
    pub evals: EvaluationsFrom,
    /// Who searches, and how.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Where evaluations are kept.
    #[command(flatten)]
    pub store: StoreArgs,
}

impl SourceArgs {
    /// Returns where the evaluations that `method` needs come from.
    pub fn plan(&self, method: &Method, reach: Reach) -> EvaluationPlan {
        EvaluationPlan {
            from: self.evals,
            least_depth: self.engine.depth,
            engine: self.engine.plan(),
            protocol: self.engine.protocol(),
            is_usual_limit: self.engine.limit().is_none(),
            store: self.store.plan(),
            own_moves: method.engine_histogram == EngineHistogram::Own,
            reach,
            shard: None,
            queue: None,
            calibrations: CalibrationPlan::Nowhere,
        }
    }
}
