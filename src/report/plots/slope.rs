//! The picture of points against moves: each player's place by points and place by moves, joined by a line.

use super::{canvas::Canvas, canvas::Drawing, style::Ink, style::Type};

/// A player with the text before the name on the left.
pub struct SlopeRow {
    pub name: String,
    pub points: String,
    /// Places by points and by moves, from 0, each without gaps.
    pub places: [usize; 2],
}

const WIDTH: i32 = 358;
const HEAD: i32 = 26;
const ROW: i32 = 29;
const COLUMNS: [i32; 2] = [150, 222];

/// Smallest difference between the two places for which a line is emphasized.
const FAR: usize = 2;

/// Draws the players, with the width of a phone.
pub fn draw(rows: &[SlopeRow]) -> Drawing {
    let title = "Places by points and by moves";
    Drawing::of((WIDTH, HEAD + ROW * rows.len() as i32 + 6), title, |canvas| {
        let set = Type::pale(15.0);
        canvas.text("by points", (COLUMNS[0], 14), set.right());
        canvas.text("by moves", (COLUMNS[1], 14), set);
        // The emphasized lines are above the others.
        let far = |row: &&SlopeRow| row.places[0].abs_diff(row.places[1]) >= FAR;
        rows.iter().filter(|row| !far(row)).for_each(|row| line(canvas, row, Ink::Zero));
        rows.iter().filter(far).for_each(|row| line(canvas, row, Ink::Ink));
        for row in rows {
            let set = if far(&row) { Type::of(16.0).bold() } else { Type::of(16.0) };
            let [left, right] = row.places.map(|place| height(place) + 5);
            canvas.text(&row.points, (0, left), Type::pale(15.0));
            canvas.text(&set.fitted(&row.name, COLUMNS[0] - 48), (COLUMNS[0] - 14, left), set.right());
            let by_moves = format!("{}. {}", row.places[1] + 1, row.name);
            canvas.text(&set.fitted(&by_moves, WIDTH - COLUMNS[1] - 14), (COLUMNS[1] + 14, right), set);
        }
    })
}

fn height(place: usize) -> i32 {
    HEAD + ROW * place as i32 + ROW / 2
}

fn line(canvas: &mut Canvas<'_>, row: &SlopeRow, ink: Ink) {
    let [left, right] = [0, 1].map(|side| (COLUMNS[side], height(row.places[side])));
    canvas.line(left, right, ink);
    let dot = if ink == Ink::Ink { Ink::Gain } else { ink };
    canvas.dot(left, 4, dot);
    canvas.dot(right, 4, dot);
}
