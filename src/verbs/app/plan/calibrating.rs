//! Owns what the making of a calibration is to do, as values.

use std::{collections::BTreeSet, path::PathBuf};

use super::{EvaluationPlan, ReadingPlan};
use crate::files::PictureFormat;
use crate::measure::CalibrationDesign;

/// What the making of a calibration is to do.
#[derive(Debug, Clone, PartialEq)]
pub struct CalibratingPlan {
    /// What it is made from.
    pub source: CalibrationSource,
    /// How it is made.
    pub design: CalibrationDesign,
    /// Where it is written.
    pub output: PathBuf,
    /// Where what it is made from is written, where that is wanted.
    pub keep_sums: Option<PathBuf>,
    /// What pictures are written as; none draws none.
    pub pictures: BTreeSet<PictureFormat>,
}

/// What a calibration is made from.
#[derive(Debug, Clone, PartialEq)]
pub enum CalibrationSource {
    /// Games, each file an event.
    Events {
        /// PGN files and folders of them.
        files: Vec<PathBuf>,
        /// Which games are read.
        reading: Box<ReadingPlan>,
        /// Who evaluates them.
        evaluations: Box<EvaluationPlan>,
    },
    /// The sums that another run has kept.
    Sums(PathBuf),
}
