//! [`Validation`]: errors of ratings of play in left-out events.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::model::Direction;

/// Smallest number of players in a class of moves whose error is told.
const LEAST_TESTED: usize = 100;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    pub direction: Direction,
    pub lengths: Vec<LengthRow>,
    /// Errors of single players by number of moves; see [`Validation::PLAYER_MOVES`].
    pub players: Vec<LengthRow>,
    /// Errors by band of rating, for blocks of [`Validation::BAND_LENGTH`] moves.
    pub bands: Vec<BandRow>,
    pub events: Vec<EventRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthRow {
    /// Number of moves that completes a block, or the smallest number of moves of the players; `None` for
    /// whole events.
    pub length: Option<u64>,
    pub blocks: usize,
    pub moves: f64,
    /// Root mean square error in Elo points.
    pub rmse: f64,
    pub mae: f64,
    /// Root mean square error of the shrunken rating.
    pub shrunken_rmse: f64,
    /// Mean of predicted − real rating.
    pub bias: f64,
    /// Share of blocks whose real rating is within the 95 % interval of the prediction.
    pub coverage: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BandRow {
    pub from: f64,
    pub to: f64,
    pub blocks: usize,
    pub elo: f64,
    pub bias: f64,
    pub rmse: f64,
    pub coverage: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRow {
    pub event: usize,
    /// The mean year of the event's games, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<f64>,
    pub moves: u64,
    pub elo: f64,
    pub predicted: f64,
    pub standard_error: f64,
}

/// Errors of ratings of play by number of moves, in events left out of the calibration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TestedErrors {
    /// True for ratings of single players, false for ratings of blocks of moves of similar players.
    pub is_of_players: bool,
    /// True for errors that are expected from a comparison of engines; see [`super::EquatedWith`].
    pub is_expected: bool,
    /// The mean number of moves, and the root mean square error in Elo points.
    pub by_moves: Vec<(f64, f64)>,
}

/// Errors of whole events in a period of five years.
#[derive(Debug, Clone, PartialEq)]
pub struct PeriodRow {
    /// The first year of the period.
    pub from: u16,
    pub events: usize,
    /// Mean of predicted − real rating, with equal weight of each event.
    pub bias: f64,
    /// Standard error of the mean, from the differences between events; `None` for one event.
    pub standard_error: Option<f64>,
}

impl Validation {
    /// The length of the blocks in [`Validation::bands`]; see [`LengthRow::length`].
    pub const BAND_LENGTH: u64 = 526;

    pub const PERIOD: u16 = 5;

    /// Returns the root mean square error of blocks of [`Validation::BAND_LENGTH`] moves; infinite if there are
    /// none.
    pub fn error(&self) -> f64 {
        let usual = self.lengths.iter().find(|row| row.length == Some(Validation::BAND_LENGTH));
        usual.map_or(f64::INFINITY, |row| row.rmse)
    }

    /// Returns the errors of single players, or of blocks if no class has [`LEAST_TESTED`] players.
    pub fn tested_errors(&self) -> TestedErrors {
        let tell = |row: &LengthRow| (row.moves, row.rmse);
        let players = self.players.iter().filter(|row| row.blocks >= LEAST_TESTED);
        let players: Vec<(f64, f64)> = players.map(tell).collect();
        if !players.is_empty() {
            return TestedErrors { is_of_players: true, by_moves: players, ..TestedErrors::default() };
        }
        let blocks = self.lengths.iter().filter(|row| row.length.is_some());
        TestedErrors { by_moves: blocks.map(tell).collect(), ..TestedErrors::default() }
    }

    /// The smallest number of moves in each class of single players.
    #[cfg(feature = "program")]
    pub(super) const PLAYER_MOVES: [u64; 5] = [100, 150, 200, 300, 450];

    /// Returns the class of this number of moves in [`Validation::PLAYER_MOVES`].
    #[cfg(feature = "program")]
    pub(super) fn class(moves: u64) -> Option<u64> {
        Validation::PLAYER_MOVES.into_iter().rfind(|&least| least <= moves)
    }

    /// Returns the errors of whole events for each period of five years, in order of time.
    pub fn periods(&self) -> Vec<PeriodRow> {
        let mut periods: BTreeMap<u16, Vec<f64>> = BTreeMap::new();
        for event in &self.events {
            if let Some(year) = event.year {
                let from = year.round() as u16 / Validation::PERIOD * Validation::PERIOD;
                periods.entry(from).or_default().push(event.predicted - event.elo);
            }
        }
        let row = |(from, errors): (u16, Vec<f64>)| {
            let n = errors.len() as f64;
            let bias = errors.iter().sum::<f64>() / n;
            let squares: f64 = errors.iter().map(|error| (error - bias).powi(2)).sum();
            let standard_error = (errors.len() > 1).then(|| (squares / (n - 1.0) / n).sqrt());
            PeriodRow { from, events: errors.len(), bias, standard_error }
        };
        periods.into_iter().map(row).collect()
    }
}
