//! Owns the calibrations that are part of the program.

use super::Calibration;

/// Their files, as `gainalyze calibrate` has written them; docs/calibration.md has the commands.
const FILES: [&str; 2] = [
    include_str!("../../data/calibration/stockfish-15.1-depth-8.json"),
    include_str!("../../data/calibration/engine-within-depth-8.json"),
];

impl Calibration {
    /// Returns the calibrations that are part of the program.
    pub fn shipped() -> Vec<Calibration> {
        FILES
            .iter()
            .map(|text| Calibration::parse(text).expect("a calibration that a test has read"))
            .collect()
    }
}
