//! The picture of mistakes: a bar for each player, with the inaccuracies, mistakes and blunders in a hundred
//! moves.

use super::{
    Caption, canvas::Drawing, canvas::Plane, chart::Axis, chart::Plot, chart::legend, ranking::EDGE,
    ranking::HEAD, ranking::ROW, ranking::SET, ranking::SHOWN, ranking::WIDTH, ranking::fitted_names,
    style::Ink, style::Type,
};
use crate::chess::Judgement;
use crate::measure::Standing;

/// The worst first, because a bar begins with them.
const KINDS: [(Judgement, Ink, &str); 3] = [
    (Judgement::Blunder, Ink::Loss, "??"),
    (Judgement::Mistake, Ink::Ink, "?"),
    (Judgement::Inaccuracy, Ink::Zero, "?!"),
];

/// Draws the first players in the given order; `None` if none of their moves is judged.
pub fn draw(standings: &[Standing<'_>], caption: &Caption) -> Option<Drawing> {
    let row = |standing: &Standing<'_>| {
        let (counts, moves) = (standing.judgements?, standing.quality?.moves);
        let share = |(judgement, ..): (Judgement, _, _)| 100.0 * counts.of(judgement) as f64 / moves as f64;
        (moves > 0).then(|| (standing.result.name.clone(), KINDS.map(share)))
    };
    let all: Vec<(String, [f64; 3])> = standings.iter().filter_map(row).collect();
    let rows = &all[..all.len().min(SHOWN)];
    let most = rows.iter().map(|(_, shares)| shares.iter().sum()).fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let set = Type::of(SET);
    let names = fitted_names(rows.iter().map(|(name, _)| name.as_str()), set);
    let left = names.iter().map(|name| set.width(name)).max().unwrap_or_default() + EDGE + 12;
    let (top, bottom) = (HEAD, HEAD + ROW * rows.len() as i32);
    let x = Axis { set: Type::pale(SET), ..Axis::with_room("", [0.0, most], (4, 0.5), 0.0) };
    let lines = (0..).map(|row| f64::from(row) + 0.5).zip(names).collect();
    let y = Axis { set, is_grid: false, ..Axis::of_lines("", (rows.len() as f64, 0.0), lines) };
    let plane = Plane { columns: (left, WIDTH - EDGE - 22), rows: (top, bottom), x: x.ends, y: y.ends };
    let title = "Mistakes of each player in a hundred moves";
    Some(Drawing::of((WIDTH, bottom + 2 * 30 + 8), title.to_owned(), |canvas| {
        canvas.text("Mistakes in 100 moves", (EDGE, 22), set.bold());
        let meanings = KINDS.map(|(judgement, ink, symbol)| (ink, judgement.plural(), symbol));
        let words = meanings.map(|(ink, plural, symbol)| (ink, format!("{symbol} {plural}")));
        let words: Vec<(Ink, &str)> = words.iter().map(|(ink, text)| (*ink, text.as_str())).collect();
        legend(canvas, &words, (WIDTH - EDGE, 48), Type::pale(SET - 3.0));
        let mut plot = Plot::on(canvas, plane, [&x, &y]);
        for ((_, shares), (place, _)) in rows.iter().zip(&y.lines) {
            let mut from = 0.0;
            for ((_, ink, _), share) in KINDS.iter().zip(shares) {
                plot.bar((from, from + share), (place + 0.28, place - 0.28), *ink);
                from += share;
            }
        }
        let set = Type::pale(SET);
        let engine = caption.field(rows.len(), all.len());
        plot.canvas.text(&set.fitted(&engine, WIDTH - 2 * EDGE), (EDGE, bottom + 58), set);
    }))
}
