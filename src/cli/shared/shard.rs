//! Owns the options of runs on many machines.

use clap::Args;

use crate::{
    app::plan::{EvaluationPlan, Reach},
    shard::Shard,
};

/// What one of many machines does.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Many machines")]
pub struct ShardArgs {
    /// Search the third of forty equal parts of the games (3/40) into --store, and write no report: `gainalyze store
    /// merge` makes one store of all parts, and the same command without --shard the report.
    #[arg(long, value_name = "K/N", requires = "store")]
    pub shard: Option<Shard>,
    /// Search nothing: what is neither recorded nor stored is an error that says how much it is.
    #[arg(long, conflicts_with = "no_store")]
    pub no_search: bool,
}

impl ShardArgs {
    /// Returns the plan for that part alone, or for what is stored.
    pub fn of(&self, plan: EvaluationPlan) -> EvaluationPlan {
        let reach = if self.no_search { Reach::Stored } else { plan.reach };
        EvaluationPlan { shard: self.shard, reach, ..plan }
    }
}
