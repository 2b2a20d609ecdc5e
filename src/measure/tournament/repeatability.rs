//! Repeatability of the players' statistics in another run of an engine on the same moves.

use super::{
    EngineHistogram, Method, MoveSample, sensitivity::choice, sensitivity::in_unit_of, statistics::Statistic,
};
use crate::chess::Metric;
use crate::numbers::{
    Estimate, Interval,
    stats::correlation::{both_known, pearson, spearman},
};

/// A statistic and its method, compared between two runs.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    statistic: Statistic,
    method: fn(&Method) -> Method,
}

/// The measures in addition to the baseline's expected score: the paper's expected score, without and with tie
/// bands; the expected score by winning chances; the score kept; and the known measures, for which only the
/// clip and the filter of the method matter.
pub const MEASURES: [Measure; 14] = [
    Measure { statistic: Statistic::ExpectedScore, method: |base| by(Metric::Centipawns, 0, base) },
    Measure { statistic: Statistic::ExpectedScore, method: |base| by(Metric::Centipawns, 5, base) },
    Measure { statistic: Statistic::ExpectedScore, method: |base| by(Metric::Centipawns, 10, base) },
    Measure { statistic: Statistic::ExpectedScore, method: |base| by(Metric::Centipawns, 20, base) },
    Measure { statistic: Statistic::ExpectedScore, method: |base| by(Metric::Centipawns, 50, base) },
    Measure { statistic: Statistic::ExpectedScore, method: |base| by(Metric::WinProbability, 0, base) },
    Measure { statistic: Statistic::ExpectedScore, method: |base| by(Metric::WinProbability, 200, base) },
    Measure { statistic: Statistic::ScoreKept, method: Method::clone },
    Measure { statistic: Statistic::MeanGain, method: Method::clone },
    Measure { statistic: Statistic::CentipawnLoss, method: Method::clone },
    Measure { statistic: Statistic::WinLoss, method: Method::clone },
    Measure { statistic: Statistic::WdlLoss, method: Method::clone },
    Measure { statistic: Statistic::FirstChoice, method: Method::clone },
    Measure { statistic: Statistic::Accuracy, method: Method::clone },
];

/// Returns `base` with the paper's assumption about the engine's gains, this `metric` and this `tie`.
fn by(metric: Metric, tie: u32, base: &Method) -> Method {
    Method { engine_histogram: EngineHistogram::Delta, ..in_unit_of(metric, tie, base) }
}

/// One statistic in two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeatability {
    /// The compared statistic.
    pub statistic: Statistic,
    /// The method by which the statistic is computed.
    pub method: Method,
    /// The differences of `method` from the baseline, by the names of the options; empty for the baseline.
    pub choice: String,
    /// Number of players with the statistic in both runs.
    pub players: usize,
    /// Pearson's correlation between the two runs, with its interval by Fisher's z from four players on. `None`
    /// for fewer than two players, or if all values of a run are equal.
    pub pearson: Option<Estimate>,
    /// Spearman's rank correlation between the two runs; `None` under the same conditions as `pearson`.
    pub spearman: Option<f64>,
    /// Mean absolute difference between the two runs, in the statistic's unit; `None` without players.
    pub mean_difference: Option<f64>,
}

/// Returns the repeatability of the expected score by `base`, then of each of the [`MEASURES`], without
/// duplicates.
///
/// # Panics
///
/// If the samples have different players.
pub fn rows(one: &MoveSample, other: &MoveSample, base: &Method) -> Vec<Repeatability> {
    let mut wanted = vec![(Statistic::ExpectedScore, base.clone())];
    for measure in MEASURES {
        let pair = (measure.statistic, (measure.method)(base));
        if !wanted.contains(&pair) {
            wanted.push(pair);
        }
    }
    let rows = wanted.into_iter().map(|(statistic, method)| {
        let choice = choice(base, &method);
        Repeatability::of(statistic, method, choice, [one, other])
    });
    rows.collect()
}

impl Repeatability {
    fn of(statistic: Statistic, method: Method, choice: String, samples: [&MoveSample; 2]) -> Repeatability {
        let [one, other] = samples.map(|sample| {
            let estimates = statistic.of(sample, &method);
            estimates.iter().map(|estimate| estimate.map(|estimate| estimate.value)).collect::<Vec<_>>()
        });
        assert!(
            samples[0].players.iter().map(|p| &p.name).eq(samples[1].players.iter().map(|p| &p.name)),
            "the same players in both runs"
        );
        let (one, other) = both_known(&one, &other);
        let players = one.len();
        let with_interval =
            |r| Estimate { value: r, observations: players, interval: Interval::of_correlation(r, players) };
        let differences: f64 = one.iter().zip(&other).map(|(one, other)| (one - other).abs()).sum();
        Repeatability {
            statistic,
            method,
            choice,
            players,
            pearson: pearson(&one, &other).map(with_interval),
            spearman: spearman(&one, &other),
            mean_difference: (players > 0).then(|| differences / players as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::chess::{EvaluatedGame, Evaluation, Score, pgn::parse_games};
    use crate::numbers::Band;

    /// Returns one game for each gain. In each game, White is another player and plays one move with this gain;
    /// Black does not move.
    fn sample(gains: &[i32]) -> MoveSample {
        let games = gains.iter().enumerate().map(|(number, &gain)| {
            let pgn = format!("[White \"P{number}\"]\n[Black \"Q\"]\n\n1. e4 *\n");
            let game = parse_games(&pgn, "test").remove(0).expect("a game");
            let evaluations = [0, gain].map(|cp| Evaluation::of_score(Score::Cp(cp)));
            EvaluatedGame::new(game, evaluations.to_vec())
        });
        MoveSample::of(&games.collect::<Vec<_>>())
    }

    fn row<'a>(rows: &'a [Repeatability], statistic: Statistic, choice: &str) -> &'a Repeatability {
        let found = rows.iter().find(|row| row.statistic == statistic && row.choice == choice);
        found.expect("a measure of that name")
    }

    #[test]
    fn five_players_in_two_runs() {
        let rows = rows(&sample(&[1, 3, -2, 8, 30]), &sample(&[2, -1, -9, 6, 40]), &Method::default());
        let gain = row(&rows, Statistic::MeanGain, "");
        // from scipy.stats import pearsonr, spearmanr                # scipy 1.17.1
        // x, y = [1, 3, -2, 8, 30], [2, -1, -9, 6, 40]
        // r = pearsonr(x, y); r.statistic, r.confidence_interval(0.95), spearmanr(x, y).statistic
        let pearson = gain.pearson.expect("players");
        let interval = pearson.interval.expect("four players or more");
        assert!((pearson.value - 0.9895939718660942).abs() < 1e-12, "{pearson:?}");
        assert!((interval.low - 0.8456683593295).abs() < 1e-9, "{interval:?}");
        assert!((interval.high - 0.9993459247522).abs() < 1e-9, "{interval:?}");
        assert!((gain.spearman.expect("players") - 0.9).abs() < 1e-12);
        // |1 − 2|, |3 + 1|, |−2 + 9|, |8 − 6|, |30 − 40|
        assert_eq!((gain.players, gain.mean_difference), (5, Some(24.0 / 5.0)));
        let paper = row(&rows, Statistic::ExpectedScore, "");
        assert_eq!((paper.players, paper.mean_difference), (5, Some(0.2)), "one sign has turned");
        let loss = row(&rows, Statistic::CentipawnLoss, "");
        // From +15 before the first move: losses 14, 12, 17, 7 and 0 in one run, 13, 16, 24, 9 and 0 in the
        // other.
        assert_eq!(loss.mean_difference, Some(14.0 / 5.0));
        let wide = row(&rows, Statistic::ExpectedScore, "tie 50");
        assert_eq!((wide.pearson, wide.spearman, wide.mean_difference), (None, None, Some(0.0)));
        let unknown = row(&rows, Statistic::WdlLoss, "");
        assert_eq!((unknown.players, unknown.pearson, unknown.mean_difference), (0, None, None));
    }

    #[test]
    fn three_players_have_a_correlation_without_an_interval() {
        let rows = rows(&sample(&[1, 3, -2]), &sample(&[2, 3, -9]), &Method::default());
        let gain = row(&rows, Statistic::MeanGain, "").pearson.expect("players");
        assert_eq!((gain.observations, gain.interval), (3, None));
    }

    #[test]
    fn the_baseline_comes_first_and_no_number_twice() {
        let (one, other) = (sample(&[1, 2]), sample(&[2, 1]));
        let names = |base: &Method| -> Vec<String> {
            rows(&one, &other, base).into_iter().map(|row| row.choice).collect()
        };
        let plain = names(&Method::default());
        assert_eq!(plain.len(), MEASURES.len());
        let own = names(&Method { band: Band::within(15), ..Method::default() });
        assert_eq!(own.len(), MEASURES.len() + 1);
        assert_eq!((own[0].as_str(), own[1].as_str(), own[6].as_str()), ("", "tie 0", "metric win, tie 0"));
    }

    proptest! {
        #[test]
        fn a_run_repeats_itself_and_two_runs_are_compared_alike_from_both_sides(
            pairs in prop::collection::vec((-90i32..90, -90i32..90), 1..12),
        ) {
            let (one, other): (Vec<i32>, Vec<i32>) = pairs.into_iter().unzip();
            let (one, other) = (sample(&one), sample(&other));
            for row in rows(&one, &one, &Method::default()) {
                prop_assert!(row.pearson.is_none_or(|r| (r.value - 1.0).abs() < 1e-12));
                prop_assert!(row.mean_difference.is_none_or(|difference| difference == 0.0));
            }
            let (there, back) = (rows(&one, &other, &Method::default()), rows(&other, &one, &Method::default()));
            for (there, back) in there.iter().zip(&back) {
                let holds = |r: Estimate| {
                    let around = |i: Interval| i.low <= r.value + 1e-12 && r.value <= i.high + 1e-12;
                    (-1.0..=1.0).contains(&r.value) && r.interval.is_none_or(around)
                };
                prop_assert!(there.pearson.is_none_or(holds));
                prop_assert_eq!(there.mean_difference, back.mean_difference);
                prop_assert_eq!(there.pearson.map(|r| r.observations), back.pearson.map(|r| r.observations));
            }
        }
    }
}
