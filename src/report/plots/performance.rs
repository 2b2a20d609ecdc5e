//! Owns the picture of the rated players: Elo against performance, one dot a player.

use crate::{
    report::plots::labels::{Frame, placed},
    stats::estimate::Interval,
    text::counted,
    tournament::PlayerResult,
};

use super::{
    Caption,
    canvas::{Canvas, Drawing, Ink, Plane, Point, Type, fitted, step, text_width},
    label,
};

/// Players whose dots and labels stay legible in one picture.
const PLAYERS: usize = 40;

const WIDTH: i32 = 1000;
const HEADER: i32 = 150;
const PANEL: i32 = 520;
const FOOTER: i32 = 112;
const MARGIN: i32 = 40;

/// One dot a rated player with a performance, the first 40 of them; `None` where there is none.
pub fn draw(players: &[&PlayerResult], caption: &Caption) -> Option<Drawing> {
    let rated: Vec<Rated> = players.iter().filter_map(|player| Rated::of(player)).collect();
    let shown = &rated[..rated.len().min(PLAYERS)];
    let axes = Axes::of(shown)?;
    let labels = Labels::of(shown, axes.plane);
    let size = (WIDTH.unsigned_abs(), (HEADER + PANEL + FOOTER + labels.legend_height()).unsigned_abs());
    Some(Drawing::of(size, "Who played better than their rating? Performance against Elo", |canvas| {
        heading(canvas, &caption.field(shown.len(), rated.len()));
        axes.draw(canvas);
        shown.iter().for_each(|player| player.interval_bar(canvas, axes.plane));
        for player in shown {
            let color = if player.is_bound { Ink::Zero } else { Ink::Gain };
            canvas.dot(player.place(axes.plane), DOT, color);
        }
        labels.draw(canvas);
        footnotes(canvas, shown, axes.plane, players.len() - rated.len());
    }))
}

const DOT: i32 = 6;

/// What is shown of a player.
struct Rated<'a> {
    name: &'a str,
    elo: f64,
    performance: f64,
    /// Whether it is a bound, the expected score being 0 or 1.
    is_bound: bool,
    interval: Option<Interval>,
}

impl Rated<'_> {
    /// `None` without an Elo, or a move.
    fn of(player: &PlayerResult) -> Option<Rated<'_>> {
        let performance = player.performance?;
        Some(Rated {
            name: &player.name,
            elo: player.elo?.value,
            performance: performance.value,
            is_bound: performance.bound.is_some(),
            interval: performance.intervals.cluster,
        })
    }

    fn place(&self, plane: Plane) -> Point {
        (plane.column(self.elo), plane.row(self.performance))
    }

    /// What the dot takes.
    fn dot(&self, plane: Plane) -> Frame {
        let (x, y) = self.place(plane);
        Frame { left: x - DOT, top: y - DOT, right: x + DOT, bottom: y + DOT }
    }

    /// What the interval takes, the dot at least.
    fn bar(&self, plane: Plane) -> Frame {
        let ((x, y), (top, bottom)) = (self.place(plane), self.ends(plane));
        Frame { left: x - 4, top: top.min(y - DOT), right: x + 4, bottom: bottom.max(y + DOT) }
    }

    /// The rows of the interval's upper and lower end.
    fn ends(&self, plane: Plane) -> (i32, i32) {
        let row = plane.row(self.performance);
        self.interval.map_or((row, row), |interval| (plane.row(interval.high), plane.row(interval.low)))
    }

    /// Whether the interval goes on above and below the plane.
    fn is_cut(&self, plane: Plane) -> (bool, bool) {
        self.interval.map_or((false, false), |interval| {
            (interval.high > plane.y.1 + 1e-9, interval.low < plane.y.0 - 1e-9)
        })
    }

    /// A bar with an end wherever the interval has one in the plane.
    fn interval_bar(&self, canvas: &mut Canvas, plane: Plane) {
        let (x, (top, bottom)) = (plane.column(self.elo), self.ends(plane));
        let (above, below) = self.is_cut(plane);
        canvas.rectangle((x - 1, top), (x + 2, bottom + 1), Ink::Zero);
        for (row, cut) in [(top, above), (bottom, below)] {
            if !cut && top < bottom {
                canvas.rectangle((x - 4, row), (x + 5, row + 1), Ink::Zero);
            }
        }
    }
}

fn heading(canvas: &mut Canvas, caption: &str) {
    let room = WIDTH - 2 * MARGIN;
    canvas.text("Who played better than their rating?", (MARGIN, 50), Type::of(28.0).bold());
    canvas.text("Performance by gain against Elo, with 95 % intervals", (MARGIN, 80), Type::of(17.0));
    let set = Type::of(15.0).color(Ink::Pale);
    canvas.text(&fitted(caption, room, set), (MARGIN, 106), set);
    canvas.text("Performance", (MARGIN, HEADER - 14), set);
}

fn footnotes(canvas: &mut Canvas, shown: &[Rated<'_>], plane: Plane, others: usize) {
    let first = "Performance: the engine's strength plus the player's Elo difference to it. Bars: 95 % intervals by \
                 the scatter of games.";
    let mut second = "Ratings and performances have the same mean.".to_owned();
    if shown.iter().map(|player| player.is_cut(plane)).any(|(above, below)| above || below) {
        second += " A bar without an end goes on.";
    }
    if shown.iter().any(|player| player.is_bound) {
        second += " A grey dot is a bound.";
    }
    if others > 0 {
        second += &format!(" Without Elo or move: {}.", counted(others as u64, "player"));
    }
    let set = Type::of(14.0).color(Ink::Pale);
    let row = HEADER + PANEL + 76;
    canvas.text(first, (MARGIN, row), set);
    canvas.text(&second, (MARGIN, row + 22), set);
}

/// The plane with the steps of its grid.
struct Axes {
    plane: Plane,
    /// Elo between two lines, from left to right and upwards.
    steps: (f64, f64),
}

/// Elo between two lines of the grid.
const STEPS: [f64; 9] = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];

impl Axes {
    /// Room for all dots, and for the intervals as far as they leave the dots apart; `None` where
    /// there are no dots.
    fn of(shown: &[Rated<'_>]) -> Option<Axes> {
        let elo = range(shown.iter().map(|player| player.elo))?;
        let (x, x_step) = edges(elo);
        let (low, high) = range(shown.iter().map(|player| player.performance).chain([x.0, x.1]))?;
        // An interval of two games reaches over thousands of points.
        let reach = (high - low).max(200.0);
        let ends = shown.iter().filter_map(|player| player.interval).flat_map(|ends| [ends.low, ends.high]);
        let ends = ends.map(|end| end.clamp(low - reach, high + reach));
        let (y, y_step) = edges(range(ends.chain([low, high]))?);
        let plane = Plane { columns: (MARGIN + 56, WIDTH - MARGIN), rows: (HEADER, HEADER + PANEL), x, y };
        Some(Axes { plane, steps: (x_step, y_step) })
    }

    fn draw(&self, canvas: &mut Canvas) {
        let Axes { plane, steps } = *self;
        let ((left, right), (top, bottom)) = (plane.columns, plane.rows);
        let set = Type::of(15.0).color(Ink::Pale);
        for elo in lines(plane.x, steps.0) {
            let column = plane.column(elo);
            canvas.line((column, top), (column, bottom), Ink::Grid);
            canvas.text(&format!("{elo:.0}"), (column, bottom + 20), set.centred());
        }
        for performance in lines(plane.y, steps.1) {
            let row = plane.row(performance);
            canvas.line((left, row), (right, row), Ink::Grid);
            canvas.text(&format!("{performance:.0}"), (left - 8, row + 5), set.right());
        }
        let (from, to) = plane.x;
        canvas.line((left, plane.row(from)), (right, plane.row(to)), Ink::Pale);
        canvas.text("Elo", ((left + right) / 2, bottom + 44), Type::of(16.0).centred());
        canvas.text("above the line: better than the rating", (right, top - 14), set.right());
        canvas.text("below the line: worse than the rating", (right, bottom + 44), set.right());
    }
}

/// What the diagonal takes, in pieces.
fn diagonal(plane: Plane) -> impl Iterator<Item = Frame> {
    let (first, last) = plane.x;
    let place = move |piece: i32| {
        let elo = first + (last - first) * f64::from(piece) / f64::from(PIECES);
        (plane.column(elo), plane.row(elo))
    };
    (0..PIECES).map(move |piece| {
        let ((left, bottom), (right, top)) = (place(piece), place(piece + 1));
        Frame { left, top, right, bottom }
    })
}

const PIECES: i32 = 100;

/// The lowest and the highest of `values`; `None` where there are none.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| {
        let (low, high) = range.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    })
}

/// Whole steps around a range, with room for a dot at each end.
fn edges((low, high): (f64, f64)) -> ((f64, f64), f64) {
    let step = step(high - low, 8, &STEPS);
    (((low / step - 0.3).floor() * step, (high / step + 0.3).ceil() * step), step)
}

/// The lines of a grid, those at the edges included.
fn lines((first, last): (f64, f64), step: f64) -> impl Iterator<Item = f64> {
    let count = ((last - first) / step).round() as u32;
    (0..=count).map(move |line| first + f64::from(line) * step)
}

/// What stands beside the dots, and below the picture where that is a number.
struct Labels {
    /// Text, and where it is.
    marks: Vec<(String, Frame)>,
    /// What the numbers stand for; empty where names stand beside the dots.
    legend: Vec<String>,
}

const MARK: f32 = 15.0;
const ENTRIES_IN_A_ROW: i32 = 3;
const ENTRY: (i32, i32) = ((WIDTH - 2 * MARGIN) / ENTRIES_IN_A_ROW, 22);

impl Labels {
    /// Names beside the dots where all of them have room, else numbers.
    fn of(shown: &[Rated<'_>], plane: Plane) -> Labels {
        let set = Type::of(MARK);
        let names: Vec<String> = shown.iter().map(|player| fitted(&label(player.name), 240, set)).collect();
        let marks = Labels::beside(&names, shown, plane);
        if marks.iter().all(Option::is_some) {
            return Labels {
                marks: names.into_iter().zip(marks.into_iter().flatten()).collect(),
                legend: vec![],
            };
        }
        let numbers: Vec<String> = (1..=shown.len()).map(|number| number.to_string()).collect();
        let places = Labels::beside(&numbers, shown, plane);
        // A number without room is left out: the legend tells where its dot is.
        let marks = numbers.iter().zip(places).filter_map(|(number, place)| Some((number.clone(), place?)));
        let legend = numbers.iter().zip(shown).map(|(number, player)| entry(number, player));
        Labels { marks: marks.collect(), legend: legend.collect() }
    }

    fn beside(texts: &[String], shown: &[Rated<'_>], plane: Plane) -> Vec<Option<Frame>> {
        let mut taken: Vec<Frame> = shown.iter().map(|player| player.dot(plane)).collect();
        taken.extend(shown.iter().map(|player| player.bar(plane)));
        let sizes = texts.iter().map(|text| (text_width(text, Type::of(MARK)), MARK as i32 + 2));
        let wanted: Vec<_> =
            sizes.zip(shown).map(|(size, player)| (size, player.dot(plane), player.bar(plane))).collect();
        let ((left, right), (top, bottom)) = (plane.columns, plane.rows);
        let diagonal: Vec<Frame> = diagonal(plane).collect();
        placed(&wanted, Frame { left, top, right, bottom }, taken, &diagonal)
    }

    fn legend_height(&self) -> i32 {
        let rows = (self.legend.len() as i32 + ENTRIES_IN_A_ROW - 1) / ENTRIES_IN_A_ROW;
        if rows == 0 { 0 } else { 30 + rows * ENTRY.1 }
    }

    fn draw(&self, canvas: &mut Canvas) {
        for (text, frame) in &self.marks {
            canvas.text(text, (frame.left, frame.bottom - 4), Type::of(MARK));
        }
        let top = HEADER + PANEL + FOOTER;
        if !self.legend.is_empty() {
            let set = Type::of(14.0).color(Ink::Pale);
            let mut heading = "Number, player, Elo and performance".to_owned();
            if self.marks.len() < self.legend.len() {
                heading += "; a dot without a number has no room for it";
            }
            canvas.text(&heading, (MARGIN, top + 8), set);
        }
        let rows = self.legend.len().div_ceil(ENTRIES_IN_A_ROW as usize).max(1);
        for (index, entry) in self.legend.iter().enumerate() {
            let (column, row) = ((index / rows) as i32, (index % rows) as i32);
            canvas.text(entry, (MARGIN + column * ENTRY.0, top + 32 + row * ENTRY.1), Type::of(14.0));
        }
    }
}

/// A player in the legend.
fn entry(number: &str, player: &Rated<'_>) -> String {
    let set = Type::of(14.0);
    let figures = format!(", {:.0}, {:.0}", player.elo, player.performance);
    let number = format!("{number}  ");
    let room = ENTRY.0 - 16 - text_width(&figures, set) - text_width(&number, set);
    format!("{number}{}{figures}", fitted(&label(player.name), room, set))
}
