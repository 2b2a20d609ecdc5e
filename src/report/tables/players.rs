//! Owns the columns of a tournament's players, and their file and that of their gains.

use std::collections::BTreeMap;

use super::columns::{BIN_SHARE, RANK, RATING_OF_PLAY};
use crate::chess::{JudgementCounts, Metric};
use crate::measure::{
    Analysis, Measures, MoveSample, PlayerResult, PlayerSelection, QualityOfPlay, QualityRow, Quantity,
    Statistic, Tournament, Unit, tournament::statistics::by_player,
};
use crate::report::table::{EndColumns, Rows, Table};

type PlayerRow<'a> = &'a PlayerResult;

impl<'a> Rows<'a, PlayerRow<'_>> {
    pub fn player(self) -> Self {
        self.column("player", "Name as the games have it, white space folded.", |player| player.name.as_str())
    }

    pub fn elo(self) -> Self {
        let meaning = "Rating by the games' tags or as given; empty where there is none.";
        self.number("elo", Quantity::RATING, meaning, |player| player.elo.map(|elo| elo.value))
    }

    pub fn points(self) -> Self {
        self.number("points", Unit::Points, "Points scored in them.", |player| player.points())
    }

    pub fn moves(self) -> Self {
        self.column("moves", "Moves whose gain was counted.", |player| player.moves())
    }

    pub fn score(self, ends: EndColumns) -> Self {
        self.expected_score(ends, |player| player.expected_score)
    }

    pub fn difference(self, ends: EndColumns) -> Self {
        self.elo_difference(ends, |player| player.elo_difference)
    }

    pub fn performance(self, ends: EndColumns) -> Self {
        let meaning = "Mean strength of the engine + the player's difference.";
        self.number_in("performance", Unit::Elo, ends, meaning, |player| player.performance)
    }

    pub fn score_against_zero(self) -> Self {
        let meaning = "Expected score against one peak at 0, where the engine's own gains are taken instead.";
        self.number("score_against_zero", Unit::Score, meaning, |player| player.against_zero)
    }

    pub fn first(self) -> Self {
        let meaning = "Share of the samples of games in which the player comes first.";
        self.number("first", Unit::Share, meaning, |player| player.ranks.map(|ranks| ranks.first))
    }
}

/// What is known of players beside the tables of a tournament, by their names.
#[derive(Debug, Default)]
pub struct PlayerFigures<'a> {
    /// Their places by the quality of their play, with their rows.
    quality: BTreeMap<&'a str, (usize, &'a QualityRow)>,
    measures: BTreeMap<&'a str, Measures>,
    judgements: BTreeMap<&'a str, JudgementCounts>,
}

impl<'a> PlayerFigures<'a> {
    /// Returns what an analysis of a sample, and the order by the quality of play, tell of the players.
    pub fn of(analysis: &'a Analysis, quality: &'a QualityOfPlay, sample: &'a MoveSample) -> Self {
        let counts = sample.judgements(&analysis.tournament.method.filter);
        let names = sample.players.iter().map(|player| player.name.as_str());
        let rows = quality.rows.iter().enumerate();
        PlayerFigures {
            quality: rows.map(|(place, row)| (row.player.as_str(), (place, row))).collect(),
            measures: by_player(&analysis.statistics),
            judgements: names.zip(counts).collect(),
        }
    }

    fn row(&self, player: &PlayerResult) -> Option<&'a QualityRow> {
        self.quality.get(player.name.as_str()).map(|(_, row)| *row)
    }

    /// Returns the players in the order of their places, those without one as they stand, behind.
    fn in_order<'p>(&self, mut players: Vec<&'p PlayerResult>) -> Vec<&'p PlayerResult> {
        let place = |player: &&PlayerResult| self.quality.get(player.name.as_str()).map(|(place, _)| *place);
        players.sort_by_key(|player| place(player).unwrap_or(usize::MAX));
        players
    }
}

/// Returns the file of players: one row each, in the order of the quality of their play.
pub fn players(tournament: &Tournament, figures: &PlayerFigures<'_>, selection: &PlayerSelection) -> Table {
    let players = figures.in_order(selection.of(tournament));
    let row = "One row a player, in the order of the table `quality`, those without a move last.";
    let table = Table::of("players", row, &players)
        .column("rank", RANK, |player| figures.row(player).and_then(|row| row.rank))
        .player()
        .elo()
        .column("games", "Games that count.", |player| u64::from(player.games))
        .points()
        .moves()
        .number("rating_of_play", Unit::Elo, RATING_OF_PLAY, |player| {
            figures.row(player).and_then(|row| row.rating.as_ref()?.outright)
        });
    let table = [Statistic::Accuracy].into_iter().chain(Statistic::RANKED).fold(table, |table, statistic| {
        table.statistic(statistic, EndColumns::Value, |player| {
            figures.measures.get(player.name.as_str()).and_then(|measures| measures.get(statistic))
        })
    });
    table
        .judgements("", |player| figures.judgements.get(player.name.as_str()).copied())
        .moves_by_sign(|player| player.histogram.signs())
        .score(EndColumns::Value)
        .difference(EndColumns::Value)
        .number_in(
            "engine_strength",
            Unit::Elo,
            EndColumns::Value,
            "Strength of the engine as seen from this player: Elo − difference.",
            |player| player.engine_strength,
        )
        .performance(EndColumns::Value)
        .score(EndColumns::Intervals)
        .difference(EndColumns::Intervals)
        .performance(EndColumns::Intervals)
        .score_against_zero()
        .first()
        .column("rank_low", "Best place of the middle 95 % of places in these samples.", |player| {
            player.ranks.map(|ranks| ranks.low)
        })
        .column("rank_high", "Worst place of the middle 95 % of places in these samples.", |player| {
            player.ranks.map(|ranks| ranks.high)
        })
        .filter(&tournament.method)
        .table()
}

/// Returns the file of gains: one row a bin that is not empty, from the lowest up, player by player, and at last those of the
/// engine's own gains, where they are known, under the name [`ENGINE`].
pub fn histograms(tournament: &Tournament, selection: &PlayerSelection) -> Table {
    let players = selection.of(tournament).into_iter();
    let players = players.map(|player| (player.name.as_str(), &player.histogram));
    let engine = tournament.engine.iter().map(|engine| (ENGINE, &engine.histogram));
    let mut rows: Vec<(&str, i64, u64, f64)> = Vec::new();
    for (name, histogram) in players.chain(engine) {
        let Some(distribution) = histogram.distribution() else { continue };
        rows.extend(histogram.bins().map(|(centre, count)| (name, centre, count, distribution.share(count))));
    }
    let gain = if tournament.method.metric == Metric::Centipawns { "gain_cp" } else { GAIN_BP };
    Table::of("histograms", "One row a player and bin that is not empty, from the lowest up.", &rows)
        .column("player", "The player; `(engine)`, and last, for the engine's own gains.", |row| row.0)
        .column(gain, "Centre of the bin of gain; called `gain_bp`, in hundredths of a percentage point, with another metric.", |row| row.1)
        .column("count", "Moves in it.", |row| row.2)
        .number("probability", Quantity::BIN_SHARE, BIN_SHARE, |row| row.3)
        .filter(&tournament.method)
        .table()
}

/// Stands for the engine where players have their names; a player named so is told by the order:
/// the engine comes last.
pub const ENGINE: &str = "(engine)";

/// The column of gains of probability, in hundredths of a percentage point.
pub const GAIN_BP: &str = "gain_bp";
