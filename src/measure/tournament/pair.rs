//! Owns the comparison of two players gain by gain, and how many pairs can be told apart.

use crate::numbers::stats::estimate::LEVEL;

/// One player against another, gain by gain (Eqs. 7 and 8).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlayerPair {
    /// Places among the players.
    pub players: [usize; 2],
    /// The expected score of the first against the second, between 0 and 1.
    pub score: f64,
    /// Standard error of the score, over samples of games or by the influence of each; `None` where one of
    /// them has moves in one game only, and where the games do not differ.
    pub standard_error: Option<f64>,
    /// (score − ½) / standard error.
    pub z: Option<f64>,
    /// Two-sided, of Student's t with one degree of freedom less than the one of them who has
    /// fewer games: with so few the normal distribution finds too many differences. For a score of
    /// 0 or 1 that of a sign test over games.
    pub p: Option<f64>,
    /// The same adjusted for the number of pairs (Holm 1979).
    pub p_holm: Option<f64>,
}

/// How many pairs can be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PairSummary {
    /// Pairs of players with moves.
    pub pairs: usize,
    /// Those with an adjusted p below 0.05.
    pub apart: usize,
    /// The smallest adjusted p; `None` where no pair has one.
    pub smallest: Option<f64>,
}

impl PairSummary {
    /// The largest field whose pairs are compared: nobody reads more than its 1,770, and their number grows with the square
    /// of the players.
    pub const FIELD: usize = 60;

    pub(super) fn of(pairs: &[PlayerPair]) -> PairSummary {
        PairSummary {
            pairs: pairs.len(),
            apart: pairs.iter().filter(|pair| pair.is_significant()).count(),
            smallest: pairs.iter().filter_map(|pair| pair.p_holm).min_by(f64::total_cmp),
        }
    }
}

impl PlayerPair {
    /// Returns the expected score of the player at that place among the players, who is one of the two.
    pub fn score_of(&self, place: usize) -> f64 {
        if self.players[0] == place { self.score } else { 1.0 - self.score }
    }

    /// Returns whether the adjusted p is below 0.05.
    pub fn is_significant(&self) -> bool {
        self.p_holm.is_some_and(|p| p < 1.0 - LEVEL)
    }
}
