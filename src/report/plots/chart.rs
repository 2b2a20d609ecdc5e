//! [`Chart`]: the heading, the axes and the notes around the data, on plotters' coordinates.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::base::text::rounded;
use crate::numbers::Estimate;
use crate::report::plots::{
    canvas::{Canvas, DRAWN, Drawing, Plane, escaped, step, way},
    style::{Ink, MARGIN, Point, Type, UNIT},
};

const HEADER: i32 = 160;
const FOOTER: i32 = 72;
const NOTE: i32 = 22;

/// Width in pixels of a chart on a page: the text width of a phone.
const PHONE: i32 = 358;

#[derive(Default)]
pub struct Chart<'a> {
    pub title: &'a str,
    pub subtitle: &'a str,
    pub caption: &'a str,
    pub x: Axis,
    pub y: Axis,
    pub legend: &'a [(Ink, &'a str)],
    pub notes: &'a str,
}

#[derive(Debug, Clone, Copy)]
pub struct ChartSize {
    pub width: i32,
    /// The height of the plane between the axes, in pixels.
    pub panel: i32,
    /// Room for the labels of the vertical axis, in pixels.
    pub left: i32,
    pub right: i32,
    pub below: i32,
}

impl Default for ChartSize {
    fn default() -> ChartSize {
        ChartSize { width: 1000, panel: 440, left: 64, right: 0, below: 0 }
    }
}

#[derive(Clone)]
pub struct Axis {
    pub label: &'static str,
    pub ends: (f64, f64),
    /// The values at which lines are drawn, with their labels.
    pub lines: Vec<(f64, String)>,
    /// True for lines across the plane, false for marks below it.
    pub is_grid: bool,
    pub set: Type,
}

impl Default for Axis {
    fn default() -> Axis {
        Axis::of_lines("", (0.0, 1.0), Vec::new())
    }
}

/// The axis as plotters uses it. Its marks are its lines, and a value beyond an end is moved to that end.
impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + way(*value, self.ends, (from, to)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.lines.iter().map(|(value, _)| *value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.ends.0..self.ends.1
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let line = self.lines.iter().find(|(at, _)| at == value);
        line.map_or(String::new(), |(_, text)| text.clone())
    }
}

const STEPS: [f64; 25] = [
    0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0,
    2000.0, 5000.0, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5,
];

impl Axis {
    pub fn of_lines(label: &'static str, ends: (f64, f64), lines: Vec<(f64, String)>) -> Axis {
        Axis { label, ends, lines, is_grid: true, set: Type::pale(15.0) }
    }

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

    /// Returns an axis around `values`. The step divides their range into at most `most` parts, and both ends
    /// are multiples of the step. Without values, the axis goes from 0 to 1.
    pub fn around(label: &'static str, values: impl IntoIterator<Item = f64>, most: usize) -> Axis {
        Axis::with_room(label, values, (most, STEPS[0]), 0.0)
    }

    /// Returns an axis like [`Axis::around`], with steps of at least `least`. Each end is at least `room`
    /// steps away from the values.
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

    /// Returns an axis of chances around `values`. It is like [`Axis::with_room`], but does not extend beyond
    /// 0 and 1.
    pub fn of_chances(
        label: &'static str,
        values: impl IntoIterator<Item = f64>,
        size: (usize, f64),
        room: f64,
    ) -> Axis {
        let mut axis = Axis::with_room(label, values, size, room);
        axis.ends = (axis.ends.0.max(0.0), axis.ends.1.min(1.0));
        axis.lines.retain(|(value, _)| (-1e-9..=1.0 + 1e-9).contains(value));
        axis
    }

    /// Returns the axis with as many lines as have room: each label takes `each` of `room` pixels.
    fn thinned(&self, room: i32, each: i32) -> Axis {
        let every = (each * (self.lines.len() as i32 - 1)).unsigned_abs().div_ceil(room.unsigned_abs());
        let lines = self.lines.iter().step_by((every as usize).max(1)).cloned().collect();
        Axis { lines, set: FIGURE, ..self.clone() }
    }

    /// Returns the axis of depths in plies, with room before the first depth and after the last depth.
    pub fn of_depths(label: &'static str, depths: impl IntoIterator<Item = u32>) -> Axis {
        let (low, high) = range(depths.into_iter().map(f64::from));
        let whole = step((high - low).max(1.0), 24, &STEPS).max(1.0);
        let mut axis = Axis::stepped(label, (low - whole, high + whole), whole, 0);
        let last = axis.lines.len() - 1;
        [0, last].into_iter().for_each(|end| axis.lines[end].1.clear());
        axis
    }
}

/// Returns the lowest and the highest value, or (∞, −∞) without values.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let all = values.into_iter();
    all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
}

/// The type of charts on pages.
const FIGURE: Type = Type { size: 13.0, bold: false, color: Ink::Pale, anchor: HPos::Left };

impl Chart<'_> {
    /// Draws the chart for files and for pages; `data` draws on its plane.
    pub fn drawn(&self, data: impl Fn(&mut Plot<'_, '_>)) -> Drawing {
        self.drawn_twice(ChartSize::default(), 20, data)
    }

    /// Draws the chart for files in the given size, and for pages with `right` pixels beside the plane.
    pub fn drawn_twice(&self, size: ChartSize, right: i32, data: impl Fn(&mut Plot<'_, '_>)) -> Drawing {
        let [across, left] = [&self.x, &self.y]
            .map(|axis| axis.lines.iter().map(|line| FIGURE.width(&line.1) + 8).max().unwrap_or_default());
        let bottom = 24 + size.panel * 11 / 20;
        let plane =
            Plane { columns: (left, PHONE - right), rows: (24, bottom), x: self.x.ends, y: self.y.ends };
        let x = self.x.thinned(PHONE - right - left, across);
        let y = self.y.thinned(bottom - 24, 19);
        let narrow = Drawing::of((PHONE, bottom + 46), self.said(), |canvas| {
            canvas.text(y.label, (0, 13), FIGURE);
            canvas.text(x.label, (PHONE - right, bottom + 40), FIGURE.right());
            data(&mut Plot::on(canvas, plane, [&x, &y]));
        });
        Drawing { figure: self.figure(&narrow), ..self.drawn_in(size, data) }
    }

    /// Returns the figure of a page: the chart's texts in HTML, then `drawing`, which is without them.
    pub fn figure(&self, drawing: &Drawing) -> String {
        let key = |(ink, text): &(Ink, &str)| {
            let (ink, text) = (ink.name(), escaped(text));
            format!("<span class=\"ink\"><i style=\"background:var(--plot-{ink})\"></i>{text}</span> ")
        };
        let keys: String = self.legend.iter().map(key).collect();
        let dot = if self.subtitle.is_empty() { "" } else { ". " };
        let [title, subtitle, notes] = [self.title, self.subtitle, self.notes].map(escaped);
        format!(
            "<figure><figcaption><h3>{title}</h3><p class=\"note\">{subtitle}{dot}{notes}</p><p>{keys}</p>\
             </figcaption>{}</figure>",
            drawing.inline_svg()
        )
    }

    /// Returns the chart in words, for readers who do not see it.
    pub fn said(&self) -> String {
        format!("{} {}", self.title, self.subtitle)
    }

    pub fn drawn_in(&self, size: ChartSize, data: impl FnOnce(&mut Plot<'_, '_>)) -> Drawing {
        let (width, plane) = (size.width, self.plane(size));
        let height = self.bottom(plane) + size.below;
        Drawing::of((width, height), self.said(), |canvas| {
            heading(canvas, width, [self.title, self.subtitle, self.caption]);
            canvas.text(self.y.label, (MARGIN, HEADER - 16), Type::pale(15.0));
            legend(canvas, self.legend, (width - MARGIN, HEADER - 16), Type::pale(15.0));
            let middle = ((plane.columns.0 + plane.columns.1) / 2, plane.rows.1 + 46);
            canvas.text(self.x.label, middle, Type::of(16.0).centered());
            data(&mut Plot::on(canvas, plane, [&self.x, &self.y]));
            self.notes(canvas, plane, width);
        })
    }

    pub fn plane(&self, ChartSize { width, panel, left, right, .. }: ChartSize) -> Plane {
        let columns = (MARGIN + left, width - MARGIN - right);
        Plane { columns, rows: (HEADER, HEADER + panel), x: self.x.ends, y: self.y.ends }
    }

    pub fn bottom(&self, plane: Plane) -> i32 {
        plane.rows.1 + FOOTER + NOTE * self.notes.lines().count() as i32
    }

    fn notes(&self, canvas: &mut Canvas<'_>, plane: Plane, width: i32) {
        let set = Type::pale(14.0);
        for (place, note) in (0..).zip(self.notes.lines()) {
            let row = plane.rows.1 + FOOTER + NOTE * place;
            canvas.text(&set.fitted(note, width - 2 * MARGIN), (MARGIN, row), set);
        }
    }
}

/// Draws the meanings of colors from right to left, beginning with the last color.
pub fn legend(canvas: &mut Canvas<'_>, meanings: &[(Ink, &str)], (mut right, baseline): Point, set: Type) {
    let side = set.size as i32 - 3;
    for &(ink, text) in meanings.iter().rev() {
        canvas.text(text, (right, baseline), set.right());
        right -= set.width(text) + side + 6;
        canvas.rectangle((right, baseline + 1 - side), (right + side, baseline + 1), ink);
        right -= 18;
    }
}

pub fn heading(canvas: &mut Canvas<'_>, width: i32, texts: [&str; 3]) {
    let sets = [Type::of(28.0).bold(), Type::of(17.0), Type::pale(15.0)];
    for ((text, set), row) in texts.into_iter().zip(sets).zip([46, 76, 102]) {
        canvas.text(&set.fitted(text, width - 2 * MARGIN), (MARGIN, row), set);
    }
}

/// Returns a legend with borrowed texts, as [`Chart::legend`] needs it.
pub fn borrowed(legend: &[(Ink, String)]) -> Vec<(Ink, &str)> {
    legend.iter().map(|(ink, text)| (*ink, text.as_str())).collect()
}

const PIECES: u32 = 200;

/// A chart in progress: its plane, on which values are drawn, and the canvas around it.
pub struct Plot<'c, 'a> {
    pub canvas: &'c mut Canvas<'a>,
    pub plane: Plane,
    /// The plane with its axes, in plotters' form.
    chart: ChartContext<'a, SVGBackend<'a>, Cartesian2d<Axis, Axis>>,
}

/// Pixels from a plane to the labels of its axes.
const TICK: i32 = 4;

/// A dot: its two values, and the ends of the interval of the second value.
pub type Dot = (f64, f64, Option<(f64, f64)>);

/// Returns the dot of an estimate. The interval of a reference has length 0 and is not drawn.
pub fn dot(x: f64, estimate: &Estimate) -> Dot {
    let ends = estimate.interval.map(|interval| (interval.low, interval.high));
    (x, estimate.value, ends.filter(|(low, high)| low < high))
}

#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub dot: Ink,
    pub bar: Ink,
    pub radius: i32,
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

impl<'c, 'a> Plot<'c, 'a> {
    /// Draws the lines of both axes with their labels around `plane`. If the horizontal axis has marks
    /// instead of a grid, the axis itself is drawn as a line.
    pub fn on(canvas: &'c mut Canvas<'a>, plane: Plane, [x, y]: [&Axis; 2]) -> Plot<'c, 'a> {
        let ((left, right), (top, bottom)) = (plane.columns, plane.rows);
        // The labels of an axis have an area of their own, which reaches to the edge.
        let words = 2 * (TICK + y.set.size as i32);
        let size = [(right + 1) * UNIT, (bottom + 1 - top + words) * UNIT].map(i32::unsigned_abs);
        let area = canvas.paper.clone().shrink((0, top * UNIT), (size[0], size[1]));
        let mut chart = ChartBuilder::on(&area)
            .set_label_area_size(LabelAreaPosition::Left, left * UNIT)
            .set_label_area_size(LabelAreaPosition::Bottom, words * UNIT)
            .build_cartesian_2d(x.clone(), y.clone())
            .expect(DRAWN);
        // In plotters, labels belong to the line of their axis. A grid has no such line, but marks have one.
        let marks = if x.is_grid { TRANSPARENT.into() } else { Ink::Ink.stroke() };
        for (is_x, axis_line) in [(false, TRANSPARENT.into()), (true, marks)] {
            let mut mesh = chart.configure_mesh();
            mesh.light_line_style(TRANSPARENT)
                .bold_line_style(Ink::Grid.stroke())
                .axis_style(axis_line)
                .x_label_style(x.set.style())
                .y_label_style(y.set.style())
                .set_all_tick_mark_size(TICK * UNIT)
                .y_label_offset(UNIT);
            if is_x {
                mesh.disable_y_mesh().disable_y_axis()
            } else {
                mesh.disable_x_mesh().disable_x_axis()
            };
            if is_x && !x.is_grid {
                mesh.disable_x_mesh();
            }
            mesh.draw().expect(DRAWN);
        }
        Plot { canvas, plane, chart }
    }

    /// Returns the point of two values, in units ([`UNIT`]). `aside` moves it to the right, within the plane.
    fn place(&self, (x, y): (f64, f64), aside: i32) -> Point {
        let area = self.chart.plotting_area();
        let ((column, row), (columns, _)) = (area.map_coordinate(&(x, y)), area.get_pixel_range());
        ((column + aside).clamp(columns.start, columns.end), row)
    }

    /// Draws each dot over the bar of its interval, and a line through the dots if `look` joins them.
    pub fn dots(&mut self, look: Look, dots: impl IntoIterator<Item = Dot>) {
        let dots: Vec<Dot> = dots.into_iter().collect();
        let (aside, radius) = (look.aside * UNIT, look.radius * UNIT + UNIT / 2);
        if look.is_joined && dots.len() > 1 {
            let along: Vec<Point> = dots.iter().map(|&(x, y, _)| self.place((x, y), aside)).collect();
            self.canvas.put(PathElement::new(along, look.dot.stroke()));
        }
        for &(x, y, ends) in &dots {
            if let Some(ends) = ends {
                self.interval(x, ends, aside, look.bar);
            }
            let place = self.place((x, y), aside);
            self.canvas.put(Circle::new(place, radius, look.dot.rgb().filled()));
        }
    }

    /// Draws a bar from `low` to `high`, moved from `x` by `aside` units. Each end within the plane has a
    /// cap.
    pub fn interval(&mut self, x: f64, (low, high): (f64, f64), aside: i32, ink: Ink) {
        let bar = [self.place((x, high), aside), self.place((x, low), aside)];
        self.canvas.put(PathElement::new(bar, ink.rgb().stroke_width(3 * UNIT.unsigned_abs())));
        let (lowest, highest) = self.plane.y;
        for (end, is_cut) in [(high, high > highest), (low, low < lowest)] {
            if !is_cut {
                let reach = 11 * UNIT / 2;
                let cap = [aside - reach, aside + reach].map(|aside| self.place((x, end), aside));
                self.canvas.put(PathElement::new(cap, ink.stroke()));
            }
        }
    }

    /// Draws an estimate in a row at the height `row`: a bar over its interval, and a dot.
    pub fn across(&mut self, row: f64, estimate: &Estimate) {
        let [low, high] = ends(estimate);
        self.bar((low, high), (row + 0.13, row - 0.13), Ink::Zero);
        self.dots(Look::of(Ink::Gain, 6), [(estimate.value, row, None)]);
    }

    pub fn path(&mut self, points: impl IntoIterator<Item = (f64, f64)>, style: ShapeStyle) {
        let points: Vec<Point> = points.into_iter().map(|point| self.place(point, 0)).collect();
        self.canvas.put(PathElement::new(points, style));
    }

    /// Fills the area between the line through the points and the lower edge.
    pub fn area(&mut self, points: &[(f64, f64)], ink: Ink) {
        let ground = [points.last(), points.first()].into_iter().flatten().map(|&(x, _)| (x, self.plane.y.0));
        let corners: Vec<Point> =
            points.iter().copied().chain(ground).map(|point| self.place(point, 0)).collect();
        self.canvas.put(Polygon::new(corners, ink.rgb()));
    }

    pub fn bar(&mut self, (left, right): (f64, f64), (bottom, top): (f64, f64), ink: Ink) {
        let corners = [self.place((left, top), 0), self.place((right, bottom), 0)];
        self.canvas.put(Rectangle::new(corners, ink.rgb().filled()));
    }

    /// Draws the function `of` from one edge of the plane to the other.
    pub fn curve(&mut self, of: impl Fn(f64) -> f64, ink: Ink) {
        self.curve_between(self.plane.x, of, ink);
    }

    /// Draws the function `of` between two values of the horizontal axis.
    pub fn curve_between(&mut self, (from, to): (f64, f64), of: impl Fn(f64) -> f64, ink: Ink) {
        let x = |piece: u32| from + (to - from) * f64::from(piece) / f64::from(PIECES);
        self.path((0..=PIECES).map(x).map(|x| (x, of(x))), ink.stroke());
    }
}

/// Returns the ends of the interval of an estimate, or the value twice if there is no interval.
pub fn ends(estimate: &Estimate) -> [f64; 2] {
    estimate.interval.map_or([estimate.value; 2], |interval| [interval.low, interval.high])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_of_chances_stays_between_0_and_1() {
        let axis = Axis::of_chances("", [0.02, 0.98], (6, 0.005), 0.3);
        assert_eq!(axis.ends, (0.0, 1.0));
        assert_eq!((axis.lines[0].1.as_str(), axis.lines[axis.lines.len() - 1].1.as_str()), ("0.0", "1.0"));
    }

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
