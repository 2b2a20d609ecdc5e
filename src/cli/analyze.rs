//! Owns the options of the default verb, `analyze`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{
    BootstrapArgs, ChoiceArgs, EngineArgs, FilterArgs, MethodArgs, ReadingArgs, ReportArgs, SourceArgs,
    StoreArgs,
};
use crate::app::plan::{EvaluationsFrom, Plan, Reach};

/// Options of `analyze`.
#[derive(Debug, Clone, Args)]
pub struct AnalyzeArgs {
    /// PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Report each file on its own, and the engine's strength over all of them.
    #[arg(long)]
    pub separately: bool,
    /// No progress and no remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    /// Caught, to name the verb that has it.
    #[arg(long, hide = true, value_name = "GROUP")]
    pub by: Option<String>,
    /// How games are read.
    #[command(flatten)]
    pub reading: ReadingArgs,
    /// Which games are taken.
    #[command(flatten)]
    pub choice: ChoiceArgs,
    /// Where evaluations come from.
    #[command(flatten)]
    pub source: SourceArgs,
    /// Who searches, and how.
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Where evaluations are kept.
    #[command(flatten)]
    pub store: StoreArgs,
    /// How gains become numbers.
    #[command(flatten)]
    pub method: MethodArgs,
    /// How intervals are sampled.
    #[command(flatten)]
    pub bootstrap: BootstrapArgs,
    /// Which moves count.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// What is written.
    #[command(flatten)]
    pub report: ReportArgs,
}

const PGN: &str = "--evals pgn cannot go with several engines: recorded evaluations are those of one judge; \
    leave out --evals, or --engine";

const ANNOTATE: &str = "--annotate cannot go with several engines, since a position has room for one evaluation: \
    run one engine at a time";

impl AnalyzeArgs {
    /// What is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<Plan, String> {
        if let Some(by) = &self.by {
            return Err(format!("--by is an option of the verb archive: gainalyze archive FILE… --by {by}"));
        }
        let several = self.engine.engines.len() > 1;
        match self.source.evals {
            EvaluationsFrom::Pgn if several => return Err(PGN.to_owned()),
            _ if several && self.report.annotate.is_some() => return Err(ANNOTATE.to_owned()),
            _ => {}
        }
        let method = self.method.method(&self.filter, self.bootstrap.bootstrap())?;
        let report = self.report.plan()?;
        let selection = self.choice.selection(&method.filter.rounds, self.bootstrap.seed)?;
        Ok(Plan {
            files: self.pgn.clone(),
            separately: self.separately,
            reading: self.reading.plan(selection),
            engines: self.engine.engines.clone(),
            evaluations: self.source.plan(&self.engine, &self.store, &method, Reach::Search),
            method,
            elo: self.method.elo.clone(),
            report,
        })
    }
}
