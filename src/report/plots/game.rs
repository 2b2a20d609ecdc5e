//! Owns the picture of one game: the chances after each ply, and the gain of each move.

use std::time::Duration;

use shakmaty::Color;

use super::{
    Caption, canvas::Canvas, canvas::Drawing, canvas::Plane, canvas::fitted, canvas::step,
    canvas::text_width, chart::Axis, chart::Plot, chart::range, histogram::signed, style::Ink, style::Type,
};
use crate::chess::{Clip, Game, GameResult, Metric, Valuation, text::cut, text::printable, win_probability};
use crate::measure::MoveFacts;

const WIDTH: i32 = 1000;
const HEIGHT: i32 = 440;

/// Rows of the clocks below all else, and what they add to the height.
const CLOCKS: (i32, i32) = (460, 520);
const CLOCKS_HEIGHT: i32 = 100;
const COLUMNS: (i32, i32) = (62, 940);

/// Upper and lower rows of the chances, of the gains of White's moves and of those of Black's.
const CHANCES: (i32, i32) = (116, 228);
const GAINS: [(i32, i32); 2] = [(264, 328), (344, 408)];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    pub title: String,
    pub caption: String,
}

impl Heading {
    /// Returns the heading of `game`, evaluated by the one whom the caption of the report names.
    pub fn of(game: &Game, caption: &Caption) -> Heading {
        let [white, black] = Color::ALL.map(|color| cut(&printable(game.player(color)), NAME));
        let result = result(game);
        let round = game.tags.get("Round").map(|round| format!(", round {}", cut(&printable(round), 20)));
        let number = format!("Game {}{}", game.source.ordinal, round.unwrap_or_default());
        Heading { title: format!("{white} – {black}, {result}"), caption: caption.of_all_moves(number) }
    }
}

pub fn result(game: &Game) -> String {
    match game.result {
        GameResult::Unknown => "result unknown".to_owned(),
        GameResult::Draw => "½–½".to_owned(),
        won => won.to_string().replace('-', "–"),
    }
}

/// Columns of a name, so that the result behind two of them has room.
const NAME: usize = 30;

/// Draws the moves of one game, in the order played, with evaluations and gains within ±`clip`, and below them what the movers'
/// `clocks` showed after each move, where any did.
pub fn draw(facts: &[MoveFacts], clocks: &[Option<Duration>], heading: &Heading, clip: Clip) -> Drawing {
    let (title, caption) = (line(&heading.title), line(&heading.caption));
    let has_clocks = clocks.iter().flatten().any(|clock| !clock.is_zero());
    let height = if has_clocks { HEIGHT + CLOCKS_HEIGHT } else { HEIGHT };
    let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
    Drawing::of(size, format!("Chances and gains move by move: {title}"), |canvas| {
        let room = WIDTH - 80;
        let (bold, pale) = (Type::of(24.0).bold(), Type::of(14.0).color(Ink::Pale));
        canvas.text(&fitted(&title, room, bold), (40, 38), bold);
        canvas.text("When did the game turn, and by whose move?", (40, 62), Type::of(16.0));
        canvas.text(&fitted(&caption, room, pale), (40, 83), pale);
        if facts.is_empty() {
            let set = Type::of(22.0).color(Ink::Pale).centred();
            return canvas.text("no moves", (WIDTH / 2, HEIGHT / 2 + 30), set);
        }
        chances(canvas, facts, clip);
        let scale = GainScale::of(facts, clip);
        gains_heading(canvas, scale);
        for (color, rows) in Color::ALL.into_iter().zip(GAINS) {
            gains(canvas, facts, color, scale, rows, clip);
        }
        numbers(canvas, facts);
        if has_clocks {
            draw_clocks(canvas, facts, clocks);
        }
    })
}

/// Returns whatever the heading holds, as a line that is safe to show.
fn line(text: &str) -> String {
    cut(&printable(text), 160)
}

/// Returns the pixel columns of the first position and of the last one that a picture of so many moves has
/// room for, with the number of that one: what stands between is as far from each other.
pub fn span(moves: usize) -> ((i32, i32), usize) {
    (COLUMNS, moves.max(SHORT))
}

/// Returns plies from the left edge to the right one: the moves of a short game are not as wide as words.
fn plies(facts: &[MoveFacts]) -> f64 {
    facts.len().max(SHORT) as f64
}

const SHORT: usize = 24;

/// Draws the lines of a panel in these rows with their words at the left.
fn panel<'c, 'a>(
    canvas: &'c mut Canvas<'a>,
    facts: &[MoveFacts],
    rows: (i32, i32),
    lines: Vec<(f64, String)>,
) -> Plot<'c, 'a> {
    let ends = range(lines.iter().map(|(value, _)| *value));
    let x = Axis::of_lines("", (0.0, plies(facts)), Vec::new());
    let y = Axis { set: Type::of(13.0).color(Ink::Pale), ..Axis::of_lines("", ends, lines) };
    Plot::on(canvas, Plane { columns: COLUMNS, rows, x: x.ends, y: ends }, [&x, &y])
}

/// Draws the line that is neither good nor bad.
fn level(plot: &mut Plot<'_, '_>, value: f64) {
    let (first, last) = plot.plane.x;
    plot.path([(first, value), (last, value)], Ink::Zero);
}

/// Draws White's expected result after each ply: its share of the panel is shaded.
fn chances(canvas: &mut Canvas<'_>, facts: &[MoveFacts], clip: Clip) {
    let text = format!("White's chance of winning, by the evaluation within ±{} centipawns", clip.cp());
    canvas.text(&text, (COLUMNS.0, CHANCES.0 - 9), Type::of(13.0).color(Ink::Pale));
    let start = facts.first().and_then(|first| first.before);
    let scores = std::iter::once(start).chain(facts.iter().map(|facts| Some(facts.after)));
    let chance = |said: Valuation| 100.0 * win_probability::of_score(said.score, clip);
    let line = (0u32..).zip(scores).filter_map(|(ply, said)| Some((f64::from(ply), chance(said?))));
    let line: Vec<(f64, f64)> = line.collect();
    let lines = [0.0, 50.0, 100.0].map(|chance| (chance, format!("{chance:.0} %")));
    let mut plot = panel(canvas, facts, CHANCES, lines.into());
    plot.area(&line, Ink::Grid);
    level(&mut plot, 50.0);
    plot.path(line, Ink::Ink);
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GainScale {
    /// Centipawns at the edges.
    range: i64,
    /// Moves whose bars would go on beyond them.
    beyond: usize,
}

/// Ranges of the bars in centipawns. A blunder beyond the last would make lines of all other bars.
const RANGES: [i64; 4] = [50, 100, 200, 300];

impl GainScale {
    fn of(facts: &[MoveFacts], clip: Clip) -> GainScale {
        let sizes: Vec<i64> = facts.iter().filter_map(|facts| gain(facts, clip)).map(i64::abs).collect();
        let largest = sizes.iter().copied().max().unwrap_or_default();
        let range = RANGES.into_iter().find(|&range| largest <= range).unwrap_or(RANGES[RANGES.len() - 1]);
        GainScale { range, beyond: sizes.iter().filter(|&&size| size > range).count() }
    }
}

fn gain(facts: &MoveFacts, clip: Clip) -> Option<i64> {
    facts.gain(Metric::Centipawns, clip)
}

fn gains_heading(canvas: &mut Canvas<'_>, scale: GainScale) {
    let (set, baseline, range) = (Type::of(13.0).color(Ink::Pale), GAINS[0].0 - 9, scale.range);
    let mut text = "Gain of each move in centipawns, as the player sees it".to_owned();
    if scale.beyond > 0 {
        text += &format!("; bars beyond ±{range} are cut off: {}", scale.beyond);
    }
    canvas.text(&text, (COLUMNS.0, baseline), set);
    let mut right = COLUMNS.1;
    for (color, word) in [(Ink::Gain, "gain"), (Ink::Loss, "loss")] {
        canvas.text(word, (right, baseline), set.right());
        right -= text_width(word, set) + 16;
        canvas.rectangle((right, baseline - 9), (right + 10, baseline + 1), color);
        right -= 18;
    }
}

/// Draws the bars of one side's moves, each as wide as the move and the answer to it.
fn gains(
    canvas: &mut Canvas<'_>,
    facts: &[MoveFacts],
    color: Color,
    scale: GainScale,
    rows: (i32, i32),
    clip: Clip,
) {
    let range = scale.range;
    let lines = [-range, 0, range].map(|gain| (gain as f64, signed(gain)));
    let mut plot = panel(canvas, facts, rows, lines.into());
    level(&mut plot, 0.0);
    let Plot { canvas, plane, .. } = plot;
    let side = color.fold_wb("White", "Black");
    canvas.text(side, (COLUMNS.1 + 8, plane.row(0.0) + 5), Type::of(14.0).bold());
    for (ply, facts) in (0u32..).zip(facts).filter(|(_, facts)| facts.mover == color) {
        if let Some(gain) = gain(facts, clip) {
            bar(canvas, plane, f64::from(ply), gain as f64);
        }
    }
}

/// Draws one bar over its own ply; in a long game over a pixel more, so that it is seen.
fn bar(canvas: &mut Canvas<'_>, plane: Plane, ply: f64, gain: f64) {
    let (left, right) = (plane.column(ply), plane.column(ply + 1.0));
    let gap = i32::from(right - left >= 4);
    let (left, right) = (left + gap, (right - gap).max(left + 2));
    let (level, end) = (plane.row(0.0), plane.row(gain));
    // A gain too small for a pixel gets one.
    if gain > 0.0 {
        canvas.rectangle((left, end.min(level - 1)), (right, level), Ink::Gain);
    } else if gain < 0.0 {
        canvas.rectangle((left, level + 1), (right, end.max(level + 1) + 1), Ink::Loss);
    }
}

/// Draws what was left on both clocks, a line each.
fn draw_clocks(canvas: &mut Canvas<'_>, facts: &[MoveFacts], clocks: &[Option<Duration>]) {
    let most = clocks.iter().flatten().max().map_or(1.0, Duration::as_secs_f64);
    canvas.text("Time left after each move", (COLUMNS.0, CLOCKS.0 - 9), Type::of(13.0).color(Ink::Pale));
    let lines = [0.0, most].map(|seconds| (seconds, clock_text(seconds)));
    let mut plot = panel(canvas, facts, CLOCKS, lines.into());
    level(&mut plot, 0.0);
    for (color, ink, row) in
        [(Color::White, Ink::Ink, CLOCKS.0 + 18), (Color::Black, Ink::Loss, CLOCKS.0 + 42)]
    {
        let own = (0u32..).zip(facts).zip(clocks).filter(|((_, facts), _)| facts.mover == color);
        let points = own.filter_map(|((ply, _), clock)| Some((f64::from(ply + 1), (*clock)?.as_secs_f64())));
        plot.path(points.collect::<Vec<_>>(), ink);
        let side = color.fold_wb("White", "Black");
        plot.canvas.text(side, (COLUMNS.1 + 8, row), Type::of(14.0).bold().color(ink));
    }
}

/// Returns a time as clocks show it: `1:29:05`, `4:03`, `0:07`.
pub fn clock_text(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes}:{seconds:02}"),
        (hours, minutes, seconds) => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

/// Moves between two numbers below the bars.
const STEPS: [f64; 8] = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];

/// Draws the numbers of some moves, below the first ply of each.
fn numbers(canvas: &mut Canvas<'_>, facts: &[MoveFacts]) {
    let plies = plies(facts);
    let plane = Plane { columns: COLUMNS, rows: GAINS[1], x: (0.0, plies), y: (0.0, 1.0) };
    let step = step(plies / 2.0, 20, &STEPS) as u32;
    let set = Type::of(12.0).color(Ink::Pale);
    let mut before = None;
    for (ply, facts) in (0u32..).zip(facts) {
        if before != Some(facts.number) && facts.number.is_multiple_of(step) {
            let column = plane.column(f64::from(ply) + 0.5);
            canvas.line((column, GAINS[1].1 + 2), (column, GAINS[1].1 + 5), Ink::Pale);
            canvas.text(&facts.number.to_string(), (column, GAINS[1].1 + 18), set.centred());
        }
        before = Some(facts.number);
    }
    canvas.text("move", (COLUMNS.1 + 20, GAINS[1].1 + 18), set);
}
