//! Owns the options of the default verb, `analyze`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::verbs::app::plan::{EvaluationPlan, EvaluationsFrom, Plan, Reach};
use crate::verbs::args::{
    BootstrapArgs, CalibrationArgs, ConsoleArgs, MethodArgs, ReportArgs, ShardArgs, TournamentArgs,
};

/// Options of `analyze`.
#[derive(Debug, Clone, Args)]
pub struct AnalyzeArgs {
    /// PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Report each file on its own, and the engine's strength over all of them.
    #[arg(long)]
    pub separately: bool,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Caught, to name the verb that has it.
    #[arg(long, hide = true, value_name = "GROUP")]
    pub by: Option<String>,
    /// What is measured.
    #[command(flatten)]
    pub tournament: TournamentArgs,
    /// What one of many machines does.
    #[command(flatten)]
    pub shard: ShardArgs,
    /// By what players are rated.
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    /// How intervals are sampled.
    #[command(flatten)]
    pub bootstrap: BootstrapArgs,
    /// What is written.
    #[command(flatten)]
    pub report: ReportArgs,
}

const PGN: &str = "--evals pgn cannot go with several engines: recorded evaluations are those of one judge; \
    leave out --evals, or --engine";

const ANNOTATE: &str = "--annotate cannot go with several engines, since a position has room for one evaluation: \
    run one engine at a time";

const SHARD: &str = "--shard cannot go with several engines: search the parts of one engine at a time";

impl AnalyzeArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<Plan, String> {
        if let Some(by) = &self.by {
            return Err(format!("--by is an option of the verb archive: gainalyze archive FILE… --by {by}"));
        }
        let TournamentArgs { source, method: MethodArgs { elo, .. }, .. } = &self.tournament;
        let engines = &source.engine.engines;
        let several = engines.len() > 1;
        match source.evals {
            EvaluationsFrom::Pgn if several => return Err(PGN.to_owned()),
            _ if several && self.report.annotate.is_some() => return Err(ANNOTATE.to_owned()),
            _ if several && self.shard.shard.is_some() => return Err(SHARD.to_owned()),
            _ => {}
        }
        let method = self.tournament.method(self.bootstrap.bootstrap())?;
        self.report.check()?;
        Ok(Plan {
            files: self.pgn.clone(),
            separately: self.separately,
            reading: self.tournament.reading(&method, self.bootstrap.seed)?,
            engines: engines.clone(),
            evaluations: self.shard.of(EvaluationPlan {
                calibrations: self.calibration.plan(),
                ..self.tournament.evaluations(&method, Reach::Search)
            }),
            method,
            elo: elo.clone(),
            report: self.report.clone(),
        })
    }
}
