//! [`Tally`]: the sums over the moves of one group.

use super::ProfileRow;
use crate::chess::{EvaluatedGame, JudgmentCounts};
use crate::measure::{
    calibration::RatingOfPlay, tournament::Method, tournament::MoveSample, tournament::facts::Appearance,
    tournament::facts::MoveFacts, tournament::statistics::FEWEST_GAMES, tournament::statistics::Statistic,
};
use crate::numbers::{
    ClusteredMean, Estimate, Influence, Interval, stats::clusters::added, stats::clusters::standard_error,
    stats::estimate::mean_of, stats::multiple::student_p,
};

/// The opponents' moves in the same games, as a control group. These moves need no further search.
#[derive(Debug, Clone, PartialEq)]
pub struct ControlGroup {
    pub moves: u64,
    /// Mean loss of winning chances per move of the opponents, in percentage points.
    pub win_loss: Estimate,
    /// The player's mean loss per move minus the opponents' mean loss per move, in percentage points;
    /// negative if the opponents lost more.
    pub more: Estimate,
    /// Probability of a difference at least as large, in either direction, if player and opponents play
    /// equally well; `None` if the difference has no standard error.
    pub p: Option<f64>,
    /// The probability `p`, adjusted for the number of groups (Holm 1979).
    pub p_holm: Option<f64>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    moves: u64,
    games: Vec<u32>,
    ranked: [ClusteredMean; Statistic::RANKED.len()],
    accuracy: ClusteredMean,
    half_points: Vec<u32>,
    elo: Vec<f64>,
    opponents: Vec<f64>,
    judgments: JudgmentCounts,
}

impl Tally {
    /// Adds a move that counts. The moves of a game must be adjacent.
    pub fn add(&mut self, facts: &MoveFacts, method: &Method) {
        self.moves += 1;
        if self.games.last() != Some(&facts.game) {
            self.games.push(facts.game);
        }
        for (statistic, mean) in Statistic::RANKED.into_iter().zip(&mut self.ranked) {
            statistic.of_move(facts, method).into_iter().for_each(|value| mean.add(facts.game, value));
        }
        facts.verdict.judgment.into_iter().for_each(|judgment| self.judgments += judgment);
    }

    /// Adds facts of whole games: the results and accuracies of `player`, and the ratings of both players.
    pub fn add_games(&mut self, sample: &MoveSample, games: &[EvaluatedGame], player: u32) {
        for &place in &self.games {
            let game = games[place as usize].game();
            let own = |side: &&Appearance| side.game == place && side.player == player;
            let Some(side) = sample.appearances.iter().find(own) else { continue };
            self.half_points.extend(side.half_points);
            self.elo.extend(game.elo(side.color).map(f64::from));
            self.opponents.extend(game.elo(!side.color).map(f64::from));
            side.accuracy.into_iter().for_each(|accuracy| self.accuracy.add(place, accuracy));
        }
    }

    /// Adds the player's accuracy in a game, or in those moves of the game that belong to the group.
    pub fn add_accuracy(&mut self, game: u32, accuracy: Option<f64>) {
        accuracy.into_iter().for_each(|accuracy| self.accuracy.add(game, accuracy));
    }

    pub fn row(&self, group: String, rating: Option<RatingOfPlay>) -> ProfileRow {
        let results = self.half_points.len();
        ProfileRow {
            group,
            games: self.games.len(),
            moves: self.moves,
            points: (results > 0)
                .then(|| f64::from(self.half_points.iter().sum::<u32>()) / (2 * results) as f64),
            elo: mean_of(&self.elo),
            opponents: mean_of(&self.opponents),
            measures: Statistic::RANKED
                .into_iter()
                .zip(&self.ranked)
                .chain([(Statistic::Accuracy, &self.accuracy)])
                .map(|(statistic, mean)| (statistic, mean.estimate().map(|found| statistic.bounded(found))))
                .collect(),
            judgments: self.judgments,
            rating,
            control: None,
        }
    }

    fn ranked(&self, statistic: Statistic) -> Option<&ClusteredMean> {
        let place = Statistic::RANKED.into_iter().position(|ranked| ranked == statistic)?;
        Some(&self.ranked[place])
    }

    /// Compares the loss of these moves with the loss of the moves in `others`; `None` if either loss is
    /// unknown. The errors are clustered by game.
    pub fn compared_with(&self, others: &Tally) -> Option<ControlGroup> {
        let (own, other) = (self.ranked(Statistic::WinLoss)?, others.ranked(Statistic::WinLoss)?);
        let win_loss = Statistic::WinLoss.bounded(other.estimate()?);
        let (more, p) = difference(own, other)?;
        Some(ControlGroup { moves: others.moves, win_loss, more, p, p_holm: None })
    }
}

/// Returns the difference of two means over the same games, with its p-value. `None` if a mean is unknown. The
/// errors are clustered by game.
pub(super) fn difference(own: &ClusteredMean, other: &ClusteredMean) -> Option<(Estimate, Option<f64>)> {
    let value = own.mean()? - other.mean()?;
    let less: Vec<Influence> = other.influences().into_iter().map(|(game, by)| (game, -by)).collect();
    let influences = added(&own.influences(), &less);
    let error = standard_error(&influences);
    let interval = error
        .filter(|_| influences.len() >= FEWEST_GAMES)
        .and_then(|error| Interval::clustered(value, error, influences.len()));
    let p = error.map(|error| student_p(value / error, influences.len() - 1));
    Some((Estimate { value, observations: influences.len(), interval }, p))
}
