//! The pictures of searches depth by depth: the values of the root's moves, and the changes of the best move.

use crate::base::text::{counted, cut, printable};
use crate::chess::Clip;
use crate::lab::Iteration;
use crate::numbers::Estimate;
use crate::report::{
    deep::data::DepthEntry, deep::data::TreeFile, plots::canvas::Drawing, plots::chart::Axis,
    plots::chart::Chart, plots::chart::Look, plots::style::Ink,
};

/// The colors of the moves, the best first.
const INKS: [Ink; 4] = [Ink::Ink, Ink::Gain, Ink::Loss, Ink::Zero];

/// Pixels between the dots of two moves at one depth.
const ASIDE: i32 = 4;

/// Draws the idea scores of the best root moves by depth. The moves, at most four, are those that are best at
/// the last depth.
pub fn root_moves(file: &TreeFile) -> Drawing {
    let best = file.depths.last().map_or(&[][..], |last| &last.moves);
    let best: Vec<(Ink, &str)> = INKS.into_iter().zip(best.iter().map(|m| m.san.as_str())).collect();
    let pawns = |entry: &DepthEntry, san: &str| {
        let shown = entry.moves.iter().find(|m| m.san == san)?;
        Some(f64::from(shown.idea.score().clipped(Clip::default())) / 100.0)
    };
    let all = best.iter().flat_map(|(_, san)| file.depths.iter().filter_map(|entry| pawns(entry, san)));
    // A focused branch may grow after the tree has its depth.
    let is_focused = file.depths.last().is_some_and(|last| last.focus_plies > last.depth);
    let what =
        if is_focused { "Plies of the tree or of a focused branch" } else { "Depth of the tree in plies" };
    let chart = Chart {
        title: "How do the scores of the moves change with depth?",
        subtitle: "Idea score of the root's moves in pawns, White's view",
        caption: &format!("{}, {}", cut(&printable(&file.facts.engine.name), 60), file.facts.limit),
        x: Axis::of_depths(what, (1..).take(file.depths.len())),
        y: Axis::around("Pawns", all, 10),
        legend: &best,
        notes: "Shown: the moves that are best at the last depth. Mates count as ten pawns.",
    };
    chart.drawn(|plot| {
        for (place, (ink, san)) in best.iter().enumerate() {
            let aside = ASIDE * (2 * place as i32 + 1 - best.len() as i32) / 2;
            let dots = (1u32..)
                .zip(&file.depths)
                .filter_map(|(pass, entry)| Some((f64::from(pass), pawns(entry, san)?, None)));
            plot.dots(Look::joined(*ink, 4, aside), dots);
        }
    })
}

/// Style of the four rates of change: color, offset from the depth in pixels, and name.
const LOOKS: [(Ink, i32, &str); 4] = [
    (Ink::Ink, -6, "changed"),
    (Ink::Gain, -2, "fresh"),
    (Ink::Loss, 2, "as two ago"),
    (Ink::Zero, 6, "as three ago"),
];

/// Draws the four rates of change of the best move by depth, with their 95 % intervals. The caption names the
/// number of `positions`. `None` without rates.
pub fn best_moves(iterations: &[Iteration], engine: &str, positions: usize) -> Option<Drawing> {
    let rates: Vec<(u32, [Estimate; 4])> =
        iterations.iter().filter_map(|one| Some((one.depth, one.rates()?))).collect();
    rates.first()?;
    let percent = |share: f64| 100.0 * share;
    let ends = rates.iter().flat_map(|(_, rates)| rates.iter().filter_map(|rate| rate.interval));
    let chart = Chart {
        title: "How often does the best move still change?",
        subtitle: "Percent of positions whose best move differs from that of the previous iteration",
        caption: &format!("{}, {}", cut(&printable(engine), 60), counted(positions as u64, "position")),
        x: Axis::of_depths("Depth of the iteration in plies", rates.iter().map(|(depth, _)| *depth)),
        y: Axis::around("Percent of the positions", ends.map(|ends| percent(ends.high)).chain([0.0]), 10),
        legend: &LOOKS.map(|(ink, _, name)| (ink, name)),
        notes: "Fresh: never best before. As two ago, as three ago: the same best move as two or three iterations \
                earlier.\nBars: Wilson's 95 % intervals.",
    };
    Some(chart.drawn(|plot| {
        for (place, (ink, aside, _)) in LOOKS.into_iter().enumerate() {
            let dot = |(depth, rates): &(u32, [Estimate; 4])| {
                let Estimate { value, interval, .. } = rates[place];
                let ends = interval.map(|ends| (percent(ends.low), percent(ends.high)));
                (f64::from(*depth), percent(value), ends)
            };
            plot.dots(Look::joined(ink, 4, aside), rates.iter().map(dot));
        }
    }))
}
