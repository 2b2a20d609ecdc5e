//! Owns the tables of a tournament: what each player's gains say of their play, and of the engine.

#[cfg(feature = "program")]
pub(crate) mod agreement;
#[cfg(feature = "program")]
pub(crate) mod events;
#[cfg(feature = "program")]
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
mod pair;
mod player;
#[cfg(feature = "program")]
pub mod repeatability;
pub(crate) mod sample;
#[cfg(feature = "program")]
pub(crate) mod sensitivity;
pub(crate) mod splits;
pub(crate) mod statistics;
mod uncertainty;

use std::collections::BTreeMap;

use serde::Serialize;

use self::{
    filter::Split, kept::ScoreKept, measures::StatisticRow, player::rating, splits::SplitRow,
    statistics::Statistic, uncertainty::PlayerSamples,
};
pub use self::{
    measured::{BoundSide, Intervals, Measured},
    method::{EngineHistogram, Method},
    pair::{PairSummary, PlayerPair},
    player::{EloOrigin, PlayerElo, PlayerRecord, PlayerResult, Ranks},
    sample::{MoveSample, player_name},
};
#[cfg(feature = "program")]
use crate::numbers::Influence;
use crate::numbers::{Estimate, Histogram, Welch, rating::strength, stats::estimate::LEVEL};

/// A tournament's tables: Ferreira's Tables 5, 6 and 7.
#[derive(Debug, Clone, PartialEq)]
pub struct Tournament {
    /// In order of expected score, best first; those without a move last.
    pub players: Vec<PlayerResult>,
    /// Mean over the rated players of Elo − difference, with its 95 % interval (Table 6); `None`
    /// when no player with a move has an Elo.
    pub engine_strength: Option<Estimate>,
    /// Means over the players who make up `engine_strength`.
    pub average: Option<Average>,
    /// How far the games that happened to be played move `engine_strength`: the error of the
    /// differences alone, by cluster and by bootstrap.
    pub sampling: Intervals,
    /// Each pair of players with moves, in the order of the players.
    pub pairs: Vec<PlayerPair>,
    /// What all pairs say together, those that are not shown included.
    pub pair_summary: PairSummary,
    /// Whether one common expected score would do for all players (Welch 1951).
    pub homogeneity: Option<Welch>,
    /// The engine's own gains, where they are known.
    pub engine: Option<EngineRow>,
    /// Moves that count and have no gain in the metric asked for, since the engine's chances of
    /// a win, a draw and a loss are not known.
    pub without_gain: u64,
    /// First moves that would count, had the position before them an evaluation.
    pub without_start: u64,
    /// What was chosen.
    pub method: Method,
}

/// All that a report tells of a tournament.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The tables by gain.
    pub tournament: Tournament,
    /// The players in order of the score kept.
    pub kept: ScoreKept,
    /// The known measures, player by player.
    pub statistics: Vec<StatisticRow>,
    /// Whether one common value of a measure would do for all players.
    pub homogeneity: Vec<(Statistic, Welch)>,
    /// The classes of moves asked for.
    pub splits: Vec<SplitRow>,
}

/// The engine's own gains, as a player's.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineRow {
    /// Gains of its own choices in all positions that count.
    #[serde(flatten, serialize_with = "json::moves_by_sign")]
    pub histogram: Histogram,
    /// Its expected score against one peak at 0: ½ if the approximation were right.
    pub against_zero: Estimate,
}

/// The last row of Table 6: means over the rated players.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Average {
    /// Elo points.
    pub elo: f64,
    /// Elo difference between a player and the engine.
    pub elo_difference: f64,
}

impl Analysis {
    /// Returns all tables of the moves of `sample`, as [`Tournament::of_sample`] has them.
    pub fn of(
        sample: &MoveSample,
        elo: &BTreeMap<String, f64>,
        method: &Method,
        splits: &[Split],
    ) -> Analysis {
        let tournament = Tournament::of_sample(sample, elo, method);
        let names: Vec<&str> = tournament.players.iter().map(|player| player.name.as_str()).collect();
        let statistics = measures::rows(sample, &names, method);
        let splits = splits.iter().flat_map(|&split| splits::rows(sample, &names, method, split)).collect();
        let ratings = sample.players.iter().map(|player| rating(player, elo).map(|elo| elo.value));
        let kept = ScoreKept::of(sample, &ratings.collect::<Vec<_>>(), method);
        let homogeneity = measures::homogeneity(&statistics);
        Analysis { kept, homogeneity, statistics, splits, tournament }
    }

    /// Returns the same with the rows of those players alone whose name `keeps` wants.
    pub fn narrowed(&self, keeps: impl Fn(&str) -> bool) -> Analysis {
        let mut narrowed = Analysis { tournament: self.tournament.narrowed(&keeps), ..self.clone() };
        narrowed.kept.rows.retain(|row| keeps(&row.player));
        narrowed.statistics.retain(|row| keeps(&row.player));
        narrowed.splits.retain(|row| keeps(&row.player));
        narrowed
    }
}

impl Tournament {
    /// Returns the pair of the players at two places; `None` of a player with itself, or with one without moves.
    pub fn pair(&self, one: usize, other: usize) -> Option<&PlayerPair> {
        self.pairs.iter().find(|pair| pair.players == [one, other] || pair.players == [other, one])
    }

    /// Returns the tables of the moves of `sample`. `elo` overrides the ratings of the players named in it,
    /// names as [`player_name`] has them.
    pub fn of_sample(sample: &MoveSample, elo: &BTreeMap<String, f64>, method: &Method) -> Tournament {
        let sides = PlayerSamples::new(sample, method, |_| true);
        let mut tournament = Tournament::of_sides(&sides, sample, elo, method);
        sides.add_uncertainty(sample, &mut tournament);
        tournament
    }

    /// Returns the tables with intervals by game and without pairs and places, and by how much each game shifts the Elo
    /// difference of each player.
    #[cfg(feature = "program")]
    fn with_shifts(
        sample: &MoveSample,
        elo: &BTreeMap<String, f64>,
        method: &Method,
    ) -> (Tournament, Vec<Vec<Influence>>) {
        let sides = PlayerSamples::new(sample, method, |_| true);
        let mut tournament = Tournament::of_sides(&sides, sample, elo, method);
        let shifts = sides.add_shifts(sample, &mut tournament);
        (tournament, shifts)
    }

    /// Returns the tables without pairs, places and intervals by game, which take most of the time.
    fn of_sides(
        sides: &PlayerSamples<'_>,
        sample: &MoveSample,
        elo: &BTreeMap<String, f64>,
        method: &Method,
    ) -> Tournament {
        let players = sample.players.iter().zip(sample.results(&method.filter)).enumerate();
        let records = players.map(|(side, (player, (games, half_points)))| PlayerRecord {
            name: player.name.clone(),
            elo: rating(player, elo),
            games,
            half_points,
            histogram: sides.histogram(side),
        });
        let mut tournament = Tournament::with_engine(records, &sides.engine_histogram(), method);
        (tournament.without_gain, tournament.without_start) = (sides.without_gain, sides.without_start);
        if !sample.has_one_rating_system() {
            tournament.forget_strength();
        }
        tournament
    }

    /// Leaves out what follows from the ratings of all players together, which are on several scales.
    fn forget_strength(&mut self) {
        (self.engine_strength, self.average) = (None, None);
        for player in &mut self.players {
            (player.engine_strength, player.performance) = (None, None);
        }
    }

    /// Returns the tables of players whose moves have been counted already, against one peak at 0. How they
    /// spread over games is not known, so only the engine's strength has an interval. Players of equal score
    /// stay in the order given.
    ///
    /// # Panics
    ///
    /// If a histogram has bins of another width than `method`.
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

    /// Orders the players, averages the engine's strength and adds performances.
    fn from_players(mut players: Vec<PlayerResult>, method: Method) -> Tournament {
        // Stable: rows of equal score stay in the order in which they come.
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

    /// Returns the same tables with the rows of those players alone whose name `keeps` wants; ranks, the
    /// chances of pairs and the engine's strength stay those of the whole.
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
