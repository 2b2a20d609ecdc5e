//! [`PlayerResult`]: a player's row in the tables of a tournament, and its input; and [`PlayerPair`], two
//! players compared.

use std::{collections::BTreeMap, fmt};

use super::{Measured, Method, facts::PlayerFacts};
use crate::numbers::{EloDifference, Estimate, ExpectedScore, Histogram, stats::estimate::LEVEL};

/// One player's row in the tables of a tournament.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlayerResult {
    /// The name in the games, with white space folded.
    pub name: String,
    /// Place in the order of expected scores, from 1; `None` for a player without moves.
    pub rank: Option<usize>,
    /// The rating; `None` if neither a tag nor the user gives one.
    pub elo: Option<PlayerElo>,
    /// The games that count.
    pub results: GameResults,
    /// Gains of the moves that count, in the metric's unit.
    pub histogram: Histogram,
    /// The expected score against the engine (Eq. 8); `None` for a player without moves.
    pub expected_score: Option<Measured>,
    /// Elo difference of the expected score (Eq. 2), negative if the engine is stronger.
    pub elo_difference: Option<Measured>,
    /// The engine's strength as seen from this player: `elo` − `elo_difference` (Table 6), without an
    /// interval. `None` without a rating or moves, and if the players' ratings belong to several systems.
    pub engine_strength: Option<Measured>,
    /// Mean engine strength + `elo_difference` (Table 7); `None` if either is unknown. The clustered interval
    /// also includes the spread of the engine's strength over the players; the bootstrap interval does not.
    pub performance: Option<Measured>,
    /// The distribution of the player's place by bootstrap; `None` without a bootstrap, and for a player with
    /// moves in fewer than two games.
    pub ranks: Option<Ranks>,
    /// The expected score against gains that are all 0, for comparison; `None` unless the engine's own gains
    /// are used.
    pub against_zero: Option<Estimate>,
}

/// The distribution of a player's place by bootstrap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranks {
    /// The share of samples in which the player is first; a shared first place counts as a fraction.
    pub first: f64,
    /// Lower end of the interval that contains the player's place in 95 % of the samples.
    pub low: usize,
    /// Upper end of the interval that contains the player's place in 95 % of the samples.
    pub high: usize,
    /// Number of players with places, that is, with moves in two games or more.
    pub of: usize,
}

/// The input of a player's row.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayerRecord {
    /// The name in the games, with white space folded.
    pub name: String,
    /// The rating, if known.
    pub elo: Option<PlayerElo>,
    /// The games that count.
    pub results: GameResults,
    /// Gains of the moves that count, in the metric's unit.
    pub histogram: Histogram,
}

/// A player's games and their results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GameResults {
    /// Number of games with moves.
    pub games: u32,
    /// Number of games without moves, such as forfeits and byes.
    pub unplayed: u32,
    /// Number of games with a known result, whether played or not.
    pub known: u32,
    /// Half-points in the games with a known result.
    pub half_points: u32,
}

impl GameResults {
    /// Returns the points scored.
    pub fn points(self) -> f64 {
        f64::from(self.half_points) / 2.0
    }
}

impl fmt::Display for GameResults {
    /// Formats the points and the number of games with a known result: `8.5/14`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1}/{}", self.points(), self.known)
    }
}

/// A player's rating and its origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerElo {
    /// Elo points.
    pub value: f64,
    /// The origin of the rating.
    pub origin: EloOrigin,
}

/// The origin of a rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EloOrigin {
    /// The player's rating tag, the same in every game with a tag.
    Tag,
    /// The mean of the player's rating tags, which differ between games.
    MeanOfTags {
        /// The lowest tag.
        low: u32,
        /// The highest tag.
        high: u32,
    },
    /// The user gave the rating.
    Given,
}

impl PlayerResult {
    /// Returns the number of moves whose gain was counted.
    pub fn moves(&self) -> u64 {
        self.histogram.total()
    }

    /// Computes the row of `record` against an engine with these gains.
    pub(super) fn new(record: PlayerRecord, engine: &Histogram, method: &Method) -> PlayerResult {
        let PlayerRecord { name, elo, results, histogram } = record;
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
            results,
            histogram,
            expected_score: expected_score.map(|score| Measured::of_score(score, moves)),
            elo_difference,
            performance: None,
            ranks: None,
            against_zero: None,
        }
    }
}

/// Returns the player's rating: the user's rating in `elo`, else the mean of the tags.
pub(super) fn rating(player: &PlayerFacts, elo: &BTreeMap<String, f64>) -> Option<PlayerElo> {
    let given = elo.get(&player.name).map(|&value| PlayerElo { value, origin: EloOrigin::Given });
    given.or_else(|| mean_elo(&player.elo_tags))
}

/// Returns the mean of the tags, with equal weights.
fn mean_elo(tags: &[u32]) -> Option<PlayerElo> {
    let (low, high) = (*tags.iter().min()?, *tags.iter().max()?);
    let sum: f64 = tags.iter().map(|&elo| f64::from(elo)).sum();
    Some(PlayerElo {
        value: sum / tags.len() as f64,
        origin: if low == high { EloOrigin::Tag } else { EloOrigin::MeanOfTags { low, high } },
    })
}

/// One player against another, gain by gain (Eqs. 7 and 8).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerPair {
    /// Indices of the players.
    pub players: [usize; 2],
    /// The expected score of the first player against the second player, between 0 and 1.
    pub score: f64,
    /// Standard error of the score, by bootstrap or by the influence of each game. `None` if a player has
    /// moves in only one game, or if the games do not differ.
    pub standard_error: Option<f64>,
    /// (score − ½) / standard error; `None` without a standard error, and for a score of 0 or 1.
    pub z: Option<f64>,
    /// Two-sided p-value of Student's t. The degrees of freedom are the number of games of the player with
    /// fewer games, minus one. With few games, the normal distribution finds too many differences. For a
    /// score of 0 or 1, the p-value comes from a sign test over games, if each player has moves in two games
    /// or more.
    pub p: Option<f64>,
    /// The p-value adjusted for the number of pairs (Holm 1979).
    pub p_holm: Option<f64>,
}

/// The number of pairs that differ significantly.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSummary {
    /// Number of pairs of players with moves; 0 in a field above [`PairSummary::FIELD`].
    pub pairs: usize,
    /// Number of pairs with an adjusted p below 0.05.
    pub significant: usize,
    /// The smallest adjusted p; `None` if no pair has an adjusted p.
    pub smallest: Option<f64>,
}

impl PairSummary {
    /// The largest number of players whose pairs are compared: they have 1,770 pairs. The number of pairs
    /// grows with the square of the number of players.
    pub const FIELD: usize = 60;

    pub(super) fn of(pairs: &[PlayerPair]) -> PairSummary {
        PairSummary {
            pairs: pairs.len(),
            significant: pairs.iter().filter(|pair| pair.is_significant()).count(),
            smallest: pairs.iter().filter_map(|pair| pair.p_holm).min_by(f64::total_cmp),
        }
    }
}

impl PlayerPair {
    /// Returns the expected score of the player with the index `place`, who is one of the two players.
    pub fn score_of(&self, place: usize) -> f64 {
        if self.players[0] == place { self.score } else { 1.0 - self.score }
    }

    /// Returns whether the adjusted p is below 0.05.
    pub fn is_significant(&self) -> bool {
        self.p_holm.is_some_and(|p| p < 1.0 - LEVEL)
    }
}
