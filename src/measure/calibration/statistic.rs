//! Owns the statistics that a rating is made from: [`MoveStatistic`], a mean over moves, and [`PlayStatistic`], a function
//! of one.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chess::Metric;
use crate::chess::named::read_by_name;
use crate::measure::{
    tournament::Method, tournament::facts::MoveFacts, tournament::judges::BLUNDERS,
    tournament::statistics::Statistic,
};

/// A mean over moves, each of which adds a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveStatistic {
    /// The share of moves that are the engine's first choice, in percent.
    FirstChoice,
    /// Mean of max(0, −gain) of the chance of winning, in percentage points, by lichess's curve.
    WinLoss,
    /// Mean of max(0, −gain) in centipawns over every move between two evaluations: without lichess's exceptions for the
    /// first and the last one, since calibrations were fitted so.
    CentipawnLoss,
    /// The share of moves that lose 100 centipawns or more, in percent.
    Blunder100,
    /// The share of moves that lose 200 centipawns or more, in percent.
    Blunder200,
}

impl MoveStatistic {
    /// All of them, in the order of tables.
    pub const ALL: [MoveStatistic; 5] = [
        MoveStatistic::FirstChoice,
        MoveStatistic::WinLoss,
        MoveStatistic::CentipawnLoss,
        MoveStatistic::Blunder100,
        MoveStatistic::Blunder200,
    ];

    /// Returns the name that columns have for it.
    pub fn name(self) -> &'static str {
        match self {
            MoveStatistic::FirstChoice => Statistic::FirstChoice.name(),
            MoveStatistic::WinLoss => Statistic::WinLoss.name(),
            MoveStatistic::CentipawnLoss => Statistic::CentipawnLoss.name(),
            MoveStatistic::Blunder100 => "blunder_100_percent",
            MoveStatistic::Blunder200 => "blunder_200_percent",
        }
    }

    /// Returns what a move adds; `None` where it is not known.
    pub fn of_move(self, facts: &MoveFacts, method: &Method) -> Option<f64> {
        match self {
            MoveStatistic::FirstChoice => Statistic::FirstChoice.of_move(facts, method),
            MoveStatistic::WinLoss => Statistic::WinLoss.of_move(facts, method),
            MoveStatistic::CentipawnLoss => loss(facts, method),
            MoveStatistic::Blunder100 => blunder(BLUNDERS[0], facts, method),
            MoveStatistic::Blunder200 => blunder(BLUNDERS[1], facts, method),
        }
    }

    /// Returns its place among [`MoveStatistic::ALL`].
    pub(super) fn place(self) -> usize {
        self as usize
    }
}

/// Returns max(0, −gain) in centipawns.
fn loss(facts: &MoveFacts, method: &Method) -> Option<f64> {
    let gain = facts.gain(Metric::Centipawns, method.clip)?;
    Some((-gain as f64).max(0.0))
}

fn blunder(bound: u32, facts: &MoveFacts, method: &Method) -> Option<f64> {
    let loss = loss(facts, method)?;
    Some(if loss >= f64::from(bound) { 100.0 } else { 0.0 })
}

/// A number of a player from which a rating may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum PlayStatistic {
    /// First choices in percent.
    FirstChoice,
    /// Loss of winning chances in percentage points a move.
    WinLoss,
    /// Centipawns lost a move.
    CentipawnLoss,
    /// The natural logarithm of the loss of winning chances.
    LogWinLoss,
    /// The natural logarithm of the centipawns lost a move.
    LogCentipawnLoss,
}

/// Below this a mean has no logarithm that means anything: nobody loses so little.
const LEAST_LOSS: f64 = 0.01;

impl PlayStatistic {
    /// All of them.
    pub const ALL: [PlayStatistic; 5] = [
        PlayStatistic::FirstChoice,
        PlayStatistic::WinLoss,
        PlayStatistic::CentipawnLoss,
        PlayStatistic::LogWinLoss,
        PlayStatistic::LogCentipawnLoss,
    ];

    /// Returns its name in files.
    pub fn name(self) -> &'static str {
        match self {
            PlayStatistic::LogWinLoss => "log_win_loss",
            PlayStatistic::LogCentipawnLoss => "log_centipawn_loss",
            PlayStatistic::FirstChoice | PlayStatistic::WinLoss | PlayStatistic::CentipawnLoss => {
                self.of().name()
            }
        }
    }

    /// Returns the mean over moves that it is a function of.
    pub fn of(self) -> MoveStatistic {
        match self {
            PlayStatistic::FirstChoice => MoveStatistic::FirstChoice,
            PlayStatistic::WinLoss | PlayStatistic::LogWinLoss => MoveStatistic::WinLoss,
            PlayStatistic::CentipawnLoss | PlayStatistic::LogCentipawnLoss => MoveStatistic::CentipawnLoss,
        }
    }

    /// Returns whether a better player has more of it.
    pub fn sign(self) -> Sign {
        match self {
            PlayStatistic::FirstChoice => Sign::Positive,
            _ => Sign::Negative,
        }
    }

    /// Returns its value where that mean is `mean`.
    pub(super) fn at(self, mean: f64) -> f64 {
        if self.is_log() { mean.max(LEAST_LOSS).ln() } else { mean }
    }

    /// Returns the derivative of [`PlayStatistic::at`].
    pub(super) fn slope(self, mean: f64) -> f64 {
        match self.is_log() {
            true if mean < LEAST_LOSS => 0.0,
            true => mean.recip(),
            false => 1.0,
        }
    }

    fn is_log(self) -> bool {
        matches!(self, PlayStatistic::LogWinLoss | PlayStatistic::LogCentipawnLoss)
    }
}

impl fmt::Display for PlayStatistic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name of no statistic of play.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no statistic of play; there are {names}", names = PlayStatistic::ALL.map(PlayStatistic::name).join(", "))]
pub struct UnknownPlayStatistic(String);

read_by_name!(PlayStatistic, name, UnknownPlayStatistic);

/// The sign that a coefficient must have, so that a rating never falls where play gets better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sign {
    /// More of it is better.
    Positive,
    /// Less of it is better.
    Negative,
}

impl Sign {
    /// Returns whether a coefficient has this sign, or is none.
    pub fn allows(self, coefficient: f64) -> bool {
        match self {
            Sign::Positive => coefficient >= 0.0,
            Sign::Negative => coefficient <= 0.0,
        }
    }
}
