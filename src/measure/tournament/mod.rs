//! Tables of a tournament: players' gains, their performance, and the engine's strength.

#[cfg(feature = "program")]
pub(crate) mod agreement;
#[cfg(feature = "program")]
pub(crate) mod events;
pub(crate) mod extremes;
pub(crate) mod facts;
pub(crate) mod filter;
mod json;
#[cfg(feature = "program")]
pub(crate) mod judges;
pub(crate) mod kept;
pub(crate) mod measured;
pub(crate) mod measures;
pub(crate) mod method;
mod player;
pub mod repeatability;
pub(crate) mod sample;
pub(crate) mod sensitivity;
pub(crate) mod statistics;
mod uncertainty;

use std::collections::BTreeMap;

use serde::Serialize;

use self::{
    filter::Split, kept::ScoreKept, measures::SplitRow, measures::StatisticRow, player::rating,
    statistics::Statistic, uncertainty::PlayerSamples,
};
pub use self::{
    measured::{BoundSide, Intervals, Measured},
    method::{EngineHistogram, Method},
    player::{EloOrigin, GameResults, PairSummary, PlayerElo, PlayerPair, PlayerRecord, PlayerResult, Ranks},
    sample::{MoveSample, player_name},
};
use crate::numbers::{Estimate, Histogram, Welch, rating::strength, stats::estimate::LEVEL};

/// A tournament's tables: Ferreira's Tables 5, 6 and 7.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// Players in order of expected score, best first; players without moves come last.
    pub players: Vec<PlayerResult>,
    /// Mean of rating − Elo difference over the rated players, with its 95 % interval (Table 6). `None` if no
    /// player with a move has an Elo, or if the ratings belong to several systems.
    pub engine_strength: Option<Estimate>,
    /// Means over the rated players; `None` if `engine_strength` is `None`.
    pub average: Option<Average>,
    /// The sampling error of `engine_strength` from the games played, by two methods. It is the error of the
    /// Elo differences alone; the ratings are taken as exact.
    pub sampling: Intervals,
    /// Each pair of players with moves, in the order of the players; empty in a field above
    /// [`PairSummary::FIELD`].
    pub pairs: Vec<PlayerPair>,
    /// Summary of all pairs, including pairs that are not shown.
    pub pair_summary: PairSummary,
    /// Test of the hypothesis that all players have equal expected scores (Welch 1951).
    pub homogeneity: Option<Welch>,
    /// The gains of the engine's best moves, if known.
    pub engine: Option<EngineRow>,
    /// Number of moves that count but have no gain in the metric, because the engine's win, draw and loss
    /// chances are unknown.
    pub without_gain: u64,
    /// Number of first moves that would count if the position before them had an evaluation.
    pub without_start: u64,
    /// The choices of method.
    pub method: Method,
}

/// The complete analysis of a tournament for a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The tables that are based on gains.
    pub tournament: Tournament,
    /// The players in order of the score kept.
    pub kept: ScoreKept,
    /// The values of the measures, player by player.
    pub statistics: Vec<StatisticRow>,
    /// For each measure, the test of the hypothesis that all players have equal values.
    pub homogeneity: Vec<(Statistic, Welch)>,
    /// The expected scores of the players in each requested class of moves.
    pub splits: Vec<SplitRow>,
}

/// The gains of the engine's best moves, counted like a player's gains, and their expected score against
/// gains of 0.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineRow {
    /// Gains of the engine's best moves in all positions that count.
    #[serde(flatten, serialize_with = "json::moves_by_sign")]
    pub histogram: Histogram,
    /// Expected score of these gains against gains that are all 0. It is ½ if the paper's approximation, a
    /// peak at 0, is exact.
    pub against_zero: Estimate,
}

/// The last row of Table 6: means over the rated players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Average {
    /// Mean rating in Elo points.
    pub elo: f64,
    /// Mean Elo difference between a player and the engine.
    pub elo_difference: f64,
}

impl Analysis {
    /// Returns all tables of the moves of `sample`, including the expected scores in the classes of each of
    /// the `splits`. `elo` overrides ratings as in [`Tournament::of_sample`].
    pub fn of(
        sample: &MoveSample,
        elo: &BTreeMap<String, f64>,
        method: &Method,
        splits: &[Split],
    ) -> Analysis {
        let tournament = Tournament::of_sample(sample, elo, method);
        let names: Vec<&str> = tournament.players.iter().map(|player| player.name.as_str()).collect();
        let statistics = measures::rows(sample, &names, method);
        let splits =
            splits.iter().flat_map(|&split| measures::split_rows(sample, &names, method, split)).collect();
        let ratings = sample.players.iter().map(|player| rating(player, elo).map(|elo| elo.value));
        let kept = ScoreKept::of(sample, &ratings.collect::<Vec<_>>(), method);
        let homogeneity = measures::homogeneity(&statistics);
        Analysis { kept, homogeneity, statistics, splits, tournament }
    }

    /// Returns the analysis with only the rows of players whose name `keeps` accepts.
    pub fn narrowed(&self, keeps: impl Fn(&str) -> bool) -> Analysis {
        let mut narrowed = Analysis { tournament: self.tournament.narrowed(&keeps), ..self.clone() };
        narrowed.kept.rows.retain(|row| keeps(&row.player));
        narrowed.statistics.retain(|row| keeps(&row.player));
        narrowed.splits.retain(|row| keeps(&row.player));
        narrowed
    }
}

impl Tournament {
    /// Returns the pair of the players at two indices. `None` for equal indices, for a player without moves,
    /// and in a field above [`PairSummary::FIELD`].
    pub fn pair(&self, one: usize, other: usize) -> Option<&PlayerPair> {
        self.pairs.iter().find(|pair| pair.players == [one, other] || pair.players == [other, one])
    }

    /// Returns the tables of the moves of `sample`. `elo` overrides the ratings of the players named in it,
    /// with names as in [`player_name`].
    pub fn of_sample(sample: &MoveSample, elo: &BTreeMap<String, f64>, method: &Method) -> Tournament {
        let method = method.for_field(sample.players.len());
        let sides = PlayerSamples::new(sample, &method, |_| true);
        let mut tournament = Tournament::of_sides(&sides, sample, elo, &method);
        sides.add_uncertainty(sample, &mut tournament);
        tournament
    }

    /// Returns the tables with intervals clustered by game, but without pairs and [`Ranks`]. Also returns the
    /// shift that each game causes in each player's Elo difference.
    #[cfg(feature = "program")]
    fn with_shifts(
        sample: &MoveSample,
        elo: &BTreeMap<String, f64>,
        method: &Method,
    ) -> (Tournament, Vec<Vec<crate::numbers::Influence>>) {
        let sides = PlayerSamples::new(sample, method, |_| true);
        let mut tournament = Tournament::of_sides(&sides, sample, elo, method);
        let shifts = sides.add_shifts(sample, &mut tournament);
        (tournament, shifts)
    }

    /// Returns the tables without pairs, [`Ranks`] and clustered intervals. Computing these would take most
    /// of the time.
    fn of_sides(
        sides: &PlayerSamples<'_>,
        sample: &MoveSample,
        elo: &BTreeMap<String, f64>,
        method: &Method,
    ) -> Tournament {
        let players = sample.players.iter().zip(sample.results(&method.filter)).enumerate();
        let players = players.filter(|(_, (player, _))| !player.is_nobody);
        let records = players.map(|(side, (player, results))| PlayerRecord {
            name: player.name.clone(),
            elo: rating(player, elo),
            results,
            histogram: sides.histogram(side),
        });
        let mut tournament = Tournament::with_engine(records, &sides.engine_histogram(), method);
        (tournament.without_gain, tournament.without_start) = (sides.without_gain, sides.without_start);
        if !sample.has_one_rating_system() {
            tournament.forget_strength();
        }
        tournament
    }

    /// Removes the numbers that need all players' ratings on one scale.
    fn forget_strength(&mut self) {
        (self.engine_strength, self.average) = (None, None);
        for player in &mut self.players {
            (player.engine_strength, player.performance) = (None, None);
        }
    }

    /// Returns the tables of players whose moves were already counted. The engine's gains are assumed to be all
    /// 0. Only the engine's strength has an interval, because the spread over games is unknown. Players of
    /// equal score stay in the given order.
    ///
    /// # Panics
    ///
    /// If the bin width of a histogram differs from that of `method`.
    pub fn from_records(records: impl IntoIterator<Item = PlayerRecord>, method: &Method) -> Tournament {
        Tournament::with_engine(records, &Histogram::delta(method.band.width()), method)
    }

    fn with_engine(
        records: impl IntoIterator<Item = PlayerRecord>,
        engine: &Histogram,
        method: &Method,
    ) -> Tournament {
        let players = records.into_iter().map(|record| PlayerResult::new(record, engine, method));
        Tournament::from_players(players.collect(), method.clone())
    }

    /// Sorts the players, averages the engine's strength and adds performances.
    fn from_players(mut players: Vec<PlayerResult>, method: Method) -> Tournament {
        // Stable: rows of equal score keep their order.
        players.sort_by(|a, b| {
            let value = |player: &PlayerResult| player.expected_score.map_or(-1.0, |score| score.value);
            value(b).total_cmp(&value(a))
        });
        let rated =
            players.iter().filter_map(|player| Some((player.elo?.value, player.elo_difference?.value)));
        let engine_strength = strength::of_engine(rated);
        let average = Average::of(&players);
        let (mut place, mut above) = (0, None);
        for (index, player) in players.iter_mut().enumerate() {
            let score = player.expected_score.map(|score| score.value);
            // Players of equal score share the better place.
            place = if index > 0 && score == above { place } else { index + 1 };
            (player.rank, above) = (score.map(|_| place), score);
            player.performance = engine_strength
                .zip(player.elo_difference)
                .map(|(engine, difference)| difference.added_to(engine.value));
        }
        Tournament {
            players,
            engine_strength,
            average,
            sampling: Intervals::default(),
            pairs: Vec::new(),
            pair_summary: PairSummary::default(),
            homogeneity: None,
            engine: None,
            without_gain: 0,
            without_start: 0,
            method,
        }
    }

    /// Returns the tables with only the rows of players whose name `keeps` accepts. Ranks, the summary of
    /// pairs and the engine's strength stay those of the whole field.
    pub fn narrowed(&self, keeps: impl Fn(&str) -> bool) -> Tournament {
        let mut places = vec![None; self.players.len()];
        let mut narrowed = Tournament { players: Vec::new(), pairs: Vec::new(), ..self.clone() };
        for (place, player) in self.players.iter().enumerate().filter(|(_, player)| keeps(&player.name)) {
            places[place] = Some(narrowed.players.len());
            narrowed.players.push(player.clone());
        }
        narrowed.pairs.extend(self.pairs.iter().filter_map(|pair| {
            let [a, b] = pair.players.map(|place| places[place]);
            Some(PlayerPair { players: [a?, b?], ..*pair })
        }));
        narrowed
    }
}

impl Average {
    fn of(players: &[PlayerResult]) -> Option<Average> {
        let rated: Vec<(f64, f64)> = players
            .iter()
            .filter_map(|player| Some((player.elo?.value, player.elo_difference?.value)))
            .collect();
        let mean = |sum: f64| sum / rated.len() as f64;
        (!rated.is_empty()).then(|| Average {
            elo: mean(rated.iter().map(|(elo, _)| elo).sum()),
            elo_difference: mean(rated.iter().map(|(_, difference)| difference).sum()),
        })
    }
}
