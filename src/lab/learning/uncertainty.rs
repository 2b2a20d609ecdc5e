//! Training on parts of the games: [`WeightIntervals`], the variation of weights between samples of games,
//! and the choice of C, the factor of the loss terms.

use rayon::prelude::*;

use super::{
    material::Material, model::Model, model::ModelKey, objective::LearningObjective, prediction::ScoredGames,
};
use crate::base::work::Stop;
use crate::engine::{chess_engine::Feature, chess_engine::LinearWeights, chess_engine::RawWeights};
use crate::numbers::{Bootstrap, Estimate, Interval, stats::estimate::standard_deviation};

/// The weights of a model in centipawns (a pawn is 100), with intervals from bootstrap samples of whole
/// games.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightIntervals {
    pub key: ModelKey,
    /// Number of samples in which the pawn's weight is above 0. Only these samples can be scaled to
    /// centipawns.
    pub samples: usize,
    /// The weights in the order of the features. The pawn's own weight has no interval.
    pub weights: Vec<Estimate>,
}

impl WeightIntervals {
    /// Retrains a model on each bootstrap sample of its games, starting from the model's weights. Returns
    /// `None` if the model's weights cannot be scaled to centipawns, or if `stop` is requested. `done` is
    /// called after each sample.
    pub(super) fn of(
        model: &Model,
        material: &Material<'_>,
        bootstrap: Bootstrap,
        stop: &Stop,
        done: &(dyn Fn(usize) + Sync),
    ) -> Option<WeightIntervals> {
        let own = scaled(&model.raw())?;
        let clusters = material.games.iter().map(Vec::len).sum();
        let samples = bootstrap.replicates(clusters, |drawn| {
            let sample = sample(material, drawn);
            let material = Material { games: &sample, ..*material };
            let start = Some(model.fit.weights.as_slice());
            let fit = model.key.objective.train(&material, model.c, bootstrap.seed, start, stop)?;
            done(1);
            let mut raw: RawWeights = [0.0; Feature::COUNT];
            raw.copy_from_slice(&fit.weights);
            scaled(&raw)
        });
        if stop.is_requested() {
            return None;
        }
        let samples: Vec<Vec<f64>> = samples.into_iter().flatten().collect();
        let estimate = |feature: usize| {
            let values: Vec<f64> = samples.iter().map(|sample| sample[feature]).collect();
            let error = standard_deviation(&values);
            let is_told = samples.len() > 1 && error > 0.0;
            let interval = is_told.then(|| Interval::normal(own[feature], error));
            Estimate { value: own[feature], observations: model.counts[0], interval }
        };
        let weights = (0..Feature::COUNT).into_par_iter().map(estimate).collect();
        Some(WeightIntervals { key: model.key, samples: samples.len(), weights })
    }
}

/// Returns a bootstrap sample as weights of games, one list per part. Each game's own weight is multiplied by
/// the number of times that the game was drawn.
fn sample(material: &Material<'_>, drawn: &[u32]) -> Vec<Vec<f64>> {
    let mut drawn = drawn.iter();
    let times = |weight: &f64| weight * drawn.next().map_or(0.0, |&times| f64::from(times));
    let mut times = times;
    material.games.iter().map(|games| games.iter().map(&mut times).collect()).collect()
}

fn scaled(raw: &RawWeights) -> Option<Vec<f64>> {
    let weights = LinearWeights::of(raw).ok()?;
    Some(Feature::all().map(|feature| weights.centipawns(feature)).collect())
}

/// One in this many games is left out of training when the factor C is chosen.
const ONE_IN: usize = 5;

/// Chooses the factor C of `objective`. For each candidate, weights are learned from four fifths of the
/// games. Returns the candidate whose weights best predict the moves of the other games: by pairwise accuracy
/// for the SVM, by log-loss for the logit. Returns `None` if `stop` is requested.
pub(super) fn chosen_factor(
    objective: LearningObjective,
    material: &Material<'_>,
    seed: u64,
    stop: &Stop,
) -> Option<f64> {
    let part = |left_out: bool| -> Vec<Vec<f64>> {
        let weigh =
            |(game, &weight): (usize, &f64)| if (game % ONE_IN == 0) == left_out { weight } else { 0.0 };
        material.games.iter().map(|games| games.iter().enumerate().map(weigh).collect()).collect()
    };
    let (training, testing) = (part(false), part(true));
    let training = Material { games: &training, ..*material };
    let testing = Material { games: &testing, ..*material };
    let mut best: Option<(f64, f64)> = None;
    let mut start: Option<Vec<f64>> = None;
    for &c in objective.factors() {
        let fit = objective.train(&training, c, seed, start.as_deref(), stop)?;
        let objective_value = objective_value(objective, &testing, &fit.weights);
        if best.is_none_or(|(least, _)| objective_value > least) {
            best = Some((objective_value, c));
        }
        start = Some(fit.weights);
    }
    best.map(|(_, c)| c)
}

fn objective_value(objective: LearningObjective, material: &Material<'_>, weights: &[f64]) -> f64 {
    let mut scored = ScoredGames::default();
    for place in material.places() {
        let (preferences, position, _) = material.at(place);
        let margins = preferences.pairs_of(position).map(|pair| preferences.margin(pair, weights));
        // Only the values count, not the intervals. So all positions may count as one game.
        scored.add(0, margins, 1.0);
    }
    let Some(prediction) = scored.prediction() else { return 0.0 };
    match objective {
        LearningObjective::Svm | LearningObjective::SvmPerPosition => prediction.pairwise.value,
        LearningObjective::Logit => -prediction.log_loss.value,
    }
}
