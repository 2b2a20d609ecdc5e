//! Owns the picture of the expected scores, one dot a player.

use crate::{
    stats::estimate::{Estimate, Interval},
    tournament::PlayerResult,
};

use super::{
    Caption,
    canvas::{Canvas, Drawing, Ink, Plane, Type, fitted, step, text_width},
    label,
};

/// Rows that stay legible in one picture.
pub(super) const ROWS: usize = 60;

const WIDTH: i32 = 1200;
const HEADER: i32 = 140;
const FOOTER: i32 = 136;

/// A score with its name.
pub(super) struct ScoreRow {
    pub name: String,
    pub score: f64,
    pub interval: Option<Interval>,
    /// What stands behind the score in figures.
    pub remark: String,
}

impl ScoreRow {
    /// `None` for a player without a move.
    fn of(player: &PlayerResult) -> Option<ScoreRow> {
        let Estimate { value: score, interval, .. } = player.expected_score?.estimate();
        Some(ScoreRow { name: player.name.clone(), score, interval, remark: String::new() })
    }

    /// The lowest and the highest value of the row.
    fn ends(&self) -> (f64, f64) {
        self.interval
            .map_or((self.score, self.score), |ends| (ends.low.min(self.score), ends.high.max(self.score)))
    }
}

/// The words around the rows.
pub(super) struct Words {
    pub title: &'static str,
    pub subtitle: &'static str,
    pub caption: String,
    /// The last line below the axis.
    pub note: &'static str,
}

/// One row a player in the order given, the first 60 of those with a move.
pub fn draw(players: &[&PlayerResult], caption: &Caption) -> Drawing {
    let scores: Vec<ScoreRow> = players.iter().filter_map(|player| ScoreRow::of(player)).collect();
    let shown = &scores[..scores.len().min(ROWS)];
    let words = Words {
        title: "Who can be told from whom?",
        subtitle: "Expected score against the engine, with 95 % intervals",
        caption: caption.field(shown.len(), scores.len()),
        note: "Bars: 95 % intervals by the scatter of games. Two players whose bars overlap may be told apart all the \
               same: the table of pairs says.",
    };
    draw_rows(shown, &words)
}

/// One row a score in the order given, at most [`ROWS`].
pub(super) fn draw_rows(shown: &[ScoreRow], words: &Words) -> Drawing {
    let pitch = if shown.len() > 20 { 27 } else { 40 };
    let height = HEADER + FOOTER + pitch * (shown.len() as i32).max(4);
    let size = (WIDTH.unsigned_abs(), height.unsigned_abs());
    Drawing::of(size, format!("{} {}", words.title, words.subtitle), |canvas| {
        canvas.text(words.title, (40, 52), Type::of(30.0).bold());
        canvas.text(words.subtitle, (40, 84), Type::of(19.0));
        let pale = Type::of(16.0).color(Ink::Pale);
        canvas.text(&fitted(&words.caption, WIDTH - 80, pale), (40, 111), pale);
        rows(canvas, shown, (pitch, height), words.note);
    })
}

fn rows(canvas: &mut Canvas, shown: &[ScoreRow], (pitch, height): (i32, i32), note: &str) {
    if shown.is_empty() {
        return canvas.text("no moves", (WIDTH / 2, height / 2), Type::of(22.0).color(Ink::Pale).centred());
    }
    let set = Type::of(18.0);
    let names: Vec<String> = shown.iter().map(|row| fitted(&label(&row.name), 340, set)).collect();
    let widest = |texts: &mut dyn Iterator<Item = &String>| {
        texts.map(|text| text_width(text, set)).max().unwrap_or_default()
    };
    let left = 40 + widest(&mut names.iter()) + 18;
    let right = WIDTH - 130 - widest(&mut shown.iter().map(|row| &row.remark));
    let (ticks, plane) = axis(shown, (left, right), (HEADER, height - FOOTER));
    grid(canvas, &ticks, plane);
    for (index, (name, row)) in names.iter().zip(shown).enumerate() {
        let middle = HEADER + pitch * index as i32 + pitch / 2;
        canvas.text(name, (plane.columns.0 - 14, middle + 6), set.right());
        score(canvas, plane, middle, row);
    }
    footnotes(canvas, height, ticks.first().is_some_and(|&first| first > 0.0), note);
}

/// The dot on the bar of its interval, and the score in figures.
fn score(canvas: &mut Canvas, plane: Plane, row: i32, shown: &ScoreRow) {
    let (low, high) = shown.ends();
    let (column, from, to) = (plane.column(shown.score), plane.column(low), plane.column(high));
    canvas.line((plane.columns.0, row), (column, row), Ink::Grid);
    if shown.interval.is_some() {
        canvas.rectangle((from, row - 3), (to + 1, row + 4), Ink::Zero);
    }
    canvas.dot((column, row), 7, Ink::Gain);
    value(canvas, (to.max(column + 7) + 8, row), shown);
}

fn footnotes(canvas: &mut Canvas, height: i32, is_cut: bool, last: &str) {
    let axis = "Expected score: chance that a move gains more than the engine's, ties counting half";
    canvas.text(axis, (40, height - 76), Type::of(17.0));
    let mut note = "0.5 is the level of an engine that neither gains nor loses.".to_owned();
    if is_cut {
        note += " The axis does not begin at 0.";
    }
    let pale = Type::of(15.0).color(Ink::Pale);
    canvas.text(&note, (40, height - 48), pale);
    canvas.text(last, (40, height - 24), pale);
}

/// The score in figures to the right of its dot and its bar, clear of the grid.
fn value(canvas: &mut Canvas, (x, row): (i32, i32), shown: &ScoreRow) {
    let (text, set) = (format!("{:.4}{}", shown.score, shown.remark), Type::of(18.0).bold());
    canvas.rectangle((x - 2, row - 9), (x + text_width(&text, set) + 2, row + 9), Ink::Paper);
    canvas.text(&text, (x, row + 6), set);
}

/// Steps between the marks of the axis.
const STEPS: [f64; 6] = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

/// The marks of the axis, and the plane between the outer two.
fn axis(shown: &[ScoreRow], columns: (i32, i32), rows: (i32, i32)) -> (Vec<f64>, Plane) {
    let low = shown.iter().map(|row| row.ends().0).fold(f64::INFINITY, f64::min);
    let high = shown.iter().map(|row| row.ends().1).fold(f64::NEG_INFINITY, f64::max);
    let step = step(high - low, 6, &STEPS);
    let first = ((low / step).floor() as i64 - 1).max(0);
    let last = ((high / step).ceil() as i64).max(first + 1);
    let ticks: Vec<f64> = (first..=last).map(|tick| tick as f64 * step).collect();
    let x = (first as f64 * step, last as f64 * step);
    (ticks, Plane { columns, rows, x, y: (0.0, 1.0) })
}

fn grid(canvas: &mut Canvas, ticks: &[f64], plane: Plane) {
    for &tick in ticks {
        let column = plane.column(tick);
        canvas.line((column, plane.rows.0), (column, plane.rows.1), Ink::Grid);
        let decimals = if ticks[1] - ticks[0] < 0.009 { 3 } else { 2 };
        let text = format!("{tick:.decimals$}");
        canvas.text(&text, (column, plane.rows.1 + 22), Type::of(16.0).color(Ink::Pale).centred());
    }
}
