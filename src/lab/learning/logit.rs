//! Conditional logit: the probability of each legal move as a function of its value, as in McFadden (1974).

use rayon::prelude::*;

use super::material::{Material, MaterialPlace, TrainedFit};
use crate::base::work::Stop;
use crate::engine::chess_engine::Feature;
use crate::numbers::stats::lbfgs::minimize;

/// Number of positions that a worker sums at a time. The sums are added in order, so that they do not depend
/// on the threads.
const CHUNK: usize = 512;

/// Minimizes ½|w|² − C·Σ log P(move played) by L-BFGS. P is e^(w·x) of the move played, divided by the sum of
/// e^(w·x) over all legal moves. Returns the weights w; `None` if `stop` is requested.
pub(super) fn train(
    material: &Material<'_>,
    c: f64,
    start: Option<&[f64]>,
    stop: &Stop,
) -> Option<TrainedFit> {
    let places = material.places();
    let start = start.map_or_else(|| vec![0.0; Feature::COUNT], <[f64]>::to_vec);
    let bend: Vec<f64> = spread(material, &places).into_iter().map(|spread| 1.0 + c * spread).collect();
    let found = minimize(start, &bend, |weights| {
        let loss = (!stop.is_requested()).then(|| loss(material, &places, weights))?;
        let norm = 0.5 * weights.iter().map(|weight| weight * weight).sum::<f64>();
        let gradient = weights.iter().zip(&loss.1).map(|(weight, slope)| weight + c * slope).collect();
        Some((norm + c * loss.0, gradient))
    })?;
    Some(TrainedFit {
        weights: found.place,
        passes: found.evaluations,
        violation: found.slope,
        duality_gap: None,
        leave_one_out: None,
        converged: found.converged,
    })
}

/// Returns the variance of each feature among the legal moves of a position, summed over positions. All moves
/// have equal weight. This is the second derivative of the loss at weights 0. It scales the minimization,
/// because the variance of a pawn and the variance of a rare square differ by orders of magnitude.
fn spread(material: &Material<'_>, places: &[MaterialPlace]) -> Vec<f64> {
    let (mut spread, mut sums) = (vec![0.0; Feature::COUNT], vec![0.0; Feature::COUNT]);
    for &place in places {
        let (preferences, position, game) = material.at(place);
        let pairs = preferences.pairs_of(position);
        let moves = 1.0 + pairs.len() as f64;
        let mut seen = Vec::new();
        for (feature, x) in pairs.flat_map(|pair| preferences.entries(pair)) {
            spread[feature] += game * x * x / moves;
            sums[feature] += x;
            seen.push(feature);
        }
        for feature in seen {
            spread[feature] -= game * (sums[feature] / moves).powi(2);
            sums[feature] = 0.0;
        }
    }
    spread
}

/// Returns −Σ log P of the moves played, and its gradient with respect to the weights.
fn loss(material: &Material<'_>, places: &[MaterialPlace], weights: &[f64]) -> (f64, Vec<f64>) {
    let parts: Vec<(f64, Vec<f64>)> = places
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut sum, mut gradient, mut odds) = (0.0, vec![0.0; Feature::COUNT], Vec::new());
            for &place in chunk {
                sum += add_position(material, place, weights, &mut gradient, &mut odds);
            }
            (sum, gradient)
        })
        .collect();
    parts.into_iter().fold((0.0, vec![0.0; Feature::COUNT]), |(sum, mut gradient), part| {
        gradient.iter_mut().zip(part.1).for_each(|(total, slope)| *total += slope);
        (sum + part.0, gradient)
    })
}

/// Returns log(1 + Σ e^(−margin)) of a position, and adds its gradient, −Σ P(other)·x, to `gradient`. The
/// logarithm and the gradient are multiplied by the weight of the game.
fn add_position(
    material: &Material<'_>,
    place: MaterialPlace,
    weights: &[f64],
    gradient: &mut [f64],
    odds: &mut Vec<f64>,
) -> f64 {
    let (preferences, position, game) = material.at(place);
    let pairs = preferences.pairs_of(position);
    odds.clear();
    odds.extend(pairs.clone().map(|pair| -preferences.margin(pair, weights)));
    let highest = odds.iter().copied().fold(0.0, f64::max);
    let sum = (-highest).exp() + odds.iter().map(|odd| (odd - highest).exp()).sum::<f64>();
    for (pair, odd) in pairs.zip(odds) {
        let chance = game * (*odd - highest).exp() / sum;
        preferences.entries(pair).for_each(|(feature, x)| gradient[feature] -= chance * x);
    }
    game * (highest + sum.ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::learning::tests::preferences_of_random_games;

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let preferences = preferences_of_random_games(6);
        let games = [vec![1.0, 2.0, 0.0, 1.0, 1.0, 0.5]];
        let parts = [&preferences];
        let material = Material { parts: &parts, games: &games };
        let places = material.places();
        let weights: Vec<f64> = (0..Feature::COUNT).map(|at| (at as f64).sin() * 0.3).collect();
        let (_, gradient) = loss(&material, &places, &weights);
        let step = 1e-5;
        for feature in (0..12).chain((12..Feature::COUNT).step_by(7)) {
            let at = |by: f64| {
                let mut moved = weights.clone();
                moved[feature] += by;
                loss(&material, &places, &moved).0
            };
            let slope = (at(step) - at(-step)) / (2.0 * step);
            assert!(
                (slope - gradient[feature]).abs() < 1e-5 * (1.0 + slope.abs()),
                "{feature}: {slope} {}",
                gradient[feature]
            );
        }
    }

    #[test]
    fn without_weights_every_move_is_as_likely() {
        let preferences = preferences_of_random_games(2);
        let material = Material { parts: &[&preferences], games: &[vec![1.0; 2]] };
        let uniform: f64 = (0..preferences.positions())
            .map(|position| (1.0 + preferences.pairs_of(position).len() as f64).ln())
            .sum();
        let (found, _) = loss(&material, &material.places(), &[0.0; Feature::COUNT]);
        assert!((found - uniform).abs() < 1e-9);
    }
}
