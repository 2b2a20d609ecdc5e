//! Owns [`Standing`]: all that one line tells of a player, put together from the quality of play and the tournament.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{QualityOfPlay, QualityRow};
use crate::chess::JudgementCounts;
use crate::measure::tournament::statistics::Statistic;
use crate::measure::tournament::{Analysis, MoveSample, PlayerResult};
use crate::numbers::Estimate;

/// One player.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing<'a> {
    /// Rank, moves and rating of play.
    pub quality: &'a QualityRow,
    /// Rating, games and points, by the games' tags or as given.
    pub result: &'a PlayerResult,
    /// First choices in percent; `None` where the engine's choices are not known.
    pub first_choice: Option<Estimate>,
    /// Centipawns lost a move.
    pub centipawn_loss: Option<Estimate>,
    /// Accuracy in percent, the mean over games.
    pub accuracy: Option<Estimate>,
    /// Inaccuracies, mistakes and blunders.
    pub judgements: JudgementCounts,
}

/// Returns the players with moves, in the order of `quality`. What evaluations tell beside the rating of play is by those of the
/// tournament, whose moves `sample` has.
pub fn standings<'a>(
    quality: &'a QualityOfPlay,
    analysis: &'a Analysis,
    sample: &MoveSample,
) -> Vec<Standing<'a>> {
    let results: BTreeMap<&str, &PlayerResult> =
        analysis.tournament.players.iter().map(|player| (player.name.as_str(), player)).collect();
    let measures: BTreeMap<(&str, Statistic), Estimate> = analysis
        .statistics
        .iter()
        .filter_map(|row| Some(((row.player.as_str(), row.statistic), row.estimate?)))
        .collect();
    let judgements = sample.judgements(&analysis.tournament.method.filter);
    let standing = |row: &'a QualityRow| {
        let name = row.player.as_str();
        let measure = |statistic| measures.get(&(name, statistic)).copied();
        Some(Standing {
            quality: row,
            result: results.get(name)?,
            first_choice: measure(Statistic::FirstChoice),
            centipawn_loss: measure(Statistic::CentipawnLoss),
            accuracy: measure(Statistic::Accuracy),
            judgements: judgements[sample.place(name)],
        })
    };
    quality.rows.iter().filter_map(standing).collect()
}

/// Which of the players with a rank can be told apart by the number that ranks them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RankedPairs {
    /// Pairs of players whose numbers have a standard error.
    pub pairs: usize,
    /// Those with an adjusted p below 0.05.
    pub apart: usize,
    /// The players of whom it is open whether they are better or worse than the first, in the order of their ranks.
    pub level_with_first: Vec<String>,
}
