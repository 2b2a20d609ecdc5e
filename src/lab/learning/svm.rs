//! Ranking support vector machine: dual coordinate descent for the squared hinge loss.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use super::material::{Material, MaterialPlace, TrainedFit};
use crate::base::work::Stop;
use crate::engine::chess_engine::Feature;
use crate::numbers::stats::bootstrap::below;

/// Training ends when no projected gradient has an absolute value above this. The required margin is 1.
const TOLERANCE: f64 = 0.05;

/// Largest number of passes over all pairs.
const MOST_PASSES: u32 = 100;

/// Minimizes ½|w|² + Σ c·max(0, 1 − w·x)² over all pairs x, with c the `cost` of each pair, and returns the
/// weights w. Returns `None` if `stop` is requested.
///
/// The method is C.-J. Hsieh and others, "A Dual Coordinate Descent Method for Large-scale Linear SVM" (ICML
/// 2008), Algorithm 1 for the squared hinge, without shrinking. Positions are shuffled by `seed` in each
/// pass; the pairs of a position are adjacent. If `start` has the weights of a similar problem, training
/// begins with the dual variables 2c·max(0, 1 − w·x) of these weights.
pub(super) fn train(
    material: &Material<'_>,
    cost: impl Fn(f64, usize) -> f64,
    seed: u64,
    start: Option<&[f64]>,
    stop: &Stop,
) -> Option<TrainedFit> {
    let mut places = material.places();
    let mut dual = vec![0.0; material.all_pairs()];
    let mut weights = vec![0.0; Feature::COUNT];
    start.into_iter().for_each(|start| begin(material, &places, &cost, start, &mut dual, &mut weights));
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut passes, mut violation) = (0, f64::INFINITY);
    while violation > TOLERANCE && passes < MOST_PASSES {
        if stop.is_requested() {
            return None;
        }
        shuffle(&mut places, &mut random);
        violation = 0.0;
        for &place in &places {
            let largest = descend(material, place, &cost, &mut dual, &mut weights);
            violation = f64::max(violation, largest);
        }
        passes += 1;
    }
    let SvmQuality { duality_gap, leave_one_out } = SvmQuality::of(material, &places, &cost, &dual, &weights);
    let (duality_gap, converged) = (Some(duality_gap), violation <= TOLERANCE);
    Some(TrainedFit { weights, passes, violation, duality_gap, leave_one_out, converged })
}

fn shuffle(places: &mut [MaterialPlace], random: &mut ChaCha8Rng) {
    for end in (1..places.len()).rev() {
        places.swap(end, below(random, end + 1));
    }
}

/// Improves the dual variables of one position's pairs, and returns their largest projected gradient.
#[inline(always)]
fn descend(
    material: &Material<'_>,
    place: MaterialPlace,
    cost: &impl Fn(f64, usize) -> f64,
    dual: &mut [f64],
    weights: &mut [f64],
) -> f64 {
    let (preferences, position, game) = material.at(place);
    let pairs = preferences.pairs_of(position);
    let ridge = 0.5 / cost(game, pairs.len());
    let mut largest = 0.0;
    for (alpha, pair) in dual[place.first_pair()..].iter_mut().zip(pairs) {
        let (mut margin, mut square) = (0.0, 0.0);
        for (feature, x) in preferences.entries(pair) {
            margin += weights[feature] * x;
            square += x * x;
        }
        let gradient = margin - 1.0 + *alpha * ridge;
        let projected = if *alpha == 0.0 { gradient.min(0.0) } else { gradient };
        largest = f64::max(largest, projected.abs());
        if projected.abs() > 1e-12 {
            let next = (*alpha - gradient / (square + ridge)).max(0.0);
            let step = next - *alpha;
            *alpha = next;
            preferences.entries(pair).for_each(|(feature, x)| weights[feature] += step * x);
        }
    }
    largest
}

/// Computes the dual variables of the weights `start`, and then the weights of these dual variables.
fn begin(
    material: &Material<'_>,
    places: &[MaterialPlace],
    cost: &impl Fn(f64, usize) -> f64,
    start: &[f64],
    dual: &mut [f64],
    weights: &mut [f64],
) {
    for &place in places {
        let (preferences, position, game) = material.at(place);
        let pairs = preferences.pairs_of(position);
        let cost = cost(game, pairs.len());
        for (alpha, pair) in dual[place.first_pair()..].iter_mut().zip(pairs) {
            *alpha = 2.0 * cost * (1.0 - preferences.margin(pair, start)).max(0.0);
            preferences.entries(pair).for_each(|(feature, x)| weights[feature] += *alpha * x);
        }
    }
}

struct SvmQuality {
    /// The gap between the primal and dual objectives, relative to the primal objective. It is an upper bound
    /// of the relative distance of the objective from its optimum.
    duality_gap: f64,
    /// An upper bound of the share of pairs that weights trained without the pair get wrong; `None` without
    /// pairs.
    ///
    /// For a hard margin through the origin, a pair x with the dual variable α may become wrong only if
    /// w·x ≤ α‖x‖² (T. Jaakkola and D. Haussler, "Probabilistic kernel regression models", 1999). The squared
    /// hinge is a hard margin with 1/(2c) added to ‖x‖², and α/(2c) to w·x. The two terms cancel, so the
    /// condition stays the same. With ξ = 1 − w·x, it reads α‖x‖² + ξ ≥ 1. This is the ξα-estimate
    /// (T. Joachims, "Estimating the Generalization Performance of an SVM Efficiently", 2000) with ρ = 1 and
    /// the pair's own ‖x‖². The bound is exact at the optimum. A tie counts as wrong.
    leave_one_out: Option<f64>,
}

impl SvmQuality {
    fn of(
        material: &Material<'_>,
        places: &[MaterialPlace],
        cost: &impl Fn(f64, usize) -> f64,
        dual: &[f64],
        weights: &[f64],
    ) -> SvmQuality {
        let norm = 0.5 * weights.iter().map(|weight| weight * weight).sum::<f64>();
        let (mut primal, mut below) = (norm, -norm);
        let (mut count, mut wrong) = (0_u64, 0_u64);
        for &place in places {
            let (preferences, position, game) = material.at(place);
            let pairs = preferences.pairs_of(position);
            let cost = cost(game, pairs.len());
            for (alpha, pair) in dual[place.first_pair()..].iter().zip(pairs) {
                let margin = preferences.margin(pair, weights);
                let square: f64 = preferences.entries(pair).map(|(_, x)| x * x).sum();
                primal += cost * (1.0 - margin).max(0.0).powi(2);
                below += alpha - alpha * alpha / (4.0 * cost);
                count += 1;
                wrong += u64::from(margin <= alpha * square);
            }
        }
        SvmQuality {
            duality_gap: if primal > 0.0 { (primal - below) / primal } else { 0.0 },
            leave_one_out: (count > 0).then(|| wrong as f64 / count as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{learning::preferences::Preferences, learning::tests::preferences_of_random_games};

    fn train_on(preferences: &Preferences, c: f64, start: Option<&[f64]>) -> TrainedFit {
        let games = [vec![1.0; 8]];
        let material = Material { parts: &[preferences], games: &games };
        train(&material, |game, _| c * game, 1, start, &Stop::default()).expect("no stop")
    }

    fn objective(preferences: &Preferences, c: f64, weights: &[f64]) -> f64 {
        let loss = |pair| (1.0 - preferences.margin(pair, weights)).max(0.0).powi(2);
        let norm = 0.5 * weights.iter().map(|weight| weight * weight).sum::<f64>();
        norm + c * (0..preferences.pairs()).map(loss).sum::<f64>()
    }

    #[test]
    fn one_pair_by_hand() {
        // The first pair alone: w = a·x with (1 − a·x²) = a / 2c, so a = 1 / (x² + 1 / 2c).
        let preferences = preferences_of_random_games(1).sample(1, 1);
        let square: f64 = preferences.entries(0).map(|(_, x)| x * x).sum();
        let fit = train_on(&preferences, 0.5, None);
        let factor = 1.0 / (square + 1.0);
        assert!(square > 0.0 && fit.converged);
        for (feature, x) in preferences.entries(0) {
            assert!((fit.weights[feature] - factor * x).abs() < 1e-9);
        }
    }

    #[test]
    fn the_duality_gap_closes_and_no_other_weights_are_better() {
        let preferences = preferences_of_random_games(6);
        let fit = train_on(&preferences, 0.01, None);
        let gap = fit.duality_gap.expect("a gap");
        assert!((0.0..0.001).contains(&gap), "{gap}");
        let least = objective(&preferences, 0.01, &fit.weights);
        for by in [0.9, 1.1] {
            let other: Vec<f64> = fit.weights.iter().map(|weight| by * weight).collect();
            assert!(objective(&preferences, 0.01, &other) > least);
        }
    }

    #[test]
    fn no_more_pairs_are_wrong_when_left_out_than_the_bound_says() {
        let pairs = preferences_of_random_games(6).sample(5, 60);
        for c in [0.01, 1.0] {
            let bound = train_on(&pairs, c, None).leave_one_out.expect("pairs");
            let is_wrong = |&pair: &usize| {
                let fit = train_on(&pairs.without(pair), c, None);
                pairs.margin(pair, &fit.weights) < 0.0
            };
            let wrong = (0..60).filter(is_wrong).count();
            assert!(0 < wrong && wrong as f64 <= 60.0 * bound && bound < 1.0, "{c}: {wrong} {bound}");
        }
    }

    #[test]
    fn training_goes_on_from_weights_that_are_nearly_right() {
        let preferences = preferences_of_random_games(6);
        let cold = train_on(&preferences, 0.01, None);
        let warm = train_on(&preferences, 0.01, Some(&cold.weights));
        assert!(warm.passes <= cold.passes);
        let values = [&cold, &warm].map(|fit| objective(&preferences, 0.01, &fit.weights));
        assert!((values[0] / values[1] - 1.0).abs() < 0.01, "{values:?}");
    }

    #[test]
    fn a_game_that_counts_twice_is_as_good_as_two() {
        let once = preferences_of_random_games(3);
        let [one, two] = [vec![1.0, 2.0, 0.0], vec![1.0, 1.0, 1.0]];
        let fit = |games: &Vec<f64>| {
            let games = [games.clone()];
            let material = Material { parts: &[&once], games: &games };
            train(&material, |game, _| 0.01 * game, 1, None, &Stop::default()).expect("no stop").weights
        };
        assert_ne!(fit(&one), fit(&two));
        assert_eq!(fit(&two), fit(&two));
    }
}
