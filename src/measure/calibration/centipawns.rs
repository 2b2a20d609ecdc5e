//! [`CentipawnScale`]: the scale of lichess's evaluations, found from the evaluations themselves.
//!
//! lichess has used Stockfishes whose centipawns differ. In 2022, a position had 1.5 times as many centipawns as
//! now, so the same moves lost 1.5 times as much. The date of a game gives the scale only roughly, because a game
//! may be analyzed years later.

use std::collections::BTreeMap;

use shakmaty::Position;

use crate::chess::{EvaluatedGame, Score};
use crate::engine::chess_engine::{ChessEngine, Limits, Root};

/// Centipawns by lichess for one centipawn by the built-in engine at depth 1, with evaluations of May 2025.
const TODAY: f64 = 1.17;

/// The first ply whose evaluation is compared. lichess may take evaluations of openings from earlier analyses.
const FIRST: usize = 17;

/// The plies between compared positions.
const STEP: usize = 3;

/// The smallest and the largest evaluation by the built-in engine in a compared position, in centipawns.
const COMPARED: std::ops::RangeInclusive<u32> = 60..=400;

/// Smallest number of compared positions of a game, and largest number of compared games of a year.
const LEAST_POSITIONS: usize = 4;
const MOST_GAMES: usize = 40;

/// Standard deviations of the logarithm of the scale: of a median over games, times the square root of their number;
/// and around the usual scale of a year.
const SPREAD_OF_GAMES: f64 = 0.5;
const SPREAD_OF_YEAR: f64 = 0.1;

/// Standard errors by which a measured scale may differ from a usual one.
const LIKELY: f64 = 3.0;

/// The evaluations of a year's games have no scale that lichess is known to have used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the scale of lichess's evaluations of {} cannot be told", year.map_or_else(|| "games without a date".to_owned(), |year| format!("games of {year}")))]
pub struct UnknownScale {
    pub year: Option<u16>,
}

/// Centipawns by lichess for one centipawn of today, for games of each year.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CentipawnScale {
    years: BTreeMap<Option<u16>, f64>,
}

/// Returns the scale that lichess used in a year, relative to the scale of today: medians of 5,900 rapid games of 2014
/// to 2022, and of 37 games of May 2025 (docs/calibration-tests.md).
fn usual(year: u16) -> f64 {
    match year {
        ..=2017 => 0.77,
        2018 => 0.93,
        2019 => 1.05,
        2020 => 1.1,
        2021 => 1.4,
        2022 => 1.5,
        _ => 1.0,
    }
}

/// Returns the factor from the evaluations of games of a year to the centipawns of today, if lichess analyzed the
/// games soon after they were played.
pub fn usual_factor(year: u16) -> f64 {
    usual(year).recip()
}

impl CentipawnScale {
    /// Finds the scale of each year with games.
    ///
    /// # Errors
    /// If the scale of a year is unlike any usual scale of this year and of today.
    pub fn of<'g>(
        games: impl IntoIterator<Item = &'g EvaluatedGame>,
    ) -> Result<CentipawnScale, UnknownScale> {
        let mut years: BTreeMap<Option<u16>, Vec<&EvaluatedGame>> = BTreeMap::new();
        for game in games {
            years.entry(game.game().tags.date().map(|date| date.year())).or_default().push(game);
        }
        let scale = |(year, games): (Option<u16>, Vec<&EvaluatedGame>)| {
            let mut engine = ChessEngine::new(1);
            let every = games.len().div_ceil(MOST_GAMES).max(1);
            let ratios: Vec<f64> =
                games.into_iter().step_by(every).filter_map(|game| ratio(&mut engine, game)).collect();
            Ok((year, found(year, ratios).ok_or(UnknownScale { year })?))
        };
        Ok(CentipawnScale { years: years.into_iter().map(scale).collect::<Result<_, _>>()? })
    }

    /// Returns the game with the factor from its evaluations to the centipawns of today.
    pub fn rescale(&self, game: EvaluatedGame) -> EvaluatedGame {
        let year = game.game().tags.date().map(|date| date.year());
        let scale = self.years.get(&year).copied().or_else(|| year.map(usual)).unwrap_or(1.0);
        game.rescaled(scale.recip())
    }
}

/// Returns the scale of the games of a year, whose single scales by the built-in engine are `ratios`: the mean of the
/// usual scale and of the measured scale, weighted by their variances. `None` if they differ too much. If only a usual
/// scale of later years fits, the games were analyzed later.
fn found(year: Option<u16>, mut ratios: Vec<f64>) -> Option<f64> {
    ratios.sort_by(f64::total_cmp);
    let median = ratios.get(ratios.len() / 2).copied().filter(|median| *median > 0.0);
    let Some(measured) = median.map(|median| (median / TODAY).ln()) else { return year.map(usual) };
    let variance = SPREAD_OF_GAMES.powi(2) / ratios.len() as f64;
    let expected = [year.map(usual), Some(1.0)].into_iter().flatten().map(f64::ln);
    let likely = LIKELY * (variance + SPREAD_OF_YEAR.powi(2)).sqrt();
    let expected = expected.into_iter().find(|expected| (measured - expected).abs() < likely)?;
    let weights = [SPREAD_OF_YEAR.powi(-2), variance.recip()];
    Some(((weights[0] * expected + weights[1] * measured) / (weights[0] + weights[1])).exp())
}

/// Returns the median ratio of a game's evaluations to those of the engine at depth 1; `None` with too few
/// compared positions.
fn ratio(engine: &mut ChessEngine, game: &EvaluatedGame) -> Option<f64> {
    let (mut ratios, limits) = (Vec::new(), Limits { depth: Some(1), ..Limits::default() });
    engine.clear();
    for (ply, position) in game.game().positions().enumerate().skip(FIRST).step_by(STEP) {
        let Some(Score::Cp(told)) = game.evaluations().at(ply).map(|evaluation| evaluation.score) else {
            continue;
        };
        let turn = position.turn();
        let result = engine.search(&Root::new(position), &limits, &mut ());
        let score = result.variations.first().map(|line| Score::from_side_to_move(line.score, turn));
        if let Some(own) = score.and_then(Score::cp).filter(|own| COMPARED.contains(&own.unsigned_abs())) {
            ratios.push(f64::from(told) / f64::from(own));
        }
    }
    ratios.sort_by(f64::total_cmp);
    (ratios.len() >= LEAST_POSITIONS).then(|| ratios[ratios.len() / 2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_is_between_that_of_the_year_and_the_measured_one() {
        // One game is as uncertain as 0.5, the year as 0.1: 25 games count as much as the year.
        let of = |year, ratio: f64, games| found(year, vec![ratio * TODAY; games]);
        let near = |found: Option<f64>, expected: f64| {
            found.is_some_and(|found| (found / expected - 1.0).abs() < 1e-9)
        };
        assert!(near(of(Some(2022), 1.8, 25), (1.5f64 * 1.8).sqrt()));
        assert!(near(of(Some(2022), 1.5, 3), 1.5) && near(of(Some(2022), 0.0, 0), 1.5));
        assert!(of(Some(2022), 1.8, 10_000).is_some_and(|found| (found - 1.8).abs() < 0.02));
        // Analyzed later, with a Stockfish of today.
        assert!(near(of(Some(2018), 1.0, 25), (0.93f64 * 1.0).sqrt()));
        assert!(near(of(Some(2022), 1.0, 40), 1.0));
        assert_eq!(of(Some(2025), 1.6, 40), None);
        assert!(near(of(None, 1.0, 40), 1.0) && of(None, 1.6, 40).is_none() && of(None, 1.0, 0).is_none());
    }
}
