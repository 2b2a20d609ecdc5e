//! Owns the option of the calibration that a rating of play comes from.

use std::path::PathBuf;

use clap::{
    Args, ValueHint,
    builder::{PathBufValueParser, TypedValueParser},
};

use crate::app::rated::CalibrationPlan;

/// Where a rating of play comes from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rating of play")]
pub struct CalibrationArgs {
    /// Rate by this file, as calibrate writes it, or by none [default: by those within the program].
    #[arg(long, value_name = "FILE|none", value_hint = ValueHint::FilePath, value_parser = calibration())]
    pub calibration: Option<CalibrationPlan>,
}

impl CalibrationArgs {
    /// Returns which calibrations a rating may come from.
    pub fn plan(&self) -> CalibrationPlan {
        self.calibration.clone().unwrap_or_default()
    }
}

/// Reads the name of a file, or none.
fn calibration() -> impl TypedValueParser<Value = CalibrationPlan> {
    PathBufValueParser::new().map(|path: PathBuf| match path.as_os_str() == "none" {
        true => CalibrationPlan::Nowhere,
        false => CalibrationPlan::File(path),
    })
}
