//! The frame of pictures with one row for each player, narrow enough for a phone.

use super::{canvas::Canvas, canvas::Drawing, canvas::Plane, chart::Axis, chart::Plot, label, style::Type};
use crate::report::words::names::surnames;

/// Width of the picture in pixels. On a phone 390 pixels wide, the picture's type is 11 pixels high. [`EDGE`]
/// is the margin.
pub(super) const WIDTH: i32 = 480;
pub(super) const EDGE: i32 = 8;

const HEAD: i32 = 66;
const ROW: i32 = 32;
pub(super) const SET: f32 = 18.0;

/// Largest number of rows. The table below the picture has all players.
pub(super) const SHOWN: usize = 20;

pub(super) struct Texts {
    pub title: String,
    pub heading: String,
    pub note: String,
}

/// Draws a row for each of the `players` along the axis `x`. `legend` draws below the heading. `row` gets the
/// index of a player and a height, and draws the player's marks at that height.
pub(super) fn draw<'n>(
    players: impl IntoIterator<Item = &'n str>,
    x: &Axis,
    texts: Texts,
    legend: impl FnOnce(&mut Canvas<'_>),
    mut row: impl FnMut(&mut Plot<'_, '_>, usize, f64),
) -> Drawing {
    let set = Type::of(SET);
    let names = fitted(players, set);
    let left = names.iter().map(|name| set.width(name)).max().unwrap_or_default() + EDGE + 12;
    let (top, bottom) = (HEAD, HEAD + ROW * names.len() as i32);
    let ends = (names.len() as f64, 0.0);
    let lines = (0..).map(|row| f64::from(row) + 0.5).zip(names).collect();
    let y = Axis { set, is_grid: false, ..Axis::of_lines("", ends, lines) };
    let plane = Plane { columns: (left, WIDTH - EDGE - 22), rows: (top, bottom), x: x.ends, y: y.ends };
    Drawing::of((WIDTH, bottom + 2 * 30 + 8), texts.title, |canvas| {
        canvas.text(&texts.heading, (EDGE, 22), set.bold());
        legend(canvas);
        let mut plot = Plot::on(canvas, plane, [x, &y]);
        y.lines.iter().enumerate().for_each(|(index, (place, _))| row(&mut plot, index, *place));
        let set = Type::pale(SET);
        plot.canvas.text(&set.fitted(&texts.note, WIDTH - 2 * EDGE), (EDGE, bottom + 58), set);
    })
}

/// Returns each player's surname, or the full name if another player shares the surname, cut to the room.
fn fitted<'n>(players: impl IntoIterator<Item = &'n str>, set: Type) -> Vec<String> {
    let players: Vec<&str> = players.into_iter().collect();
    surnames(&players).into_iter().map(|(name, _)| set.fitted(&label(name.trim()), 150)).collect()
}
