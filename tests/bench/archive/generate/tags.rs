//! The tags of an artificial game, in lichess's order.

use std::io::{self, Write};

use chrono::{DateTime, TimeDelta, Utc};
use gainalyze::chess::GameResult;
use shakmaty::Color;

use super::{
    course::Course,
    dice::Dice,
    players::{Pairing, Player},
    score_sheet::ScoreSheet,
};

/// The start of the first game: midnight of 2020-05-01.
const START: DateTime<Utc> = DateTime::from_timestamp(1_588_291_200, 0).expect("a day");

/// Number of games that begin in each minute.
const A_MINUTE: u64 = 30;

/// Largest rating change in a game, as on lichess for regular players.
const MOST: f64 = 12.0;

/// Writes the tags and the moves of game `number`, from 0.
///
/// # Errors
///
/// If `out` cannot be written.
pub fn write_game(
    out: &mut impl Write,
    number: u64,
    sheet: &ScoreSheet,
    pairing: &Pairing,
    course: &Course,
    dice: &mut Dice,
) -> io::Result<()> {
    let Pairing { players, control } = pairing;
    let time = START + TimeDelta::seconds((number * 60 / A_MINUTE) as i64);
    let (date, time) = (time.format("%Y.%m.%d"), time.format("%H:%M:%S"));
    let id = dice.letters(8);
    write!(out, "[Event \"Rated {} ", control.speed())?;
    if dice.chance(0.1) {
        writeln!(out, "tournament https://example.org/tournament/{}\"]", dice.letters(8))?;
    } else {
        writeln!(out, "game\"]")?;
    }
    writeln!(out, "[Site \"https://example.org/{id}\"]\n[Date \"{date}\"]\n[Round \"-\"]")?;
    writeln!(out, "[White \"{}\"]\n[Black \"{}\"]", players.white.name, players.black.name)?;
    writeln!(out, "[Result \"{}\"]\n[UTCDate \"{date}\"]\n[UTCTime \"{time}\"]", course.result)?;
    writeln!(out, "[WhiteElo \"{}\"]\n[BlackElo \"{}\"]", players.white.elo, players.black.elo)?;
    for color in Color::ALL {
        let change = rating_change(players.get(color), players.get(!color), course.result, color);
        writeln!(out, "[{}RatingDiff \"{change:+}\"]", name(color))?;
    }
    for color in Color::ALL {
        if let Some(title) = players.get(color).title {
            writeln!(out, "[{}Title \"{title}\"]", name(color))?;
        }
    }
    writeln!(out, "[ECO \"{}\"]\n[Opening \"{}\"]", sheet.opening.code, sheet.opening.name)?;
    writeln!(out, "[TimeControl \"{}+{}\"]", control.base, control.increment)?;
    writeln!(out, "[Termination \"{}\"]\n", course.termination)?;
    out.write_all(&course.movetext)?;
    out.write_all(b"\n\n\n")
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// Returns the rating change by Elo's formula.
fn rating_change(own: &Player, other: &Player, result: GameResult, color: Color) -> i32 {
    let ahead = f64::from(own.elo) - f64::from(other.elo);
    let expected = 1.0 / (1.0 + 10f64.powf(-ahead / 400.0));
    let points = result.half_points(color).map_or(0.5, |half| f64::from(half) / 2.0);
    (MOST * (points - expected)).round() as i32
}
