//! Owns the options of `rate`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::measure::{GivenElo, Method};
use crate::numbers::Bootstrap;
use crate::verbs::app::plan::{EvaluationPlan, EvaluationsFrom, Plan, RatingPlan};
use crate::verbs::args::{
    CalibrationArgs, ConsoleArgs, GamesArgs, OneEngineArgs, ReportArgs, ResultArgs, ShardArgs, ShownArgs,
    StoreArgs, TerminalArgs,
};

/// Options of `rate`.
#[derive(Debug, Clone, Args)]
pub struct RateArgs {
    /// PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Where the lots of --sample begin.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Which games are taken.
    #[command(flatten)]
    pub taken: GamesArgs,
    /// By what they are rated.
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    /// Who searches.
    #[command(flatten)]
    pub engine: OneEngineArgs,
    /// Where evaluations are kept.
    #[command(flatten)]
    pub store: StoreArgs,
    /// What one of many machines does.
    #[command(flatten)]
    pub shard: ShardArgs,
    /// A player's Elo, in place of the PGN's tags; may be given several times.
    #[arg(long, value_name = "NAME=ELO", help_heading = "Rating of play")]
    pub elo: Vec<GivenElo>,
    /// What is written of the results.
    #[command(flatten)]
    pub results: ResultArgs,
    /// What a terminal shows.
    #[command(flatten)]
    pub terminal: TerminalArgs,
}

impl RateArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<RatingPlan, String> {
        let reading = self.taken.plan(&[], self.seed)?;
        let evaluations = self.shard.of(EvaluationPlan {
            from: EvaluationsFrom::Engine,
            engine: self.engine.plan(),
            store: self.store.plan(),
            calibrations: self.calibration.plan(),
            ..EvaluationPlan::default()
        });
        let ResultArgs { table, pictures, no_html } = self.results.clone();
        let shown = ShownArgs { no_html, ..ShownArgs::default() };
        let terminal = self.terminal.clone();
        let report = ReportArgs { table, pictures, shown, terminal, ..ReportArgs::default() };
        report.check()?;
        Ok(RatingPlan {
            plan: Plan {
                files: self.pgn.clone(),
                reading,
                evaluations,
                method: Method::default(),
                elo: self.elo.clone(),
                report,
                ..Plan::default()
            },
            is_engine_named: self.engine.engine.is_some(),
        })
    }
}
