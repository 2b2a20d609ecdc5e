//! Owns [`WeightIntervals`]: how far weights would move with other games of the same players.

use rayon::prelude::*;

use super::{material::Material, model::Model, model::ModelKey};
use crate::engine::{Stop, chess_engine::Feature, chess_engine::LinearWeights, chess_engine::RawWeights};
use crate::numbers::{
    Bootstrap, Estimate, Interval, stats::estimate::LEVEL, stats::estimate::standard_deviation,
};

/// The weights of a model in centipawns when a pawn is 100, with intervals by samples of whole games.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightIntervals {
    pub key: ModelKey,
    /// Samples in which a pawn was worth something.
    pub samples: usize,
    /// In the order of the features; the pawn's own has no interval.
    pub weights: Vec<Estimate>,
}

impl WeightIntervals {
    /// Trains a model again on each sample of its games, from its own weights on; `None` if its own cannot be brought to
    /// centipawns, or `stop` is requested. `done` hears of each sample.
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
            let interval = is_told.then(|| Interval::normal(own[feature], error, LEVEL));
            Estimate { value: own[feature], observations: model.counts[0], interval }
        };
        let weights = (0..Feature::COUNT).into_par_iter().map(estimate).collect();
        Some(WeightIntervals { key: model.key, samples: samples.len(), weights })
    }
}

/// Returns how often each game of each part counts in a sample of all of them.
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
