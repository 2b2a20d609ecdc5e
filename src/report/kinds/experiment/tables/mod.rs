//! The tables of an experiment for a terminal and a page. This module makes the tables by pair of depths.

pub(in crate::report) mod files;
mod heinz;
mod strength;

use crate::lab::{Contender, Experiment, Match, PairGames, WhiteScore};
use crate::measure::Quantity;
use crate::numbers::Estimate;
use crate::report::kinds::every_second;
pub(in crate::report) use crate::report::kinds::experiment::words::{notes, sentences, verdict};
use crate::report::table::{ColumnPart, Screen, Table, head, layout::Layout};
use crate::report::words::{numbers::MISSING, numbers::number};

/// Returns all tables that have data: Ferreira's, then Heinz's.
pub(in crate::report) fn layouts(experiment: &Experiment) -> Vec<Layout> {
    let mut tables = vec![games(experiment), white_scores(experiment), scores(experiment)];
    tables.extend(diagonal(experiment));
    if !experiment.fits.is_empty() {
        tables.push(strength::fits(experiment));
    }
    if experiment.table.contenders().len() > 1 {
        tables.push(strength::three_fits(experiment));
        tables.extend(strength::table_8(experiment));
    }
    if !experiment.matches.is_empty() {
        tables.push(heinz::matches("Neighboring depths (Heinz's Table 5)", &experiment.matches));
        tables.push(heinz::statistics("Precision of these scores (Heinz's Table 6)", &experiment.matches));
        tables.extend(heinz::intersections(experiment));
    }
    let calibration: Vec<Match> = experiment.calibration.into_iter().collect();
    if !calibration.is_empty() {
        tables.push(heinz::matches("Calibration: White against Black (Heinz's Table 3)", &calibration));
        tables.push(heinz::statistics("Precision of the calibration score (Heinz's Table 4)", &calibration));
    }
    tables
}

pub(in crate::report) fn brief(experiment: &Experiment) -> Vec<Layout> {
    let mut tables = vec![scores(experiment)];
    if experiment.table.contenders().len() > 1 {
        tables.push(strength::three_fits(experiment));
        tables.extend(strength::table_8(experiment));
    }
    tables
}

pub fn matches(pairs: &[([Contender; 2], PairGames)], screen: Screen) -> String {
    Table::shown(pairs)
        .display("depth", |([first, _], _)| first.to_string())
        .display("against", |([_, second], _)| second.to_string())
        .display("games", |(_, games)| games.games())
        .display(head("different").gives_way(1), |(_, games)| games.different)
        .display("wins", |(_, games)| games.wins)
        .display("draws", |(_, games)| games.draws)
        .display("losses", |(_, games)| games.losses)
        .display_number("score", Quantity::GAME_SCORE, |(_, games)| games.score())
        .display(head("forfeits").gives_way(2), |(_, games)| games.forfeits)
        .layout("Games by pair of depths", vec!["If a depth plays itself, the wins are White's.".to_owned()])
        .shown(screen)
}

fn matrix(
    experiment: &Experiment,
    title: &'static str,
    corner: &'static str,
    cell: impl Fn(usize, usize) -> String,
    notes: Vec<String>,
) -> Layout {
    let contenders = experiment.table.contenders();
    let rows: Vec<usize> = (0..contenders.len()).collect();
    let mut table = Table::shown(&rows).display(corner, |&row| contenders[row].to_string());
    for (column, contender) in contenders.iter().enumerate() {
        table = table.display_text(
            head(contender.to_string()).gives_way(every_second(column, contenders.len())),
            |&row| cell(row, column),
        );
    }
    table.layout(title, notes)
}

/// Returns Ferreira's Table 1: games by pair of depths.
fn games(experiment: &Experiment) -> Layout {
    let cell = |white: usize, black: usize| match experiment.table.cell(white, black) {
        cell if cell.games() == 0 => MISSING.to_owned(),
        cell => format!("{}/{}", cell.games(), cell.different),
    };
    let notes = vec![
        "Rows play White, columns play Black. The number after the slash counts distinct games.".to_owned(),
    ];
    matrix(experiment, "Games by pair of depths, and distinct games (Table 1)", "White", cell, notes)
}

/// Returns Ferreira's Table 2: White's score by pair of depths.
fn white_scores(experiment: &Experiment) -> Layout {
    let score = |white: usize, black: usize| Some(experiment.table.cell(white, black).record()?.score());
    let cell = |white: usize, black: usize| number(score(white, black), 3);
    matrix(experiment, "White's score (Table 2)", "White", cell, Vec::new())
}

/// Returns Ferreira's Table 3: the score by pair of depths, irrespective of colors.
fn scores(experiment: &Experiment) -> Layout {
    let cell = |row: usize, column: usize| number(experiment.scores.score(row, column), 3);
    let note =
        "The score of the row's depth against the column's. Against itself, a depth scores ½ by definition.";
    matrix(experiment, "Score irrespective of colors (Table 3)", "Depth", cell, vec![note.to_owned()])
}

/// Returns White's advantage at equal depth; `None` without such games.
fn diagonal(experiment: &Experiment) -> Option<Layout> {
    let (all, white) = experiment.diagonal.all?;
    let row = |own: &WhiteScore| (own.contender.to_string(), own.cell, own.score);
    let mut rows: Vec<(String, PairGames, Estimate)> = experiment.diagonal.by_depth.iter().map(row).collect();
    rows.push(("all".to_owned(), all, white));
    let note = "For the standard errors, games with the same moves count as one observation.";
    let table = Table::shown(&rows)
        .display("Depth", |(name, ..)| name)
        .display("Games", |(_, cell, _)| cell.games())
        .display(head("differ").gives_way(1), |(_, cell, _)| cell.different)
        .display(head("Wins").gives_way(1), |(_, cell, _)| cell.wins)
        .display(head("Draws").gives_way(1), |(_, cell, _)| cell.draws)
        .display(head("Losses").gives_way(1), |(_, cell, _)| cell.losses)
        .display_number(ColumnPart::Value.under("Score"), Quantity::GAME_SCORE, |(.., score)| *score)
        .heading(ColumnPart::Error.under("SE"))
        .heading(ColumnPart::Low.under("95 %\nfrom"))
        .heading(ColumnPart::High.under("\nto"));
    Some(table.layout("White's score at equal depth", vec![note.to_owned()]))
}
