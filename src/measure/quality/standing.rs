//! [`Standing`]: a player's line in a ranking, from the quality of play and the tournament; and
//! [`RankedPairs`], the comparison of ranked players.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{QualityOfPlay, QualityRow};
use crate::chess::JudgmentCounts;
use crate::measure::{
    calibration::RatingOfPlay,
    tournament::measures::{Measures, by_player},
    tournament::{Analysis, MoveSample, PairSummary, PlayerResult},
};
use crate::numbers::{
    Estimate,
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

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RankedPairs {
    /// Number of pairs of ranked players that were compared. Pairs whose difference has no standard error are
    /// not compared; if there are too many ranked players, no pairs are.
    pub pairs: usize,
    /// Number of pairs with an adjusted p below 0.05.
    #[serde(rename = "apart")]
    pub significant: usize,
    /// The players who do not differ significantly from the first player, in the order of their ranks.
    pub level_with_first: Vec<String>,
}

impl RankedPairs {
    /// Compares all pairs of ranked `rows`, by rating of play if `is_rated`, else by merit. p-values are
    /// adjusted by Holm's method. With more than [`PairSummary::FIELD`] ranked players, no pairs are compared.
    pub(super) fn of(rows: &[QualityRow], is_rated: bool) -> RankedPairs {
        let ranked: Vec<&QualityRow> = rows.iter().filter(|row| row.rank.is_some()).collect();
        if ranked.len() > PairSummary::FIELD {
            return RankedPairs::default();
        }
        let places = 0..ranked.len();
        let compared: Vec<((usize, usize), f64)> = places
            .clone()
            .flat_map(|first| (first + 1..places.end).map(move |second| (first, second)))
            .filter_map(|pair| Some((pair, p(ranked[pair.0], ranked[pair.1], is_rated)?)))
            .collect();
        let adjusted = holm(&compared.iter().map(|(_, p)| *p).collect::<Vec<_>>());
        let is_significant = |p: &f64| *p < 1.0 - LEVEL;
        let with_first = compared.iter().zip(&adjusted).filter(|(((first, _), _), _)| *first == 0);
        let level =
            with_first.filter(|(_, p)| !is_significant(p)).map(|(((_, second), _), _)| ranked[*second]);
        RankedPairs {
            pairs: compared.len(),
            significant: adjusted.iter().filter(|p| is_significant(p)).count(),
            level_with_first: level.map(|row| row.player.clone()).collect(),
        }
    }
}

/// Returns the two-sided p-value of the difference between two players; `None` if it has no standard error.
/// Without ratings, the standard error is estimated from few games. So p is by Student's t; the degrees of
/// freedom are the number of games of the player with fewer games, minus one.
fn p(first: &QualityRow, second: &QualityRow, is_rated: bool) -> Option<f64> {
    let number = |row: &QualityRow| -> Option<Estimate> {
        if is_rated { row.told()?.outright } else { Some(row.merit) }
    };
    let (a, b) = (number(first)?, number(second)?);
    let error = match (first.field, second.field) {
        // The error common to all players of an event cancels in the difference.
        (Some(first), Some(second)) => first.standard_error.hypot(second.standard_error),
        _ => a.interval?.standard_error.hypot(b.interval?.standard_error),
    };
    let z = (a.value - b.value) / error;
    let freedom = first.games.min(second.games).saturating_sub(1);
    (error > 0.0 && z.is_finite()).then(|| if is_rated { normal_p(z) } else { student_p(z, freedom.max(1)) })
}
