//! The tables and pictures of a calibration: errors of the ratings of play, and usual values at a rating.

pub mod pictures;

use std::{collections::BTreeSet, iter};

use crate::base::text::{counted, rounded};
use crate::measure::{
    BandRow, Calibration, EquatedWith, ExpectedPlay, LengthRow, PeriodRow, Unit, Validation,
};
use crate::report::table::{Screen, Table};

pub fn shown(calibration: &Calibration, screen: Screen) -> String {
    let tables = calibration.validation.iter().take(1).flat_map(|validation| {
        [
            lengths(validation, calibration, screen),
            bands(validation, &calibration.validation[1..], screen),
            periods(validation, screen),
        ]
    });
    tables.collect::<Vec<_>>().join("\n")
}

pub struct UsualByCalibration<'a> {
    pub calibration: &'a Calibration,
    pub usual: Vec<ExpectedPlay>,
    /// The year of the games, if the calibration depends on it.
    pub year: Option<u16>,
}

pub fn expected(found: &[UsualByCalibration<'_>], elo: f64, moves: u64, screen: Screen) -> String {
    let rows: Vec<_> = found
        .iter()
        .flat_map(|by| {
            // Only the first row of an engine has the engine's name.
            let engines = [by.calibration.engine.name.as_str()].into_iter().chain(iter::repeat(""));
            engines.zip(&by.usual)
        })
        .collect();
    let table = Table::shown(&rows)
        .label("Evaluated by", |(engine, _)| (*engine).to_owned())
        .label("", |(_, row)| row.statistic.facts().title.to_owned())
        .display_number("Usual", Unit::Row, |(_, row)| row.mean)
        .display_number("95 %\nfrom", Unit::Row, |(_, row)| row.low)
        .display_number("\nto", Unit::Row, |(_, row)| row.high);
    let player = |by: &UsualByCalibration<'_>| {
        let year = by.year.map_or_else(String::new, |year| format!(" in {year}"));
        format!("{} on {}{year}", rounded(elo, 0), by.calibration.scale.title())
    };
    let players: BTreeSet<String> = found.iter().map(player).collect();
    let evaluations = found.iter().map(|by| by.calibration.evaluations());
    let of = format!(
        "For {} of a player rated {}. The range contains 95 % of such players. Evaluations: {}.",
        counted(moves, "move"),
        players.into_iter().collect::<Vec<_>>().join(", or "),
        evaluations.collect::<Vec<_>>().join("; ")
    );
    table.layout("Usual values at this rating", vec![of, BAND_LIMITS.to_owned()]).shown(screen)
}

const BAND_LIMITS: &str = "Another engine, search depth or search order gives other numbers. A player outside a range is unusual, but \
    that alone is no evidence of anything: one player in twenty is outside.";

fn lengths(validation: &Validation, calibration: &Calibration, screen: Screen) -> String {
    let of_blocks = validation.lengths.iter().map(|row| match row.length {
        Some(_) => ("a block".to_owned(), row),
        None => (format!("a whole {}", calibration.scale.event()), row),
    });
    let of_players = validation.players.iter().map(|row| ("a player".to_owned(), row));
    let rows: Vec<(String, &LengthRow)> = of_blocks.chain(of_players).collect();
    let table = Table::shown(&rows)
        .label("Moves of", |(of, _)| of.clone())
        .display_text("Moves", |(_, row)| rounded(row.moves, 0))
        .display_text("Number", |(_, row)| row.blocks.to_string())
        .display_text("Error, root\nmean square", |(_, row)| rounded(row.rmse, 0))
        .display_text("Mean\nerror", |(_, row)| rounded(row.mae, 0))
        .display_text("Bias", |(_, row)| signed(row.bias))
        .display_text("Within the 95 %\ninterval, %", |(_, row)| rounded(100.0 * row.coverage, 1))
        .display_text("Shrunken:\nerror", |(_, row)| rounded(row.shrunken_rmse, 0));
    table
        .layout(
            "Errors of ratings of play in events left out of the calibration, in Elo points",
            notes(calibration),
        )
        .shown(screen)
}

fn notes(calibration: &Calibration) -> Vec<String> {
    let model = &calibration.model;
    let terms: Vec<String> = model
        .statistics
        .iter()
        .map(|fitted| {
            let sign = if fitted.coefficient < 0.0 { "−" } else { "+" };
            format!("{sign} {}·{}", rounded(fitted.coefficient.abs(), 2), fitted.name)
        })
        .collect();
    let drift = model.drift.as_ref().map_or_else(String::new, |drift| {
        let sign = if drift.coefficient < 0.0 { "−" } else { "+" };
        let size = rounded(drift.coefficient.abs(), 1);
        format!(
            " {sign} ({size} ± {})·max(0, year − {})",
            rounded(1.96 * drift.standard_error, 1),
            drift.from
        )
    });
    let mut notes = vec![
        format!("{}; scale {}.", pictures::caption(calibration), calibration.scale),
        format!(
            "Elo = {} {}{drift}, ± 1.96·√({}² + {}²/moves).",
            rounded(model.intercept, 1),
            terms.join(" "),
            rounded(model.tau, 0),
            rounded(model.s, 0)
        ),
    ];
    notes.extend(calibration.equated.as_ref().map(|EquatedWith { calibration, error, error_range, .. }| {
        let [error, low, high] = [*error, error_range[0], error_range[1]].map(|elo| rounded(elo, 0));
        format!(
            "Equated with {calibration} on these events. Expected error of blocks of {} moves in other events: \
             {error} (95 % interval {low} to {high}).",
            Validation::BAND_LENGTH
        )
    }));
    notes.push(SHRUNKEN.to_owned());
    notes
}

const SHRUNKEN: &str = "Shrunken: ratings shrunk toward the mean of the calibration's players.";

fn bands(validation: &Validation, others: &[Validation], screen: Screen) -> String {
    let mut table = Table::shown(&validation.bands)
        .label("Ratings", |row| format!("{} to {}", rounded(row.from, 0), rounded(row.to - 1.0, 0)))
        .display_text("Blocks", |row| row.blocks.to_string())
        .display_text("Mean", |row| rounded(row.elo, 0))
        .display_text("Bias", |row| signed(row.bias))
        .display_text("Error, root\nmean square", |row| rounded(row.rmse, 0))
        .display_text("Within the 95 %\ninterval, %", |row| rounded(100.0 * row.coverage, 1));
    for other in others {
        let bias = |row: &BandRow| {
            let found = other.bands.iter().find(|band| band.from == row.from);
            found.map_or_else(String::new, |band| signed(band.bias))
        };
        table = table.display_text(format!("Bias,\n{}", other.direction), bias);
    }
    let note = format!(
        "Blocks of about {} moves. Direction of the fit: {}.",
        Validation::BAND_LENGTH,
        validation.direction
    );
    table.layout("Errors by rating", vec![note]).shown(screen)
}

fn periods(validation: &Validation, screen: Screen) -> String {
    let rows = validation.periods();
    let table = Table::shown(&rows)
        .label("Years", |row| format!("{} to {}", row.from, row.from + Validation::PERIOD - 1))
        .display_text("Events", |row: &PeriodRow| row.events.to_string())
        .display_text("Bias", |row| signed(row.bias))
        .display_text("Standard\nerror", |row| {
            row.standard_error.map_or_else(String::new, |se| rounded(se, 0))
        });
    table.layout("Errors of whole events by year", Vec::new()).shown(screen)
}

fn signed(value: f64) -> String {
    let text = rounded(value.abs(), 0);
    match (text.as_str(), value < 0.0) {
        ("0", _) => text,
        (_, true) => format!("−{text}"),
        (_, false) => format!("+{text}"),
    }
}
