//! Owns the known measures of play beside the expected score, each with its formula and source.

use serde::{Serialize, Serializer};

use super::{
    Method, MoveSample,
    facts::MoveFacts,
    kept,
    uncertainty::{PlayerSamples, SideScore},
};
use crate::chess::Metric;
use crate::numbers::{ClusteredMean, Estimate, Welch};

/// A number for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statistic {
    /// The expected score against the engine (Ferreira, Eq. 8).
    ExpectedScore,
    /// The score kept; see [`super::kept`].
    ScoreKept,
    /// Mean gain in centipawns, evaluations clamped to ±clip.
    MeanGain,
    /// Average centipawn loss as lichess counts it: mean of max(0, −gain) from +0.15 before the first move on, without moves
    /// that mate, evaluations clamped to ±10 pawns; see [`crate::chess::judgement::MoveVerdict`].
    CentipawnLoss,
    /// Mean of max(0, −gain) of the chance of winning, in percentage points, by lichess's curve.
    WinLoss,
    /// The same by the engine's own chances of a win, a draw and a loss.
    WdlLoss,
    /// The share of moves that are the engine's first choice, in percent.
    FirstChoice,
    /// Mean over games of the accuracy that lichess gives, in percent. Of whole games: filters of
    /// moves do not touch it, those of games (rounds, colour) do.
    Accuracy,
}

/// One number of one player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatisticRow {
    /// The player.
    pub player: String,
    /// What was measured.
    pub statistic: Statistic,
    /// The number with its interval by cluster; `None` where it cannot be had, such as first
    /// choices from evaluations of which only the scores are recorded.
    pub estimate: Option<Estimate>,
}

impl Serialize for Statistic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Statistic {
    /// Those beside the expected score, in the order of tables.
    pub const KNOWN: [Statistic; 6] = [
        Statistic::MeanGain,
        Statistic::CentipawnLoss,
        Statistic::WinLoss,
        Statistic::WdlLoss,
        Statistic::FirstChoice,
        Statistic::Accuracy,
    ];

    /// Returns the name that columns of tables have for it.
    pub fn name(self) -> &'static str {
        match self {
            Statistic::ExpectedScore => "expected_score",
            Statistic::ScoreKept => "score_kept",
            Statistic::MeanGain => "mean_gain_cp",
            Statistic::CentipawnLoss => "centipawn_loss",
            Statistic::WinLoss => "win_loss_percent",
            Statistic::WdlLoss => "wdl_loss_percent",
            Statistic::FirstChoice => "first_choice_percent",
            Statistic::Accuracy => "accuracy_percent",
        }
    }

    /// Turns `value` so that more of it is better: with its sign turned where it counts what was lost.
    pub fn merit(self, value: f64) -> f64 {
        match self {
            Statistic::CentipawnLoss | Statistic::WinLoss | Statistic::WdlLoss => -value,
            Statistic::ExpectedScore
            | Statistic::ScoreKept
            | Statistic::MeanGain
            | Statistic::FirstChoice
            | Statistic::Accuracy => value,
        }
    }

    /// Returns the same with an interval within what is possible.
    fn bounded(self, estimate: Estimate) -> Option<Estimate> {
        let (low, high) = match self {
            Statistic::FirstChoice | Statistic::Accuracy | Statistic::WinLoss | Statistic::WdlLoss => {
                (0.0, 100.0)
            }
            Statistic::CentipawnLoss => (0.0, f64::INFINITY),
            Statistic::ExpectedScore | Statistic::ScoreKept | Statistic::MeanGain => return Some(estimate),
        };
        Some(Estimate { interval: estimate.interval.map(|interval| interval.within(low, high)), ..estimate })
    }

    /// Returns what the move adds to the mean that the number of a player is; `None` where it is not known, and of the
    /// numbers that are no mean over moves.
    pub fn of_move(self, facts: &MoveFacts, method: &Method) -> Option<f64> {
        let centipawns = || facts.gain(Metric::Centipawns, method.clip).map(|gain| gain as f64);
        let loss = |gain: f64| (-gain).max(0.0);
        match self {
            Statistic::ExpectedScore | Statistic::ScoreKept | Statistic::Accuracy => None,
            Statistic::MeanGain => centipawns(),
            Statistic::CentipawnLoss => facts.verdict.centipawn_loss.map(f64::from),
            // Not by the metric of that name, whose unit is rounded to whole numbers for its bins.
            Statistic::WinLoss => {
                facts.evals().map(|evals| 100.0 * loss(evals.win_probability_gain(&method.scale())))
            }
            Statistic::WdlLoss => facts.evals()?.wdl_gain().map(|gain| 100.0 * loss(gain)),
            Statistic::FirstChoice => facts.first_choice.map(|first| if first { 100.0 } else { 0.0 }),
        }
    }

    /// Returns the number of each player, in the order of [`MoveSample::players`].
    pub fn of(self, sample: &MoveSample, method: &Method) -> Vec<Option<Estimate>> {
        match self {
            Statistic::ExpectedScore => {
                let sides = PlayerSamples::new(sample, method, |_| true);
                let scores = (0..sample.players.len()).map(|side| sides.score(side));
                scores.map(|score| score.map(|SideScore { estimate, .. }| estimate)).collect()
            }
            Statistic::ScoreKept => {
                kept::scores(sample, method).iter().map(ClusteredMean::estimate).collect()
            }
            Statistic::Accuracy => {
                let mut means = vec![ClusteredMean::default(); sample.players.len()];
                let counted =
                    sample.appearances.iter().filter(|side| method.filter.keeps_side(side.color, side.round));
                for side in counted {
                    if let Some(accuracy) = side.accuracy {
                        means[side.player as usize].add(side.game, accuracy);
                    }
                }
                means.iter().map(|mean| self.bounded(mean.estimate()?)).collect()
            }
            _ => {
                let mut means = vec![ClusteredMean::default(); sample.players.len()];
                for facts in sample.moves.iter().filter(|facts| method.keeps(facts)) {
                    if let Some(value) = self.of_move(facts, method) {
                        means[facts.player as usize].add(facts.game, value);
                    }
                }
                means.iter().map(|mean| self.bounded(mean.estimate()?)).collect()
            }
        }
    }
}

/// Returns every known measure of each of the players `names`, player by player.
pub fn rows(sample: &MoveSample, names: &[&str], method: &Method) -> Vec<StatisticRow> {
    let columns = Statistic::KNOWN.map(|statistic| (statistic, statistic.of(sample, method)));
    let rows = names.iter().flat_map(|&name| {
        let place = sample.place(name);
        columns.iter().map(move |(statistic, estimates)| StatisticRow {
            player: name.to_owned(),
            statistic: *statistic,
            estimate: estimates[place],
        })
    });
    rows.collect()
}

/// Returns whether one common value of each known measure would do for all players; those without an answer
/// are left out.
pub fn homogeneity(rows: &[StatisticRow]) -> Vec<(Statistic, Welch)> {
    let of = |statistic: Statistic| {
        let estimates = rows.iter().filter(|row| row.statistic == statistic).filter_map(|row| row.estimate);
        Some((statistic, Welch::of(estimates)?))
    };
    Statistic::KNOWN.into_iter().filter_map(of).collect()
}
