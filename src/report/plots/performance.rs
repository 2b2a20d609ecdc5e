//! The picture of the rated players: a row for each player, with performance and Elo on one axis.

use super::{
    Caption, bar_table::axis, canvas::Drawing, chart::Axis, chart::Chart, scores::ROWS, scores::ScoreRow,
    scores::draw_marked, style::Ink,
};
use crate::base::text::{counted, rounded};
use crate::measure::{Measured, PlayerResult};
use crate::report::words::numbers::mark;

/// Draws a row for each rated player with a performance, for at most 60 players; `None` if there are none.
pub fn draw(players: &[&PlayerResult], caption: &Caption) -> Option<Drawing> {
    let rated = players.iter().filter_map(|player| Some((player, player.elo?.value, player.performance?)));
    let rated: Vec<_> = rated.collect();
    let shown = &rated[..rated.len().min(ROWS)];
    shown.first()?;
    let row = |(player, elo, performance): &(&&PlayerResult, f64, Measured)| {
        let score = performance.estimate();
        let remark = format!("{}{} (Elo {elo:.0})", mark(performance.bound), rounded(score.value, 0));
        (ScoreRow { name: player.name.clone(), score, remark }, Some(*elo))
    };
    let (rows, elos): (Vec<ScoreRow>, Vec<Option<f64>>) = shown.iter().map(row).unzip();
    let known: Vec<_> = rows.iter().map(|row| row.score).collect();
    let mut notes = "Performance: engine strength plus the player's Elo difference. Bars: 95 % intervals, from the scatter \
        between games and the error of the engine's strength.\nRatings and performances have the same mean."
        .to_owned();
    if shown.iter().any(|(.., performance)| performance.bound.is_some()) {
        notes += " A number after > or < is a bound.";
    }
    if let others @ 1.. = players.len() - rated.len() {
        notes += &format!(" Left out: {} without Elo or moves.", counted(others as u64, "player"));
    }
    let chart = Chart {
        title: "Who played better than their rating?",
        subtitle: "Paper performance, computed from gains, with 95 % intervals, and Elo",
        caption: &caption.field(shown.len(), rated.len()),
        legend: &[(Ink::Gain, "performance"), (Ink::Ink, "Elo")],
        notes: &notes,
        x: Axis { label: "Elo", ..axis(&known, elos.iter().flatten().copied()) },
        ..Chart::default()
    };
    Some(draw_marked(&rows, &elos, chart))
}
