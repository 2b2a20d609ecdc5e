//! [`CalibrationDesign`]: the options for making a calibration from games of rated players.

use super::{Calibration, model::Direction, sample::CalibrationSample, scale::RatingScale};
use crate::base::text::counted;
use crate::measure::tournament::statistics::Statistic;

#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationDesign {
    pub scale: RatingScale,
    pub statistics: Vec<Statistic>,
    pub direction: Direction,
    /// Number of moves that completes a block of the fit. The last block of an event may be shorter; see
    /// [`super::block::CalibrationBlock::cut`].
    pub block: u64,
    /// The year after which the play at a given rating may change; `None` for no drift.
    pub drift_from: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    #[error(
        "{found_events} with {found_moves} of rated players are too few for the scale {scale}, which needs \
             at least {events} with {moves} together",
        found_events = counted(*found_events as u64, "event"), found_moves = counted(*found_moves, "move"),
        events = counted(Calibration::LEAST_EVENTS as u64, "event"), moves = counted(Calibration::LEAST_MOVES, "move"),
    )]
    TooLittle { scale: RatingScale, found_events: usize, found_moves: u64 },
    #[error("the statistics do not predict the ratings of these players")]
    NoRelation,
    #[error("the games are not those of the calibration {anchor}: an event or some evaluations are missing")]
    OtherGames { anchor: String },
    #[error(
        "the engine's {statistic} correlates by {:.2} with that of the calibration {anchor}, which is too little to \
         compare them; calibrate the engine on all events, without --quick",
        f64::from(*percent) / 100.0
    )]
    Unlike { statistic: String, percent: i32, anchor: String },
    #[error("these games give an invalid calibration: {0}")]
    Fault(String),
}

impl Default for CalibrationDesign {
    fn default() -> CalibrationDesign {
        CalibrationDesign {
            scale: RatingScale::default(),
            statistics: vec![Statistic::FirstChoice, Statistic::LogEvaluationLoss],
            direction: Direction::default(),
            block: 500,
            drift_from: Some(2005),
        }
    }
}

impl CalibrationDesign {
    pub(super) fn check(&self, sample: &CalibrationSample) -> Result<(), DesignError> {
        let rated = || sample.plays.iter().filter(|play| play.rating(self.scale).is_some());
        let mut events: Vec<u32> = rated().map(|play| play.event).collect();
        events.dedup();
        self.check_counts(events.len(), rated().map(|play| play.all().moves()).sum())
    }

    /// Rejects too few events, or too few moves of players with known ratings.
    pub fn check_counts(&self, found_events: usize, found_moves: u64) -> Result<(), DesignError> {
        let is_enough = found_events >= Calibration::LEAST_EVENTS && found_moves >= Calibration::LEAST_MOVES;
        let too_little = DesignError::TooLittle { scale: self.scale, found_events, found_moves };
        if is_enough { Ok(()) } else { Err(too_little) }
    }
}
