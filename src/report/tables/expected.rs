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
        .label("", |row| row.statistic.facts().title.to_owned())
        .number_beside(Unit::Row, |row| row.mean)
        .heading("Usual")
        .number_beside(Unit::Row, |row| row.low)
        .heading("95 %\nfrom")
        .number_beside(Unit::Row, |row| row.high)
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
