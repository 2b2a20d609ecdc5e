//! Owns [`Validation`]: how far ratings of play are off in events that they were not made from.

use serde::{Deserialize, Serialize};

use super::model::Direction;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    pub direction: Direction,
    pub lengths: Vec<LengthRow>,
    /// By rating, of blocks of [`Validation::BAND_LENGTH`] moves.
    pub bands: Vec<BandRow>,
    pub events: Vec<EventRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthRow {
    /// Moves that blocks were cut for; null for whole events.
    pub length: Option<u64>,
    pub blocks: usize,
    pub moves: f64,
    /// Root mean square error in Elo points.
    pub rmse: f64,
    pub mae: f64,
    /// Root mean square error of the shrunken rating.
    pub shrunken_rmse: f64,
    /// Mean of predicted − real.
    pub bias: f64,
    /// Share of blocks whose rating is within the 95 % interval.
    pub coverage: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BandRow {
    pub from: f64,
    /// Ratings below this.
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
    pub moves: u64,
    pub elo: f64,
    pub predicted: f64,
    pub standard_error: f64,
}

impl Validation {
    /// Moves of the blocks that bands are of.
    pub const BAND_LENGTH: u64 = 526;
}
