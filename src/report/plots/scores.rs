//! The picture of the expected scores, one dot for each player or group.

use super::{
    Caption, canvas::Canvas, canvas::Drawing, canvas::Plane, chart::Axis, chart::Chart, chart::ChartSize,
    chart::Plot, chart::ends, label, style::Ink, style::Type,
};
use crate::measure::PlayerResult;
use crate::numbers::Estimate;

/// The number of rows that stay legible in one picture.
pub(in crate::report) const ROWS: usize = 60;

const LEAST_ROWS: usize = 4;

/// A row of a picture: its name, its number with the interval, and the text after the number.
pub(in crate::report) struct ScoreRow {
    pub name: String,
    pub score: Estimate,
    pub remark: String,
}

impl ScoreRow {
    fn ends(&self) -> [f64; 2] {
        let (Estimate { value, .. }, [low, high]) = (self.score, ends(&self.score));
        [low.min(value), high.max(value)]
    }
}

/// Draws one row for each player in the given order. Only the first 60 players with moves are drawn.
pub fn draw(players: &[&PlayerResult], caption: &Caption) -> Drawing {
    let row = |player: &&PlayerResult| {
        let score = player.expected_score?.estimate();
        Some(ScoreRow { name: player.name.clone(), score, remark: String::new() })
    };
    let scores: Vec<ScoreRow> = players.iter().filter_map(row).collect();
    let shown = &scores[..scores.len().min(ROWS)];
    let chart = Chart {
        title: "Which players differ?",
        subtitle: "Paper score (expected score against the engine), with 95 % intervals",
        caption: &caption.field(shown.len(), scores.len()),
        notes: "Bars: 95 % intervals from the scatter between games. Two players with overlapping bars may differ \
            significantly: see the table of pairs.",
        ..Chart::default()
    };
    draw_rows(shown, chart)
}

/// Draws one row for each score in the given order; `words` has the texts.
pub(in crate::report) fn draw_rows(shown: &[ScoreRow], words: Chart<'_>) -> Drawing {
    let label = "Paper score: chance that a move gains more than a move of the engine; ties count half";
    let x = Axis::of_chances(label, shown.iter().flat_map(ScoreRow::ends), (6, 0.005), 0.3);
    let beginning = if x.ends.0 > 0.0 { " The axis does not begin at 0." } else { "" };
    let level = "0.5 is the level of an engine that neither gains nor loses.";
    let notes = format!("{level}{beginning}\n{}", words.notes);
    let numbered = |row: &ScoreRow| ScoreRow {
        name: row.name.clone(),
        score: row.score,
        remark: format!("{:.4}{}", row.score.value, row.remark),
    };
    let shown: Vec<ScoreRow> = shown.iter().map(numbered).collect();
    draw_marked(&shown, &[], Chart { x, notes: &notes, ..words })
}

/// Draws one row for each number with its remark, along the horizontal axis of `words`. `marks` has a mark for each
/// row, or none.
pub(super) fn draw_marked(shown: &[ScoreRow], marks: &[Option<f64>], words: Chart<'_>) -> Drawing {
    let set = Type::of(18.0);
    let widest = |widths: &mut dyn Iterator<Item = i32>| widths.max().unwrap_or_default();
    let rows = (0..).map(|row| f64::from(row) + 0.5);
    let names: Vec<(f64, String)> =
        rows.zip(shown.iter().map(|row| set.fitted(&label(&row.name), 340))).collect();
    let count = shown.len().max(LEAST_ROWS);
    let size = ChartSize {
        width: 1200,
        panel: if shown.len() > 20 { 27 } else { 40 } * count as i32,
        left: widest(&mut names.iter().map(|(_, name)| set.width(name))) + 18,
        right: 24 + widest(&mut shown.iter().map(|row| set.bold().width(&row.remark))),
        below: 0,
    };
    let y = Axis { set, ..Axis::of_lines("", (count as f64, 0.0), names) };
    let chart = Chart { y, ..words };
    chart.drawn_in(size, |Plot { canvas, plane, .. }| {
        if shown.is_empty() {
            let middle = ((plane.columns.0 + plane.columns.1) / 2, (plane.rows.0 + plane.rows.1) / 2);
            canvas.text("no moves", middle, Type::pale(22.0).centered());
        }
        let marks = marks.iter().copied().chain(std::iter::repeat(None));
        for (((row, _), score), mark) in chart.y.lines.iter().zip(shown).zip(marks) {
            draw_score(canvas, *plane, plane.row(*row), score, mark);
        }
    })
}

fn draw_score(canvas: &mut Canvas<'_>, plane: Plane, row: i32, shown: &ScoreRow, mark: Option<f64>) {
    let [low, high] = shown.ends();
    let (column, from, mut to) = (plane.column(shown.score.value), plane.column(low), plane.column(high));
    if shown.score.interval.is_some() {
        canvas.rectangle((from, row - 3), (to + 1, row + 4), Ink::Zero);
    }
    if let Some(mark) = mark {
        let mark = plane.column(mark);
        canvas.rectangle((mark - 1, row - 11), (mark + 2, row + 12), Ink::Ink);
        to = to.max(mark);
    }
    canvas.dot((column, row), 7, Ink::Gain);
    // The figures are to the right of the dot and its bar, clear of the grid.
    let (x, set) = (to.max(column + 7) + 8, Type::of(18.0).bold());
    canvas.rectangle((x - 2, row - 9), (x + set.width(&shown.remark) + 2, row + 9), Ink::Paper);
    canvas.text(&shown.remark, (x, row + 6), set);
}
