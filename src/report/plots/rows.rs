//! The frame of pictures with one row for each name, narrow enough for a phone.

use super::{
    canvas::Drawing, canvas::Plane, chart::Axis, chart::Chart, chart::Plot, chart::legend, label, style::Type,
};
use crate::report::words::names::surnames;

/// Width of the picture in pixels. On a phone 390 pixels wide, the picture's type is 13 pixels high. [`EDGE`]
/// is the margin.
const WIDTH: i32 = 480;
const EDGE: i32 = 8;

const HEAD: i32 = 66;
const ROW: i32 = 32;
const SET: f32 = 18.0;

/// Largest number of rows. The table below the picture has all of them.
pub const SHOWN: usize = 20;

/// Draws a row for each of the `names` along the horizontal axis of `words`, for files and for pages. `row` gets
/// the index of a name and a height, and draws the marks at that height.
pub fn draw<'n>(
    names: impl IntoIterator<Item = &'n str>,
    words: &Chart<'_>,
    row: impl Fn(&mut Plot<'_, '_>, usize, f64),
) -> Drawing {
    let set = Type::of(SET);
    let names = fitted(names, set);
    let x = Axis { set: Type::pale(SET), ..words.x.clone() };
    let left = names.iter().map(|name| set.width(name)).max().unwrap_or_default() + EDGE + 12;
    let ends = (names.len() as f64, 0.0);
    let lines = (0..).map(|row| f64::from(row) + 0.5).zip(names).collect();
    let y = Axis { set, is_grid: false, ..Axis::of_lines("", ends, lines) };
    let small = Type::pale(SET - 3.0);
    let drawn = |top: i32, below: i32| {
        let bottom = top + ROW * y.lines.len() as i32;
        let plane = Plane { columns: (left, WIDTH - EDGE - 22), rows: (top, bottom), x: x.ends, y: y.ends };
        Drawing::of((WIDTH, bottom + 30 + below), words.said(), |canvas| {
            if below > 0 {
                canvas.text(&set.bold().fitted(words.title, WIDTH - 2 * EDGE), (EDGE, 22), set.bold());
                if words.legend.is_empty() {
                    canvas.text(&small.fitted(words.subtitle, WIDTH - 2 * EDGE), (EDGE, 48), small);
                }
                legend(canvas, words.legend, (WIDTH - EDGE, 48), small);
                let set = Type::pale(SET);
                canvas.text(&set.fitted(words.caption, WIDTH - 2 * EDGE), (EDGE, bottom + 58), set);
            }
            let mut plot = Plot::on(canvas, plane, [&x, &y]);
            y.lines.iter().enumerate().for_each(|(index, (place, _))| row(&mut plot, index, *place));
        })
    };
    Drawing { figure: words.figure(&drawn(EDGE, 0)), ..drawn(HEAD, 38) }
}

/// Returns each surname, or the full name if another player shares the surname, cut to the room.
fn fitted<'n>(names: impl IntoIterator<Item = &'n str>, set: Type) -> Vec<String> {
    let names: Vec<&str> = names.into_iter().collect();
    surnames(&names).into_iter().map(|(name, _)| set.fitted(&label(name.trim()), 170)).collect()
}
