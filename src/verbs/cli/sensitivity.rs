//! Owns the options of `sensitivity`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::numbers::Bootstrap;
use crate::verbs::app::plan::{Reach, SensitivityPlan};
use crate::verbs::args::{ConsoleArgs, TableArgs, TournamentArgs};

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
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// What is measured.
    #[command(flatten)]
    pub tournament: TournamentArgs,
    /// Where tables go, and as what.
    #[command(flatten)]
    pub table: TableArgs,
}

impl SensitivityArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<SensitivityPlan, String> {
        if self.tournament.source.engine.engines.len() > 1 {
            return Err("sensitivity takes the evaluations of one engine at a time".to_owned());
        }
        // No interval by bootstrap is among the tables, so none is worth its time.
        let bootstrap = Bootstrap { samples: 0, ..Bootstrap::default() };
        let method = self.tournament.method(bootstrap)?;
        Ok(SensitivityPlan {
            files: self.pgn.clone(),
            reading: self.tournament.reading(&method, self.seed)?,
            other: self.against.clone(),
            evaluations: self.tournament.evaluations(&method, Reach::StoredWithChoices),
            method,
            elo: self.tournament.method.elo.clone(),
            tables: self.table.clone(),
        })
    }
}
