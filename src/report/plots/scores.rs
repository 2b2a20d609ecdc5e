//! Owns the picture of the expected scores, one dot a player.

use crate::tournament::Player;

use super::{
    Caption,
    canvas::{Canvas, Drawing, Ink, Plane, Type, fitted, step, text_width},
    label,
};

/// Rows that stay legible in one picture.
const ROWS: usize = 60;

const WIDTH: i32 = 1200;
const HEADER: i32 = 120;
const FOOTER: i32 = 110;

/// One row a player in the order given, the first 60 of those with a move.
pub fn draw(players: &[&Player], caption: &Caption) -> Drawing {
    let scores: Vec<(&str, f64)> = players
        .iter()
        .filter_map(|player| Some((player.name.as_str(), player.expected_score?.value())))
        .collect();
    let shown = &scores[..scores.len().min(ROWS)];
    let pitch = if shown.len() > 20 { 27 } else { 40 };
    let height = HEADER + FOOTER + pitch * (shown.len() as i32).max(4);
    let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
    Drawing::of(size, "Expected score of each player against the engine", |canvas| {
        canvas.text("Expected score against the engine", (40, 52), Type::of(30.0).bold());
        canvas.text(&caption.field(shown.len(), scores.len()), (40, 84), Type::of(17.0).color(Ink::Pale));
        rows(canvas, shown, pitch, height);
    })
}

fn rows(canvas: &mut Canvas, shown: &[(&str, f64)], pitch: i32, height: i32) {
    if shown.is_empty() {
        return canvas.text("no moves", (WIDTH / 2, height / 2), Type::of(22.0).color(Ink::Pale).centred());
    }
    let set = Type::of(18.0);
    let names: Vec<String> = shown.iter().map(|(name, _)| fitted(&label(name), 340, set)).collect();
    let widest = names.iter().map(|name| text_width(name, set)).max().unwrap_or_default();
    let left = 40 + widest + 18;
    let (ticks, plane) = axis(shown, (left, WIDTH - 130), (HEADER, height - FOOTER));
    grid(canvas, &ticks, plane);
    for (index, (name, (_, score))) in names.iter().zip(shown).enumerate() {
        let row = HEADER + pitch * index as i32 + pitch / 2;
        let column = plane.column(*score);
        canvas.line((plane.columns.0, row), (column, row), Ink::Grid);
        canvas.text(name, (plane.columns.0 - 14, row + 6), set.right());
        canvas.dot((column, row), 7, Ink::Gain);
        value(canvas, (column + 13, row), *score);
    }
    let axis = "Expected score: chance that a move gains more than the engine's, ties counting half";
    canvas.text(axis, (40, height - 52), Type::of(17.0));
    let mut note = "0.5 is the level of an engine that neither gains nor loses.".to_owned();
    if ticks.first().is_some_and(|&first| first > 0.0) {
        note += " The axis does not begin at 0.";
    }
    canvas.text(&note, (40, height - 24), Type::of(15.0).color(Ink::Pale));
}

/// The score in figures to the right of its dot, clear of the grid.
fn value(canvas: &mut Canvas, (x, row): (i32, i32), score: f64) {
    let (text, set) = (format!("{score:.4}"), Type::of(18.0).bold());
    canvas.rectangle((x - 2, row - 9), (x + text_width(&text, set) + 2, row + 9), Ink::Paper);
    canvas.text(&text, (x, row + 6), set);
}

/// Steps between the marks of the axis.
const STEPS: [f64; 6] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

/// The marks of the axis, and the plane between the outer two.
fn axis(shown: &[(&str, f64)], columns: (i32, i32), rows: (i32, i32)) -> (Vec<f64>, Plane) {
    let low = shown.iter().map(|&(_, score)| score).fold(f64::INFINITY, f64::min);
    let high = shown.iter().map(|&(_, score)| score).fold(f64::NEG_INFINITY, f64::max);
    let step = step(high - low, 6, &STEPS);
    let first = ((low / step).floor() as i64 - 1).max(0);
    let last = ((high / step).ceil() as i64).max(first + 1);
    let ticks: Vec<f64> = (first..=last).map(|tick| tick as f64 * step).collect();
    let x = (first as f64 * step, last as f64 * step);
    (ticks, Plane { columns, rows, x, y: (0.0, 1.0) })
}

fn grid(canvas: &mut Canvas, ticks: &[f64], plane: Plane) {
    for &tick in ticks {
        let column = plane.column(tick);
        canvas.line((column, plane.rows.0), (column, plane.rows.1), Ink::Grid);
        let decimals = if ticks[1] - ticks[0] < 0.009 { 3 } else { 2 };
        let text = format!("{tick:.decimals$}");
        canvas.text(&text, (column, plane.rows.1 + 22), Type::of(16.0).color(Ink::Pale).centred());
    }
}
