//! [`Standing`]: a player's line in a ranking, from the quality of play and the tournament.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{QualityOfPlay, QualityRow};
use crate::chess::JudgmentCounts;
use crate::measure::{
    calibration::RatingOfPlay,
    tournament::measures::{Measures, by_player},
    tournament::{Analysis, MoveSample, PlayerResult},
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
    /// Returns the rating of play, if a calibration fits.
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
