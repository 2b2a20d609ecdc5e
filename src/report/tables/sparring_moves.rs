//! Owns the tables of the moves of skill functions: the sizes of their losses beside people's, and losses by the number of the move.

use crate::chess::text::{printable, rounded};
use crate::lab::{LossSizes, MoveLoss, SkillMoves, SparringMoves};
use crate::measure::{Decimals, Unit};
use crate::report::table::Table;
use crate::report::{table::layout::Layout, words::numbers::number};

/// Returns the file of the sizes of losses.
pub(in crate::report) fn loss_table(skills: &[SkillMoves]) -> Table {
    fn of<T>(value: impl Fn(&LossSizes) -> T) -> impl Fn(&SkillMoves) -> Option<T> {
        move |skill| skill.losses.as_ref().map(&value)
    }
    fn flat(value: impl Fn(&LossSizes) -> Option<f64>) -> impl Fn(&SkillMoves) -> Option<f64> {
        move |skill| skill.losses.as_ref().and_then(&value)
    }
    Table::of("losses", "One row a skill function: its losses beside those of people who lose as much on average.", skills)
        .column("skill", "Its name.", |skill| skill.name.clone())
        .column("moves", "Moves with a choice where between 10 and 90 % were expected.", of(|found| found.moves))
        .number("mean_loss", Unit::PercentagePoints, "Percentage points of the expected score lost a move.", of(|found| found.mean))
        .number("people_elo", Unit::Elo, "The rating of people who lose as much.", of(|found| found.elo))
        .number(
            "exceeds",
            Unit::Probability.with(Decimals::Of(6, 4)),
            "The chance that a move gains more than one of theirs, a tie counting half.",
            of(|found| found.exceeds),
        )
        .number("blunders", Unit::Share, "The share of moves that lose 10 points or more.", of(|found| found.blunders[0]))
        .number("people_blunders", Unit::Share, "The same of people.", of(|found| found.blunders[1]))
        .number(
            "blunder_mean",
            Unit::PercentagePoints,
            "What such a move loses on average, in percentage points.",
            flat(|found| found.blunder_means[0]),
        )
        .number("people_blunder_mean", Unit::PercentagePoints, "The same of people.", flat(|found| found.blunder_means[1]))
        .number(
            "blunder_exceeds",
            Unit::Probability.with(Decimals::Of(6, 4)),
            "The chance that such a move gains more than such a one of theirs, that is, loses less; a tie counts half.",
            flat(|found| found.blunder_exceeds),
        )
        .table()
}

/// A row of the losses by move.
pub(in crate::report) struct MoveLossRow<'a> {
    skill: &'a str,
    found: MoveLoss,
}

/// Returns the losses by move of all skill functions.
pub(in crate::report) fn move_rows(skills: &[SkillMoves]) -> Vec<MoveLossRow<'_>> {
    let of = |skill: &'_ SkillMoves| skill.by_move.clone();
    skills
        .iter()
        .flat_map(|skill| of(skill).into_iter().map(|found| MoveLossRow { skill: &skill.name, found }))
        .collect()
}

/// Returns the file of the losses by move.
pub(in crate::report) fn move_loss_table(rows: &[MoveLossRow<'_>]) -> Table {
    Table::of("losses-by-move", "One row a skill function and a number of a move, to move 80.", rows)
        .column("skill", "The skill function.", |row| row.skill.to_owned())
        .column("move", "The number of the move, from 1.", |row| row.found.number)
        .column("moves", "Its moves that count.", |row| row.found.own.0)
        .number("mean_loss", Unit::PercentagePoints, "What they lose on average", |row| row.found.own.1)
        .more(", in percentage points.")
        .column("opponent_moves", "Moves of its opponents that count.", |row| row.found.opponents.0)
        .number("opponent_mean_loss", Unit::PercentagePoints, "What they lose on average.", |row| {
            row.found.opponents.1
        })
        .table()
}

/// Returns the sizes of losses for readers; `None` without any.
pub(in crate::report) fn loss_layout(found: &SparringMoves) -> Option<Layout> {
    let rows: Vec<(&str, &LossSizes)> =
        found.skills.iter().filter_map(|skill| Some((skill.name.as_str(), skill.losses.as_ref()?))).collect();
    type Row<'a> = (&'a str, &'a LossSizes);
    let note = format!(
        "Percentage points of the expected score lost by moves with a choice, where between 10 and 90 % were expected, by {}. In brackets: people \
         who lose as much on average. A blunder loses 10 points or more. P: the chance that a move, or a blunder, gains more than \
         one of theirs.",
        printable(&found.judge)
    );
    (!rows.is_empty()).then(|| {
        Table::shown(&rows)
            .label("Skill", |row: &Row<'_>| printable(row.0))
            .said_beside("Moves", |row: &Row<'_>| row.1.moves.to_string())
            .said_beside("Loss\na move", |row: &Row<'_>| rounded(row.1.mean, 2))
            .said_beside("of people\nof Elo", |row: &Row<'_>| rounded(row.1.elo, 0))
            .said_beside("P", |row: &Row<'_>| rounded(row.1.exceeds, 3))
            .said_beside("Blunders, %", |row: &Row<'_>| {
                beside(row.1.blunders.map(|share| Some(100.0 * share)))
            })
            .said_beside("Loss of\na blunder", |row: &Row<'_>| beside(row.1.blunder_means))
            .said_beside("P of\nblunders", |row: &Row<'_>| number(row.1.blunder_exceeds, 3))
            .layout("Sizes of losses beside people's", vec![note])
    })
}

fn beside([own, people]: [Option<f64>; 2]) -> String {
    format!("{} ({})", number(own, 1), number(people, 1))
}
