//! Owns the choice of C, the factor before the losses: by games that training leaves out.

use super::{material::Material, objective::LearningObjective, prediction::ScoredGames};
use crate::engine::Stop;

/// One game of so many is left out.
const ONE_IN: usize = 5;

/// Chooses among the factors of `objective` the one whose weights, learned from four fifths of the games, foresee the moves of
/// the others best: by pairs for the SVM, by log-loss for the logit. `None` if `stop` is requested.
pub(super) fn choose(
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
        let goodness = goodness(objective, &testing, &fit.weights);
        if best.is_none_or(|(least, _)| goodness > least) {
            best = Some((goodness, c));
        }
        start = Some(fit.weights);
    }
    best.map(|(_, c)| c)
}

fn goodness(objective: LearningObjective, material: &Material<'_>, weights: &[f64]) -> f64 {
    let mut scored = ScoredGames::default();
    for place in material.places() {
        let (preferences, position, _) = material.at(place);
        let margins = preferences.pairs_of(position).map(|pair| preferences.margin(pair, weights));
        scored.add_game(margins, 1.0);
    }
    let Some(prediction) = scored.prediction() else { return 0.0 };
    match objective {
        LearningObjective::Svm | LearningObjective::SvmPerPosition => prediction.pairwise.value,
        LearningObjective::Logit => -prediction.log_loss.value,
    }
}
