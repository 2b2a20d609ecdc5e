//! Owns the tables of an archive: groups, and moves by clock.

use super::{
    MISSING,
    layout::{Field, Layout},
    measures::with_margin,
    screen::Screen,
};
use crate::{
    archive::{ClockClass, ClockRow, CountKey, GroupRow, Grouping, Survey},
    text::{counted, printable, rounded},
};

/// Rows of a terminal's table: files have all of them.
const ROWS: usize = 60;

/// Groups with their expected scores, and moves by clock where there are clocks.
pub fn archive(survey: &Survey, identity: &CountKey, screen: Screen) -> String {
    let mut tables = vec![groups(survey, identity, screen)];
    for class in ClockClass::ALL {
        let rows: Vec<&ClockRow> = survey.clocks.iter().filter(|row| row.class == class).collect();
        if !rows.is_empty() {
            tables.push(clock(class, &rows, screen));
        }
    }
    tables.join("\n")
}

fn groups(survey: &Survey, identity: &CountKey, screen: Screen) -> String {
    let by = identity.by;
    let mut rows: Vec<&GroupRow> = survey.groups.iter().filter(|row| row.moves > 0).collect();
    let total = rows.len();
    if by == Grouping::Player {
        // Thousands of players are not read from A on: those with most moves tell most.
        rows.sort_by(|a, b| b.moves.cmp(&a.moves).then_with(|| a.key.cmp(&b.key)));
    }
    rows.truncate(ROWS);
    let each = |cell: &dyn Fn(&GroupRow) -> String| rows.iter().map(|row| cell(row)).collect::<Vec<_>>();
    let number =
        |value: Option<f64>, decimals| value.map_or(MISSING.to_owned(), |value| rounded(value, decimals));
    let mut columns = vec![
        Field::names(by.title(), each(&|row| printable(&by.label(&row.key)))),
        Field::number("Games", each(&|row| row.games.to_string())),
        Field::number("Moves", each(&|row| row.moves.to_string())).dropped(2),
        Field::number("Elo", each(&|row| number(row.elo, 0))).dropped(1),
        Field::number("Points\n%", each(&|row| number(row.points.map(|points| 100.0 * points), 1)))
            .dropped(4),
        Field::number("Gain\n> 0 %", each(&|row| percent(row, |row| row.histogram.signs().positive)))
            .dropped(5),
        Field::number("\n= 0 %", each(&|row| percent(row, |row| row.histogram.signs().zero))).dropped(5),
        Field::number("Expected\nscore", each(&|row| with_margin(row.expected_score, 4))),
        Field::number("Elo\ndifference", each(&|row| number(row.elo_difference.map(|d| d.value), 0))),
        Field::number("Score\nkept", each(&|row| with_margin(row.score_kept, 4))).dropped(3),
        Field::number("Centipawn\nloss", each(&|row| number(row.centipawn_loss, 1))).dropped(3),
        Field::number("Engine\nstrength", each(&|row| number(row.engine_strength, 0))).dropped(2),
    ];
    if by == Grouping::Player {
        columns.push(Field::number("Performance", each(&|row| number(row.performance, 0))));
    }
    Layout {
        title: "Expected score by group against the engine",
        columns,
        notes: notes(survey, identity, total),
    }
    .shown(screen)
}

fn notes(survey: &Survey, identity: &CountKey, groups: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if groups > ROWS {
        let which = if identity.by == Grouping::Player { "those with most moves" } else { "the first" };
        notes.push(format!(
            "{ROWS} of {} are shown, {which}; the files have all.",
            counted(groups as u64, "group")
        ));
    }
    notes.push(
        "Against one peak at 0, ties counting half; 95 % intervals by the scatter of games. Engine strength is Elo − \
         difference as each group sees it: where it rises with Elo, a rating point is worth more moves than the curve says."
            .to_owned(),
    );
    if let Some(engine) = survey.engine_strength {
        notes.push(format!(
            "Strength of the engine, mean over {}: {}.",
            counted(engine.observations as u64, "rated player"),
            with_margin(Some(engine), 1)
        ));
    }
    match identity.filters.as_slice() {
        [] => {}
        filters => notes.push(format!("Counted: {}.", filters.join("; "))),
    }
    match identity.choices.as_slice() {
        [] => {}
        choices => notes.push(format!("Games: {}.", choices.join("; "))),
    }
    notes
}

/// The share of a group's moves, in percent.
fn percent(row: &GroupRow, count: fn(&GroupRow) -> u64) -> String {
    rounded(100.0 * count(row) as f64 / row.moves as f64, 1)
}

fn clock(class: ClockClass, rows: &[&ClockRow], screen: Screen) -> String {
    let each = |cell: &dyn Fn(&ClockRow) -> String| rows.iter().map(|row| cell(row)).collect::<Vec<_>>();
    let title = match class {
        ClockClass::Left => "Gains by the time left after the move",
        ClockClass::Spent => "Gains by the time spent on the move",
    };
    let columns = vec![
        Field::text("Time", each(&|row| row.label())),
        Field::number("Games", each(&|row| row.games.to_string())).dropped(2),
        Field::number("Moves", each(&|row| row.moves.to_string())).dropped(1),
        Field::number("Mean\ngain", each(&|row| with_margin(Some(row.mean_gain), 2))),
        Field::number("Expected\nscore", each(&|row| with_margin(Some(row.expected_score), 4))),
    ];
    Layout { title, columns, notes: Vec::new() }.shown(screen)
}
