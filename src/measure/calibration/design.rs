//! Owns [`CalibrationDesign`]: how a calibration is made from the games of rated players.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    CalibratedEngine, CalibratedProtocol, Calibration, fitting::Fitting, sample::CalibrationSample,
    scale::RatingScale, validation::Validation,
};
use crate::chess::{Phase, text::counted};
use crate::measure::tournament::statistics::Statistic;

/// How a calibration is made.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibrationDesign {
    /// The scale of the ratings.
    pub scale: RatingScale,
    /// What ratings are made from.
    pub statistics: Vec<Statistic>,
    /// Which way a rating is read off the statistics.
    pub direction: Direction,
    /// Moves of a block that is fitted to.
    pub block: u64,
}

/// Which way a rating is read off the statistics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "program", derive(clap::ValueEnum))]
pub enum Direction {
    /// Elo regressed on the statistics: least squared error, and ratings drawn to the mean.
    #[cfg_attr(
        feature = "program",
        value(help = "Elo regressed on statistics: the least error, drawn to the mean")
    )]
    Regression,
    /// The same, corrected for the sampling error of the statistics of the blocks that it is fitted to.
    #[cfg_attr(
        feature = "program",
        value(help = "The same, corrected for the sampling error of the statistics")
    )]
    Corrected,
    /// The statistics regressed on Elo, and that inverted: right on average at every rating.
    #[default]
    #[cfg_attr(
        feature = "program",
        value(help = "Statistics regressed on Elo, inverted: right on average at each rating")
    )]
    Classical,
}

impl Direction {
    /// All of them.
    pub const ALL: [Direction; 3] = [Direction::Regression, Direction::Corrected, Direction::Classical];
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Direction::Regression => "regression",
            Direction::Corrected => "corrected",
            Direction::Classical => "classical",
        })
    }
}

/// Why no calibration can be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DesignError {
    /// Too few games of rated players.
    #[error(
        "{found_events} with {found_moves} of rated players are too little for the scale {scale}, which needs {events} with \
         {moves} together",
        found_events = counted(*found_events as u64, "event"), found_moves = counted(*found_moves, "move"),
        events = counted(Calibration::LEAST_EVENTS as u64, "event"), moves = counted(Calibration::LEAST_MOVES, "move"),
    )]
    TooLittle {
        /// The scale.
        scale: RatingScale,
        /// Events with a block of moves.
        found_events: usize,
        /// Moves of players whose ratings are known.
        found_moves: u64,
    },
    /// All players play alike, or statistics say the same.
    #[error("the statistics tell nothing about the ratings of these players")]
    NoRelation,
}

impl Default for CalibrationDesign {
    fn default() -> CalibrationDesign {
        CalibrationDesign {
            scale: RatingScale::default(),
            statistics: vec![Statistic::FirstChoice, Statistic::LogEvaluationLoss],
            direction: Direction::default(),
            block: 500,
        }
    }
}

impl CalibrationDesign {
    /// Makes a calibration, and tries it on each event by the others.
    ///
    /// # Errors
    ///
    /// If there are too few games, or nothing can be told from them.
    pub fn calibrate(
        &self,
        sample: &CalibrationSample,
        engine: CalibratedEngine,
        protocol: CalibratedProtocol,
    ) -> Result<Calibration, DesignError> {
        self.check(sample)?;
        let fitting = Fitting::of(self, sample, None);
        let model = fitting.model().ok_or(DesignError::NoRelation)?;
        let phases = Phase::ALL
            .into_iter()
            .filter_map(|phase| Some((phase.to_string(), Fitting::of(self, sample, Some(phase)).model()?)));
        Ok(Calibration {
            calibration: Calibration::VERSION,
            made_by: format!("gainalyze {}", env!("CARGO_PKG_VERSION")),
            engine,
            protocol,
            filter: "all moves".to_owned(),
            scale: self.scale,
            direction: self.direction,
            block: self.block,
            model,
            phases: phases.collect(),
            usual: fitting.usual(),
            validation: self.validations(sample).ok_or(DesignError::NoRelation)?,
            events: sample.events.clone(),
        })
    }

    fn check(&self, sample: &CalibrationSample) -> Result<(), DesignError> {
        let rated = || sample.plays.iter().filter(|play| play.rating(self.scale).is_some());
        let mut events: Vec<u32> = rated().map(|play| play.event).collect();
        events.dedup();
        self.check_counts(events.len(), rated().map(|play| play.all().moves()).sum())
    }

    /// Refuses too few events, or too few moves of players whose ratings are known.
    ///
    /// # Errors
    ///
    /// With what is there, and what would do.
    pub fn check_counts(&self, found_events: usize, found_moves: u64) -> Result<(), DesignError> {
        let is_enough = found_events >= Calibration::LEAST_EVENTS && found_moves >= Calibration::LEAST_MOVES;
        let too_little = DesignError::TooLittle { scale: self.scale, found_events, found_moves };
        if is_enough { Ok(()) } else { Err(too_little) }
    }

    /// Returns what each direction does in events that it was not made from, the chosen one first.
    fn validations(&self, sample: &CalibrationSample) -> Option<Vec<Validation>> {
        let others = Direction::ALL.into_iter().filter(|direction| *direction != self.direction);
        let of = |direction| {
            let design = CalibrationDesign { direction, ..self.clone() };
            let fitting = Fitting::of(&design, sample, None);
            let variance = fitting.variance()?;
            Some(Validation::of(direction, &fitting.trials(variance)?))
        };
        std::iter::once(self.direction).chain(others).map(of).collect()
    }
}
