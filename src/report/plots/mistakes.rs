//! The picture of inaccuracies, mistakes and blunders in a hundred moves.

use super::{
    Caption, canvas::Drawing, chart::Axis, chart::legend, rows, rows::EDGE, rows::SET, rows::SHOWN,
    rows::Texts, rows::WIDTH, style::Ink, style::Type,
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
    let x = Axis { set: Type::pale(SET), ..Axis::with_room("", [0.0, most], (4, 0.5), 0.0) };
    let texts = Texts {
        title: "Mistakes of each player in a hundred moves".to_owned(),
        heading: "Mistakes in 100 moves".to_owned(),
        note: caption.field(rows.len(), all.len()),
    };
    Some(rows::draw(
        rows.iter().map(|(name, _)| name.as_str()),
        &x,
        texts,
        |canvas| {
            let words = KINDS.map(|(judgment, ink, symbol)| (ink, format!("{symbol} {}", judgment.plural())));
            let words = words.each_ref().map(|(ink, text)| (*ink, text.as_str()));
            legend(canvas, &words, (WIDTH - EDGE, 48), Type::pale(SET - 3.0));
        },
        |plot, index, place| {
            let mut from = 0.0;
            for ((_, ink, _), share) in KINDS.iter().zip(&rows[index].1) {
                plot.bar((from, from + share), (place + 0.28, place - 0.28), *ink);
                from += share;
            }
        },
    ))
}
