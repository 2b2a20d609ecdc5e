//! Owns [`Chart`]: the heading, the axes and the notes around what a picture of an experiment shows.

use crate::report::plots::canvas::{Canvas, Drawing, Ink, Plane, Type, fitted, step, text_width};

const WIDTH: i32 = 1000;
const HEADER: i32 = 160;
const PANEL: i32 = 440;
const MARGIN: i32 = 40;
/// Room for the numbers of the upright axis.
const NUMBERS: i32 = 64;
const FOOTER: i32 = 72;
const NOTE: i32 = 22;

/// A picture with two axes.
pub struct Chart {
    /// What it asks or shows.
    pub title: &'static str,
    /// What is drawn.
    pub subtitle: String,
    /// Who played.
    pub caption: String,
    /// From left to right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// What the colours mean.
    pub legend: Vec<(Ink, String)>,
    /// What else the reader should know.
    pub notes: Vec<String>,
}

/// One axis.
pub struct Axis {
    /// What it counts.
    pub label: &'static str,
    /// Values at both ends.
    pub ends: (f64, f64),
    /// Between two lines.
    pub step: f64,
    /// Of the numbers.
    pub decimals: usize,
    /// Whether the outermost lines have a number.
    pub has_ends: bool,
}

/// Between two lines of a grid.
const STEPS: [f64; 19] = [
    0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0,
    2000.0, 5000.0,
];

impl Axis {
    /// Scores, from nothing to everything.
    pub fn of_scores(label: &'static str) -> Axis {
        Axis { label, ends: (0.0, 1.0), step: 0.1, decimals: 1, has_ends: true }
    }

    /// Whole steps around `values`, of which at least one is expected.
    pub fn around(label: &'static str, values: impl IntoIterator<Item = f64>, most: usize) -> Axis {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (low, high) =
            finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let step = step((high - low).max(1e-9), most, &STEPS);
        let (mut first, mut last) = ((low / step).floor() * step, (high / step).ceil() * step);
        if first == last {
            (first, last) = (first - step, last + step);
        }
        let decimals = if step >= 1.0 { 0 } else { (-step.log10()).ceil() as usize };
        Axis { label, ends: (first, last), step, decimals, has_ends: true }
    }

    /// Depths in plies, with room beside the first and the last for what nobody played.
    pub fn of_depths(label: &'static str, depths: impl IntoIterator<Item = u32>) -> Axis {
        let depths: Vec<f64> = depths.into_iter().map(f64::from).collect();
        let low = depths.iter().copied().fold(f64::INFINITY, f64::min);
        let high = depths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let whole = step((high - low).max(1.0), 24, &STEPS).max(1.0);
        Axis { label, ends: (low - whole, high + whole), step: whole, decimals: 0, has_ends: false }
    }

    fn lines(&self) -> impl Iterator<Item = (f64, String)> {
        let (first, last) = self.ends;
        let count = ((last - first) / self.step).round() as u32;
        let decimals = self.decimals;
        (0..=count).map(move |line| {
            let value = first + f64::from(line) * self.step;
            let is_end = line == 0 || line == count;
            let number = crate::text::rounded(value, decimals).replace('-', "−");
            (value, if is_end && !self.has_ends { String::new() } else { number })
        })
    }
}

impl Chart {
    /// The picture with what `data` draws on its plane.
    pub fn drawn(&self, data: impl FnOnce(&mut Canvas, Plane)) -> Drawing {
        let height = HEADER + PANEL + FOOTER + NOTE * self.notes.len() as i32;
        let columns = (MARGIN + NUMBERS, WIDTH - MARGIN);
        let plane = Plane { columns, rows: (HEADER, HEADER + PANEL), x: self.x.ends, y: self.y.ends };
        let title = format!("{} {}", self.title, self.subtitle);
        Drawing::of((WIDTH.unsigned_abs(), height.unsigned_abs()), title, |canvas| {
            self.heading(canvas);
            self.axes(canvas, plane);
            data(canvas, plane);
            self.notes(canvas);
        })
    }

    fn heading(&self, canvas: &mut Canvas) {
        let room = WIDTH - 2 * MARGIN;
        let (bold, plain, pale) = (Type::of(28.0).bold(), Type::of(17.0), Type::of(15.0).color(Ink::Pale));
        canvas.text(&fitted(self.title, room, bold), (MARGIN, 46), bold);
        canvas.text(&fitted(&self.subtitle, room, plain), (MARGIN, 76), plain);
        canvas.text(&fitted(&self.caption, room, pale), (MARGIN, 102), pale);
        canvas.text(self.y.label, (MARGIN, HEADER - 16), pale);
        let mut right = WIDTH - MARGIN;
        for (ink, text) in self.legend.iter().rev() {
            canvas.text(text, (right, HEADER - 16), pale.right());
            right -= text_width(text, pale) + 18;
            canvas.rectangle((right, HEADER - 27), (right + 12, HEADER - 15), *ink);
            right -= 18;
        }
    }

    fn axes(&self, canvas: &mut Canvas, plane: Plane) {
        let ((left, right), (top, bottom)) = (plane.columns, plane.rows);
        let set = Type::of(15.0).color(Ink::Pale);
        for (value, text) in self.x.lines() {
            let column = plane.column(value);
            canvas.line((column, top), (column, bottom), Ink::Grid);
            canvas.text(&text, (column, bottom + 20), set.centred());
        }
        for (value, text) in self.y.lines() {
            let row = plane.row(value);
            canvas.line((left, row), (right, row), Ink::Grid);
            canvas.text(&text, (left - 8, row + 5), set.right());
        }
        canvas.text(self.x.label, ((left + right) / 2, bottom + 46), Type::of(16.0).centred());
    }

    fn notes(&self, canvas: &mut Canvas) {
        let set = Type::of(14.0).color(Ink::Pale);
        for (place, note) in (0..).zip(&self.notes) {
            let row = HEADER + PANEL + FOOTER + NOTE * place;
            canvas.text(&fitted(note, WIDTH - 2 * MARGIN, set), (MARGIN, row), set);
        }
    }
}

/// Pieces that a curve is drawn with.
const PIECES: u32 = 200;

/// The curve of `of` from one edge of the plane to the other.
pub fn curve(canvas: &mut Canvas, plane: Plane, of: impl Fn(f64) -> f64, ink: Ink) {
    let (from, to) = plane.x;
    let x = |piece: u32| from + (to - from) * f64::from(piece) / f64::from(PIECES);
    let points = (0..=PIECES).map(x).map(|x| (plane.column(x), plane.row(of(x))));
    canvas.path(points.collect(), ink);
}

/// A bar from `low` to `high` at `x`, with an end where the plane has one.
pub fn interval(canvas: &mut Canvas, plane: Plane, x: i32, (low, high): (f64, f64), ink: Ink) {
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
        assert_eq!((axis.ends, axis.step, axis.decimals), ((-1000.0, 0.0), 200.0, 0));
        let axis = Axis::around("", [0.43, 0.31], 8);
        assert_eq!(axis.decimals, 2);
        assert!(axis.ends.0 <= 0.31 && axis.ends.1 >= 0.43);
        assert_eq!(Axis::around("", [], 8).ends, (0.0, 1.0));
        let one = Axis::around("", [5.0], 8);
        assert!(one.ends.0 < 5.0 && one.ends.1 > 5.0);
        assert_eq!(Axis::of_depths("", [6, 20]).ends, (5.0, 21.0));
    }
}
