//! Owns the option of the calibration that a rating of play comes from.

use std::path::PathBuf;

use clap::{
    Args, ValueHint,
    builder::{PathBufValueParser, TypedValueParser},
};

use crate::verbs::app::rated::CalibrationPlan;

/// Where a rating of play comes from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rating of play")]
pub struct CalibrationArgs {
    /// Rate by this file, as calibrate writes it, by one of those within the program, stockfish-15.1-depth-10,
    /// stockfish-15.1-depth-8 and engine-within-depth-8, or by none [default: by that of the engine].
    #[arg(long, value_name = "FILE|NAME|none", value_hint = ValueHint::FilePath, value_parser = calibration())]
    pub calibration: Option<CalibrationPlan>,
}

impl CalibrationArgs {
    /// Returns which calibrations a rating may come from.
    pub fn plan(&self) -> CalibrationPlan {
        self.calibration.clone().unwrap_or_default()
    }
}

/// Reads the name of a file or of a calibration, or none.
fn calibration() -> impl TypedValueParser<Value = CalibrationPlan> {
    PathBufValueParser::new().map(|path: PathBuf| match path.as_os_str() == "none" {
        true => CalibrationPlan::Nowhere,
        false => CalibrationPlan::File(path),
    })
}
