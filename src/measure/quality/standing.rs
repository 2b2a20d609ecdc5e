//! [`Standing`]: a player's line in a ranking, from the quality of play and the tournament; and the comparison of
//! ranked players, at once ([`JointTest`]) and in pairs ([`RankedPairs`]).

use std::collections::BTreeMap;

use serde::Serialize;

use super::{QualityBasis, QualityOfPlay, QualityRow};
use crate::chess::JudgmentCounts;
use crate::measure::{
    calibration::RatingOfPlay,
    tournament::measures::{Measures, by_player},
    tournament::{Analysis, MoveSample, PairSummary, PlayerResult},
};
use crate::numbers::{
    Estimate, Heterogeneity, Interval, Welch, pooled,
    stats::estimate::LEVEL,
    stats::multiple::{holm, normal_p, student_p},
};

#[derive(Debug, Clone, PartialEq)]
pub struct Standing<'a> {
    /// Rank, moves and rating of play; `None` without a move that counts.
    pub quality: Option<&'a QualityRow>,
    /// The player's result in the tournament, such as rating, games and points.
    pub result: &'a PlayerResult,
    /// The known measures of the player's moves in the tournament.
    pub measures: Measures,
    pub judgments: Option<JudgmentCounts>,
}

impl AsRef<PlayerResult> for PlayerResult {
    fn as_ref(&self) -> &PlayerResult {
        self
    }
}

impl AsRef<PlayerResult> for Standing<'_> {
    fn as_ref(&self) -> &PlayerResult {
        self.result
    }
}

impl Standing<'_> {
    pub fn rating(&self) -> Option<&RatingOfPlay> {
        self.quality?.rating.as_ref()
    }
}

/// Returns the players in the order of `quality`, followed by the players without moves. The measures come from
/// the tournament's evaluations, whose moves are in `sample`; the rating of play comes from `quality`.
pub fn standings<'a>(
    quality: &'a QualityOfPlay,
    analysis: &'a Analysis,
    sample: &MoveSample,
) -> Vec<Standing<'a>> {
    let ranked = (0..).zip(&quality.rows).map(|(place, row)| (row.player.as_str(), (place, row)));
    let ranked: BTreeMap<&str, (usize, &QualityRow)> = ranked.collect();
    let mut measures = by_player(&analysis.statistics);
    let judged = sample.judgments(&analysis.tournament.method.filter);
    let judged: BTreeMap<&str, JudgmentCounts> =
        sample.players.iter().map(|player| player.name.as_str()).zip(judged).collect();
    let mut players: Vec<&PlayerResult> = analysis.tournament.players.iter().collect();
    players.sort_by_key(|player| ranked.get(player.name.as_str()).map_or(usize::MAX, |(place, _)| *place));
    let standing = |result: &'a PlayerResult| Standing {
        quality: ranked.get(result.name.as_str()).map(|(_, row)| *row),
        result,
        measures: measures.remove(result.name.as_str()).unwrap_or_default(),
        judgments: judged.get(result.name.as_str()).copied(),
    };
    players.into_iter().map(standing).collect()
}

/// A test of the hypothesis that all ranked players have the same number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum JointTest {
    /// Cochran's test of ratings of play, whose standard errors are known.
    Ratings {
        players: usize,
        #[serde(flatten)]
        test: Heterogeneity,
    },
    /// Welch's test of means over moves, whose standard errors are estimated from few games.
    Means(Welch),
}

impl JointTest {
    /// Returns the number of players, and the probability of a scatter at least as large if all play equally well.
    pub fn players_and_p(&self) -> (usize, f64) {
        match self {
            JointTest::Ratings { players, test } => (*players, test.p),
            JointTest::Means(test) => (test.observations, test.p),
        }
    }

    pub fn is_significant(&self) -> bool {
        self.players_and_p().1 < 1.0 - LEVEL
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RankedPairs {
    /// Number of pairs of ranked players that were compared. With more than [`PairSummary::FIELD`] ranked
    /// players, only the first is compared with each other player. Pairs whose difference has no standard
    /// error are not compared.
    pub pairs: usize,
    /// Number of pairs with an adjusted p below 0.05.
    #[serde(rename = "apart")]
    pub significant: usize,
    /// The players who do not differ significantly from the first player, in the order of their ranks.
    pub level_with_first: Vec<String>,
    /// The players who are significantly worse than the first player, in the order of their ranks.
    pub below_first: Vec<String>,
}

/// The numbers of the ranked players, as tests compare them.
pub(super) struct Compared<'r> {
    /// Each ranked player with the number that ranks the player.
    players: Vec<(&'r QualityRow, Estimate)>,
    /// True for ratings, whose standard errors are known.
    is_rated: bool,
}

impl Compared<'_> {
    /// Returns the ranked players with the numbers that rank them. If all of these players have a
    /// field-adjusted rating, the numbers get its standard error, because errors that are common to all
    /// players of an event cancel in differences.
    pub fn of<'r>(rows: &'r [QualityRow], basis: &QualityBasis) -> Compared<'r> {
        let ranked = || rows.iter().filter(|row| row.rank.is_some());
        let is_one_field = ranked().all(|row| row.field.is_some());
        let number = |row: &'r QualityRow| {
            let (number, _) = row.ranked_by(basis)?;
            let in_field = row.field.filter(|_| is_one_field);
            let within = in_field.map(|field| Interval::normal(number.value, field.standard_error));
            Some((row, Estimate { interval: within.or(number.interval), ..number }))
        };
        let is_rated = matches!(basis, QualityBasis::Rating { .. });
        Compared { players: ranked().filter_map(number).collect(), is_rated }
    }

    /// Tests all players at once: ratings by Cochran's test, other numbers by Welch's.
    pub fn at_once(&self) -> Option<JointTest> {
        let numbers = || self.players.iter().map(|(_, number)| *number);
        if !self.is_rated {
            return Welch::of(numbers()).map(JointTest::Means);
        }
        let known = |number: Estimate| Some((number.value, number.interval?.standard_error));
        let pooled = pooled(&numbers().filter_map(known).collect::<Vec<_>>())?;
        Some(JointTest::Ratings { players: pooled.observations, test: pooled.heterogeneity })
    }

    /// Compares pairs of players. p-values are adjusted by Holm's method.
    pub fn in_pairs(&self) -> RankedPairs {
        let players = &self.players;
        let firsts = if players.len() > PairSummary::FIELD { 1 } else { players.len() };
        let compared: Vec<((usize, usize), f64)> = (0..firsts)
            .flat_map(|first| (first + 1..players.len()).map(move |second| (first, second)))
            .filter_map(|pair| Some((pair, self.p(pair)?)))
            .collect();
        let adjusted = holm(&compared.iter().map(|(_, p)| *p).collect::<Vec<_>>());
        let is_significant = |p: &f64| *p < 1.0 - LEVEL;
        let with_first = |significant: bool| {
            let pairs = compared.iter().zip(&adjusted).filter(|(((first, _), _), _)| *first == 0);
            let found = pairs.filter(|(_, p)| is_significant(p) == significant);
            found.map(|(((_, second), _), _)| players[*second].0.player.clone()).collect()
        };
        RankedPairs {
            pairs: compared.len(),
            significant: adjusted.iter().filter(|p| is_significant(p)).count(),
            level_with_first: with_first(false),
            below_first: with_first(true),
        }
    }

    /// Returns the two-sided p-value of the difference between two players; `None` if it has no standard error.
    /// A standard error that is estimated from few games calls for Student's t; its degrees of freedom are the
    /// number of games of the player with fewer games, minus one.
    fn p(&self, (first, second): (usize, usize)) -> Option<f64> {
        let [(first, a), (second, b)] = [first, second].map(|place| &self.players[place]);
        let error = a.interval?.standard_error.hypot(b.interval?.standard_error);
        let z = (a.value - b.value) / error;
        let freedom = first.games.min(second.games).saturating_sub(1).max(1);
        let p = |z| if self.is_rated { normal_p(z) } else { student_p(z, freedom) };
        (error > 0.0 && z.is_finite()).then(|| p(z))
    }
}
