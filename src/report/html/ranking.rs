//! Owns the paper's numbers on the page: a row a player, in order of the expected score.

use super::{name, table::PageTable};
use crate::measure::{Analysis, PlayerResult, Quantity, Statistic, Unit};
use crate::report::table::{ColumnPart, EndColumns, Table};

/// Returns the players by the paper's numbers, with results and measures beside them.
pub fn paper(analysis: &Analysis) -> PageTable {
    let players: Vec<&PlayerResult> = analysis.tournament.players.iter().collect();
    let is_rated = players.iter().any(|player| player.performance.is_some());
    let measure = |wanted: Statistic| {
        move |player: &&PlayerResult| {
            let mut found = analysis.statistics.iter().filter(|one| one.statistic == wanted);
            Some(found.find(|one| one.player == player.name)?.estimate?.value)
        }
    };
    let kept = |player: &&PlayerResult| {
        analysis.kept.rows.iter().find(|row| row.player == player.name).map(|row| row.score.value)
    };
    let mut table = Table::shown(&players)
        .beside("Rank", |player| player.rank)
        .names_beside("Player", |player| name(&player.name))
        .expected_score(EndColumns::Named, |player| player.expected_score)
        .part("Expected score", ColumnPart::Bar)
        .decimals(3);
    if is_rated {
        table = table
            .number_beside(Quantity::RATING, |player| player.elo.map(|elo| elo.value))
            .heading("Elo")
            .number_beside(Unit::Elo, |player| player.performance)
            .part("Performance", ColumnPart::Ends)
            .decimals(0);
    }
    table = table
        .number_beside(Unit::Percent, |player| player.ranks.map(|ranks| 100.0 * ranks.first))
        .heading("Leads, %")
        .number_beside(Unit::Points, |player| player.points())
        .said("Points", |player| format!("{:.1}/{}", player.points(), player.games))
        .number_beside(Unit::Percent, measure(Statistic::Accuracy))
        .heading("Accuracy, %")
        .number_beside(Unit::Centipawns, measure(Statistic::CentipawnLoss))
        .heading("Centipawn loss")
        .number_beside(Unit::Score, kept)
        .heading("Score kept")
        .decimals(3);
    PageTable::of("paper-title", table.layout("", Vec::new()))
}
