//! Owns a player's row in the tables of a tournament, and what it follows from.

use std::collections::BTreeMap;

use super::{Measured, Method, facts::PlayerFacts};
use crate::numbers::{EloDifference, Estimate, ExpectedScore, Histogram};

/// One player's row.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerResult {
    /// As the games have it, white space folded.
    pub name: String,
    /// Place in the order of expected scores, from 1; `None` for a player without a move.
    pub rank: Option<usize>,
    /// The rating; `None` where neither a tag nor the user gives one.
    pub elo: Option<PlayerElo>,
    /// Games that count.
    pub games: u32,
    /// Half-points scored in those whose result is known.
    pub half_points: u32,
    /// Gains of the moves that count, in the metric's unit.
    pub histogram: Histogram,
    /// The expected score against the engine (Eq. 8); `None` for a player without a move.
    pub expected_score: Option<Measured>,
    /// Its Elo difference (Eq. 2), negative when the engine is stronger.
    pub elo_difference: Option<Measured>,
    /// The engine's strength as seen from this player: Elo − difference (Table 6), without an interval.
    pub engine_strength: Option<Measured>,
    /// Mean engine strength + difference (Table 7); its interval by cluster knows the spread of the engine's
    /// strength over the players, that by bootstrap the games alone.
    pub performance: Option<Measured>,
    /// The place among the players with moves in two games or more, as games are drawn anew.
    pub ranks: Option<Ranks>,
    /// The expected score against one peak at 0, where the engine's own gains are taken instead.
    pub against_zero: Option<Estimate>,
}

/// The places that a player takes as games are drawn anew.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranks {
    /// The share of samples in which the player is first, a shared first place by its part.
    pub first: f64,
    /// From here…
    pub low: usize,
    /// …to here are 95 % of the places taken.
    pub high: usize,
    /// Players who take places: those with moves in two games or more.
    pub of: usize,
}

/// What a player's row follows from.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerRecord {
    /// As the games have it, white space folded.
    pub name: String,
    /// The rating, where it is known.
    pub elo: Option<PlayerElo>,
    /// Games that count.
    pub games: u32,
    /// Half-points scored in those whose result is known.
    pub half_points: u32,
    /// Gains of the moves that count, in the metric's unit.
    pub histogram: Histogram,
}

/// A player's rating and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerElo {
    /// Elo points.
    pub value: f64,
    /// Where it comes from.
    pub origin: EloOrigin,
}

/// Where a rating comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EloOrigin {
    /// The same tag in every game that has one.
    Tag,
    /// The mean over games whose tags differ.
    MeanOfTags {
        /// The lowest tag.
        low: u32,
        /// The highest tag.
        high: u32,
    },
    /// The user's word.
    Given,
}

impl PlayerResult {
    /// Returns the moves whose gain was counted.
    pub fn moves(&self) -> u64 {
        self.histogram.total()
    }

    /// Returns the points scored.
    pub fn points(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// Returns the row that follows from `record` against an engine of these gains.
    pub(super) fn new(record: PlayerRecord, engine: &Histogram, method: &Method) -> PlayerResult {
        let PlayerRecord { name, elo, games, half_points, histogram } = record;
        let expected_score = histogram
            .distribution()
            .zip(engine.distribution())
            .map(|(player, engine)| ExpectedScore::of(player, engine, method.band));
        let moves = histogram.total();
        let elo_difference =
            expected_score.map(|p| Measured::of_difference(EloDifference::of(p, moves, method.curve), moves));
        PlayerResult {
            engine_strength: elo
                .zip(elo_difference)
                .map(|(elo, difference)| difference.taken_from(elo.value)),
            name,
            rank: None,
            elo,
            games,
            half_points,
            histogram,
            expected_score: expected_score.map(|score| Measured::of_score(score, moves)),
            elo_difference,
            performance: None,
            ranks: None,
            against_zero: None,
        }
    }
}

/// Returns the user's word for a player's rating, else what the games say.
pub(super) fn rating(player: &PlayerFacts, elo: &BTreeMap<String, f64>) -> Option<PlayerElo> {
    let given = elo.get(&player.name).map(|&value| PlayerElo { value, origin: EloOrigin::Given });
    given.or_else(|| mean_elo(&player.elo_tags))
}

/// Returns the mean of the tags, each game counting once.
fn mean_elo(tags: &[u32]) -> Option<PlayerElo> {
    let (low, high) = (*tags.iter().min()?, *tags.iter().max()?);
    let sum: f64 = tags.iter().map(|&elo| f64::from(elo)).sum();
    Some(PlayerElo {
        value: sum / tags.len() as f64,
        origin: if low == high { EloOrigin::Tag } else { EloOrigin::MeanOfTags { low, high } },
    })
}
