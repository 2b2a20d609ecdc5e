//! Owns the table of what is usual of the play of a player of a given rating.

use crate::chess::text::{counted, rounded};
use crate::measure::{Calibration, ExpectedPlay, Unit};
use crate::report::table::{Screen, Table};

/// Returns what is usual of so many moves of a player of that rating, with the band that holds nineteen in twenty.
pub fn expected(
    calibration: &Calibration,
    usual: &[ExpectedPlay],
    (elo, moves): (f64, u64),
    screen: Screen,
) -> String {
    let table = Table::shown(usual)
        .label("", |row| named(&row.statistic))
        .number_beside(Unit::PercentagePoints, |row| row.mean)
        .heading("Usual")
        .number_beside(Unit::PercentagePoints, |row| row.low)
        .heading("95 %\nfrom")
        .number_beside(Unit::PercentagePoints, |row| row.high)
        .heading("\nto");
    let of = format!(
        "Of {} of a player rated {} on {}, by the evaluations of {}, {}: nineteen in twenty are between the two ends.",
        counted(moves, "move"),
        rounded(elo, 0),
        calibration.scale.title(),
        calibration.engine.name,
        calibration.protocol()
    );
    table.layout("What is usual at this rating", vec![of, LIMITS.to_owned()]).shown(screen)
}

const LIMITS: &str = "Evaluations of another engine, depth or order give other numbers. Who is beyond a band is not usual; that \
    is no evidence of anything by itself: one player in twenty is.";

/// Returns a statistic as readers know it.
fn named(statistic: &str) -> String {
    let words = match statistic {
        "first_choice_percent" => "First choices, %",
        "win_loss_percent" => "Loss of winning chances a move, %",
        "centipawn_loss" => "Centipawn loss a move",
        "blunder_100_percent" => "Moves that lose a pawn or more, %",
        "blunder_200_percent" => "Moves that lose two pawns or more, %",
        "accuracy_percent" => "Accuracy, %",
        other => other,
    };
    words.to_owned()
}
