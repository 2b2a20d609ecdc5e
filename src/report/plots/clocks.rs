//! Owns the pictures of moves by clock, one dot a class of time.

use super::{
    Caption,
    canvas::Drawing,
    scores::{ScoreRow, ScoreWords, draw_rows},
};
use crate::chess::text::{counted, rounded};
use crate::measure::{ClockClass, ClockRow, Survey};

/// Draws the classes of one kind; `None` where no move has such a time.
pub fn draw(survey: &Survey, class: ClockClass, caption: &Caption) -> Option<Drawing> {
    let rows: Vec<&ClockRow> = survey.clocks.iter().filter(|row| row.class == class).collect();
    let moves: u64 = rows.iter().map(|row| row.moves).sum();
    let words = ScoreWords {
        title: match class {
            ClockClass::Left => "How good are the moves with little time left?",
            ClockClass::Spent => "Do long thoughts make good moves?",
        },
        subtitle: match class {
            ClockClass::Left => {
                "Expected score and mean gain by the time left after the move, with 95 % intervals"
            }
            ClockClass::Spent => {
                "Expected score and mean gain by the time spent on the move, with 95 % intervals"
            }
        },
        caption: caption.after(counted(moves, "move")),
        note: "Bars: 95 % intervals by the scatter of games. Hard positions take more time, so this is not the effect \
               of time itself.",
    };
    let shown: Vec<ScoreRow> = rows
        .iter()
        .map(|row| ScoreRow {
            name: row.label(),
            score: row.expected_score.value,
            interval: row.expected_score.interval,
            remark: format!(", gain {}", rounded(row.mean_gain.value, 1).replace('-', "−")),
        })
        .collect();
    (!rows.is_empty()).then(|| draw_rows(&shown, &words))
}
