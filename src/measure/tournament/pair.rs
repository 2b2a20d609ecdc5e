//! Comparison of two players gain by gain, and the number of significant differences.

use crate::numbers::stats::estimate::LEVEL;

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
