//! Owns the calibrations that are part of the program.

use super::Calibration;

/// Their names and files, as `gainalyze calibrate` has written them; docs/calibration.md has the commands.
const FILES: [(&str, &str); 3] = [
    ("stockfish-15.1-depth-10", include_str!("../../../data/calibration/stockfish-15.1-depth-10.json")),
    ("stockfish-15.1-depth-8", include_str!("../../../data/calibration/stockfish-15.1-depth-8.json")),
    ("engine-within-depth-8", include_str!("../../../data/calibration/engine-within-depth-8.json")),
];

/// The names of the calibrations that are part of the program, in the order of [`Calibration::shipped`].
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

impl Calibration {
    /// Returns the calibrations that are part of the program; of one engine, the one with the smallest errors first.
    pub fn shipped() -> Vec<Calibration> {
        FILES.iter().map(|(_, text)| read(text)).collect()
    }

    /// Returns the calibration that is part of the program by this name.
    pub fn shipped_as(name: &str) -> Option<Calibration> {
        FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| read(text))
    }
}

fn read(text: &str) -> Calibration {
    Calibration::parse(text).expect("a calibration that a test has read")
}
