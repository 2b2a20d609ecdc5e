//! Owns the options of `sensitivity`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{
    ChoiceArgs, EngineArgs, FilterArgs, MethodArgs, ReadingArgs, SourceArgs, StoreArgs, TableArgs,
};
use crate::{
    app::plan::{Reach, SensitivityPlan},
    stats::bootstrap::Bootstrap,
};

/// Options of `sensitivity`.
#[derive(Debug, Args)]
pub struct SensitivityArgs {
    /// PGN files, taken together as one tournament; `-` reads standard input.
    #[arg(value_name = "PGN", value_hint = ValueHint::FilePath)]
    pub pgn: Vec<PathBuf>,
    /// Show too how well each number repeats in another run on the same games: the folder of its
    /// report, or a PGN with recorded evaluations.
    #[arg(long, value_name = "OTHER", value_hint = ValueHint::AnyPath)]
    pub against: Option<PathBuf>,
    /// Where the lots of --sample begin.
    #[arg(long, value_name = "N", default_value_t = Bootstrap::default().seed)]
    pub seed: u64,
    /// No remarks on standard error, only warnings and errors.
    #[arg(long, short)]
    pub quiet: bool,
    /// Which games are taken.
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
    /// Which moves count.
    #[command(flatten)]
    pub filter: FilterArgs,
    /// Where tables go, and as what.
    #[command(flatten)]
    pub table: TableArgs,
}

impl SensitivityArgs {
    /// What is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<SensitivityPlan, String> {
        if self.engine.engines.len() > 1 {
            return Err("sensitivity takes the evaluations of one engine at a time".to_owned());
        }
        // No interval by bootstrap is among the tables, so none is worth its time.
        let bootstrap = Bootstrap { samples: 0, ..Bootstrap::default() };
        let method = self.method.method(&self.filter, bootstrap)?;
        let selection = self.choice.selection(&method.filter.rounds, self.seed)?;
        Ok(SensitivityPlan {
            files: self.pgn.clone(),
            reading: self.reading.plan(selection),
            other: self.against.clone(),
            evaluations: self.source.plan(&self.engine, &self.store, &method, Reach::Stored),
            method,
            elo: self.method.elo.clone(),
            tables: self.table.plan(),
        })
    }
}
