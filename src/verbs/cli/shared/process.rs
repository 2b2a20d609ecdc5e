//! Owns the options of the processes that search: how many there are, and how each is set up.

use std::time::Duration;

use clap::{Args, ValueHint};

use super::engine_choice;
use crate::chess::text::counted;
use crate::engine::work::{cores, most_jobs};
use crate::engine::{EngineChoice, Purpose, Setting, Setup};
use crate::verbs::app::plan::EnginePlan;

/// Processes of an engine that searches positions.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct ProcessArgs {
    /// Set an option of the engine, or of each of several; may be given several times.
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<Setting>,
    /// Hash table of each engine process in megabytes [default: 64; of the engine within 16].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Engine processes, or threads of the engine within [default: the cores].
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u32>,
    /// Seconds that an engine may take from one depth of a search to the next; thirty times that for a whole search.
    #[arg(long, value_name = "SECONDS", default_value_t = Setup::TIMEOUT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub engine_timeout: u64,
}

impl ProcessArgs {
    /// Returns as many of that engine, each set up in this way.
    pub fn plan(&self, choice: EngineChoice) -> EnginePlan {
        EnginePlan {
            choice,
            setup: Setup {
                hash: self.hash,
                settings: self.engine_options.clone(),
                timeout: Duration::from_secs(self.engine_timeout),
                purpose: Purpose::Analysis,
            },
            jobs: or_cores(self.jobs),
        }
    }
}

/// The one engine of a verb, and its processes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct OneEngineArgs {
    /// The UCI engine, or builtin for the one within [default: $GAINALYZE_ENGINE, else stockfish on
    /// PATH or where package managers put it, else builtin].
    #[arg(long, value_name = "PATH|builtin", value_hint = ValueHint::ExecutablePath, value_parser = engine_choice())]
    pub engine: Option<EngineChoice>,
    /// How its processes are run.
    #[command(flatten)]
    pub process: ProcessArgs,
}

impl OneEngineArgs {
    /// Returns the engine with its processes.
    pub fn plan(&self) -> EnginePlan {
        self.process.plan(self.engine.clone().unwrap_or_default())
    }
}

/// Reads how many are to work at a time.
///
/// # Errors
///
/// If that is none, or more than this machine can be asked for.
pub fn parse_jobs(text: &str) -> Result<u32, String> {
    let most = most_jobs();
    let jobs = text.parse::<u32>().ok().filter(|&jobs| (1..=most).contains(&(jobs as usize)));
    let cores = cores();
    jobs.ok_or_else(|| format!("a number from 1 to {most} on a machine of {}", counted(cores as u64, "core")))
}

/// Returns as many as asked for, or as there are cores.
pub fn or_cores(jobs: Option<u32>) -> usize {
    jobs.map_or_else(cores, |jobs| jobs as usize)
}
