//! Owns the tables of games and scores by pair of depths, and of White's score at equal depth.

use crate::{
    experiment::{Experiment, PairGames, WhiteScore},
    report::{
        table::layout::{Field, Layout},
        words::{experiment::name, numbers::MISSING},
    },
    stats::estimate::Estimate,
    text::rounded,
};

/// As many columns as a narrow terminal can have of any table.
const MOST_KEPT: usize = 9;

/// A matrix with a row and a column for each contender.
fn matrix(
    experiment: &Experiment,
    title: &'static str,
    head: &'static str,
    cell: impl Fn(usize, usize) -> String,
    notes: Vec<String>,
) -> Layout {
    let contenders = experiment.table.contenders();
    let rows = contenders.iter().map(|&contender| name(contender)).collect();
    let columns = (0..contenders.len()).map(|column| {
        let cells = (0..contenders.len()).map(|row| cell(row, column)).collect();
        Field::number(name(contenders[column]), cells).dropped(gives_way(column, contenders.len()))
    });
    Layout { title, columns: std::iter::once(Field::text(head, rows)).chain(columns).collect(), notes }
}

/// Of a column for each depth every second gives way, then every second of the others.
fn gives_way(place: usize, columns: usize) -> u8 {
    match place % 4 {
        _ if columns <= MOST_KEPT => 0,
        1 | 3 => 2,
        2 => 1,
        _ => 0,
    }
}

/// Ferreira's Table 1.
pub fn games(experiment: &Experiment) -> Layout {
    let cell = |white: usize, black: usize| match experiment.table.cell(white, black) {
        cell if cell.games() == 0 => MISSING.to_owned(),
        cell => format!("{}/{}", cell.games(), cell.different),
    };
    let notes = vec![
        "Rows have White, columns Black. Behind the slash, games that are not move for move the same."
            .to_owned(),
    ];
    matrix(experiment, "Games by pair of depths, and how many of them differ (Table 1)", "White", cell, notes)
}

/// Ferreira's Table 2.
pub fn white_scores(experiment: &Experiment) -> Layout {
    let cell = |white: usize, black: usize| {
        let record = experiment.table.cell(white, black).record();
        record.map_or(MISSING.to_owned(), |record| rounded(record.score(), 3))
    };
    matrix(experiment, "White's score (Table 2)", "White", cell, Vec::new())
}

/// Ferreira's Table 3.
pub fn scores(experiment: &Experiment) -> Layout {
    let cell = |row: usize, column: usize| {
        experiment.scores.score(row, column).map_or(MISSING.to_owned(), |score| rounded(score, 3))
    };
    let notes =
        vec!["The score of row against column; of a depth against itself ½ by definition.".to_owned()];
    matrix(experiment, "Score irrespective of colours (Table 3)", "Depth", cell, notes)
}

/// White's advantage at equal depth; `None` without such games.
pub fn diagonal(experiment: &Experiment) -> Option<Layout> {
    let (all, white) = experiment.diagonal.all?;
    let row = |own: &WhiteScore| (name(own.contender), own.cell, own.score);
    let mut rows: Vec<(String, PairGames, Estimate)> = experiment.diagonal.by_depth.iter().map(row).collect();
    rows.push(("all".to_owned(), all, white));
    let each = |of: &dyn Fn(&PairGames, &Estimate) -> String| {
        rows.iter().map(|(_, cell, score)| of(cell, score)).collect()
    };
    let end = |score: &Estimate, of: fn(crate::stats::estimate::Interval) -> f64| {
        score.interval.map_or(MISSING.to_owned(), |interval| rounded(of(interval), 3))
    };
    Some(Layout {
        title: "White's score at equal depth",
        columns: vec![
            Field::text("Depth", rows.iter().map(|(name, ..)| name.clone()).collect()),
            Field::number("Games", each(&|cell, _| cell.games().to_string())),
            Field::number("differ", each(&|cell, _| cell.different.to_string())).dropped(1),
            Field::number("Wins", each(&|cell, _| cell.wins.to_string())).dropped(1),
            Field::number("Draws", each(&|cell, _| cell.draws.to_string())).dropped(1),
            Field::number("Losses", each(&|cell, _| cell.losses.to_string())).dropped(1),
            Field::number("Score", each(&|_, score| rounded(score.value, 3))),
            Field::number("SE", each(&|_, score| end(score, |interval| interval.standard_error))),
            Field::number("95 %\nfrom", each(&|_, score| end(score, |interval| interval.low))),
            Field::number("\nto", each(&|_, score| end(score, |interval| interval.high))),
        ],
        notes: vec![
            "Standard errors by games that differ: those that are move for move the same are one observation."
                .to_owned(),
        ],
    })
}
