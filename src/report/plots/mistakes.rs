//! The picture of inaccuracies, mistakes and blunders in a hundred moves.

use super::{
    Caption, canvas::Drawing, chart::Axis, chart::Chart, chart::borrowed, rows, rows::SHOWN, style::Ink,
};
use crate::chess::Judgment;
use crate::measure::Standing;

/// The kinds of mistakes, the worst first. A bar begins with the worst.
const KINDS: [(Judgment, Ink, &str); 3] = [
    (Judgment::Blunder, Ink::Loss, "??"),
    (Judgment::Mistake, Ink::Ink, "?"),
    (Judgment::Inaccuracy, Ink::Zero, "?!"),
];

pub fn draw(standings: &[Standing<'_>], caption: &Caption) -> Option<Drawing> {
    let row = |standing: &Standing<'_>| {
        let (counts, moves) = (standing.judgments?, standing.quality?.moves);
        let share = |(judgment, ..): (Judgment, _, _)| 100.0 * counts.of(judgment) as f64 / moves as f64;
        (moves > 0).then(|| (standing.result.name.clone(), KINDS.map(share)))
    };
    let all: Vec<(String, [f64; 3])> = standings.iter().filter_map(row).collect();
    let rows = &all[..all.len().min(SHOWN)];
    let most = rows.iter().map(|(_, shares)| shares.iter().sum()).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let words = KINDS.map(|(judgment, ink, symbol)| (ink, format!("{symbol} {}", judgment.plural())));
    let chart = Chart {
        title: "Mistakes in 100 moves",
        caption: &caption.field(rows.len(), all.len()),
        x: Axis::with_room("", [0.0, most], (4, 0.5), 0.0),
        legend: &borrowed(&words),
        ..Chart::default()
    };
    Some(rows::draw(rows.iter().map(|(name, _)| name.as_str()), &chart, |plot, index, place| {
        let mut from = 0.0;
        for ((_, ink, _), share) in KINDS.iter().zip(&rows[index].1) {
            plot.bar((from, from + share), (place + 0.28, place - 0.28), *ink);
            from += share;
        }
    }))
}
