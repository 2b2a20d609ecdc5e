//! Control experiments: training must recover the weights that chose the moves of artificial games, and must
//! learn nothing from random moves.

pub mod made_games;
mod shuffled;

use self::{made_games::MadeGames, made_games::best_leaf, shuffled::shuffled};
use crate::engine::{Stop, chess_engine::Leaves, chess_engine::LinearFile};
use crate::lab::learning::{BandGames, Decision, LearningObjective, Material, Preferences, ScoredGames};
use crate::numbers::stats::correlation::pearson;

fn preferences(band: &BandGames, held_out: bool) -> Preferences {
    let decisions: Vec<&Decision> = band.part(held_out).collect();
    let handmade = LinearFile::handmade();
    let leaves = Leaves { weights: handmade.weights(), depth: 0 };
    Preferences::of(&decisions, &leaves, &Stop::default(), &|_| ()).expect("no stop")
}

/// Returns preferences of some random games, for tests that do not depend on the players.
pub fn preferences_of_random_games(games: u32) -> Preferences {
    let band = MadeGames { games, longest: 80, asked: 0.1, seed: 5 }.by(|_| None);
    let decisions: Vec<&Decision> = band.decisions.iter().collect();
    let handmade = LinearFile::handmade();
    let leaves = Leaves { weights: handmade.weights(), depth: 0 };
    Preferences::of(&decisions, &leaves, &Stop::default(), &|_| ()).expect("no stop")
}

/// Returns the weights learned from the training games. Also returns, for the held-out games, the share of
/// moves played that the weights value most, and the pairwise accuracy.
fn learned(band: &BandGames, objective: LearningObjective, c: f64) -> (Vec<f64>, f64, f64) {
    let (training, testing) = (preferences(band, false), preferences(band, true));
    let games = [vec![1.0; band.games.len()]];
    let material = Material { parts: &[&training], games: &games };
    let fit = objective.train(&material, c, 1, None, &Stop::default()).expect("no stop");
    let scored = ScoredGames::of(&testing, 1.0, |pair| testing.margin(pair, &fit.weights));
    let prediction = scored.prediction().expect("games");
    (fit.weights, prediction.first_choice.value, prediction.pairwise.value)
}

#[test]
fn known_weights_are_found_again_in_games_that_they_chose() {
    let truth = LinearFile::handmade();
    let found = |games, objective, c| {
        let band =
            MadeGames { games, longest: 80, asked: 0.15, seed: 3 }.by(|chess| best_leaf(&truth, chess));
        let (weights, first, pairwise) = learned(&band, objective, c);
        // Features in which no pair differs cannot be learned; the pieces differ often.
        let correlation = pearson(&weights[..5], &truth.raw()[..5]).expect("weights that differ");
        (correlation, first, pairwise)
    };
    let few = found(5, LearningObjective::Logit, 1.0);
    let many = found(20, LearningObjective::Logit, 1.0);
    assert!(many.0 > 0.95 && many.2 > 0.85 && many.2 > few.2, "{few:?} {many:?}");
    let svm = found(20, LearningObjective::Svm, 0.01);
    assert!(svm.0 > 0.95 && svm.2 > 0.85, "{svm:?}");
}

#[test]
fn in_shuffled_labels_there_is_nothing_to_find() {
    let truth = LinearFile::handmade();
    let band =
        MadeGames { games: 60, longest: 60, asked: 0.08, seed: 4 }.by(|chess| best_leaf(&truth, chess));
    let without = shuffled(&band, 6);
    assert_eq!(without.decisions.len(), band.decisions.len());
    let same = |(a, b): (&Decision, &Decision)| a.chess == b.chess && a.game == b.game;
    assert!(band.decisions.iter().zip(&without.decisions).all(same), "the same positions");
    let testing = preferences(&without, true);
    let chance = |position| 1.0 / (1.0 + testing.pairs_of(position).len() as f64);
    let chance = (0..testing.positions()).map(chance).sum::<f64>() / testing.positions() as f64;
    for (objective, c) in [(LearningObjective::Logit, 0.01), (LearningObjective::Svm, 0.001)] {
        let (_, first, pairwise) = learned(&band, objective, c);
        assert!(pairwise > 0.75 && first > chance + 0.15, "with labels: {pairwise} {first}");
        let (_, first, pairwise) = learned(&without, objective, c);
        assert!((pairwise - 0.5).abs() < 0.1, "{objective}: {pairwise}");
        assert!((first - chance).abs() < 0.1, "{objective}: {first} {chance}");
    }
}
