//! Owns the files of a tournament's players, of their pairs and of their gains.

use super::columns::{BIN_SHARE, ELO_DIFFERENCE, EXPECTED_SCORE};
use crate::{
    app::players::PlayerSelection,
    gain::Metric,
    report::table::{Quantity, Table},
    tournament::{Measured, PlayerPair, PlayerResult, Tournament},
};

/// One row a player, in the tournament's order.
pub fn players(tournament: &Tournament, selection: &PlayerSelection) -> Table {
    let value = |measured: Option<Measured>| measured.map(|measured| measured.value);
    let players = selection.of(tournament);
    let ((score, score_means), (points, points_means)) = (EXPECTED_SCORE, ELO_DIFFERENCE);
    Table::of("players", &players)
        .text("player", "Name as the games have it, white space folded.", |player| &player.name)
        .number(
            "elo",
            Quantity::Rating,
            "Rating by the games' tags or as given; empty where there is none.",
            |player| player.elo.map(|elo| elo.value),
        )
        .count("games", "Games that count.", |player| u64::from(player.games))
        .number("points", Quantity::Points, "Points scored in them.", |player| player.points())
        .count("moves", "Moves whose gain was counted.", |player| player.moves())
        .moves_by_sign(signs)
        .number(score, Quantity::Score, score_means, |player| value(player.expected_score))
        .number(points, Quantity::Elo, points_means, |player| value(player.elo_difference))
        .number(
            "engine_strength",
            Quantity::Elo,
            "Strength of the engine as seen from this player: Elo − difference.",
            |player| value(player.engine_strength),
        )
        .number(
            "performance",
            Quantity::Elo,
            "Mean strength of the engine + the player's difference.",
            |player| value(player.performance),
        )
        .intervals(score, Quantity::Score, INTERVALS, |player| player.expected_score)
        .intervals(points, Quantity::Elo, INTERVALS, |player| player.elo_difference)
        .intervals("performance", Quantity::Elo, INTERVALS, |player| player.performance)
        .estimate(
            "score_against_zero",
            Quantity::Score,
            "Expected score against one peak at 0, where the engine's own gains are taken instead.",
            |player| player.against_zero,
        )
        .number(
            "first",
            Quantity::Share,
            "Share of the samples of games in which the player comes first.",
            |player| player.ranks.map(|ranks| ranks.first),
        )
        .count("rank_low", "Best place of the middle 95 % of places in these samples.", |player| {
            player.ranks.map(|ranks| ranks.low)
        })
        .count("rank_high", "Worst place of the middle 95 % of places in these samples.", |player| {
            player.ranks.map(|ranks| ranks.high)
        })
        .filter(&tournament.method)
        .table()
}

const INTERVALS: &str = "Standard error and ends of the 95 % interval by the scatter of games, and ends of that by samples \
    of whole games.";

fn signs(player: &&PlayerResult) -> [u64; 3] {
    let signs = player.histogram.signs();
    [signs.positive, signs.zero, signs.negative]
}

/// One row a pair of players, in the order of expected scores.
pub fn pair_table(tournament: &Tournament, selection: &PlayerSelection) -> Table {
    let name = |pair: &PlayerPair, which: usize| tournament.players[pair.players[which]].name.as_str();
    let shown = |pair: &&PlayerPair| [0, 1].iter().any(|&which| selection.has(name(pair, which)));
    let pairs: Vec<&PlayerPair> = tournament.pairs.iter().filter(shown).collect();
    Table::of("pairs", &pairs)
        .text("player", "The first player.", |pair| name(pair, 0))
        .text("opponent", "The second player.", |pair| name(pair, 1))
        .number(
            "expected_score",
            Quantity::Score,
            "Expected score of the first player's gains against the second's.",
            |pair| pair.score,
        )
        .number("expected_score_se", Quantity::Score, "Its standard error.", |pair| pair.standard_error)
        .number("z", Quantity::Z, "Distance of the score from ½.", |pair| pair.z)
        .number(
            "p",
            Quantity::P,
            "Chance of such a distance, to either side, if the two are equal.",
            |pair| pair.p,
        )
        .number(
            "p_holm",
            Quantity::P,
            "The same adjusted for the number of pairs by Holm's method.",
            |pair| pair.p_holm,
        )
        .filter(&tournament.method)
        .table()
}

/// One row a bin that is not empty, from the lowest up, player by player, and at last those of the engine's own gains,
/// where they are known, under the name [`ENGINE`].
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
    Table::of("histograms", &rows)
        .text("player", "The player; `(engine)`, and last, for the engine's own gains.", |row| row.0)
        .count(gain, "Centre of the bin of gain; called `gain_bp`, in hundredths of a percentage point, with another metric.", |row| row.1)
        .count("count", "Moves in it.", |row| row.2)
        .number("probability", Quantity::BinShare, BIN_SHARE, |row| row.3)
        .filter(&tournament.method)
        .table()
}

/// Stands for the engine where players have their names; a player named so is told by the order:
/// the engine comes last.
pub const ENGINE: &str = "(engine)";

/// The column of gains of probability, in hundredths of a percentage point.
pub const GAIN_BP: &str = "gain_bp";
