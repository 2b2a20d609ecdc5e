//! Owns the ranking of the page: a row a player, in order of the score kept.

use super::{name, table::PageTable};
use crate::{
    report::table::{ColumnPart, EndColumns, Quantity, Table},
    tournament::{Analysis, PlayerResult, kept::KeptRow, statistics::Statistic},
};

/// One player, and the score kept of one who has moves.
struct RankedPlayer<'a> {
    player: &'a PlayerResult,
    kept: Option<&'a KeptRow>,
}

/// Returns the players in order of the score kept, those without moves last.
fn ranked(analysis: &Analysis) -> Vec<RankedPlayer<'_>> {
    let players = &analysis.tournament.players;
    let of = |kept| move |player| RankedPlayer { player, kept };
    let find = |row: &&KeptRow| players.iter().find(|player| player.name == row.player);
    let moved = analysis.kept.rows.iter().filter_map(|row| find(&row).map(of(Some(row))));
    moved.chain(players.iter().filter(|player| player.moves() == 0).map(of(None))).collect()
}

/// Returns the ranking.
pub fn ranking(analysis: &Analysis) -> PageTable {
    let rows = ranked(analysis);
    let is_rated = rows.iter().any(|row| row.player.performance.is_some());
    let measure = |wanted: Statistic| {
        move |row: &RankedPlayer<'_>| {
            let mut found = analysis.statistics.iter().filter(|one| one.statistic == wanted);
            Some(found.find(|one| one.player == row.player.name)?.estimate?.value)
        }
    };
    let first_choice = measure(Statistic::FirstChoice);
    let mut table = Table::shown(&rows)
        .beside("Rank", |row| row.kept.map(|kept| kept.rank))
        .names_beside("Player", |row| name(&row.player.name))
        .score_kept(|row| row.kept.map(|kept| kept.score))
        .part("Score kept", ColumnPart::Bar)
        .decimals(3)
        .expected_score(EndColumns::Named, |row| row.player.expected_score)
        .part("Expected score", ColumnPart::Bar)
        .decimals(3);
    if is_rated {
        table = table
            .number_beside(Quantity::Rating, |row| row.player.elo.map(|elo| elo.value))
            .heading("Elo")
            .number_beside(Quantity::Elo, |row| row.player.performance)
            .part("Performance", ColumnPart::Ends)
            .decimals(0);
    }
    table = table
        .number_beside(Quantity::Points, |row| row.player.points())
        .said("Points", |row| format!("{:.1}/{}", row.player.points(), row.player.games))
        .number_beside(Quantity::Percent, measure(Statistic::Accuracy))
        .heading("Accuracy, %")
        .number_beside(Quantity::Centipawns, measure(Statistic::CentipawnLoss))
        .heading("Centipawn loss");
    if rows.iter().any(|row| first_choice(row).is_some()) {
        table = table.number_beside(Quantity::Percent, first_choice).heading("First choice, %");
    }
    table = table
        .number_beside(Quantity::Percent, |row| row.player.ranks.map(|ranks| 100.0 * ranks.first))
        .heading("Leads in expected score, %")
        .beside("Moves", |row| row.player.moves());
    PageTable::of("ranking-title", table.layout("", Vec::new()))
}
