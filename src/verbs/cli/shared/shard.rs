//! Owns the options of runs on many machines.

use clap::Args;

use crate::chess::Shard;
use crate::verbs::app::plan::{EvaluationPlan, QueuePlan, Reach};

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
    /// Search nothing here: put what is missing into the queue of --store, which is in PostgreSQL, for workers on any machines, and
    /// wait. Ctrl-C leaves the queue as it is, and the same command goes on.
    #[arg(long, requires = "store", conflicts_with_all = ["shard", "no_search"])]
    pub queue: bool,
    /// How urgent this run is in the queue: those of a higher number go first, those of the same take turns.
    #[arg(long, value_name = "N", requires = "queue", allow_negative_numbers = true, default_value_t = 0)]
    pub priority: i32,
}

impl ShardArgs {
    /// Returns the plan for that part alone, or for what is stored.
    pub fn of(&self, plan: EvaluationPlan) -> EvaluationPlan {
        let reach = if self.no_search { Reach::Stored } else { plan.reach };
        let queue = self.queue.then_some(QueuePlan { priority: self.priority });
        EvaluationPlan { shard: self.shard, reach, queue, ..plan }
    }
}
