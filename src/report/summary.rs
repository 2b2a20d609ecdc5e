//! Owns `summary.json` and `run.json`: what a run found, and apart from it how the run went.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    formats::facts::{EvaluationSource, GamesRead},
    stats::{
        estimate::{Estimate, Interval},
        heterogeneity::{Heterogeneity, Welch},
    },
    tournament::{
        EloOrigin, EngineRow, Intervals, Method, Player, PlayerElo, Tournament, kept::ScoreKept,
        splits::SplitRow, statistics::StatisticRow,
    },
};

/// What `summary.json` holds: all that follows from the games, the evaluations and the options,
/// and nothing that differs between two runs of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The program's version.
    pub version: String,
    /// Who evaluated the positions.
    pub evaluations: EvaluationSource,
    /// The choices of method.
    pub method: MethodFacts,
    /// Moves that were not counted, one name a filter; empty when all were.
    pub filters: Vec<String>,
    /// What became of the games.
    pub games: GamesRead,
    /// Positions of the games analysed that have an evaluation.
    pub positions: u64,
    /// Nodes of the evaluations of these positions, however they came; null when nobody counted
    /// them.
    pub nodes: Option<u64>,
    /// One row a player, as in the table of players.
    pub players: Vec<PlayerRow>,
    /// The engine's strength; null when no player with a move has an Elo.
    pub engine_strength: Option<EngineStrength>,
    /// The engine's own gains; null where they are not known.
    pub engine_histogram: Option<EngineOwn>,
    /// Whether one common expected score would do for all players; null for fewer than two.
    pub homogeneity: Option<Equality>,
    /// Who can be told from whom, in words; null for fewer than two players.
    pub verdict: Option<String>,
    /// The players in order of the score kept.
    pub score_kept: KeptFacts,
    /// The known measures.
    pub statistics: Vec<StatisticFacts>,
    /// By measure, whether one common value would do for all players.
    pub statistics_homogeneity: BTreeMap<&'static str, Equality>,
    /// The classes of moves asked for.
    pub splits: Vec<SplitFacts>,
    /// What the reader of the tables should know.
    pub notes: Vec<String>,
}

/// An interval at full precision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IntervalFacts {
    /// Standard error.
    pub standard_error: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Confidence level between 0 and 1.
    pub level: f64,
    /// How it was found.
    pub method: String,
}

/// An interval by cluster and one by bootstrap; null where there are too few games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IntervalsFacts {
    /// From the scatter of the games.
    pub cluster: Option<IntervalFacts>,
    /// From samples of whole games.
    pub bootstrap: Option<IntervalFacts>,
}

/// A number with its interval.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EstimateFacts {
    /// The number.
    pub value: f64,
    /// Observations behind it.
    pub observations: usize,
    /// Its interval.
    pub interval: Option<IntervalFacts>,
}

/// The engine's own gains.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineOwn {
    /// Positions.
    pub moves: u64,
    /// Gains in bins above 0.
    pub positive: u64,
    /// Gains in the bin of 0.
    pub zero: u64,
    /// Gains in bins below 0.
    pub negative: u64,
    /// Expected score against one peak at 0.
    pub against_zero: EstimateFacts,
}

/// Welch's test that all players have one value.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Equality {
    /// Players compared.
    pub players: usize,
    /// Players left out: too few games, or games that do not differ.
    pub left_out: usize,
    /// Welch's F.
    pub f: f64,
    /// Its degrees of freedom.
    pub freedom: [f64; 2],
    /// Chance of an F as large.
    pub p: f64,
}

/// Cochran's test that all players have one expected score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Homogeneity {
    /// Cochran's Q.
    pub q: f64,
    /// Degrees of freedom.
    pub freedom: usize,
    /// Chance of a Q as large.
    pub p: f64,
    /// Share of the scatter that is more than chance.
    pub i_squared: f64,
}

/// The score kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptFacts {
    /// Best first.
    pub players: Vec<KeptPlayer>,
    /// Mean over the rated players of Elo − difference; null without any.
    pub engine_strength: Option<EstimateFacts>,
    /// Whether one common score would do for all.
    pub homogeneity: Option<Equality>,
}

/// One player's score kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptPlayer {
    /// Place among all players.
    pub rank: usize,
    /// The player.
    pub player: String,
    /// Mean over games, between 0 and ½.
    pub score: EstimateFacts,
    /// Elo points.
    pub elo_difference: EstimateFacts,
    /// Elo points.
    pub performance: Option<f64>,
    /// Around the performance.
    pub performance_interval: Option<IntervalFacts>,
}

/// One measure of one player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatisticFacts {
    /// The player.
    pub player: String,
    /// As in the table of statistics.
    pub statistic: &'static str,
    /// The number; null where it cannot be had.
    pub estimate: Option<EstimateFacts>,
}

/// One player in one class of moves.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SplitFacts {
    /// The division.
    pub split: &'static str,
    /// The class.
    pub class: String,
    /// The player.
    pub player: String,
    /// Moves.
    pub moves: u64,
    /// Null without moves.
    pub expected_score: Option<EstimateFacts>,
    /// Null without moves.
    pub elo_difference: Option<EstimateFacts>,
}

/// The choices of method that the tables depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MethodFacts {
    /// Bound of an evaluation in centipawns.
    pub clip_cp: i32,
    /// What a gain is counted in: `cp`, `win` or `wdl`.
    pub metric: &'static str,
    /// The unit of a gain, and so of `bin` and `tie`.
    pub unit: &'static str,
    /// Width of a bin of gain.
    pub bin: u32,
    /// Gains that differ by no more than this tie.
    pub tie: u32,
    /// What the engine's own gains are taken to be: `delta` or `self`.
    pub engine_histogram: &'static str,
    /// `normal` or `logistic`.
    pub curve: &'static str,
    /// Samples of games behind the intervals by bootstrap.
    pub bootstrap_samples: u32,
    /// Where the random numbers of the samples begin.
    pub seed: u64,
}

/// A player's row at full precision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PlayerRow {
    /// As the games have it, white space folded.
    pub player: String,
    /// Elo points.
    pub elo: Option<f64>,
    /// Where the rating comes from: `tag`, `mean of tags` or `given`.
    pub elo_origin: Option<&'static str>,
    /// The lowest and the highest tag where tags differ.
    pub elo_tags: Option<[u32; 2]>,
    /// Games played.
    pub games: u32,
    /// Points scored.
    pub points: f64,
    /// Moves counted.
    pub moves: u64,
    /// Moves whose gain is in a bin above 0.
    pub positive: u64,
    /// Moves whose gain is in the bin of 0.
    pub zero: u64,
    /// Moves whose gain is in a bin below 0.
    pub negative: u64,
    /// Expected score against the engine, between 0 and 1.
    pub expected_score: Option<f64>,
    /// Elo points, negative when the engine is stronger.
    pub elo_difference: Option<f64>,
    /// Whether the score is 0 or 1: the difference then stands for half a move added to each side.
    pub unbounded: bool,
    /// Elo − difference.
    pub engine_strength: Option<f64>,
    /// Mean engine strength + difference.
    pub performance: Option<f64>,
    /// Around the expected score.
    pub expected_score_interval: IntervalsFacts,
    /// Around the difference.
    pub elo_difference_interval: IntervalsFacts,
    /// Around the performance: by cluster with the spread of the engine's strength over the
    /// players, by bootstrap from the games alone.
    pub performance_interval: IntervalsFacts,
    /// Expected score against one peak at 0, where the engine's own gains are taken instead.
    pub against_zero: Option<EstimateFacts>,
    /// Share of samples of games in which the player is first.
    pub first: Option<f64>,
    /// The range of 95 % of the places in those samples.
    pub ranks: Option<[usize; 2]>,
}

/// The engine's strength in Elo points, with its uncertainty.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineStrength {
    /// Mean over the rated players.
    pub mean: f64,
    /// Standard error of the mean; null with a single player, like the next three.
    pub standard_error: Option<f64>,
    /// Lower end of the interval.
    pub low: Option<f64>,
    /// Upper end of the interval.
    pub high: Option<f64>,
    /// Confidence level between 0 and 1.
    pub level: Option<f64>,
    /// How many players the mean is of.
    pub players: usize,
    /// The part of the error that comes from the games that happened to be played.
    pub sampling: IntervalsFacts,
}

impl From<&Method> for MethodFacts {
    fn from(method: &Method) -> MethodFacts {
        MethodFacts {
            clip_cp: method.clip.cp(),
            metric: method.metric.name(),
            unit: method.metric.unit(),
            bin: method.bin.get(),
            tie: method.tie,
            engine_histogram: method.engine_histogram.name(),
            bootstrap_samples: method.bootstrap.samples,
            seed: method.bootstrap.seed,
            curve: method.curve.name(),
        }
    }
}

impl From<&Player> for PlayerRow {
    fn from(player: &Player) -> PlayerRow {
        let signs = player.histogram.signs();
        let (elo_origin, elo_tags) = player.elo.map(origin).unzip();
        PlayerRow {
            player: player.name.clone(),
            elo: player.elo.map(|elo| elo.value),
            elo_origin,
            elo_tags: elo_tags.flatten(),
            games: player.games,
            points: player.points(),
            moves: player.moves(),
            positive: signs.positive,
            zero: signs.zero,
            negative: signs.negative,
            expected_score: player.expected_score.map(|score| score.value()),
            elo_difference: player.elo_difference.map(|difference| difference.value),
            unbounded: player.elo_difference.is_some_and(|difference| difference.unbounded),
            engine_strength: player.engine_strength,
            performance: player.performance,
            expected_score_interval: player.score_interval.into(),
            elo_difference_interval: player.difference_interval.into(),
            performance_interval: player.performance_interval.into(),
            against_zero: player.against_zero.map(Into::into),
            first: player.ranks.map(|ranks| ranks.first),
            ranks: player.ranks.map(|ranks| [ranks.low, ranks.high]),
        }
    }
}

impl PlayerRow {
    /// The rows of all players, in the tournament's order.
    pub fn all(tournament: &Tournament) -> Vec<PlayerRow> {
        tournament.players.iter().map(PlayerRow::from).collect()
    }
}

/// Where a rating comes from, with the tags that differ.
fn origin(elo: PlayerElo) -> (&'static str, Option<[u32; 2]>) {
    match elo.origin {
        EloOrigin::Tag => ("tag", None),
        EloOrigin::MeanOfTags { low, high } => ("mean of tags", Some([low, high])),
        EloOrigin::Given => ("given", None),
    }
}

impl EngineStrength {
    /// The strength that a tournament's rated players give; `None` without any.
    pub fn of(tournament: &Tournament) -> Option<EngineStrength> {
        let estimate = tournament.engine_strength?;
        let interval = estimate.interval;
        Some(EngineStrength {
            mean: estimate.value,
            standard_error: interval.map(|interval| interval.standard_error),
            low: interval.map(|interval| interval.low),
            high: interval.map(|interval| interval.high),
            level: interval.map(|interval| interval.level),
            players: estimate.observations,
            sampling: tournament.sampling.into(),
        })
    }
}

impl From<Interval> for IntervalFacts {
    fn from(interval: Interval) -> IntervalFacts {
        let Interval { standard_error, low, high, level, method } = interval;
        IntervalFacts { standard_error, low, high, level, method: method.to_string() }
    }
}

impl From<Intervals> for IntervalsFacts {
    fn from(intervals: Intervals) -> IntervalsFacts {
        IntervalsFacts {
            cluster: intervals.cluster.map(Into::into),
            bootstrap: intervals.bootstrap.map(Into::into),
        }
    }
}

impl From<Estimate> for EstimateFacts {
    fn from(estimate: Estimate) -> EstimateFacts {
        let Estimate { value, observations, interval } = estimate;
        EstimateFacts { value, observations, interval: interval.map(Into::into) }
    }
}

impl From<&EngineRow> for EngineOwn {
    fn from(engine: &EngineRow) -> EngineOwn {
        let signs = engine.histogram.signs();
        EngineOwn {
            moves: engine.histogram.total(),
            positive: signs.positive,
            zero: signs.zero,
            negative: signs.negative,
            against_zero: engine.against_zero.into(),
        }
    }
}

impl From<Welch> for Equality {
    fn from(test: Welch) -> Equality {
        let Welch { observations, left_out, f, freedom, p } = test;
        Equality { players: observations, left_out, f, freedom: [freedom.0 as f64, freedom.1], p }
    }
}

impl From<Heterogeneity> for Homogeneity {
    fn from(heterogeneity: Heterogeneity) -> Homogeneity {
        let Heterogeneity { q, freedom, p, i_squared } = heterogeneity;
        Homogeneity { q, freedom, p, i_squared }
    }
}

impl From<&ScoreKept> for KeptFacts {
    fn from(kept: &ScoreKept) -> KeptFacts {
        let players = kept.rows.iter().map(|row| KeptPlayer {
            rank: row.rank,
            player: row.player.clone(),
            score: row.score.into(),
            elo_difference: row.elo_difference.into(),
            performance: row.performance,
            performance_interval: row.performance_interval.map(Into::into),
        });
        KeptFacts {
            players: players.collect(),
            engine_strength: kept.engine_strength.map(Into::into),
            homogeneity: kept.homogeneity.map(Into::into),
        }
    }
}

impl StatisticFacts {
    /// All of them, player by player.
    pub fn all(rows: &[StatisticRow]) -> Vec<StatisticFacts> {
        let facts = rows.iter().map(|row| StatisticFacts {
            player: row.player.clone(),
            statistic: row.statistic.name(),
            estimate: row.estimate.map(Into::into),
        });
        facts.collect()
    }
}

impl SplitFacts {
    /// All of them, class by class.
    pub fn all(rows: &[SplitRow]) -> Vec<SplitFacts> {
        let facts = rows.iter().map(|row| SplitFacts {
            split: row.split.name(),
            class: row.class.clone(),
            player: row.player.clone(),
            moves: row.moves,
            expected_score: row.expected_score.map(Into::into),
            elo_difference: row.elo_difference.map(Into::into),
        });
        facts.collect()
    }
}

/// `value` as indented JSON with a line end. Numbers that are not finite become null.
pub fn to_json<T: Serialize>(value: &T) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::facts::{RunInfo, Searches};

    #[test]
    fn numbers_that_are_not_finite_become_null() {
        let run = RunInfo {
            command: vec!["gainalyze".to_owned(), "games.pgn".to_owned()],
            started: "2013-04-01T12:00:00Z".to_owned(),
            wall_seconds: f64::INFINITY,
            searches: Searches { made: 3, from_store: 2, ..Searches::default() },
            nodes_per_second: Some(f64::NAN),
            engine_busy_share: None,
            remade: None,
        };
        let json: serde_json::Value =
            serde_json::from_str(&to_json(&run).expect("plain data")).expect("valid json");
        assert!(json["wall_seconds"].is_null() && json["nodes_per_second"].is_null());
        assert_eq!(json["searches"]["from_store"], 2);
    }
}
