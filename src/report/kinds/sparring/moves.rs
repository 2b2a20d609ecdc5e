//! The tables of the expected score that moves of skill functions lose.

use crate::base::text::{printable, rounded};
use crate::lab::{LossSizes, MoveLoss, SkillMoves, SparringMoves};
use crate::measure::{Decimals, Quantity, Unit};
use crate::report::table::{Table, layout::Layout};
use crate::report::words::numbers::number;

const CHANCE: Quantity = Unit::Probability.with(Decimals::Of(6, 4));

pub(in crate::report) fn loss_table(skills: &[SkillMoves]) -> Table {
    fn of<T>(value: impl Fn(&LossSizes) -> T) -> impl Fn(&SkillMoves) -> Option<T> {
        move |skill| skill.losses.as_ref().map(&value)
    }
    fn flat(value: impl Fn(&LossSizes) -> Option<f64>) -> impl Fn(&SkillMoves) -> Option<f64> {
        move |skill| skill.losses.as_ref().and_then(&value)
    }
    Table::of(
        "losses",
        "One row per skill function: its losses, and the losses of people with the same average loss.",
        skills,
    )
    .column("skill", "Name of the skill function.", |skill| skill.name.clone())
    .column(
        "moves",
        "Moves with a choice and an expected score between 10 and 90 %.",
        of(|found| found.moves),
    )
    .number(
        "mean_loss",
        Unit::PercentagePoints,
        "Percentage points of the expected score lost per move.",
        of(|found| found.mean),
    )
    .number("people_elo", Unit::Elo, "Rating of people with the same average loss.", of(|found| found.elo))
    .number(
        "exceeds",
        CHANCE,
        "Probability that a move loses less than a move of these people; ties count half.",
        of(|found| found.exceeds),
    )
    .number(
        "blunders",
        Unit::Share,
        "Share of moves that lose 10 percentage points or more (blunders).",
        of(|found| found.blunders[0]),
    )
    .number(
        "people_blunders",
        Unit::Share,
        "Share of these people's moves that are blunders.",
        of(|found| found.blunders[1]),
    )
    .number(
        "blunder_mean",
        Unit::PercentagePoints,
        "Mean loss of a blunder, in percentage points.",
        flat(|found| found.blunder_means[0]),
    )
    .number(
        "people_blunder_mean",
        Unit::PercentagePoints,
        "Mean loss of a blunder of these people, in percentage points.",
        flat(|found| found.blunder_means[1]),
    )
    .number(
        "blunder_exceeds",
        CHANCE,
        "Probability that a blunder loses less than a blunder of these people; ties count half.",
        flat(|found| found.blunder_exceeds),
    )
    .table()
}

pub(in crate::report) fn move_loss_table(skills: &[SkillMoves]) -> Table {
    let rows: Vec<(&str, &MoveLoss)> = skills
        .iter()
        .flat_map(|skill| skill.by_move.iter().map(|found| (skill.name.as_str(), found)))
        .collect();
    Table::of("losses-by-move", "One row per skill function and move number, up to move 80.", &rows)
        .column("skill", "The skill function.", |row| row.0)
        .column("move", "Number of the move, from 1.", |row| row.1.number)
        .column("moves", "Counted moves of the skill function.", |row| row.1.own.0)
        .number(
            "mean_loss",
            Unit::PercentagePoints,
            "Mean loss of these moves, in percentage points.",
            |row| row.1.own.1,
        )
        .column("opponent_moves", "Counted moves of the opponents.", |row| row.1.opponents.0)
        .number("opponent_mean_loss", Unit::PercentagePoints, "Mean loss of the opponents' moves.", |row| {
            row.1.opponents.1
        })
        .table()
}

pub(in crate::report) fn loss_layout(found: &SparringMoves) -> Option<Layout> {
    let rows: Vec<(&str, &LossSizes)> =
        found.skills.iter().filter_map(|skill| Some((skill.name.as_str(), skill.losses.as_ref()?))).collect();
    let note = format!(
        "Losses of expected score in percentage points, evaluated by {}. Counted: moves that were not the only legal \
         move, if the expected score was between 10 and 90 %. Numbers in brackets are for people with the same average \
         loss. A blunder loses 10 points or more. P: probability that a move loses less than a move of these people. P \
         of blunders: probability that a blunder loses less than a blunder of these people. Ties count half.",
        printable(&found.judge)
    );
    (!rows.is_empty()).then(|| {
        Table::shown(&rows)
            .label("Skill", |row| printable(row.0))
            .display_text("Moves", |row| row.1.moves.to_string())
            .display_text("Loss\na move", |row| rounded(row.1.mean, 2))
            .display_text("of people\nof Elo", |row| rounded(row.1.elo, 0))
            .display_text("P", |row| rounded(row.1.exceeds, 3))
            .display_text("Blunders, %", |row| with_people(row.1.blunders.map(|share| Some(100.0 * share))))
            .display_text("Loss of\na blunder", |row| with_people(row.1.blunder_means))
            .display_text("P of\nblunders", |row| number(row.1.blunder_exceeds, 3))
            .layout("Sizes of losses next to people's", vec![note])
    })
}

fn with_people([own, people]: [Option<f64>; 2]) -> String {
    format!("{} ({})", number(own, 1), number(people, 1))
}
