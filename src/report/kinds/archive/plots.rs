//! The pictures of an archive: groups over their Elo or in rows, and moves by clock.

use crate::base::text::{counted, rounded};
use crate::measure::{ClockClass, ClockRow, CountKey, GroupRow, Grouping, Survey};
use crate::numbers::Estimate;
use crate::report::plots::{
    Caption, canvas::Drawing, chart::Axis, chart::Chart, chart::Look, chart::dot, chart::ends, scores::ROWS,
    scores::ScoreRow, scores::draw_rows, style::Ink,
};

/// The largest number of dots in one picture; more of them would overlap.
const DOTS: usize = 400;

/// The largest number of dots that are drawn with their intervals.
const BARS: usize = 60;

/// Draws expected score over Elo if the groups are bands of Elo or players, else one row per group.
pub fn groups(survey: &Survey, identity: &CountKey, caption: &Caption) -> Option<Drawing> {
    match identity.by {
        Grouping::EloBand(_) | Grouping::Player => against_elo(survey, identity.by, caption),
        by => in_rows(survey, by, caption),
    }
}

fn in_rows(survey: &Survey, by: Grouping, caption: &Caption) -> Option<Drawing> {
    let row = |group: &GroupRow| {
        Some(ScoreRow { name: by.label(&group.key), score: group.expected_score?, remark: String::new() })
    };
    let rows: Vec<ScoreRow> = survey.groups.iter().filter_map(row).collect();
    let shown = &rows[..rows.len().min(ROWS)];
    let chart = Chart {
        title: "How well does each group play?",
        subtitle: "Expected score against the engine, with 95 % intervals",
        caption: &caption.after(count_shown(shown.len(), rows.len())),
        notes: "Bars: 95 % intervals from the scatter between games.",
        ..Chart::default()
    };
    (!shown.is_empty()).then(|| draw_rows(shown, chart))
}

fn against_elo(survey: &Survey, by: Grouping, caption: &Caption) -> Option<Drawing> {
    let mut rated: Vec<(&GroupRow, f64, Estimate)> =
        survey.groups.iter().filter_map(|group| Some((group, group.elo?, group.expected_score?))).collect();
    let total = rated.len();
    // The dots with the most moves are the most informative.
    rated.sort_by(|a, b| b.0.moves.cmp(&a.0.moves).then_with(|| a.0.key.cmp(&b.0.key)));
    rated.truncate(DOTS);
    if rated.is_empty() {
        return None;
    }
    let has_bars = rated.len() <= BARS;
    // An interval is never cut off: it would end at the edge and seem shorter than it is.
    let reach = rated.iter().flat_map(|(_, _, score)| {
        let [low, high] = if has_bars { ends(score) } else { [score.value; 2] };
        [low.max(0.0), high.min(1.0)]
    });
    let (intervals, left_out) = if has_bars {
        (", with 95 % intervals", "")
    } else {
        ("", "\nWith so many dots, intervals are not drawn. The tables have them.")
    };
    let what = if by == Grouping::Player { "player" } else { "band of Elo points" };
    let chart = Chart {
        title: "Do higher ratings mean better moves?",
        subtitle: &format!("Expected score of each {what} against the engine{intervals}"),
        caption: &caption.after(count_shown(rated.len(), total)),
        x: Axis::with_room("Mean Elo", rated.iter().map(|(_, elo, _)| *elo), (10, 1.0), 0.2),
        y: Axis::of_chances("Expected score", reach, (8, 0.005), 0.2),
        notes: &format!(
            "Expected score: chance that a move gains more than a move of the engine; ties count half.{left_out}"
        ),
        ..Chart::default()
    };
    Some(chart.drawn(|plot| {
        // A bar that leaves the plane ends a little beyond it, so that it has no cap there.
        let (bottom, top) = (plot.plane.y.0 - 1e-6, plot.plane.y.1 + 1e-6);
        let look = Look { bar: Ink::Zero, ..Look::of(Ink::Gain, if has_bars { 6 } else { 3 }) };
        let dots = rated.iter().map(|(_, elo, score)| {
            let (elo, value, ends) = dot(*elo, score);
            (elo, value, ends.filter(|_| has_bars).map(|(low, high)| (low.max(bottom), high.min(top))))
        });
        plot.dots(look, dots);
    }))
}

fn count_shown(shown: usize, all: usize) -> String {
    if shown == all {
        counted(all as u64, "group")
    } else {
        format!("{shown} of {}", counted(all as u64, "group"))
    }
}

pub fn clocks(survey: &Survey, class: ClockClass, caption: &Caption) -> Option<Drawing> {
    let rows: Vec<&ClockRow> = survey.clocks.iter().filter(|row| row.class == class).collect();
    let moves: u64 = rows.iter().map(|row| row.moves).sum();
    let (title, time) = match class {
        ClockClass::Left => ("How good are the moves with little time left?", "the time left after the move"),
        ClockClass::Spent => ("Do long thoughts make good moves?", "the time spent on the move"),
    };
    let chart = Chart {
        title,
        subtitle: &format!("Expected score and mean gain by {time}, with 95 % intervals"),
        caption: &caption.after(counted(moves, "move")),
        notes: "Bars: 95 % intervals from the scatter between games. Hard positions take more time, so the \
             differences are not an effect of time itself.",
        ..Chart::default()
    };
    let row = |row: &&ClockRow| ScoreRow {
        name: row.label(),
        score: row.expected_score,
        remark: format!(", gain {}", rounded(row.mean_gain.value, 1).replace('-', "−")),
    };
    let shown: Vec<ScoreRow> = rows.iter().map(row).collect();
    (!rows.is_empty()).then(|| draw_rows(&shown, chart))
}
