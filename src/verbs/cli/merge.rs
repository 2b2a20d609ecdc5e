//! Owns the options of `merge`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use crate::numbers::EloCurve;
use crate::verbs::app::plan::MergePlan;
use crate::verbs::args::{CalibrationArgs, ConsoleArgs, PictureArgs, TableArgs};

/// Options of `merge`.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// Part files that archive --partial has written, counted by the same options.
    #[arg(value_name = "PART.parquet", required = true, value_hint = ValueHint::FilePath)]
    pub parts: Vec<PathBuf>,
    /// Add up parts that have counted the same file, whose games then count twice.
    #[arg(long)]
    pub allow_overlap: bool,
    /// Write the merged counts too, to be merged with others.
    #[arg(long, value_name = "PART.parquet", value_hint = ValueHint::FilePath)]
    pub partial: Option<PathBuf>,
    /// From expected score to Elo difference.
    #[arg(long, value_enum, default_value_t)]
    pub elo_curve: EloCurve,
    /// By what groups are rated whose recorded evaluations are of a calibrated kind.
    #[command(flatten)]
    pub calibration: CalibrationArgs,
    /// What is drawn.
    #[command(flatten)]
    pub pictures: PictureArgs,
    /// What is told on standard error.
    #[command(flatten)]
    pub console: ConsoleArgs,
    /// Where tables go, and as what.
    #[command(flatten)]
    pub table: TableArgs,
}

impl MergeArgs {
    /// Returns what is to be done; says what is wrong where options do not go together.
    pub fn plan(&self) -> Result<MergePlan, String> {
        self.pictures.check()?;
        Ok(MergePlan {
            parts: self.parts.clone(),
            overlap: self.allow_overlap,
            curve: self.elo_curve,
            tables: self.table.clone(),
            pictures: self.pictures.pictures(),
            part: self.partial.clone(),
            calibrations: self.calibration.plan(),
        })
    }
}
