//! Owns the options of the engine that searches, and of how it does.

use clap::{
    Args, ValueHint,
    builder::{PathBufValueParser, TypedValueParser},
};

use super::ProcessArgs;
use crate::chess::{Limit, Order, Protocol};
use crate::engine::{EngineChoice, uci::engine_line::MAX_DEPTH};
use crate::verbs::app::plan::EnginePlan;

/// Reads the name of an engine.
pub fn engine_choice() -> impl TypedValueParser<Value = EngineChoice> {
    PathBufValueParser::new().map(|name| EngineChoice::named(name.as_os_str()))
}

/// Which engine searches, and how.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// The UCI engine, or builtin for the one within [default: $GAINALYZE_ENGINE, else stockfish on
    /// PATH or where package managers put it, else builtin]; several, each after its own --engine,
    /// are compared.
    #[arg(long = "engine", value_name = "PATH|builtin", value_hint = ValueHint::ExecutablePath,
          value_parser = engine_choice())]
    pub engines: Vec<EngineChoice>,
    /// Search every position to this depth in plies [default: 20; the engine within: 10].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)),
          help_heading = None::<&str>)]
    pub depth: Option<u32>,
    /// Search about this many nodes of every position instead.
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Positions of a game that share one hash table; 1 gives each an empty one.
    #[arg(long, value_name = "K", default_value_t = Protocol::SEGMENT as u32,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub segment: u32,
    /// Which end of a game is searched first.
    #[arg(long, value_enum, default_value_t)]
    pub order: Order,
    /// How the processes of the engine are run.
    #[command(flatten)]
    pub process: ProcessArgs,
}

impl EngineArgs {
    /// Returns when a search ends, where that is asked for.
    pub fn limit(&self) -> Option<Limit> {
        self.nodes.map(Limit::Nodes).or(self.depth.map(Limit::Depth))
    }

    /// Returns how positions are put to the engine.
    pub fn protocol(&self) -> Protocol {
        let limit = self.limit().unwrap_or_else(|| self.choice().usual_limit());
        Protocol::new(limit, self.order, self.segment as usize)
    }

    /// Returns the engine that searches; of several, the first.
    pub fn plan(&self) -> EnginePlan {
        self.process.plan(self.choice())
    }

    fn choice(&self) -> EngineChoice {
        self.engines.first().cloned().unwrap_or_default()
    }
}
