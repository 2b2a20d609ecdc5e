//! The picture of one game: the chances after each ply, and the gain of each move.

use std::time::Duration;

use shakmaty::Color;

use super::{
    Caption, canvas::Canvas, canvas::Drawing, canvas::Plane, canvas::step, chart::Axis, chart::Plot,
    chart::legend, chart::range, histogram::signed, style::Ink, style::Type,
};
use crate::base::text::{cut, printable};
use crate::chess::{Clip, Game, GameResult, Metric, Valuation, win_probability};
use crate::measure::MoveFacts;

const WIDTH: i32 = 1000;
const HEIGHT: i32 = 440;

const CLOCKS: (i32, i32) = (460, 520);
const CLOCKS_HEIGHT: i32 = 100;
const COLUMNS: (i32, i32) = (62, 940);

const CHANCES: (i32, i32) = (116, 228);
const GAINS: [(i32, i32); 2] = [(264, 328), (344, 408)];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub title: String,
    pub caption: String,
}

impl Heading {
    pub fn of(game: &Game, result: &str, caption: &Caption) -> Heading {
        let [white, black] = Color::ALL.map(|color| cut(&printable(game.player(color)), NAME));
        let round = game.tags.get("Round").map(|round| format!(", round {}", cut(&printable(round), 20)));
        let number = format!("Game {}{}", game.source.ordinal, round.unwrap_or_default());
        let of_all_moves = Caption { filters: 0, ..caption.clone() };
        Heading { title: format!("{white} – {black}, {result}"), caption: of_all_moves.after(number) }
    }
}

pub fn result(game: &Game) -> String {
    match game.result {
        GameResult::Unknown => "result unknown".to_owned(),
        GameResult::Draw => "½–½".to_owned(),
        won => won.to_string().replace('-', "–"),
    }
}

/// Largest length of a name in columns, so that the result fits after two names.
const NAME: usize = 30;

pub fn draw(facts: &[MoveFacts], clocks: &[Option<Duration>], heading: &Heading, clip: Clip) -> Drawing {
    let (title, caption) = (line(&heading.title), line(&heading.caption));
    let has_clocks = clocks.iter().flatten().any(|clock| !clock.is_zero());
    let height = if has_clocks { HEIGHT + CLOCKS_HEIGHT } else { HEIGHT };
    Drawing::of((WIDTH, height), format!("Chances and gains move by move: {title}"), |canvas| {
        let room = WIDTH - 80;
        let (bold, pale) = (Type::of(24.0).bold(), Type::pale(14.0));
        canvas.text(&bold.fitted(&title, room), (40, 38), bold);
        canvas.text("Where did the game turn?", (40, 62), Type::of(16.0));
        canvas.text(&pale.fitted(&caption, room), (40, 83), pale);
        if facts.is_empty() {
            let set = Type::pale(22.0).centered();
            return canvas.text("no moves", (WIDTH / 2, HEIGHT / 2 + 30), set);
        }
        chances(canvas, facts, clip);
        gains(canvas, facts, clip);
        if has_clocks {
            draw_clocks(canvas, facts, clocks);
        }
    })
}

fn line(text: &str) -> String {
    cut(&printable(text), 160)
}

/// Smallest number of moves that a picture has room for, so that no move is as wide as a word.
const SHORT: usize = 24;

/// Draws a panel between the two pixel rows `rows`, with a labeled horizontal line at each value of `lines`.
/// Returns the plot, to draw on.
fn panel<'c, 'a>(
    canvas: &'c mut Canvas<'a>,
    facts: &[MoveFacts],
    rows: (i32, i32),
    lines: Vec<(f64, String)>,
) -> Plot<'c, 'a> {
    let ends = range(lines.iter().map(|(value, _)| *value));
    let x = Axis::of_lines("", (0.0, facts.len().max(SHORT) as f64), Vec::new());
    let y = Axis { set: Type::pale(13.0), ..Axis::of_lines("", ends, lines) };
    Plot::on(canvas, Plane { columns: COLUMNS, rows, x: x.ends, y: ends }, [&x, &y])
}

fn level(plot: &mut Plot<'_, '_>, value: f64) {
    let (first, last) = plot.plane.x;
    plot.path([(first, value), (last, value)], Ink::Zero.stroke());
}

/// Draws White's chance of winning after each ply as a line, and shades the area below the line.
fn chances(canvas: &mut Canvas<'_>, facts: &[MoveFacts], clip: Clip) {
    let text = format!("White's chance of winning (evaluations limited to ±{} centipawns)", clip.cp());
    canvas.text(&text, (COLUMNS.0, CHANCES.0 - 9), Type::pale(13.0));
    let start = facts.first().and_then(|first| first.before);
    let scores = std::iter::once(start).chain(facts.iter().map(|facts| Some(facts.after)));
    let chance = |said: Valuation| 100.0 * win_probability::of_score(said.score, clip);
    let line = (0u32..).zip(scores).filter_map(|(ply, said)| Some((f64::from(ply), chance(said?))));
    let line: Vec<(f64, f64)> = line.collect();
    let lines = [0.0, 50.0, 100.0].map(|chance| (chance, format!("{chance:.0} %")));
    let mut plot = panel(canvas, facts, CHANCES, lines.into());
    plot.area(&line, Ink::Grid);
    level(&mut plot, 50.0);
    plot.path(line, Ink::Ink.stroke());
}

/// Ranges of the bars in centipawns. The largest is limited, because a scale for greater blunders would make
/// all other bars too short to see.
const RANGES: [i64; 4] = [50, 100, 200, 300];

/// Draws the gain of each move as a bar. White's moves are above Black's moves, on the same scale.
fn gains(canvas: &mut Canvas<'_>, facts: &[MoveFacts], clip: Clip) {
    let gains = || facts.iter().map(|facts| facts.gain(Metric::Centipawns, clip));
    let sizes: Vec<i64> = gains().flatten().map(i64::abs).collect();
    let largest = sizes.iter().copied().max().unwrap_or_default();
    let range = RANGES.into_iter().find(|&range| largest <= range).unwrap_or(RANGES[RANGES.len() - 1]);
    let beyond = sizes.iter().filter(|&&size| size > range).count();
    let mut text = "Gain of each move in centipawns, mover's view".to_owned();
    if beyond > 0 {
        text += &format!("; bars beyond ±{range} are cut off: {beyond}");
    }
    let (set, baseline) = (Type::pale(13.0), GAINS[0].0 - 9);
    canvas.text(&text, (COLUMNS.0, baseline), set);
    legend(canvas, &[(Ink::Loss, "loss"), (Ink::Gain, "gain")], (COLUMNS.1, baseline), set);
    for (color, rows) in Color::ALL.into_iter().zip(GAINS) {
        let lines = [-range, 0, range].map(|gain| (gain as f64, signed(gain)));
        let mut plot = panel(canvas, facts, rows, lines.into());
        level(&mut plot, 0.0);
        let Plot { canvas, plane, .. } = plot;
        let side = color.fold_wb("White", "Black");
        canvas.text(side, (COLUMNS.1 + 8, plane.row(0.0) + 5), Type::of(14.0).bold());
        let own = (0u32..).zip(facts).zip(gains()).filter(|((_, facts), _)| facts.mover == color);
        for ((ply, _), gain) in own {
            bar(canvas, plane, f64::from(ply), gain.unwrap_or_default() as f64);
        }
        if color.is_black() {
            numbers(canvas, plane, facts);
        }
    }
}

/// Draws the bar of one move at its ply. In a long game, the bar may be wider than the ply: it has at least
/// two pixels, so that it is visible.
fn bar(canvas: &mut Canvas<'_>, plane: Plane, ply: f64, gain: f64) {
    let (left, right) = (plane.column(ply), plane.column(ply + 1.0));
    let gap = i32::from(right - left >= 4);
    let (left, right) = (left + gap, (right - gap).max(left + 2));
    let (level, end) = (plane.row(0.0), plane.row(gain));
    // A gain too small for a pixel still gets one pixel.
    if gain > 0.0 {
        canvas.rectangle((left, end.min(level - 1)), (right, level), Ink::Gain);
    } else if gain < 0.0 {
        canvas.rectangle((left, level + 1), (right, end.max(level + 1) + 1), Ink::Loss);
    }
}

fn draw_clocks(canvas: &mut Canvas<'_>, facts: &[MoveFacts], clocks: &[Option<Duration>]) {
    let most = clocks.iter().flatten().max().map_or(1.0, Duration::as_secs_f64);
    canvas.text("Time left after each move", (COLUMNS.0, CLOCKS.0 - 9), Type::pale(13.0));
    let lines = [0.0, most].map(|seconds| (seconds, clock_text(seconds)));
    let mut plot = panel(canvas, facts, CLOCKS, lines.into());
    level(&mut plot, 0.0);
    for (color, ink, row) in
        [(Color::White, Ink::Ink, CLOCKS.0 + 18), (Color::Black, Ink::Loss, CLOCKS.0 + 42)]
    {
        let own = (0u32..).zip(facts).zip(clocks).filter(|((_, facts), _)| facts.mover == color);
        let points = own.filter_map(|((ply, _), clock)| Some((f64::from(ply + 1), (*clock)?.as_secs_f64())));
        plot.path(points, ink.stroke());
        let side = color.fold_wb("White", "Black");
        plot.canvas.text(side, (COLUMNS.1 + 8, row), Type::of(14.0).bold().color(ink));
    }
}

/// Returns a time in the format of clocks: `1:29:05`, `4:03`, `0:07`.
pub fn clock_text(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

const STEPS: [f64; 8] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// Draws the numbers of some moves. A number is below the first ply of its move.
fn numbers(canvas: &mut Canvas<'_>, plane: Plane, facts: &[MoveFacts]) {
    let (step, below) = (step(plane.x.1 / 2.0, 20, &STEPS) as u32, plane.rows.1);
    let set = Type::pale(12.0);
    let mut before = None;
    for (ply, facts) in (0u32..).zip(facts) {
        if before != Some(facts.number) && facts.number.is_multiple_of(step) {
            let column = plane.column(f64::from(ply) + 0.5);
            canvas.rectangle((column, below + 2), (column + 1, below + 6), Ink::Pale);
            canvas.text(&facts.number.to_string(), (column, below + 18), set.centered());
        }
        before = Some(facts.number);
    }
    canvas.text("move", (COLUMNS.1 + 20, below + 18), set);
}
