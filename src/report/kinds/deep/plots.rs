//! The pictures of searches depth by depth: the values of the root's moves, and the changes of the best move.

use super::data::{DepthEntry, TreeFile};
use crate::base::text::{cut, printable};
use crate::chess::Clip;

use crate::report::plots::{canvas::Drawing, chart::Axis, chart::Chart, chart::Look, style::Ink};

const INKS: [Ink; 4] = [Ink::Ink, Ink::Gain, Ink::Loss, Ink::Zero];

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
