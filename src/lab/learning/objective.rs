//! [`LearningObjective`]: the objective function of training.

use std::str::FromStr;

use super::{logit, material::Material, material::TrainedFit, svm};
use crate::base::named::named;
use crate::engine::Stop;

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum LearningObjective: name {
        /// Minimizes the sum of max(0, 1 − m)² over all pairs, where m is the value of the move played minus
        /// the value of the other move.
        Svm => "svm",
        /// Like `svm`, but divides the loss of each pair by the number of pairs of its position, so that all
        /// positions have equal weight.
        SvmPerPosition => "svm-per-position",
        /// Maximizes the probability of the moves played among the legal moves.
        Logit => "logit",
    }
}

impl LearningObjective {
    /// Returns the candidate values of C, the factor of the loss terms. A fifth of the training games decides
    /// between them.
    pub fn factors(self) -> &'static [f64] {
        match self {
            LearningObjective::Svm => &[1e-4, 1e-3, 1e-2],
            LearningObjective::SvmPerPosition => &[1e-3, 1e-2, 1e-1],
            LearningObjective::Logit => &[1e-2, 1e-1, 1.0],
        }
    }

    /// Trains with the factor `c` of the loss terms. Training starts at `start`, an approximate optimum, if
    /// given. Returns `None` if `stop` is requested.
    pub fn train(
        self,
        material: &Material<'_>,
        c: f64,
        seed: u64,
        start: Option<&[f64]>,
        stop: &Stop,
    ) -> Option<TrainedFit> {
        match self {
            LearningObjective::Svm => svm::train(material, |game, _| c * game, seed, start, stop),
            LearningObjective::SvmPerPosition => {
                svm::train(material, |game, pairs| c * game / pairs as f64, seed, start, stop)
            }
            LearningObjective::Logit => logit::train(material, c, start, stop),
        }
    }
}

impl FromStr for LearningObjective {
    type Err = String;

    fn from_str(text: &str) -> Result<LearningObjective, String> {
        let found = LearningObjective::ALL.into_iter().find(|one| one.name() == text.trim());
        let cut: String = text.chars().take(40).collect();
        found.ok_or_else(|| format!("{cut:?} is not svm, svm-per-position or logit"))
    }
}
