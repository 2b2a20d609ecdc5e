//! Pairwise comparison of players by the number that ranks them.

use super::{QualityRow, standing::RankedPairs};
use crate::measure::tournament::PairSummary;
use crate::numbers::{
    Estimate,
    stats::estimate::LEVEL,
    stats::multiple::{holm, normal_p, student_p},
};

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
