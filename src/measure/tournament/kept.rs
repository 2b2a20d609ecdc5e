//! Score kept: an expected score like the paper's, but repeatable in another run of the engine.
//!
//! A game begins level, at ½. Each move of a player keeps the share min(1, W after / W before) of the
//! expected result, where W is the mover's winning chance by [`crate::chess::win_probability`]. Gains give
//! nothing back, because a perfect engine would never see a gain. The product over a player's moves in a
//! game, times ½, is the value of these moves against a perfect opponent. The mean of this value over games
//! is the expected score of a game, the quantity of Ferreira's Eq. (2). The error of the mean comes from the
//! differences between games.

use serde::{Serialize, Serializer, ser::SerializeMap};
use shakmaty::Color;

use super::{Method, MoveSample, facts::MoveFacts};
use crate::numbers::{ClusteredMean, EloCurve, Estimate, Interval, Welch, rating::strength};

/// The players in order of the score kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ScoreKept {
    /// The players' rows, best first; players without moves are left out.
    #[serde(rename = "players")]
    pub rows: Vec<KeptRow>,
    /// Mean of rating − Elo difference over the rated players; `None` without rated players, or if the
    /// ratings belong to several systems.
    #[serde(rename = "kept_engine_strength")]
    pub engine_strength: Option<Estimate>,
    /// Test of the hypothesis that all players have equal scores.
    pub homogeneity: Option<Welch>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptRow {
    /// Place among all players; equal scores share the better place.
    #[serde(rename = "kept_rank")]
    pub rank: usize,
    pub player: String,
    pub score: Estimate,
    #[serde(rename = "kept_difference")]
    pub elo_difference: Estimate,
    /// The engine's strength + `elo_difference`, as in Table 7; `None` if the engine's strength is unknown.
    #[serde(flatten, serialize_with = "with_interval_apart")]
    pub performance: Option<Estimate>,
}

/// Returns the mean over games of half the share kept in a game, for each player in the order of
/// [`MoveSample::players`].
pub(super) fn scores(sample: &MoveSample, method: &Method) -> Vec<ClusteredMean> {
    let scale = method.scale();
    let mut means = vec![ClusteredMean::default(); sample.players.len()];
    let counted = sample.moves.iter().filter(|facts| method.keeps(facts));
    let counted = counted.filter_map(|facts| Some((facts, facts.evals()?.share_kept(&scale))));
    let counted: Vec<(&MoveFacts, f64)> = counted.collect();
    for game in counted.chunk_by(|(a, _), (b, _)| a.game == b.game) {
        for mover in Color::ALL {
            let mut own = game.iter().filter(|(facts, _)| facts.mover == mover).peekable();
            let Some((first, _)) = own.peek().copied() else { continue };
            let kept: f64 = own.map(|(_, share)| share).product();
            means[first.player as usize].add(first.game, kept / 2.0);
        }
    }
    means
}

impl ScoreKept {
    /// Returns the table of the players of `sample`. `elo` has the ratings in the order of
    /// [`MoveSample::players`].
    pub fn of(sample: &MoveSample, elo: &[Option<f64>], method: &Method) -> ScoreKept {
        let means = scores(sample, method);
        let rows = sample.players.iter().zip(&means).zip(elo).filter(|((player, _), _)| !player.is_nobody);
        let rows =
            rows.filter_map(|((player, mean), &elo)| Some((elo, KeptRow::new(&player.name, mean, method)?)));
        let mut rows: Vec<(Option<f64>, KeptRow)> = rows.collect();
        let rated = rows.iter().filter_map(|(elo, row)| Some(((*elo)?, row.elo_difference.value)));
        let engine_strength = strength::of_engine(rated).filter(|_| sample.has_one_rating_system());
        for (_, row) in &mut rows {
            row.performance = engine_strength.map(|engine| strength::performance(engine, row.elo_difference));
        }
        rows.sort_by(|(_, a), (_, b)| b.score.value.total_cmp(&a.score.value));
        let mut rows: Vec<KeptRow> = rows.into_iter().map(|(_, row)| row).collect();
        for place in 1..rows.len() {
            let shared = rows[place].score.value == rows[place - 1].score.value;
            rows[place].rank = if shared { rows[place - 1].rank } else { place + 1 };
        }
        let homogeneity = Welch::of(rows.iter().map(|row| row.score));
        ScoreKept { rows, engine_strength, homogeneity }
    }
}

impl KeptRow {
    fn new(player: &str, mean: &ClusteredMean, method: &Method) -> Option<KeptRow> {
        let estimate = mean.estimate()?;
        let interval = estimate.interval.map(|interval| interval.within(0.0, 0.5));
        let score = Estimate { interval, ..estimate };
        let elo_difference = difference(estimate, method.curve);
        let player = player.to_owned();
        Some(KeptRow { rank: 1, player, score, elo_difference, performance: None })
    }
}

/// Serializes a performance followed by its interval, as in `summary.json`.
fn with_interval_apart<S: Serializer>(
    performance: &Option<Estimate>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("kept_performance", &performance.map(|performance| performance.value))?;
    map.serialize_entry(
        "kept_performance_interval",
        &performance.and_then(|performance| performance.interval),
    )?;
    map.end()
}

/// Returns the Elo difference of a score kept. A score of 0 has no finite difference. So if the interval of the
/// score reaches 0, the lower end of the result comes from the delta method.
fn difference(score: Estimate, curve: EloCurve) -> Estimate {
    // Products of many tiny shares may be 0 in floating point, but never mathematically.
    let map = |p: f64| curve.difference(p.max(f64::MIN_POSITIVE));
    let value = map(score.value);
    let slope = curve.slope(value);
    let interval = score.interval.map(|interval| {
        let mapped = interval.within(0.0, 0.5).mapped(map, slope);
        let linear = value - slope * (score.value - interval.low);
        Interval { low: if interval.low > 0.0 { mapped.low } else { linear }, ..mapped }
    });
    Estimate { value, interval, ..score }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{EvaluatedGame, pgn::parse_games, recorded_evaluations};

    fn sample(pgn: &str) -> MoveSample {
        let evaluated = |game: crate::chess::game::Game| {
            let evaluations = recorded_evaluations(&game, None).expect("every position has one");
            EvaluatedGame::new(game, evaluations)
        };
        MoveSample::of(&parse_games(pgn, "test").into_iter().flatten().map(evaluated).collect::<Vec<_>>())
    }

    #[test]
    fn what_two_moves_leave_of_a_level_game_by_hand() {
        // White falls from 0 to −100 and then gains. Black falls from +100 to 0. White's later gain gives
        // nothing back. With W = 1/(1 + e^(0.368208)) = 0.408974, White keeps 0.408974/0.5 and Black
        // 0.5/0.591026.
        let sample = sample(
            "[White \"A\"]\n[Black \"B\"]\n\n{ [%eval 0.00] } 1. e4 { [%eval -1.00] } e5 { [%eval 0.00] } \
             2. Nf3 { [%eval 0.10] } *",
        );
        let kept = ScoreKept::of(&sample, &[Some(2500.0), Some(2600.0)], &Method::default());
        let scores: Vec<f64> = kept.rows.iter().map(|row| row.score.value).collect();
        assert!((scores[0] - 0.422_993).abs() < 1e-6 && (scores[1] - 0.408_974).abs() < 1e-6, "{scores:?}");
        assert_eq!(kept.rows[0].player, "B");
        assert_eq!(kept.rows[0].score.interval, None, "one game");
        let mean = kept.engine_strength.expect("two ratings").value;
        let total: f64 = kept.rows.iter().map(|row| row.elo_difference.value).sum();
        assert!((mean - (5100.0 - total) / 2.0).abs() < 1e-9);
    }

    #[test]
    fn a_score_near_0_has_the_difference_of_the_curve_and_a_finite_interval() {
        // By game 0.001 and 0.003: m = 0.002, SE = 0.001, t(1) = 12.7062: the score reaches 0, the
        // difference down to 12.7062 · slope · SE below its value.
        let mean: ClusteredMean = [(0, 0.001), (1, 0.003)].into_iter().collect();
        let curve = EloCurve::Logistic;
        let found = difference(mean.estimate().expect("two games"), curve);
        assert!((found.value - 400.0 * (0.002f64 / 0.998).log10()).abs() < 1e-9);
        let interval = found.interval.expect("two games");
        let slope = 400.0 / (std::f64::consts::LN_10 * 0.002 * 0.998);
        assert!((interval.low - (found.value - 12.706_205 * slope * 0.001)).abs() < 1e-3, "{interval:?}");
        assert!(interval.high < 0.0 && interval.high > found.value);
        assert!(
            difference(Estimate { value: 0.0, ..mean.estimate().expect("two") }, curve).value.is_finite()
        );
    }

    #[test]
    fn who_never_loses_keeps_one_half() {
        let sample = sample("{ [%eval 0.00] } 1. e4 { [%eval 0.20] } e5 { [%eval 0.20] } *");
        let kept = ScoreKept::of(&sample, &[None], &Method::default());
        assert_eq!((kept.rows[0].score.value, kept.rows[0].elo_difference.value), (0.5, 0.0));
        assert_eq!((kept.engine_strength, kept.rows[0].performance), (None, None));
    }
}
