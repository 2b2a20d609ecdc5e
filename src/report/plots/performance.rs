//! The picture of the rated players: performance over Elo, one dot for each player.

use super::{
    Caption, canvas::Canvas, canvas::Drawing, canvas::Plane, chart::Axis, chart::Chart, chart::ChartSize,
    chart::Look, chart::Plot, chart::range, label, labels::Frame, labels::placed, style::Ink, style::MARGIN,
    style::Point, style::Type,
};
use crate::base::text::counted;
use crate::measure::{Measured, PlayerResult};
use crate::numbers::Interval;

const PLAYERS: usize = 40;

const SIZE: ChartSize = ChartSize { width: 1000, panel: 520, left: 56, right: 0, below: 0 };

/// Draws a dot for each rated player with a performance, for at most 40 players; `None` if there are none.
pub fn draw(players: &[&PlayerResult], caption: &Caption) -> Option<Drawing> {
    let rated: Vec<RatedPlayer> = players.iter().filter_map(|player| RatedPlayer::of(player)).collect();
    let shown = &rated[..rated.len().min(PLAYERS)];
    shown.first()?;
    let (x, y) = axes(shown);
    let chart = Chart {
        title: "Who played better than their rating?",
        subtitle: "Paper performance, computed from gains, against Elo, with 95 % intervals",
        caption: &caption.field(shown.len(), rated.len()),
        notes: &notes(shown, y.ends, players.len() - rated.len()),
        x,
        y,
        ..Chart::default()
    };
    let labels = Labels::of(shown, chart.plane(SIZE));
    let size = ChartSize { below: labels.legend_height(), ..SIZE };
    Some(chart.drawn_in(size, |plot| {
        diagonal_line(plot);
        for player in shown {
            let ends = player.interval().map(|interval| (interval.low, interval.high));
            ends.into_iter().for_each(|ends| plot.interval(player.elo, ends, 0, Ink::Zero));
        }
        for player in shown {
            // For a bound, the expected score is 0 or 1.
            let color = if player.performance.bound.is_some() { Ink::Zero } else { Ink::Gain };
            plot.dots(Look::of(color, DOT), [(player.elo, player.performance.value, None)]);
        }
        labels.draw(plot.canvas, chart.bottom(plot.plane));
    }))
}

const DOT: i32 = 6;

struct RatedPlayer<'a> {
    name: &'a str,
    elo: f64,
    performance: &'a Measured,
}

impl RatedPlayer<'_> {
    fn of(player: &PlayerResult) -> Option<RatedPlayer<'_>> {
        let (elo, performance) = (player.elo?.value, player.performance.as_ref()?);
        Some(RatedPlayer { name: &player.name, elo, performance })
    }

    fn interval(&self) -> Option<Interval> {
        self.performance.intervals.cluster
    }

    fn frames(&self, plane: Plane) -> (Frame, Frame) {
        let (x, y) = (plane.column(self.elo), plane.row(self.performance.value));
        let dot = Frame { left: x - DOT, top: y - DOT, right: x + DOT, bottom: y + DOT };
        let (top, bottom) =
            self.interval().map_or((y, y), |ends| (plane.row(ends.high), plane.row(ends.low)));
        (dot, Frame { left: x - 4, top: top.min(dot.top), right: x + 4, bottom: bottom.max(dot.bottom) })
    }
}

fn notes(shown: &[RatedPlayer<'_>], (bottom, top): (f64, f64), others: usize) -> String {
    let mut notes =
        "Performance: engine strength plus the player's Elo difference. Bars: 95 % intervals, from the scatter between \
        games and the error of the engine's strength.\nRatings and performances have the same mean."
            .to_owned();
    let is_cut = |ends: Interval| ends.high > top || ends.low < bottom;
    if shown.iter().filter_map(RatedPlayer::interval).any(is_cut) {
        notes += " A bar without a cap extends beyond the picture.";
    }
    if shown.iter().any(|player| player.performance.bound.is_some()) {
        notes += " A gray dot is a bound.";
    }
    if others > 0 {
        notes += &format!(" Left out: {} without Elo or moves.", counted(others as u64, "player"));
    }
    notes
}

/// Returns axes with room for all dots, and for the intervals unless that would crowd the dots.
fn axes(shown: &[RatedPlayer<'_>]) -> (Axis, Axis) {
    let (size, room) = ((8, 10.0), 0.3);
    let x = Axis::with_room("Elo", shown.iter().map(|player| player.elo), size, room);
    let values = || shown.iter().map(|player| player.performance.value).chain([x.ends.0, x.ends.1]);
    let (low, high) = range(values());
    // An interval from two games can extend over thousands of points.
    let reach = (high - low).max(200.0);
    let ends = shown.iter().filter_map(RatedPlayer::interval).flat_map(|ends| [ends.low, ends.high]);
    let ends = ends.map(|end| end.clamp(low - reach, high + reach));
    let y = Axis::with_room("Performance", ends.chain(values()), size, room);
    (x, y)
}

fn diagonal_line(plot: &mut Plot<'_, '_>) {
    let (from, to) = plot.plane.x;
    plot.path([(from, from), (to, to)], Ink::Pale.stroke());
    let Plot { canvas, plane, .. } = plot;
    let (right, (top, bottom)) = (plane.columns.1, plane.rows);
    let set = Type::pale(15.0).right();
    canvas.text("above the line: better than the rating", (right, top - 16), set);
    canvas.text("below the line: worse than the rating", (right, bottom + 46), set);
}

/// Returns the frames of the short pieces that make up the diagonal.
fn diagonal(plane: Plane) -> Vec<Frame> {
    let (first, last) = plane.x;
    let place = |piece: i32| {
        let elo = first + (last - first) * f64::from(piece) / f64::from(PIECES);
        (plane.column(elo), plane.row(elo))
    };
    let places: Vec<Point> = (0..=PIECES).map(place).collect();
    let frame =
        |ends: &[Point]| Frame { left: ends[0].0, top: ends[1].1, right: ends[1].0, bottom: ends[0].1 };
    places.windows(2).map(frame).collect()
}

const PIECES: i32 = 100;

/// The texts next to the dots. If these are numbers, a legend below the picture names the players.
struct Labels {
    marks: Vec<(String, Frame)>,
    /// The entries of the legend; empty if the names are next to the dots.
    legend: Vec<String>,
}

const MARK: f32 = 15.0;
const ENTRIES_IN_A_ROW: usize = 3;
const ENTRY: (i32, i32) = ((SIZE.width - 2 * MARGIN) / ENTRIES_IN_A_ROW as i32, 22);

impl Labels {
    /// Returns names next to the dots if all of them have room, else numbers.
    fn of(shown: &[RatedPlayer<'_>], plane: Plane) -> Labels {
        let set = Type::of(MARK);
        let names: Vec<String> = shown.iter().map(|player| set.fitted(&label(player.name), 240)).collect();
        let marks = Labels::frames(&names, shown, plane);
        if marks.iter().all(Option::is_some) {
            let marks = names.into_iter().zip(marks.into_iter().flatten()).collect();
            return Labels { marks, legend: Vec::new() };
        }
        let numbers: Vec<String> = (1..=shown.len()).map(|number| number.to_string()).collect();
        let places = Labels::frames(&numbers, shown, plane);
        // A number without room next to its dot is left out. The legend gives the dot's Elo and performance.
        let marks = numbers.iter().zip(places).filter_map(|(number, place)| Some((number.clone(), place?)));
        let legend = numbers.iter().zip(shown).map(|(number, player)| entry(number, player));
        Labels { marks: marks.collect(), legend: legend.collect() }
    }

    fn frames(texts: &[String], shown: &[RatedPlayer<'_>], plane: Plane) -> Vec<Option<Frame>> {
        let wanted = texts.iter().zip(shown).map(|(text, player)| {
            let (dot, bar) = player.frames(plane);
            ((Type::of(MARK).width(text), MARK as i32 + 2), dot, bar)
        });
        let wanted: Vec<_> = wanted.collect();
        let ((left, right), (top, bottom)) = (plane.columns, plane.rows);
        placed(&wanted, Frame { left, top, right, bottom }, &diagonal(plane))
    }

    fn legend_height(&self) -> i32 {
        let rows = self.legend.len().div_ceil(ENTRIES_IN_A_ROW) as i32;
        if rows == 0 { 0 } else { 30 + rows * ENTRY.1 }
    }

    /// Draws the texts next to the dots, and the legend below `top`.
    fn draw(&self, canvas: &mut Canvas<'_>, top: i32) {
        for (text, frame) in &self.marks {
            canvas.rectangle((frame.left, frame.top), (frame.right + 1, frame.bottom), Ink::Paper);
            canvas.text(text, (frame.left, frame.bottom - 4), Type::of(MARK));
        }
        if !self.legend.is_empty() {
            let set = Type::pale(14.0);
            let mut heading = "Number, player, Elo and performance".to_owned();
            if self.marks.len() < self.legend.len() {
                heading += "; a dot without a number has no room for it";
            }
            canvas.text(&heading, (MARGIN, top + 8), set);
        }
        let rows = self.legend.len().div_ceil(ENTRIES_IN_A_ROW).max(1);
        for (index, entry) in self.legend.iter().enumerate() {
            let (column, row) = ((index / rows) as i32, (index % rows) as i32);
            canvas.text(entry, (MARGIN + column * ENTRY.0, top + 32 + row * ENTRY.1), Type::of(14.0));
        }
    }
}

fn entry(number: &str, player: &RatedPlayer<'_>) -> String {
    let set = Type::of(14.0);
    let figures = format!(", {:.0}, {:.0}", player.elo, player.performance.value);
    let number = format!("{number}  ");
    let room = ENTRY.0 - 16 - set.width(&figures) - set.width(&number);
    format!("{number}{}{figures}", set.fitted(&label(player.name), room))
}
