//! Owns `summary.json` and `run.json`: what a run found, and apart from it how the run went.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{
    formats::facts::{EvaluationSource, GamesRead},
    report::words,
    stats::{estimate::Estimate, heterogeneity::Welch},
    tournament::{
        Analysis, EloOrigin, EngineRow, Intervals, Measured, Method, PlayerElo, PlayerResult, Tournament,
        kept::ScoreKept, splits::SplitRow, statistics::StatisticRow,
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
    pub engine_histogram: Option<EngineRow>,
    /// Whether one common expected score would do for all players; null for fewer than two.
    pub homogeneity: Option<Welch>,
    /// Who can be told from whom, in words; null for fewer than two players.
    pub verdict: Option<String>,
    /// The players in order of the score kept.
    pub score_kept: ScoreKept,
    /// The known measures.
    pub statistics: Vec<StatisticRow>,
    /// By measure, whether one common value would do for all players.
    pub statistics_homogeneity: BTreeMap<&'static str, Welch>,
    /// The classes of moves asked for.
    pub splits: Vec<SplitRow>,
    /// What the reader of the tables should know.
    pub notes: Vec<String>,
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
    pub expected_score_interval: Intervals,
    /// Around the difference.
    pub elo_difference_interval: Intervals,
    /// Around the performance: by cluster with the spread of the engine's strength over the
    /// players, by bootstrap from the games alone.
    pub performance_interval: Intervals,
    /// Expected score against one peak at 0, where the engine's own gains are taken instead.
    pub against_zero: Option<Estimate>,
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
    pub sampling: Intervals,
}

impl From<&Method> for MethodFacts {
    fn from(method: &Method) -> MethodFacts {
        MethodFacts {
            clip_cp: method.clip.cp(),
            metric: method.metric.name(),
            unit: method.metric.unit(),
            bin: method.band.width().get(),
            tie: method.band.tie(),
            engine_histogram: method.engine_histogram.name(),
            bootstrap_samples: method.bootstrap.samples,
            seed: method.bootstrap.seed,
            curve: method.curve.name(),
        }
    }
}

/// What a summary tells that does not follow from an analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryFacts {
    /// Who evaluated the positions.
    pub evaluations: EvaluationSource,
    /// What became of the games.
    pub games: GamesRead,
    /// Positions of the games analysed that have an evaluation.
    pub positions: u64,
    /// Nodes of these evaluations, where they are known.
    pub nodes: Option<u64>,
}

impl Summary {
    /// That of `analysis`.
    pub fn of(analysis: &Analysis, facts: SummaryFacts) -> Summary {
        let tournament = &analysis.tournament;
        let SummaryFacts { evaluations, games, positions, nodes } = facts;
        let tests = analysis.homogeneity.iter();
        Summary {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            evaluations,
            method: (&tournament.method).into(),
            filters: tournament.method.filter.names(),
            games,
            positions,
            nodes,
            players: tournament.players.iter().map(PlayerRow::from).collect(),
            engine_strength: EngineStrength::of(tournament),
            engine_histogram: tournament.engine.clone(),
            homogeneity: tournament.homogeneity,
            verdict: words::tournament::verdict(tournament),
            score_kept: analysis.kept.clone(),
            statistics: analysis.statistics.clone(),
            statistics_homogeneity: tests.map(|&(statistic, test)| (statistic.name(), test)).collect(),
            splits: analysis.splits.clone(),
            notes: words::tournament::notes(tournament),
        }
    }
}

impl From<&PlayerResult> for PlayerRow {
    fn from(player: &PlayerResult) -> PlayerRow {
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
            expected_score: player.expected_score.map(|score| score.value),
            elo_difference: player.elo_difference.map(|difference| difference.value),
            unbounded: player.elo_difference.is_some_and(|difference| difference.bound.is_some()),
            engine_strength: player.engine_strength.map(|strength| strength.value),
            performance: player.performance.map(|performance| performance.value),
            expected_score_interval: intervals(player.expected_score),
            elo_difference_interval: intervals(player.elo_difference),
            performance_interval: intervals(player.performance),
            against_zero: player.against_zero,
            first: player.ranks.map(|ranks| ranks.first),
            ranks: player.ranks.map(|ranks| [ranks.low, ranks.high]),
        }
    }
}

/// How uncertain a number is; nothing of one that is not known.
fn intervals(measured: Option<Measured>) -> Intervals {
    measured.map(|measured| measured.intervals).unwrap_or_default()
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
            sampling: tournament.sampling,
        })
    }
}

/// `value` as indented JSON with a line end. Numbers that are not finite become null.
pub fn to_json<T: Serialize>(value: &T) -> serde_json::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::facts::{SearchFacts, Searches};

    #[test]
    fn numbers_that_are_not_finite_become_null() {
        let run = SearchFacts {
            searches: Searches { made: 3, from_store: 2, ..Searches::default() },
            nodes_per_second: Some(f64::NAN),
            engine_busy_share: Some(f64::INFINITY),
        };
        let json: serde_json::Value =
            serde_json::from_str(&to_json(&run).expect("plain data")).expect("valid json");
        assert!(json["engine_busy_share"].is_null() && json["nodes_per_second"].is_null());
        assert_eq!(json["searches"]["from_store"], 2);
    }
}
