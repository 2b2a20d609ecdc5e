//! Owns [`Standing`]: all that one line tells of a player, put together from the quality of play and the tournament.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{QualityOfPlay, QualityRow};
use crate::chess::JudgementCounts;
use crate::measure::{
    tournament::statistics::{Measures, by_player},
    tournament::{Analysis, MoveSample, PlayerResult},
};

#[derive(Debug, Clone, PartialEq)]
pub struct Standing<'a> {
    /// Rank, moves and rating of play.
    pub quality: &'a QualityRow,
    /// Rating, games and points, by the games' tags or as given.
    pub result: &'a PlayerResult,
    pub measures: Measures,
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
    let measures = by_player(&analysis.statistics);
    let judgements = sample.judgements(&analysis.tournament.method.filter);
    let standing = |row: &'a QualityRow| {
        let name = row.player.as_str();
        Some(Standing {
            quality: row,
            result: results.get(name)?,
            measures: measures.get(name).cloned().unwrap_or_default(),
            judgements: judgements[sample.place(name)],
        })
    };
    quality.rows.iter().filter_map(standing).collect()
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct RankedPairs {
    /// Pairs of players whose numbers have a standard error.
    pub pairs: usize,
    /// Those with an adjusted p below 0.05.
    pub apart: usize,
    /// The players of whom it is open whether they are better or worse than the first, in the order of their ranks.
    pub level_with_first: Vec<String>,
}
