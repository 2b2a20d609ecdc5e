//! Owns the options of `spar`: an opponent that keeps the game even.

use std::{path::PathBuf, time::Duration};

use clap::{Args, ValueHint};

use super::shared::OneEngineArgs;
use crate::{
    engine::EngineCommand,
    spar::{MoveLog, OpponentMemory, SkillFunction, SparOptions, SparSettings},
    with_causes,
};

const EXAMPLES: &str = "\
Examples:
  gainalyze spar                        for a user interface: command gainalyze, argument spar
  gainalyze spar --skill meant --seed 7 the function of Kennedy's text, other lots
  gainalyze spar --memory spar.json     begins where the last games with the same opponent ended

";

/// The longest time that an engine may be silent: somebody waits for the move.
const PATIENCE: Duration = Duration::from_secs(10);

/// Options of `spar`.
#[derive(Debug, Clone, Args)]
#[command(after_long_help = EXAMPLES)]
pub struct SparArgs {
    /// How well a move is played: even keeps the game even by the expected score, meant and printed are the functions of
    /// Kennedy's ChallengeMate (2018), fixed:DEPTH:P plays the second best move with probability P, random any legal one.
    #[arg(long, value_name = "even|meant|printed|fixed:DEPTH:P|random", default_value_t)]
    pub skill: SkillFunction,
    /// Draw by these random numbers: the same moves get the same answers, where no clock ends the search.
    #[arg(long, value_name = "N", default_value_t = SparSettings::default().seed)]
    pub seed: u64,
    /// Take somebody unknown for a player of this rating.
    #[arg(long, value_name = "ELO", default_value_t = 1500, value_parser = clap::value_parser!(u32).range(100..=4000))]
    pub opponent_elo: u32,
    /// Search about so many nodes at most.
    #[arg(long, value_name = "N", default_value_t = SparSettings::default().nodes, value_parser = clap::value_parser!(u64).range(1000..))]
    pub max_nodes: u64,
    /// Write how each move came about to this file, a line of JSON each.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub log: Option<PathBuf>,
    /// Remember in this file what opponents lose by a move, and begin with that the next time.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub memory: Option<PathBuf>,
    /// The engine below.
    #[command(flatten)]
    pub engine: OneEngineArgs,
}

impl SparArgs {
    /// Returns what starts the engine below; says what it does not take.
    pub fn command(&self) -> Result<EngineCommand, String> {
        let mut plan = self.engine.plan();
        plan.setup.timeout = plan.setup.timeout.min(PATIENCE);
        EngineCommand::new(&plan.choice, &plan.setup).map_err(|error| with_causes(&error))
    }

    /// Returns what the player begins with.
    pub fn options(&self) -> SparOptions {
        let settings = SparSettings { seed: self.seed, elo: self.opponent_elo.into(), nodes: self.max_nodes };
        SparOptions::new(self.skill, settings)
    }

    /// Opens the log, where there is to be one.
    pub fn log(&self) -> Result<Option<MoveLog>, String> {
        let open = |path: &PathBuf| {
            MoveLog::open(path)
                .map_err(|error| format!("--log {} cannot be written: {error}", path.display()))
        };
        self.log.as_ref().map(open).transpose()
    }

    /// Reads what is remembered of opponents, where there is a file for it.
    pub fn memory(&self) -> Result<Option<OpponentMemory>, String> {
        let open = |path: &PathBuf| {
            OpponentMemory::open(path)
                .map_err(|error| format!("--memory {}: {}", path.display(), with_causes(&error)))
        };
        self.memory.as_ref().map(open).transpose()
    }
}
