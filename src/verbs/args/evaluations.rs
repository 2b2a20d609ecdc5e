//! Options that choose where evaluations come from and where they are stored.

use std::path::PathBuf;

use clap::{Args, ValueHint, builder::PathBufValueParser, builder::TypedValueParser};

use super::{engine::EngineArgs, words_or_files};
use crate::chess::{Limit, Order, Shard};
use crate::engine::{Setting, uci::engine_line::MAX_DEPTH};
use crate::measure::{EngineHistogram, Method, calibration::shipped_names};
use crate::store::OriginFilter;
use crate::verbs::{
    plan::EvaluationPlan, plan::EvaluationsFrom, plan::Reach, plan::StorePlan, plan::rating::CalibrationPlan,
    plan::rating::ReferencePlan,
};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Evaluations")]
pub struct SourceArgs {
    /// Source of evaluations; `auto` uses a game's [%eval] comments if every position has one that is deep enough, else
    /// the engine.
    #[arg(long, value_enum, default_value_t)]
    pub evals: EvaluationsFrom,
    #[command(flatten)]
    pub engine: EngineArgs,
    #[command(flatten)]
    pub store: StoreArgs,
}

impl SourceArgs {
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

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Store")]
pub struct StoreArgs {
    /// Evaluation store: a SQLite file, or postgres://USER@HOST/DATABASE [default: evaluations.sqlite in the user's
    /// cache directory].
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub store: Option<PathBuf>,
    /// Use no store: do not read or store evaluations.
    #[arg(long, conflicts_with = "store")]
    pub no_store: bool,
}

impl StoreArgs {
    pub fn plan(&self) -> StorePlan {
        match &self.store {
            _ if self.no_store => StorePlan::Nowhere,
            Some(path) => StorePlan::At(path.clone()),
            None => StorePlan::Usual,
        }
    }
}

/// Filters for the evaluations of a store that has several engines or settings.
#[derive(Debug, Args)]
#[command(next_help_heading = "Evaluations of a store")]
pub struct StoredArgs {
    /// Use stored evaluations by the engine whose name is or contains NAME.
    #[arg(long, value_name = "NAME")]
    pub engine_name: Option<String>,
    /// Use stored evaluations with this engine option; repeatable.
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<Setting>,
    /// Use stored evaluations to this depth, in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    pub depth: Option<u32>,
    /// Use stored evaluations of about this many nodes.
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Use stored evaluations in segments of this many positions.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub segment: Option<u32>,
    /// Use stored evaluations that were searched in this order.
    #[arg(long, value_enum)]
    pub order: Option<Order>,
    /// Use stored evaluations by the engine build whose SHA-256 begins with this.
    #[arg(long, value_name = "SHA256")]
    pub build: Option<String>,
}

impl StoredArgs {
    pub fn filter(&self) -> OriginFilter {
        OriginFilter {
            engine_name: self.engine_name.clone(),
            engine_options: self.engine_options.clone(),
            limit: self.depth.map(Limit::Depth).or(self.nodes.map(Limit::Nodes)),
            segment: self.segment.map(|segment| segment as usize),
            order: self.order,
            build: self.build.clone(),
        }
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Many machines")]
pub struct ShardArgs {
    /// Search only part K of N (3/40) of the games into --store, without a report. Merge the stores with `gainalyze store
    /// merge`; the same command without --shard then writes the report.
    #[arg(long, value_name = "K/N", requires = "store")]
    pub shard: Option<Shard>,
    /// Search nothing; fail if an evaluation is neither recorded nor stored.
    #[arg(long, conflicts_with = "no_store")]
    pub no_search: bool,
    /// Queue missing searches in --store (PostgreSQL) for workers on other machines, and wait. Ctrl-C leaves the queue
    /// as it is; the same command resumes.
    #[arg(long, requires = "store", conflicts_with_all = ["shard", "no_search"])]
    pub queue: bool,
    /// Priority of this run in the queue: higher first; runs with equal priority take turns.
    #[arg(long, value_name = "N", requires = "queue", allow_negative_numbers = true, default_value_t = 0)]
    pub priority: i32,
}

impl ShardArgs {
    /// Returns `plan` with these options: the part, the queue, or stored evaluations only.
    pub fn of(&self, plan: EvaluationPlan) -> EvaluationPlan {
        let reach = if self.no_search { Reach::Stored } else { plan.reach };
        let queue = self.queue.then_some(self.priority);
        EvaluationPlan { shard: self.shard, reach, queue, ..plan }
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rating of play")]
pub struct CalibrationArgs {
    /// Calibration: a file of `gainalyze calibrate`, `none`, or a built-in one: stockfish-15.1-depth-10 (also
    /// with -lichess-rapid, -lichess-blitz or -lichess-bullet at the end), stockfish-15.1-depth-8,
    /// stockfish-19-lite-depth-10 or builtin-depth-10 (also with -lichess-rapid) [default: the engine's
    /// calibration on the games' rating scale].
    #[arg(long, value_name = "FILE|NAME|none", value_hint = ValueHint::FilePath, value_parser = file_or(CalibrationPlan::Nowhere, CalibrationPlan::File),
          add = words_or_files(shipped_names().chain(["none"])))]
    pub calibration: Option<CalibrationPlan>,
}

impl CalibrationArgs {
    pub fn plan(&self) -> CalibrationPlan {
        self.calibration.clone().unwrap_or_default()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
#[command(next_help_heading = "Rating of play")]
pub struct ReferenceArgs {
    /// Reference games: a file of `archive --by speed,elo-band --quantiles --partial FILE`, or `none` [default: events
    /// over the board].
    #[arg(long, value_name = "FILE|none", value_hint = ValueHint::FilePath, value_parser = file_or(ReferencePlan::Nowhere, ReferencePlan::File))]
    pub reference: Option<ReferencePlan>,
}

impl ReferenceArgs {
    pub fn plan(&self) -> ReferencePlan {
        self.reference.clone().unwrap_or_default()
    }
}

/// Returns a parser of a file's path, or of the word `none`.
fn file_or<T>(none: T, file: fn(PathBuf) -> T) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
{
    PathBufValueParser::new()
        .map(move |path| if path.as_os_str() == "none" { none.clone() } else { file(path) })
}
