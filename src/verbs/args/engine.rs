//! Options of the engines and of their searches.

use std::{ffi::OsStr, num::NonZeroUsize, path::Path, time::Duration};

use clap::{Args, ValueHint, builder::PathBufValueParser, builder::TypedValueParser};

use super::words_or_files;
use crate::base::{text::counted, work::cores, work::most_jobs};
use crate::chess::{Limit, Order, Protocol};
use crate::engine::{EngineChoice, Purpose, Setting, Setup, choice::BUILTIN, uci::engine_line::MAX_DEPTH};
use crate::verbs::plan::EnginePlan;

pub fn engine_choice() -> impl TypedValueParser<Value = EngineChoice> {
    PathBufValueParser::new().map(|name| EngineChoice::named(name.as_os_str()))
}

/// An engine as the user names it: `PATH`, or `NAME=PATH`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedEngine {
    pub label: Option<String>,
    pub choice: EngineChoice,
}

impl NamedEngine {
    /// Reads `NAME=PATH`. The whole text is the path if a file has this name, or if NAME is empty or contains
    /// a slash.
    fn of(text: &OsStr) -> NamedEngine {
        let named =
            text.to_str().filter(|text| !Path::new(text).exists()).and_then(|text| text.split_once('='));
        match named {
            Some((label, path)) if !label.trim().is_empty() && !label.contains(['/', '\\']) => NamedEngine {
                label: Some(label.trim().to_owned()),
                choice: EngineChoice::named(OsStr::new(path)),
            },
            _ => NamedEngine { label: None, choice: EngineChoice::named(text) },
        }
    }
}

fn named_engine() -> impl TypedValueParser<Value = NamedEngine> {
    PathBufValueParser::new().map(|text| NamedEngine::of(text.as_os_str()))
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct EngineArgs {
    /// UCI engine, `builtin`, or PGN with evaluations; several make a panel [default: Stockfish, else builtin].
    ///
    /// NAME=PATH names an engine, to distinguish two builds. Without this option, $GAINALYZE_ENGINE is used, else
    /// an installed Stockfish, else the built-in engine.
    #[arg(long = "engine", value_name = "[NAME=]PATH", value_hint = ValueHint::ExecutablePath,
          value_parser = named_engine(), add = words_or_files([BUILTIN]))]
    pub engines: Vec<NamedEngine>,
    /// Search depth, in plies [default: 10].
    ///
    /// The default is the depth of the best calibrations.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)),
          help_heading = None::<&str>)]
    pub depth: Option<u32>,
    /// Node limit per position (approximate), instead of a depth.
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Number of successive positions that share a hash table; 1 clears it for each position.
    #[arg(long, value_name = "K", default_value_t = Protocol::SEGMENT as u32,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub segment: u32,
    /// Order in which the positions of a game are searched.
    #[arg(long, value_enum, default_value_t)]
    pub order: Order,
    #[command(flatten)]
    pub process: ProcessArgs,
}

impl EngineArgs {
    pub fn limit(&self) -> Option<Limit> {
        self.nodes.map(Limit::Nodes).or(self.depth.map(Limit::Depth))
    }

    pub fn protocol(&self) -> Protocol {
        let limit = self.limit().unwrap_or(EngineChoice::USUAL_LIMIT);
        Protocol::new(limit, self.order, self.segment as usize)
    }

    /// Returns the engine for the search: the first of several.
    pub fn plan(&self) -> EnginePlan {
        let label = self.engines.first().and_then(|engine| engine.label.clone());
        EnginePlan { label, ..self.process.plan(self.choice()) }
    }

    /// Refuses several engines for a `verb` that uses one.
    pub fn check_single(&self, verb: &str) -> Result<(), String> {
        match self.engines.len() {
            0 | 1 => Ok(()),
            _ => Err(format!("gainalyze {verb} uses one engine: give --engine once")),
        }
    }

    fn choice(&self) -> EngineChoice {
        self.engines.first().map(|engine| engine.choice.clone()).unwrap_or_default()
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct ProcessArgs {
    /// Option of the engine, or of each engine; repeatable.
    #[arg(long = "engine-option", value_name = "NAME=VALUE")]
    pub engine_options: Vec<Setting>,
    /// Hash table of each engine process, in megabytes [default: 64; builtin: 16].
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..))]
    pub hash: Option<u32>,
    /// Engine processes, or threads of `builtin` [default: number of cores].
    #[arg(long, short, value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<u32>,
    /// Timeout for each depth of a search, in seconds; a whole search may take thirty times as long.
    #[arg(long, value_name = "SECONDS", default_value_t = Setup::TIMEOUT.as_secs(),
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub engine_timeout: u64,
}

impl ProcessArgs {
    pub fn plan(&self, choice: EngineChoice) -> EnginePlan {
        EnginePlan {
            choice,
            label: None,
            setup: Setup {
                hash: self.hash,
                settings: self.engine_options.clone(),
                timeout: Duration::from_secs(self.engine_timeout),
                purpose: Purpose::Analysis,
            },
            jobs: or_cores(self.jobs).get(),
        }
    }
}

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Engine")]
pub struct OneEngineArgs {
    /// UCI engine, or `builtin` [default: $GAINALYZE_ENGINE, else Stockfish if installed, else builtin].
    #[arg(long, value_name = "PATH|builtin", value_hint = ValueHint::ExecutablePath, value_parser = engine_choice(),
          add = words_or_files([BUILTIN]))]
    pub engine: Option<EngineChoice>,
    #[command(flatten)]
    pub process: ProcessArgs,
}

impl OneEngineArgs {
    pub fn plan(&self) -> EnginePlan {
        self.process.plan(self.engine.clone().unwrap_or_default())
    }
}

pub fn parse_jobs(text: &str) -> Result<u32, String> {
    let most = most_jobs();
    let jobs = text.parse::<u32>().ok().filter(|&jobs| (1..=most).contains(&(jobs as usize)));
    let cores = cores().get();
    jobs.ok_or_else(|| {
        format!("write a number from 1 to {most}; this machine has {}", counted(cores as u64, "core"))
    })
}

/// Returns the number of jobs, by default the number of cores.
pub fn or_cores(jobs: Option<u32>) -> NonZeroUsize {
    jobs.and_then(|jobs| NonZeroUsize::new(jobs as usize)).unwrap_or_else(cores)
}
