//! Files of a [`Calibration`]: reading, writing, and the shipped calibrations.

use serde::Deserialize;

use super::Calibration;
use crate::base::seal::{Seal, SealError};
use crate::chess::Phase;

#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    #[error("it is not a calibration")]
    NoCalibration(#[source] serde_json::Error),
    #[error("it is a calibration of version {found}, but this program reads version {known}; calibrate again", known = Calibration::VERSION)]
    Version { found: u32 },
    #[error(transparent)]
    Seal(#[from] SealError),
    #[error("it is an invalid calibration: {0}")]
    Fault(String),
}

#[derive(Deserialize)]
struct CalibrationHead {
    calibration: u32,
}

impl Calibration {
    /// Parses the output of [`Calibration::to_json`]. A calibration with impossible numbers is an error, too.
    pub fn parse(text: &str) -> Result<Calibration, CalibrationError> {
        let head: CalibrationHead = serde_json::from_str(text).map_err(CalibrationError::NoCalibration)?;
        if head.calibration != Calibration::VERSION {
            return Err(CalibrationError::Version { found: head.calibration });
        }
        let calibration: Calibration =
            serde_json::from_str(&Seal::JSON.open(text)?).map_err(CalibrationError::NoCalibration)?;
        calibration.fault().map_or(Ok(calibration), |fault| Err(CalibrationError::Fault(fault)))
    }

    /// Formats the calibration as JSON, with all digits of each number, and with a digest as the last field.
    pub fn to_json(&self) -> String {
        Seal::JSON.seal(&serde_json::to_string_pretty(self).expect("numbers and texts always make JSON"))
    }

    /// Returns the shipped calibrations. Among calibrations for one engine, the calibration with the smallest
    /// errors is the first.
    pub fn shipped() -> Vec<Calibration> {
        FILES.iter().map(|(_, text)| read(text)).collect()
    }

    /// Returns the shipped calibration of this name.
    pub fn shipped_as(name: &str) -> Option<Calibration> {
        FILES.iter().find(|(known, _)| *known == name).map(|(_, text)| read(text))
    }

    pub(super) fn fault(&self) -> Option<String> {
        if let Some(other) = self.phases.keys().find(|name| name.parse::<Phase>().is_err()) {
            return Some(format!("{other:?} is not a phase of a game"));
        }
        if self.events.len() < Calibration::LEAST_EVENTS {
            return Some(format!(
                "it has {} events, but needs at least {}",
                self.events.len(),
                Calibration::LEAST_EVENTS
            ));
        }
        let models = std::iter::once(&self.model).chain(self.phases.values());
        models
            .filter_map(super::RatingModel::fault)
            .chain(self.within.as_ref().and_then(super::WithinEvents::fault))
            .chain(self.screen.as_ref().and_then(super::Screen::fault))
            .chain(self.usual.iter().filter_map(super::UsualPlay::fault))
            .next()
    }
}

/// The shipped calibrations by name, as written by `gainalyze calibrate`; docs/calibration.md has the
/// commands.
macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../data/calibration/", $name, ".json")))),+]
    };
}

const FILES: &[(&str, &str)] = files![
    "stockfish-15.1-depth-10",
    "stockfish-15.1-depth-8",
    "stockfish-15.1-depth-10-lichess-rapid",
    "stockfish-15.1-depth-10-lichess-blitz",
    "stockfish-15.1-depth-10-lichess-bullet",
    "builtin-depth-10",
    "builtin-depth-10-lichess-rapid",
    "stockfish-19-lite-depth-10",
    "stockfish-16-depth-10",
    "stockfish-17.1-depth-10",
    "stockfish-18-depth-10",
    "stockfish-19-depth-10",
    "lichess-analysis-lichess-rapid",
];

/// The shipped calibration with the smallest errors. Engines without a calibration are compared with it.
#[cfg(feature = "program")]
pub const ANCHOR: &str = "stockfish-19-lite-depth-10";

/// Returns the sums of the calibration [`ANCHOR`].
#[cfg(feature = "program")]
pub fn anchor_sums() -> super::CalibrationData {
    let packed = include_bytes!("../../../data/calibration/sums-stockfish-19-lite-depth-10.csv.zst");
    let text = zstd::decode_all(packed.as_slice()).ok().and_then(|text| String::from_utf8(text).ok());
    let data = text.and_then(|text| super::CalibrationData::parse(&text).ok());
    data.expect("sums that a test reads")
}

#[cfg(feature = "program")]
pub fn shipped_names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

fn read(text: &str) -> Calibration {
    Calibration::parse(text).expect("a calibration that a test has read")
}
