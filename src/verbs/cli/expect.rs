//! Owns the options of `expect`.

use clap::Args;

use crate::verbs::app::plan::ExpectPlan;
use crate::verbs::args::{CalibrationArgs, ExportArgs};

/// Options of `expect`.
#[derive(Debug, Args)]
pub struct ExpectArgs {
    /// The rating of the player, on the calibration's scale.
    #[arg(long, value_name = "ELO", value_parser = elo)]
    pub elo: f64,
    /// How many moves are looked at: forty are about a game.
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub moves: u64,
    /// What is known of ratings.
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    /// How tables are printed.
    #[command(flatten)]
    pub export: ExportArgs,
}

impl ExpectArgs {
    /// Returns what is to be done.
    pub fn plan(&self) -> ExpectPlan {
        ExpectPlan { elo: self.elo, moves: self.moves, calibrations: self.calibration.plan() }
    }
}

fn elo(written: &str) -> Result<f64, String> {
    let elo: Option<f64> = written.parse().ok();
    elo.filter(|elo| (1.0..=4000.0).contains(elo)).ok_or_else(|| "write a rating from 1 to 4000".to_owned())
}
