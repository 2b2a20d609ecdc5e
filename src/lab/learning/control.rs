//! Owns the controls: games of the engine with known weights, in which the method must find these, and the same with the
//! moves played shuffled, in which it must find nothing.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rayon::prelude::*;
use shakmaty::{Chess, Move, Position};

use super::{
    band::{BandGames, GameMark, RatingBand},
    decision::Decision,
};
use crate::engine::chess_engine::{ChessEngine, Leaves, Limits, LinearFile, Root};
use crate::numbers::stats::bootstrap::below;

/// Who chooses the moves of made games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Chooser<'a> {
    /// The best move by the quiet leaves of these weights: what is learned is what chooses.
    Leaves(&'a LinearFile),
    /// The engine within by these weights, at so many plies.
    Engine(&'a LinearFile, u32),
    /// Chance.
    Chance,
}

/// Which games are made. The same plan gives the same games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MadeGames {
    /// How many; one in five is held out.
    pub games: u32,
    /// Plies after which a game ends.
    pub longest: usize,
    /// The share of plies at which the chooser is asked; the others are random, so that games come to where nobody would go.
    pub asked: f64,
    /// Of all that is random.
    pub seed: u64,
}

/// Plies at random before moves are chosen, so that no two games are the same.
const RANDOM_PLIES: usize = 8;

impl MadeGames {
    /// Makes the games with both sides' choices as decisions.
    pub fn by(&self, chooser: Chooser<'_>) -> BandGames {
        let made: Vec<Vec<Decision>> =
            (0..self.games).into_par_iter().map(|game| self.play(chooser, game)).collect();
        let mut band = BandGames::new(RatingBand { elo: 1, tolerance: 0 });
        for decisions in made {
            band.games.push(GameMark { held_out: band.games.len() % 5 == 4 });
            band.decisions.extend(decisions);
        }
        band
    }

    fn play(&self, chooser: Chooser<'_>, game: u32) -> Vec<Decision> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(game.into());
        let mut player = ActingChooser::new(chooser);
        let (mut chess, mut decisions) = (Chess::default(), Vec::new());
        for ply in 0..self.longest {
            let moves = chess.legal_moves();
            if moves.is_empty() || chess.is_insufficient_material() || chess.halfmoves() >= 100 {
                break;
            }
            let drawn = moves[below(&mut random, moves.len())];
            let is_asked = (below(&mut random, 1000) as f64) < 1000.0 * self.asked;
            let mut played = drawn;
            if is_asked && ply >= RANDOM_PLIES && moves.len() > 1 {
                played = player.choose(&chess).unwrap_or(drawn);
                decisions.push(Decision { chess: chess.clone(), played, game });
            }
            chess.play_unchecked(played);
        }
        decisions
    }
}

/// Returns the same positions, in each of which any legal move may be the one that counts as played, all equally likely:
/// labels shuffled within positions. From the positions alone there is nothing to learn.
pub fn shuffled(band: &BandGames, seed: u64) -> BandGames {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut shuffled = band.clone();
    for decision in &mut shuffled.decisions {
        let moves = decision.chess.legal_moves();
        decision.played = moves[below(&mut random, moves.len())];
    }
    shuffled
}

enum ActingChooser<'a> {
    Leaves(&'a LinearFile),
    Engine(Box<ChessEngine>, u32),
    Chance,
}

impl ActingChooser<'_> {
    fn new(chooser: Chooser<'_>) -> ActingChooser<'_> {
        match chooser {
            Chooser::Leaves(file) => ActingChooser::Leaves(file),
            Chooser::Engine(file, depth) => {
                let mut engine = ChessEngine::new(1);
                engine.set_weights(file.clone());
                ActingChooser::Engine(Box::new(engine), depth)
            }
            Chooser::Chance => ActingChooser::Chance,
        }
    }

    /// Returns the choice; `None` for chance, which has drawn already.
    fn choose(&mut self, chess: &Chess) -> Option<Move> {
        match self {
            ActingChooser::Leaves(file) => best_leaf(file, chess),
            ActingChooser::Engine(engine, depth) => {
                engine.clear();
                let found = engine.search(&Root::new(chess.clone()), &Limits::depth(*depth), &mut ());
                found.variations.first().and_then(|line| line.moves.first()).copied()
            }
            ActingChooser::Chance => None,
        }
    }
}

/// Returns the move whose quiet leaf is worth most to the mover; of several the first.
fn best_leaf(file: &LinearFile, chess: &Chess) -> Option<Move> {
    let leaves = Leaves { weights: file.weights(), depth: 0 };
    let value = |m: &Move| {
        let mut child = chess.clone();
        child.play_unchecked(*m);
        let leaf = leaves.of(&child);
        let value = file.weights().evaluate(&leaf);
        if leaf.turn() == chess.turn() { -value } else { value }
    };
    chess.legal_moves().into_iter().min_by_key(value)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::engine::Stop;
    use crate::lab::learning::{LearningObjective, Material, Preferences, ScoredGames};
    use crate::numbers::stats::correlation::pearson;

    fn preferences(band: &BandGames, held_out: bool) -> Preferences {
        let decisions: Vec<&Decision> = band.part(held_out).collect();
        let handmade = LinearFile::handmade();
        let leaves = Leaves { weights: handmade.weights(), depth: 0 };
        Preferences::of(&decisions, &leaves, &Stop::default(), &|_| ()).expect("nobody stops it")
    }

    /// The preferences of some games at random, for tests of what does not depend on who plays.
    pub fn preferences_of_random_games(games: u32) -> Preferences {
        let band = MadeGames { games, longest: 80, asked: 0.1, seed: 5 }.by(Chooser::Chance);
        let decisions: Vec<&Decision> = band.decisions.iter().collect();
        let handmade = LinearFile::handmade();
        let leaves = Leaves { weights: handmade.weights(), depth: 0 };
        Preferences::of(&decisions, &leaves, &Stop::default(), &|_| ()).expect("nobody stops it")
    }

    /// Weights learned from games to train on, with first choices and pairwise accuracy on those held out.
    fn learned(band: &BandGames, objective: LearningObjective, c: f64) -> (Vec<f64>, f64, f64) {
        let (training, testing) = (preferences(band, false), preferences(band, true));
        let games = [vec![1.0; band.games.len()]];
        let material = Material { parts: &[&training], games: &games };
        let fit = objective.train(&material, c, 1, None, &Stop::default()).expect("nobody stops it");
        let scored = ScoredGames::of(&testing, 1.0, |pair| testing.margin(pair, &fit.weights));
        let prediction = scored.prediction().expect("games");
        (fit.weights, prediction.first_choice.value, prediction.pairwise.value)
    }

    #[test]
    fn known_weights_are_found_again_in_games_that_they_chose() {
        let truth = LinearFile::handmade();
        let found = |games, objective, c| {
            let band = MadeGames { games, longest: 80, asked: 0.15, seed: 3 }.by(Chooser::Leaves(&truth));
            let (weights, first, pairwise) = learned(&band, objective, c);
            // Where no pair differs there is nothing to learn; the pieces differ often.
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
        let band = MadeGames { games: 60, longest: 60, asked: 0.08, seed: 4 }.by(Chooser::Leaves(&truth));
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
}
