//! Owns how a [`Calibration`] is read and written: JSON, checked whoever wrote it.

use serde::Deserialize;

use super::Calibration;
use crate::chess::Phase;

/// Why a text is no calibration that can be used.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// Something else.
    #[error("it is no calibration")]
    NoCalibration(#[source] serde_json::Error),
    /// Of another version.
    #[error("it is a calibration of version {found}, and this program reads version {known}", known = Calibration::VERSION)]
    Version {
        /// Which.
        found: u32,
    },
    /// Its numbers are none that a calibration can have.
    #[error("it is a calibration that cannot be right: {0}")]
    Fault(String),
}

/// What of any version is there.
#[derive(Deserialize)]
struct CalibrationHead {
    calibration: u32,
}

impl Calibration {
    /// Reads what [`Calibration::to_json`] writes.
    ///
    /// # Errors
    ///
    /// If it is none, of another version, or has numbers that no calibration can have.
    pub fn parse(text: &str) -> Result<Calibration, CalibrationError> {
        let head: CalibrationHead = serde_json::from_str(text).map_err(CalibrationError::NoCalibration)?;
        if head.calibration != Calibration::VERSION {
            return Err(CalibrationError::Version { found: head.calibration });
        }
        let calibration: Calibration = serde_json::from_str(text).map_err(CalibrationError::NoCalibration)?;
        calibration.fault().map_or(Ok(calibration), |fault| Err(CalibrationError::Fault(fault)))
    }

    /// Writes JSON, each number with all of its digits.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and texts always make JSON") + "\n"
    }

    fn fault(&self) -> Option<String> {
        if let Some(other) = self.phases.keys().find(|name| name.parse::<Phase>().is_err()) {
            return Some(format!("{other:?} is no phase of a game"));
        }
        if self.events.len() < Calibration::LEAST_EVENTS {
            return Some(format!(
                "it is of {} events, and nothing is known of others with fewer than {}",
                self.events.len(),
                Calibration::LEAST_EVENTS
            ));
        }
        let models = std::iter::once(&self.model).chain(self.phases.values());
        models
            .filter_map(super::RatingModel::fault)
            .chain(self.usual.iter().filter_map(super::UsualPlay::fault))
            .next()
    }
}
