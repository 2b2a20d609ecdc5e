//! Owns [`Chart`]: the heading, the axes and the notes around what a picture shows.

use crate::chess::text::{cut, rounded};
use crate::numbers::{Estimate, Interval};
use crate::report::plots::{
    canvas::{Canvas, Drawing, Plane, fitted, step, text_width},
    style::{Ink, MARGIN, Point, Type},
};

const HEADER: i32 = 160;
const FOOTER: i32 = 72;
const NOTE: i32 = 22;

#[derive(Default)]
pub struct Chart<'a> {
    pub title: &'a str,
    pub subtitle: &'a str,
    pub caption: &'a str,
    pub x: Axis,
    pub y: Axis,
    /// The meanings of the colours.
    pub legend: &'a [(Ink, &'a str)],
    pub notes: &'a [&'a str],
}

#[derive(Debug, Clone, Copy)]
pub struct ChartSize {
    pub width: i32,
    /// The height of the plane between the axes.
    pub panel: i32,
    /// Room for the words of the upright axis.
    pub left: i32,
    pub right: i32,
    /// Room below the notes.
    pub below: i32,
}

impl Default for ChartSize {
    fn default() -> ChartSize {
        ChartSize { width: 1000, panel: 440, left: 64, right: 0, below: 0 }
    }
}

pub struct Axis {
    pub label: &'static str,
    /// Values at both ends.
    pub ends: (f64, f64),
    /// Its places, and the words at them.
    pub lines: Vec<(f64, String)>,
    /// Lines cross the plane; else they are marks below it.
    pub is_grid: bool,
    /// The type of the words at its lines.
    pub set: Type,
}

impl Default for Axis {
    fn default() -> Axis {
        Axis::of_lines("", (0.0, 1.0), Vec::new())
    }
}

/// Between two lines of a grid.
const STEPS: [f64; 19] = [
    0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0,
    2000.0, 5000.0,
];

impl Axis {
    pub fn of_lines(label: &'static str, ends: (f64, f64), lines: Vec<(f64, String)>) -> Axis {
        Axis { label, ends, lines, is_grid: true, set: Type::of(15.0).color(Ink::Pale) }
    }

    /// Returns an axis with a number at each step.
    pub fn stepped(label: &'static str, ends: (f64, f64), step: f64, decimals: usize) -> Axis {
        let count = ((ends.1 - ends.0) / step).round() as u32;
        let line = |line: u32| {
            let value = ends.0 + f64::from(line) * step;
            (value, rounded(value, decimals).replace('-', "−"))
        };
        Axis::of_lines(label, ends, (0..=count).map(line).collect())
    }

    pub fn of_scores(label: &'static str) -> Axis {
        Axis::stepped(label, (0.0, 1.0), 0.1, 1)
    }

    /// Returns an axis of whole steps around `values`, of which at least one is expected.
    pub fn around(label: &'static str, values: impl IntoIterator<Item = f64>, most: usize) -> Axis {
        Axis::with_room(label, values, (most, STEPS[0]), 0.0)
    }

    /// Returns an axis of at `most` so many whole steps, none smaller than the `least`, with `room` at either end in parts of a step.
    pub fn with_room(
        label: &'static str,
        values: impl IntoIterator<Item = f64>,
        (most, least): (usize, f64),
        room: f64,
    ) -> Axis {
        let (low, high) = range(values.into_iter().filter(|value| value.is_finite()));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let step = step((high - low).max(1e-9), most, &STEPS).max(least);
        let (mut first, mut last) = ((low / step - room).floor() * step, (high / step + room).ceil() * step);
        if first == last {
            (first, last) = (first - step, last + step);
        }
        let decimals = if step >= 1.0 { 0 } else { (-step.log10()).ceil() as usize };
        Axis::stepped(label, (first, last), step, decimals)
    }

    /// Returns the axis of depths in plies, with room beside the first and the last for what nobody played.
    pub fn of_depths(label: &'static str, depths: impl IntoIterator<Item = u32>) -> Axis {
        let (low, high) = range(depths.into_iter().map(f64::from));
        let whole = step((high - low).max(1.0), 24, &STEPS).max(1.0);
        let mut axis = Axis::stepped(label, (low - whole, high + whole), whole, 0);
        let last = axis.lines.len() - 1;
        [0, last].into_iter().for_each(|end| axis.lines[end].1.clear());
        axis
    }
}

/// Returns the lowest and the highest of the values; the ends are infinite without any.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let all = values.into_iter();
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

impl Chart<'_> {
    /// Draws the picture with what `data` draws on its plane.
    pub fn drawn(&self, data: impl FnOnce(&mut Plot<'_>)) -> Drawing {
        self.drawn_in(ChartSize::default(), data)
    }

    /// Draws the same in another size.
    pub fn drawn_in(&self, size: ChartSize, data: impl FnOnce(&mut Plot<'_>)) -> Drawing {
        let (width, plane) = (size.width, self.plane(size));
        let height = self.bottom(plane) + size.below;
        let title = format!("{} {}", self.title, self.subtitle);
        Drawing::of((width.unsigned_abs(), height.unsigned_abs()), title, |canvas| {
            heading(canvas, width, [self.title, self.subtitle, self.caption]);
            canvas.text(self.y.label, (MARGIN, HEADER - 16), Type::of(15.0).color(Ink::Pale));
            self.legend(canvas, width - MARGIN);
            axes(canvas, plane, [&self.x, &self.y]);
            let middle = ((plane.columns.0 + plane.columns.1) / 2, plane.rows.1 + 46);
            canvas.text(self.x.label, middle, Type::of(16.0).centred());
            data(&mut Plot { canvas, plane });
            self.notes(canvas, plane, width);
        })
    }

    /// Returns the plane between the axes of a chart of that size.
    pub fn plane(&self, ChartSize { width, panel, left, right, .. }: ChartSize) -> Plane {
        let columns = (MARGIN + left, width - MARGIN - right);
        Plane { columns, rows: (HEADER, HEADER + panel), x: self.x.ends, y: self.y.ends }
    }

    /// Returns the row below the last note.
    pub fn bottom(&self, plane: Plane) -> i32 {
        plane.rows.1 + FOOTER + NOTE * self.notes.len() as i32
    }

    fn legend(&self, canvas: &mut Canvas, mut right: i32) {
        let pale = Type::of(15.0).color(Ink::Pale);
        for &(ink, text) in self.legend.iter().rev() {
            canvas.text(text, (right, HEADER - 16), pale.right());
            right -= text_width(text, pale) + 18;
            canvas.rectangle((right, HEADER - 27), (right + 12, HEADER - 15), ink);
            right -= 18;
        }
    }

    fn notes(&self, canvas: &mut Canvas, plane: Plane, width: i32) {
        let set = Type::of(14.0).color(Ink::Pale);
        for (place, note) in (0..).zip(self.notes) {
            let row = plane.rows.1 + FOOTER + NOTE * place;
            canvas.text(&fitted(note, width - 2 * MARGIN, set), (MARGIN, row), set);
        }
    }
}

pub fn heading(canvas: &mut Canvas, width: i32, texts: [&str; 3]) {
    let sets = [Type::of(28.0).bold(), Type::of(17.0), Type::of(15.0).color(Ink::Pale)];
    for ((text, set), row) in texts.into_iter().zip(sets).zip([46, 76, 102]) {
        canvas.text(&fitted(text, width - 2 * MARGIN, set), (MARGIN, row), set);
    }
}

/// Draws the lines of both axes with their words; an axis with marks stands on a line.
pub fn axes(canvas: &mut Canvas, plane: Plane, [x, y]: [&Axis; 2]) {
    let ((left, right), (top, bottom)) = (plane.columns, plane.rows);
    for (value, text) in &x.lines {
        let column = plane.column(*value);
        let (from, to, ink) =
            if x.is_grid { (top, bottom, Ink::Grid) } else { (bottom, bottom + 5, Ink::Ink) };
        canvas.line((column, from), (column, to), ink);
        canvas.text(text, (column, bottom + 8 + (0.8 * x.set.size) as i32), x.set.centred());
    }
    for (value, text) in &y.lines {
        let row = plane.row(*value);
        canvas.line((left, row), (right, row), Ink::Grid);
        canvas.text(text, (left - 8, row + (y.set.size / 3.0) as i32), y.set.right());
    }
    if !x.is_grid {
        canvas.line((left, bottom), (right, bottom), Ink::Ink);
    }
}

/// Returns a legend as a chart takes it.
pub fn borrowed(legend: &[(Ink, String)]) -> Vec<(Ink, &str)> {
    legend.iter().map(|(ink, text)| (*ink, text.as_str())).collect()
}

/// Pieces that a curve is drawn with.
const PIECES: u32 = 200;

/// The canvas of a chart, on which values are drawn at their places of the plane.
pub struct Plot<'c> {
    pub canvas: &'c mut Canvas,
    pub plane: Plane,
}

/// A dot at two values, with the ends of the interval of the second one.
pub type Dot = (f64, f64, Option<(f64, f64)>);

pub fn dot(x: f64, estimate: &Estimate) -> Dot {
    (x, estimate.value, estimate.interval.map(|interval| (interval.low, interval.high)))
}

#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub dot: Ink,
    pub bar: Ink,
    pub radius: i32,
    /// Pixels to the right of their places.
    pub aside: i32,
    pub is_joined: bool,
}

impl Look {
    pub fn of(ink: Ink, radius: i32) -> Look {
        Look { dot: ink, bar: ink, radius, aside: 0, is_joined: false }
    }

    pub fn joined(ink: Ink, radius: i32, aside: i32) -> Look {
        Look { aside, is_joined: true, ..Look::of(ink, radius) }
    }
}

impl Plot<'_> {
    fn at(&self, x: f64, y: f64) -> Point {
        (self.plane.column(x), self.plane.row(y))
    }

    /// Draws the line through the dots, where they are joined, and each dot over the bar of its interval.
    pub fn dots(&mut self, look: Look, dots: impl IntoIterator<Item = Dot>) {
        let dots: Vec<Dot> = dots.into_iter().collect();
        let at = |plot: &Self, &(x, y, _): &Dot| {
            let (column, row) = plot.at(x, y);
            (column + look.aside, row)
        };
        if look.is_joined && dots.len() > 1 {
            self.canvas.path(dots.iter().map(|dot| at(self, dot)).collect(), look.dot);
        }
        for dot in &dots {
            let at = at(self, dot);
            if let Some(ends) = dot.2 {
                interval(self.canvas, self.plane, at.0, ends, look.bar);
            }
            self.canvas.dot(at, look.radius, look.dot);
        }
    }

    pub fn interval(&mut self, x: f64, ends: Interval, ink: Ink) {
        interval(self.canvas, self.plane, self.plane.column(x), (ends.low, ends.high), ink);
    }

    pub fn path(&mut self, points: impl IntoIterator<Item = (f64, f64)>, ink: Ink) {
        let points = points.into_iter().map(|(x, y)| self.at(x, y)).collect();
        self.canvas.path(points, ink);
    }

    pub fn bar(&mut self, (left, right): (f64, f64), (bottom, top): (f64, f64), ink: Ink) {
        self.canvas.rectangle(self.at(left, top), self.at(right, bottom), ink);
    }

    /// Draws the curve of `of` from one edge of the plane to the other.
    pub fn curve(&mut self, of: impl Fn(f64) -> f64, ink: Ink) {
        self.curve_between(self.plane.x, of, ink);
    }

    /// Draws the curve of `of` between two values of the axis from left to right.
    pub fn curve_between(&mut self, (from, to): (f64, f64), of: impl Fn(f64) -> f64, ink: Ink) {
        let x = |piece: u32| from + (to - from) * f64::from(piece) / f64::from(PIECES);
        let points = (0..=PIECES).map(x).map(|x| self.plane.exact(x, of(x)));
        self.canvas.curve(points.collect(), ink);
    }
}

/// Names that stay legible beside each other below one picture.
pub const NAMES: usize = 16;

/// Returns the axis of at most [`NAMES`] names, each cut to the room that so many leave it.
pub fn names(label: &'static str, names: impl ExactSizeIterator<Item = String>) -> Axis {
    let (count, room) = (names.len(), (96 / names.len().max(1)).clamp(5, 24));
    let lines = (1..).map(f64::from).zip(names.map(|name| cut(&name, room)));
    Axis::of_lines(label, (0.5, count as f64 + 0.5), lines.collect())
}

/// Returns the ends of the interval of an estimate, its value twice where it has none.
pub fn ends(estimate: &Estimate) -> [f64; 2] {
    estimate.interval.map_or([estimate.value; 2], |interval| [interval.low, interval.high])
}

/// Draws a bar from `low` to `high` at `x`, with an end where the plane has one.
fn interval(canvas: &mut Canvas, plane: Plane, x: i32, (low, high): (f64, f64), ink: Ink) {
    let (top, bottom) = (plane.row(high), plane.row(low));
    canvas.rectangle((x - 1, top), (x + 2, bottom + 1), ink);
    for (row, is_cut) in [(top, high > plane.y.1), (bottom, low < plane.y.0)] {
        if !is_cut {
            canvas.rectangle((x - 5, row), (x + 6, row + 1), ink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_holds_its_values_between_whole_steps() {
        let axis = Axis::around("", [-928.0, 0.0], 8);
        assert_eq!(axis.ends, (-1000.0, 0.0));
        assert_eq!(axis.lines[..2], [(-1000.0, "−1000".to_owned()), (-800.0, "−800".to_owned())]);
        let axis = Axis::around("", [0.43, 0.31], 8);
        assert_eq!(axis.lines[0].1.len(), "0.30".len());
        assert!(axis.ends.0 <= 0.31 && axis.ends.1 >= 0.43);
        assert_eq!(Axis::around("", [], 8).ends, (0.0, 1.0));
        let one = Axis::around("", [5.0], 8);
        assert!(one.ends.0 < 5.0 && one.ends.1 > 5.0);
        let depths = Axis::of_depths("", [6, 20]);
        assert_eq!(
            (depths.ends, depths.lines[0].1.as_str(), depths.lines[1].1.as_str()),
            ((5.0, 21.0), "", "6")
        );
    }
}
