//! Owns the options of `tune`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{ConsoleArgs, ProcessArgs, engine_choice};
use crate::engine::EngineChoice;
use crate::lab::FitPlan;
use crate::verbs::app::plan::TuningPlan;

/// Options of `tune`.
#[derive(Debug, Clone, Args)]
pub struct TuneArgs {
    /// Keep positions, labels and weights in this folder.
    #[arg(long, short, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub output: PathBuf,
    /// Fit to so many positions.
    #[arg(long, value_name = "N", default_value_t = 400_000,
          value_parser = clap::value_parser!(u32).range(1_000..=100_000_000))]
    pub positions: u32,
    /// Search a position so far for its label.
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Search so far for a move of the games that positions come from.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    pub play_nodes: u64,
    /// Look at each position so often.
    #[arg(long, value_name = "N", default_value_t = FitPlan::default().epochs,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub epochs: u32,
    /// Take other random numbers.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=u64::from(u32::MAX)))]
    pub seed: u64,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// The UCI engine that labels positions [default: as that of the main job].
    #[arg(long, value_name = "PATH", value_hint = ValueHint::ExecutablePath, value_parser = engine_choice(),
          help_heading = "Engine")]
    pub engine: Option<EngineChoice>,
    /// How the processes of the engine are run.
    #[command(flatten)]
    pub process: ProcessArgs,
}

impl TuneArgs {
    /// What is to be done.
    pub fn plan(&self) -> TuningPlan {
        TuningPlan {
            folder: self.output.clone(),
            positions: self.positions as usize,
            play_nodes: self.play_nodes,
            seed: self.seed,
            engine: self.process.plan(self.engine.clone().unwrap_or_default()),
            label_nodes: self.nodes,
            fit: FitPlan { epochs: self.epochs, seed: self.seed, ..FitPlan::default() },
        }
    }
}
