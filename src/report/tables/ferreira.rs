//! Ferreira's Tables 5, 6 and 7, with intervals that the paper lacks; and the page's table of these numbers.

#[cfg(feature = "program")]
use std::collections::BTreeMap;

use crate::base::text::{cut, printable, rounded, width};
#[cfg(feature = "program")]
use crate::measure::{Analysis, Statistic, tournament::measures::by_player};
use crate::measure::{EngineHistogram, Measured, PlayerResult, Quantity, Tournament, Unit};
use crate::numbers::{Bootstrap, Estimate, Signs};
#[cfg(feature = "program")]
use crate::report::table::layout::Layout;
use crate::report::table::{ColumnPart, EndColumns, Screen, Table, head};
use crate::report::words::numbers::{MISSING, NAME, bounded, listed};
use crate::report::{words, words::method::counted};

/// Returns Table 5: expected scores and Elo differences.
pub fn expected_scores(tournament: &Tournament, screen: Screen) -> String {
    let players: Vec<&PlayerResult> = tournament.players.iter().collect();
    let signs = |player: &PlayerResult, sign: fn(Signs) -> u64| {
        (player.moves() > 0).then(|| sign(player.histogram.signs()))
    };
    let table = Table::shown(&players)
        .display(head("").gives_way(5), |player| player.rank)
        .player()
        .heading(ColumnPart::Names.under("Player"))
        .elo()
        .heading("Elo")
        .points()
        .said(head("Points").gives_way(4), |player| player.results.to_string())
        .moves()
        .heading(head("Moves").gives_way(3))
        .display(head("Gain\n> 0").gives_way(2), |player| signs(player, |signs| signs.positive))
        .display(head("\n= 0").gives_way(2), |player| signs(player, |signs| signs.zero))
        .display(head("\n< 0").gives_way(2), |player| signs(player, |signs| signs.negative))
        .score(EndColumns::Named)
        .heading(ColumnPart::Value.under("Paper\nscore").decimals(6))
        .intervals(3);
    let table = match tournament.method.engine_histogram {
        EngineHistogram::Own => table.score_against_zero().heading(head("Against\n0 alone").gives_way(1)),
        EngineHistogram::Delta => table,
    };
    let title = "Table 5. Paper score of each player against the engine, and the difference in Elo";
    let table =
        table.difference(EndColumns::Named).heading(ColumnPart::Value.under("Elo\ndifference")).intervals(0);
    table.layout(title, words::tournament::notes(tournament)).shown(screen)
}

/// Returns Table 6: the engine's strength as seen from each rated player, and the mean of these strengths.
pub fn engine_strength(tournament: &Tournament, engine: Estimate, screen: Screen) -> String {
    let rated = tournament.players.iter().filter(|player| player.engine_strength.is_some());
    // The last row is the mean.
    let rows: Vec<Option<&PlayerResult>> = rated.map(Some).chain([None]).collect();
    let margin =
        engine.interval.map(|interval| format!(" ± {:.1}", interval.half_width())).unwrap_or_default();
    // The mean has a wide margin. It extends to the right, so that the decimal points stay aligned.
    let space = " ".repeat(width(&margin));
    let strength = |player: &PlayerResult| {
        player.engine_strength.map_or(MISSING.to_owned(), |strength| bounded(strength, 1)) + &space
    };
    let table = Table::shown(&rows)
        .display(ColumnPart::Names.under("Player"), |row| row.map_or("Mean", |player| player.name.as_str()))
        .display_number(head("Elo").gives_way(1), Quantity::RATING, |row| match row {
            Some(player) => player.elo.map(|elo| elo.value),
            None => tournament.average.map(|mean| mean.elo),
        })
        .display_number(ColumnPart::Value.under("Elo\ndifference").gives_way(2), Unit::Elo, |row| match row {
            Some(player) => player.elo_difference,
            None => tournament.average.map(|mean| Measured::new(mean.elo_difference, 0)),
        })
        .display_text("Engine\nstrength", |row| {
            row.map_or_else(|| format!("{:.1}{margin}", engine.value), strength)
        });
    let title =
        "Table 6. Strength of the engine on these players' rating scale: Elo minus the Elo difference";
    let notes = [engine_notes(tournament, engine), counted(&tournament.method)].concat();
    table.layout(title, notes).shown(screen)
}

/// Returns Table 7: the performance of each player with counted moves, rated or not.
pub fn performances(tournament: &Tournament, engine: Estimate, screen: Screen) -> String {
    let players: Vec<&PlayerResult> = tournament.players.iter().filter(|p| p.performance.is_some()).collect();
    let table = Table::shown(&players)
        .player()
        .heading(ColumnPart::Names.under("Player"))
        .display_number(head("Engine\nstrength").gives_way(1), Unit::Elo, |_| engine.value)
        .difference(EndColumns::Named)
        .heading(ColumnPart::Value.under("Elo\ndifference").gives_way(2))
        .performance(EndColumns::Named)
        .heading(ColumnPart::Value.under("Performance"));
    let notes = table.has_intervals().then(|| PERFORMANCE.to_owned()).into_iter();
    let notes = notes.chain(counted(&tournament.method)).collect();
    let title =
        "Table 7. Paper performance of each player: the strength of the engine plus the Elo difference";
    table.intervals(0).layout(title, notes).shown(screen)
}

#[cfg(feature = "program")]
pub(in crate::report) fn paper_page(analysis: &Analysis) -> Layout {
    let players: Vec<&PlayerResult> = analysis.tournament.players.iter().collect();
    let is_rated = players.iter().any(|player| player.performance.is_some());
    let measures = by_player(&analysis.statistics);
    let measure = |player: &PlayerResult, wanted: Statistic| {
        Some(measures.get(player.name.as_str())?.get(wanted)?.value)
    };
    let kept: BTreeMap<&str, f64> =
        analysis.kept.rows.iter().map(|row| (row.player.as_str(), row.score.value)).collect();
    Table::shown(&players)
        .display("Rank", |player| player.rank)
        .display(ColumnPart::Names.under("Player"), |player| cut(&printable(&player.name), NAME))
        .score(EndColumns::Named)
        .heading(ColumnPart::Bar.under("Paper score").decimals(3))
        .when(is_rated, |table| {
            let table = table.elo().heading("Elo").performance(EndColumns::Named);
            table.heading(ColumnPart::Ends.under("Paper performance").decimals(0))
        })
        .display_number("First, %", Unit::Percent, |player| player.ranks.map(|ranks| 100.0 * ranks.first))
        .points()
        .said("Points", |player| player.results.to_string())
        .display_number("Accuracy, %", Unit::Percent, |player| measure(player, Statistic::Accuracy))
        .display_number("Centipawn loss", Unit::Centipawns, |player| {
            measure(player, Statistic::CentipawnLoss)
        })
        .display_number(head("Score kept").decimals(3), Unit::Score, |player| {
            kept.get(player.name.as_str()).copied()
        })
        .layout("", Vec::new())
}

const PERFORMANCE: &str = "The intervals include the error of the player's Elo difference and the error of the \
    engine's strength. All performances share the error of the engine's strength.";

fn engine_notes(tournament: &Tournament, engine: Estimate) -> Vec<String> {
    let interval = match engine.interval {
        Some(interval) => {
            format!(
                "The mean of {} players has a {:.0} % interval, computed from the spread of the players (Student's t, \
                 {}).",
                engine.observations,
                100.0 * interval.level,
                degrees(engine.observations - 1),
            )
        }
        None => "One rated player: a mean of one value has no interval.".to_owned(),
    };
    let unrated = tournament.players.iter().filter(|player| player.elo.is_none() && player.moves() > 0);
    let unrated = unrated.map(|player| cut(&printable(&player.name), NAME));
    std::iter::once(interval)
        .chain(sampling(tournament))
        .chain(listed("Left out, because they have no Elo: ", unrated, ", "))
        .collect()
}

fn degrees(freedom: usize) -> String {
    if freedom == 1 { "1 degree of freedom".to_owned() } else { format!("{freedom} degrees of freedom") }
}

/// Returns a note on the part of the error of the engine's strength that more games would reduce.
fn sampling(tournament: &Tournament) -> Option<String> {
    let by_game = tournament.sampling.cluster?;
    let bootstrap = tournament.sampling.bootstrap.map_or(String::new(), |interval| {
        let Bootstrap { samples, seed } = tournament.method.bootstrap;
        format!(
            " Bootstrap over games: 95 % interval {} to {} ({samples} samples, seed {seed}).",
            rounded(interval.low, 1),
            rounded(interval.high, 1)
        )
    });
    Some(format!("More games would reduce only ± {:.1} of this error.{bootstrap}", by_game.half_width()))
}
