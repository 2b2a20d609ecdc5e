//! [`Model`]: learned weights with their training data and settings.

use std::fmt;

use super::{band::RatingBand, material::TrainedFit, objective::LearningObjective};
use crate::engine::chess_engine::{Feature, LinearFile, LinearWeights, RawWeights, ScaleError};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    Band(RatingBand),
    All,
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Band(band) => band.fmt(f),
            Target::All => f.write_str("all"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelKey {
    pub target: Target,
    pub objective: LearningObjective,
}

impl fmt::Display for ModelKey {
    /// Formats as in the name of the model's file: `1200-logit`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.target, self.objective)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub key: ModelKey,
    pub fit: TrainedFit,
    /// The factor C, by which the training objective multiplies its loss terms.
    pub c: f64,
    /// Numbers of games, positions and pairs in training.
    pub counts: [usize; 3],
    /// The round of training, from 1.
    pub round: u32,
    pub digest: String,
    /// The weights with which the leaves of the training data were found.
    pub leaves: LinearWeights,
}

/// The label of [`Model::c`] among the numbers in a weights file.
const C: &str = "C: ";
const PASSES: &str = "passes: ";
const VIOLATION: &str = "distance from the optimum: ";
const GAP: &str = "duality gap: ";
const LEAVE_ONE_OUT: &str = "leave-one-out error: at most ";
const DIGEST: &str = "digest: ";
const CONVERGED: &str = "converged: ";

impl Model {
    /// Returns the weights file. `conditions` describes the other settings in words.
    pub fn file(&self, conditions: &[String]) -> Result<LinearFile, ScaleError> {
        let TrainedFit { passes, violation, duality_gap, leave_one_out, converged, .. } = &self.fit;
        let [games, positions, pairs] = self.counts;
        let target = match self.key.target {
            Target::Band(RatingBand { elo, tolerance }) => format!("band: {elo} ± {tolerance}"),
            Target::All => "band: all bands together".to_owned(),
        };
        let mut provenance = vec![
            format!("learned by gainalyze {} from moves of players", env!("CARGO_PKG_VERSION")),
            target,
            format!("objective: {}", self.key.objective),
            format!("games: {games}, positions: {positions}, pairs: {pairs}"),
            format!("{C}{}", self.c),
            format!("{PASSES}{passes}"),
            format!("{VIOLATION}{violation}"),
        ];
        provenance.extend(duality_gap.map(|gap| format!("{GAP}{gap}")));
        provenance.extend(leave_one_out.map(|bound| format!("{LEAVE_ONE_OUT}{bound}")));
        provenance.push(format!("{CONVERGED}{converged}"));
        provenance.extend_from_slice(conditions);
        provenance.push(format!("{DIGEST}{}", self.digest));
        LinearFile::new(provenance, self.raw())
    }

    /// Returns the weights as trained, not scaled to centipawns.
    pub fn raw(&self) -> RawWeights {
        let mut raw = [0.0; Feature::COUNT];
        raw.iter_mut().zip(&self.fit.weights).for_each(|(raw, weight)| *raw = *weight);
        raw
    }

    /// Returns the training result and the factor C in the file of an earlier run; `None` if the file has
    /// another digest or lacks a number.
    pub(super) fn known(file: &LinearFile, digest: &str) -> Option<(TrainedFit, f64)> {
        let value = |word| file.provenance.iter().find_map(|line| line.strip_prefix(word));
        if value(DIGEST)? != digest {
            return None;
        }
        let number = |word| value(word).and_then(|text: &str| text.parse().ok());
        let (duality_gap, leave_one_out): (Option<f64>, Option<f64>) = (number(GAP), number(LEAVE_ONE_OUT));
        // A file of the SVM has both numbers, unless an earlier build wrote it.
        if duality_gap.is_some() && leave_one_out.is_none() {
            return None;
        }
        let fit = TrainedFit {
            weights: file.raw().to_vec(),
            passes: value(PASSES)?.parse().ok()?,
            violation: value(VIOLATION)?.parse().ok()?,
            duality_gap,
            leave_one_out,
            converged: value(CONVERGED)?.parse().ok()?,
        };
        Some((fit, value(C)?.parse().ok()?))
    }
}
