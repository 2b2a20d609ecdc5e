//! Owns [`Validation`]: how far ratings of play are off in events that they were not made from.

use serde::{Deserialize, Serialize};

use super::model::Direction;

/// What a direction does in events that it was not made from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Validation {
    /// Which.
    pub direction: Direction,
    /// By the number of moves.
    pub lengths: Vec<LengthRow>,
    /// By rating, of blocks of [`Validation::BAND_LENGTH`] moves.
    pub bands: Vec<BandRow>,
    /// Whole events.
    pub events: Vec<EventRow>,
}

/// Errors of blocks of one length.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LengthRow {
    /// Moves that blocks were cut for; null for whole events.
    pub length: Option<u64>,
    /// Blocks.
    pub blocks: usize,
    /// Mean moves of a block.
    pub moves: f64,
    /// Root mean square error in Elo points.
    pub rmse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// Root mean square error of the shrunken rating.
    pub shrunken_rmse: f64,
    /// Mean of predicted − real.
    pub bias: f64,
    /// Share of blocks whose rating is within the 95 % interval.
    pub coverage: f64,
}

/// Errors of blocks of players of like ratings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BandRow {
    /// The lowest rating of the band.
    pub from: f64,
    /// Ratings below this.
    pub to: f64,
    /// Blocks.
    pub blocks: usize,
    /// Their mean rating.
    pub elo: f64,
    /// Mean of predicted − real.
    pub bias: f64,
    /// Root mean square error in Elo points.
    pub rmse: f64,
    /// Share of blocks whose rating is within the 95 % interval.
    pub coverage: f64,
}

/// One event, predicted from the others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRow {
    /// Its place among the events.
    pub event: usize,
    /// Moves of rated players.
    pub moves: u64,
    /// Their mean rating.
    pub elo: f64,
    /// What was predicted.
    pub predicted: f64,
    /// The standard error that goes with it.
    pub standard_error: f64,
}

impl Validation {
    /// Moves of the blocks that bands are of.
    pub const BAND_LENGTH: u64 = 526;
}
