//! [`Prediction`]: the accuracy with which weights predict the moves of new games, and its comparisons.

use super::{decision::PositionSlice, model::Target, objective::LearningObjective, preferences::Preferences};
use crate::engine::chess_engine::{Feature, RawWeights};
use crate::numbers::{ClusteredMean, Estimate};

#[derive(Debug, Clone, PartialEq)]
pub enum Predictor {
    /// Equal probability for every legal move.
    Chance,
    /// The usual piece values alone: 1, 3, 3, 5 and 9 pawns.
    Material,
    Handmade,
    Own,
    /// Weights learned with an objective from the games of one band or of all bands.
    Learned(LearningObjective, Target),
    /// Weights from a file, with its path as given, or `handmade`.
    Given(String),
}

#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The share of pairs in which the move played is worth more than the other move; a tie counts half.
    pub pairwise: Estimate,
    /// The share of positions in which the move played is worth most. If n moves share the first place, the
    /// position counts 1/n.
    pub first_choice: Estimate,
    /// The mean reciprocal rank of the move played. Moves of equal value have the mean of their ranks.
    pub reciprocal_rank: Estimate,
    /// The mean of −log p, where p is the probability of the move played.
    pub log_loss: Estimate,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Predicted {
    pub predictor: Predictor,
    /// The band of the moves; all bands together for [`Target::All`].
    pub band: Target,
    /// The slice of the positions; `None` for all positions.
    pub slice: Option<PositionSlice>,
    pub prediction: Prediction,
    pub positions: usize,
    pub pairs: usize,
    pub games: usize,
}

/// The advantage of a band's own weights over another band's weights in predicting the band's moves, compared
/// game by game.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossTraining {
    pub objective: LearningObjective,
    /// The band of the other weights; `None` for the mean over all other bands.
    pub other: Option<Target>,
    /// The band of the moves; [`Target::All`] for the unweighted mean over bands.
    pub band: Target,
    /// Pairwise accuracy of the band's own weights minus pairwise accuracy of the other weights.
    pub pairwise: Estimate,
    pub first_choice: Estimate,
    /// Log-loss of the other weights minus log-loss of the band's own weights. It is positive if the own
    /// weights predict better.
    pub log_loss: Estimate,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct GameSums {
    game: usize,
    pairs: usize,
    positions: usize,
    right: f64,
    first: f64,
    reciprocal: f64,
    loss: f64,
}

/// The scores of a predictor by game, in the same order for all predictors.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ScoredGames(Vec<GameSums>);

impl ScoredGames {
    /// Scores all games of `preferences` by the margin of each pair. `scale` converts margins to
    /// probabilities.
    pub fn of(preferences: &Preferences, scale: f64, margin: impl Fn(usize) -> f64) -> ScoredGames {
        let mut games = ScoredGames::default();
        for position in 0..preferences.positions() {
            let margins = preferences.pairs_of(position).map(&margin);
            games.add(preferences.game(position), margins, scale);
        }
        games
    }

    /// Adds a position of a game. The positions of a game must be adjacent.
    pub(super) fn add(&mut self, game: usize, margins: impl Iterator<Item = f64>, scale: f64) {
        if self.0.last().is_none_or(|last| last.game != game) {
            self.0.push(GameSums { game, ..GameSums::default() });
        }
        self.0.last_mut().expect("a game that was just begun").add(margins, scale);
    }

    /// Appends the scores of other positions, which may be from the same games.
    pub fn append(&mut self, more: &ScoredGames) {
        self.0.extend_from_slice(&more.0);
        self.0.sort_by_key(|sums| sums.game);
        self.0.dedup_by(|later, first| {
            let is_same = later.game == first.game;
            if is_same {
                first.merge(later);
            }
            is_same
        });
    }

    pub fn counts(&self) -> [usize; 3] {
        let sum = |of: fn(&GameSums) -> usize| self.0.iter().map(of).sum();
        [self.0.len(), sum(|game| game.positions), sum(|game| game.pairs)]
    }

    /// Returns the accuracy of `predictor`, which has these scores in `band`; `None` without games.
    pub(super) fn predicted(&self, predictor: &Predictor, band: Target) -> Option<Predicted> {
        let [games, positions, pairs] = self.counts();
        let (predictor, prediction) = (predictor.clone(), self.prediction()?);
        Some(Predicted { predictor, band, slice: None, prediction, positions, pairs, games })
    }

    /// Returns the prediction accuracy; `None` without games.
    pub fn prediction(&self) -> Option<Prediction> {
        Some(Prediction {
            pairwise: self.estimate(|game| (game.pairs, game.right))?,
            first_choice: self.estimate(|game| (game.positions, game.first))?,
            reciprocal_rank: self.estimate(|game| (game.positions, game.reciprocal))?,
            log_loss: self.estimate(|game| (game.positions, game.loss))?,
        })
    }

    fn estimate(&self, of: impl Fn(&GameSums) -> (usize, f64)) -> Option<Estimate> {
        let totals = (0..).zip(&self.0).map(|(game, sums)| {
            let (count, sum) = of(sums);
            (game, count, sum)
        });
        totals.collect::<ClusteredMean>().estimate()
    }

    /// Returns the advantage over the mean of `others` on the same games: in pairwise accuracy, in the share
    /// of moves played that are worth most, and in log-loss.
    pub fn better_than(&self, others: &[&ScoredGames]) -> Option<[Estimate; 3]> {
        let differences: Vec<GameSums> = (0..self.0.len())
            .map(|game| {
                let own = self.0[game];
                let mean = |of: fn(&GameSums) -> f64| {
                    others.iter().map(|other| of(&other.0[game])).sum::<f64>() / others.len() as f64
                };
                GameSums {
                    right: own.right - mean(|game| game.right),
                    first: own.first - mean(|game| game.first),
                    loss: mean(|game| game.loss) - own.loss,
                    ..own
                }
            })
            .collect();
        let differences = ScoredGames(differences);
        let pairwise = differences.estimate(|game| (game.pairs, game.right))?;
        let first = differences.estimate(|game| (game.positions, game.first))?;
        let loss = differences.estimate(|game| (game.positions, game.loss))?;
        Some([pairwise, first, loss])
    }
}

impl GameSums {
    fn merge(&mut self, more: &GameSums) {
        self.pairs += more.pairs;
        self.positions += more.positions;
        self.right += more.right;
        self.first += more.first;
        self.reciprocal += more.reciprocal;
        self.loss += more.loss;
    }

    fn add(&mut self, margins: impl Iterator<Item = f64>, scale: f64) {
        let (mut better, mut equal, mut odds) = (0.0, 0.0, 0.0);
        for margin in margins {
            self.pairs += 1;
            match margin {
                margin if margin > 0.0 => self.right += 1.0,
                margin if margin < 0.0 => better += 1.0,
                _ => {
                    self.right += 0.5;
                    equal += 1.0;
                }
            }
            odds += odds_of(margin, scale);
        }
        self.positions += 1;
        self.first += if better == 0.0 { 1.0 / (1.0 + equal) } else { 0.0 };
        self.reciprocal += 1.0 / (1.0 + better + equal / 2.0);
        self.loss += odds.ln_1p();
    }
}

/// Returns the odds of a move not played against the move played.
pub(super) fn odds_of(margin: f64, scale: f64) -> f64 {
    // Beyond e^700 an f64 overflows, and larger losses need no comparison.
    (-scale * margin).min(700.0).exp()
}

/// Finds the scale of margins under which the moves played in `preferences` are most probable. The log-loss
/// is convex in the scale. The scale is 0 if margins predict nothing, or predict the opposite.
pub(super) fn fitted_scale(preferences: &Preferences, margin: impl Fn(&Preferences, usize) -> f64) -> f64 {
    let margins = |at| preferences.pairs_of(at).map(|pair| margin(preferences, pair)).collect();
    let positions: Vec<Vec<f64>> = (0..preferences.positions()).map(margins).collect();
    let largest = positions.iter().flatten().fold(0.0, |most: f64, margin| most.max(margin.abs()));
    if largest == 0.0 {
        return 0.0;
    }
    // Bisection of the slope never leaves the interval, and 40 steps shorten it by a factor of 10¹².
    let slope = |scale: f64| -> f64 { positions.iter().map(|margins| slope(margins, scale)).sum() };
    let (mut low, mut high) = (0.0, 1.0 / largest);
    if slope(0.0) >= 0.0 {
        return 0.0;
    }
    while slope(high) < 0.0 && high < 1e6 {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// Returns the derivative of log(1 + Σ e^(−scale·margin)) with respect to `scale`.
fn slope(margins: &[f64], scale: f64) -> f64 {
    let highest = margins.iter().fold(0.0, |most: f64, margin| most.max(-scale * margin));
    let weight = |margin: f64| (-scale * margin - highest).exp();
    let sum = (-highest).exp() + margins.iter().map(|&margin| weight(margin)).sum::<f64>();
    margins.iter().map(|&margin| -margin * weight(margin)).sum::<f64>() / sum
}

/// Returns the usual values of the pieces in pawns: 1, 3, 3, 5 and 9.
pub(super) fn material_weights() -> RawWeights {
    std::array::from_fn(|at| {
        [1.0, 3.0, 3.0, 5.0, 9.0].get(at).copied().filter(|_| at < Feature::FIRST_SQUARE).unwrap_or(0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(margins: &[f64]) -> GameSums {
        let mut sums = GameSums::default();
        sums.add(margins.iter().copied(), 1.0);
        sums
    }

    #[test]
    fn places_are_shared_by_hand() {
        // One other move is better, one equal, one worse. So the move played shares the places 2 and 3.
        let one = sums(&[-1.0, 0.0, 2.0]);
        assert_eq!((one.pairs, one.right, one.first), (3, 1.5, 0.0));
        assert!((one.reciprocal - 1.0 / 2.5).abs() < 1e-15);
        let loss = (1.0 + 1f64.exp() + 1.0 + (-2f64).exp()).ln();
        assert!((one.loss - loss).abs() < 1e-12);
        assert_eq!(sums(&[0.0, 0.0, 1.0]).first, 1.0 / 3.0);
        assert_eq!(sums(&[0.5, 1.0]).first, 1.0);
    }

    #[test]
    fn a_game_in_two_parts_is_one_game() {
        let part = |games: &[usize]| {
            let mut scored = ScoredGames::default();
            games.iter().for_each(|&game| scored.add(game, [1.0, -1.0].into_iter(), 1.0));
            scored
        };
        let mut both = part(&[3, 3, 7]);
        both.append(&part(&[1, 3]));
        assert_eq!(both.counts(), [3, 5, 10]);
        assert_eq!(both, part(&[1, 3, 3, 3, 7]));
    }

    #[test]
    fn the_slope_is_that_of_finite_differences() {
        let margins = [0.3, -1.2, 2.0, 0.0];
        let loss = |scale: f64| margins.iter().map(|margin| (-scale * margin).exp()).sum::<f64>().ln_1p();
        for scale in [0.0, 0.7, 3.0] {
            let by_steps = (loss(scale + 1e-6) - loss(scale - 1e-6)) / 2e-6;
            assert!((slope(&margins, scale) - by_steps).abs() < 1e-6);
        }
    }

    #[test]
    fn a_difference_is_that_of_the_same_games() {
        let game = |right: f64| GameSums { pairs: 10, positions: 2, right, ..GameSums::default() };
        let own = ScoredGames(vec![game(9.0), game(5.0), game(7.0)]);
        let others = [
            ScoredGames(vec![game(8.0), game(4.0), game(6.0)]),
            ScoredGames(vec![game(6.0), game(4.0), game(5.0)]),
        ];
        let [pairwise, ..] = own.better_than(&[&others[0], &others[1]]).expect("games");
        // The band's own weights are right in 2, 1 and 1.5 more pairs; each game has 10 pairs.
        assert!((pairwise.value - 4.5 / 30.0).abs() < 1e-12);
        assert!(pairwise.interval.is_some_and(|interval| interval.low > 0.0));
    }
}
