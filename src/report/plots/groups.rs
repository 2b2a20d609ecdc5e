//! Owns the picture of an archive's groups: against their Elo, or one below the other.

use super::{
    Caption,
    canvas::Drawing,
    chart::{Axis, Chart, interval},
    scores::{ROWS, ScoreRow, ScoreWords, draw_rows},
    style::Ink,
};
use crate::chess::text::counted;
use crate::measure::{CountKey, GroupRow, Grouping, Survey};
use crate::numbers::Estimate;

/// Dots that stay apart in one picture.
const DOTS: usize = 400;

/// Dots up to which each has its interval.
const BARS: usize = 60;

/// Draws expected score against Elo where groups are of ratings or of players, else one row a group; `None`
/// where there is nothing to show.
pub fn draw(survey: &Survey, identity: &CountKey, caption: &Caption) -> Option<Drawing> {
    match identity.by {
        Grouping::EloBand(_) | Grouping::Player => against_elo(survey, identity.by, caption),
        by => in_rows(survey, by, caption),
    }
}

fn in_rows(survey: &Survey, by: Grouping, caption: &Caption) -> Option<Drawing> {
    let row = |group: &GroupRow| {
        let Estimate { value, interval, .. } = group.expected_score?;
        Some(ScoreRow { name: by.label(&group.key), score: value, interval, remark: String::new() })
    };
    let rows: Vec<ScoreRow> = survey.groups.iter().filter_map(row).collect();
    let shown = &rows[..rows.len().min(ROWS)];
    let words = ScoreWords {
        title: "How well does each group play?",
        subtitle: "Expected score against the engine, with 95 % intervals",
        caption: caption.after(some_of(shown.len(), rows.len())),
        note: "Bars: 95 % intervals by the scatter of games.",
    };
    (!shown.is_empty()).then(|| draw_rows(shown, &words))
}

fn against_elo(survey: &Survey, by: Grouping, caption: &Caption) -> Option<Drawing> {
    let mut rated: Vec<(&GroupRow, f64, Estimate)> =
        survey.groups.iter().filter_map(|group| Some((group, group.elo?, group.expected_score?))).collect();
    let total = rated.len();
    // The dots with most moves tell most.
    rated.sort_by(|a, b| b.0.moves.cmp(&a.0.moves).then_with(|| a.0.key.cmp(&b.0.key)));
    rated.truncate(DOTS);
    if rated.is_empty() {
        return None;
    }
    let has_bars = rated.len() <= BARS;
    // No interval is cut off: one that ends at the edge would seem shorter than it is.
    let ends = rated.iter().flat_map(|(_, _, score)| {
        let interval = score.interval.filter(|_| has_bars);
        interval.map_or([score.value; 2], |interval| [interval.low.max(0.0), interval.high.min(1.0)])
    });
    let mut notes = vec![
        "Expected score: chance that a move gains more than the engine's, ties counting half.".to_owned(),
    ];
    if !has_bars {
        notes.push("With so many dots the intervals are left out: the tables have them.".to_owned());
    }
    let what = if by == Grouping::Player { "player" } else { "band of Elo points" };
    let chart = Chart {
        title: "Do higher ratings mean better moves?",
        subtitle: format!(
            "Expected score of each {what} against the engine{}",
            if has_bars { ", with 95 % intervals" } else { "" }
        ),
        caption: caption.after(some_of(rated.len(), total)),
        x: Axis::around("Mean Elo", rated.iter().map(|(_, elo, _)| *elo), 10),
        y: Axis::around("Expected score", ends.collect::<Vec<_>>(), 8),
        legend: Vec::new(),
        notes,
    };
    Some(chart.drawn(|canvas, plane| {
        for (_, elo, score) in &rated {
            let x = plane.column(*elo);
            if let Some(ends) = score.interval.filter(|_| has_bars) {
                // A bar that leaves the plane ends a hair beyond it, and so has no end there.
                let within = (ends.low.max(plane.y.0 - 1e-6), ends.high.min(plane.y.1 + 1e-6));
                interval(canvas, plane, x, within, Ink::Zero);
            }
            canvas.dot((x, plane.row(score.value)), if has_bars { 6 } else { 3 }, Ink::Gain);
        }
    }))
}

fn some_of(shown: usize, all: usize) -> String {
    if shown == all {
        counted(all as u64, "group")
    } else {
        format!("{shown} of {}", counted(all as u64, "group"))
    }
}
