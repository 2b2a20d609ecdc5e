//! The columns of a tournament's players, the table of players, and the table of their gains.

use super::columns::{BIN_SHARE, RANK, RATING_OF_PLAY, REFUSED};
use crate::chess::Metric;
use crate::measure::{
    Method, PlayerResult, PlayerSelection, Quantity, Standing, Statistic, Tournament, Unit,
};
use crate::report::table::{EndColumns, Rows, Table};

impl<'a, R: AsRef<PlayerResult>> Rows<'a, R> {
    pub fn player(self) -> Self {
        self.column("player", "", |row| row.as_ref().name.as_str())
            .means("Name in the games, with white space reduced to single spaces.")
    }

    pub fn elo(self) -> Self {
        let meaning = "Rating by the tags of the games or by `--elo`; empty if unknown.";
        self.number("elo", Quantity::RATING, meaning, |row| row.as_ref().elo.map(|elo| elo.value))
    }

    pub fn points(self) -> Self {
        self.number("points", Unit::Points, "Points of all games.", |row| row.as_ref().results.points())
    }

    pub fn moves(self) -> Self {
        self.column("moves", "Moves with a counted gain.", |row| row.as_ref().moves())
    }

    pub fn score(self, ends: EndColumns) -> Self {
        self.expected_score(ends, |row| row.as_ref().expected_score)
    }

    pub fn difference(self, ends: EndColumns) -> Self {
        self.elo_difference(ends, |row| row.as_ref().elo_difference)
    }

    pub fn performance(self, ends: EndColumns) -> Self {
        let meaning = "Mean strength of the engine plus the player's `elo_difference`.";
        self.number_in("performance", Unit::Elo, ends, meaning, |row| row.as_ref().performance)
    }

    pub fn score_against_zero(self) -> Self {
        let meaning = "Expected score against an engine whose gains are all 0; empty unless players are compared with \
            the engine's own gains.";
        self.number("score_against_zero", Unit::Score, meaning, |row| row.as_ref().against_zero)
    }

    pub fn first(self) -> Self {
        let meaning =
            "Share of the bootstrap samples of games in which the player's expected score is the highest.";
        self.number("score_first", Unit::Share, meaning, |row| row.as_ref().ranks.map(|ranks| ranks.first))
    }
}

pub fn players(standings: &[Standing<'_>], method: &Method) -> Table {
    let row = "One row per player, in the order of the table `quality`, players without a move last.";
    let table = Table::of("players", row, standings)
        .column("rank", RANK, |row| row.quality.and_then(|quality| quality.rank))
        .player()
        .elo()
        .column("games", "Counted games with moves.", |row| u64::from(row.result.results.games))
        .when(standings.iter().any(|row| row.result.results.unplayed > 0), |table| {
            let unplayed = "Games without moves, such as forfeits and byes. Their points count.";
            table.column("unplayed", unplayed, |row| u64::from(row.result.results.unplayed))
        })
        .points()
        .moves()
        .number("rating_of_play", Unit::Elo, RATING_OF_PLAY, |row| row.rating()?.accepted())
        .column("refused", REFUSED, |row| Some(row.rating()?.refusal.as_ref()?.to_string()));
    let table = [Statistic::Accuracy].into_iter().chain(Statistic::RANKED).fold(table, |table, statistic| {
        table.statistic(statistic, EndColumns::Value, |row| row.measures.get(statistic))
    });
    table
        .judgments("", |row| row.judgments)
        .moves_by_sign(|row| row.result.histogram.signs())
        .score(EndColumns::Value)
        .difference(EndColumns::Value)
        .number_in("engine_strength", Unit::Elo, EndColumns::Value, "", |row| row.result.engine_strength)
        .means("Strength of the engine as seen from this player: `elo` − `elo_difference`.")
        .performance(EndColumns::Value)
        .score(EndColumns::Intervals)
        .difference(EndColumns::Intervals)
        .performance(EndColumns::Intervals)
        .score_against_zero()
        .first()
        .column("score_rank_low", "", |row| row.result.ranks.map(|ranks| ranks.low))
        .means("Best rank by expected score in the central 95 % of the bootstrap samples.")
        .column("score_rank_high", "", |row| row.result.ranks.map(|ranks| ranks.high))
        .means("Worst rank by expected score in the central 95 % of the bootstrap samples.")
        .filter(method)
        .table()
}

/// Returns the table `histograms`: gains by bin. The last rows are the engine's, with the name [`ENGINE`].
pub fn histograms(tournament: &Tournament, selection: &PlayerSelection) -> Table {
    let players = selection.of(tournament).into_iter();
    let players = players.map(|player| (player.name.as_str(), &player.histogram));
    let engine = tournament.engine.iter().map(|engine| (ENGINE, &engine.histogram));
    let mut rows: Vec<(&str, i64, u64, f64)> = Vec::new();
    for (name, histogram) in players.chain(engine) {
        let Some(distribution) = histogram.distribution() else { continue };
        rows.extend(histogram.bins().map(|(center, count)| (name, center, count, distribution.share(count))));
    }
    let gain = if tournament.method.metric == Metric::Centipawns { "gain_cp" } else { GAIN_BP };
    let row =
        "One row per player and non-empty bin, bins in ascending order; written with `--also histograms`.";
    Table::of("histograms", row, &rows)
        .column("player", "The player; `(engine)`, last, for the engine's own gains.", |row| row.0)
        .column(gain, "Center of the bin of gain. With another metric the column is `gain_bp`, in hundredths of a percentage point.", |row| row.1)
        .column("count", "Moves in the bin.", |row| row.2)
        .number("probability", Quantity::BIN_SHARE, BIN_SHARE, |row| row.3)
        .filter(&tournament.method)
        .table()
}

/// The engine's name in the table. Its rows are last, even if a player has this name too.
pub const ENGINE: &str = "(engine)";

/// Name of the column of gains in winning chances, in hundredths of a percentage point.
pub const GAIN_BP: &str = "gain_bp";
