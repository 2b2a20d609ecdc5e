//! Owns the picture of how the values of the root's moves move from depth to depth.

use crate::chess::Clip;
use crate::chess::text::{cut, printable};
use crate::report::deep::{DepthEntry, TreeFile};
use crate::report::plots::chart::{Axis, Chart};
use crate::report::{plots::canvas::Drawing, plots::style::Ink};

/// The colours of the moves, the best first.
const INKS: [Ink; 4] = [Ink::Ink, Ink::Gain, Ink::Loss, Ink::Zero];

/// Pixels between the dots of two moves at one depth.
const ASIDE: i32 = 4;

/// Draws the idea scores of the moves that are best at last, by depth.
pub fn draw(file: &TreeFile) -> Drawing {
    let best: Vec<&str> =
        file.depths.last().map_or(Vec::new(), |last| last.moves.iter().map(|m| m.san.as_str()).collect());
    let best: Vec<(Ink, &str)> = INKS.into_iter().zip(best).collect();
    let pawns = |entry: &DepthEntry, san: &str| {
        let shown = entry.moves.iter().find(|m| m.san == san)?;
        Some(f64::from(shown.idea.score().clipped(Clip::default())) / 100.0)
    };
    let all = best.iter().flat_map(|(_, san)| file.depths.iter().filter_map(|entry| pawns(entry, san)));
    let chart = Chart {
        title: "What does each depth make of the moves?",
        subtitle: "Idea score of the root's moves in pawns, White's view".to_owned(),
        caption: format!("{}, {}", cut(&printable(&file.facts.engine.name), 60), file.facts.limit),
        x: Axis::of_depths("Depth of the tree in plies", file.depths.iter().map(|entry| entry.depth as u32)),
        y: Axis::around("Pawns", all, 10),
        legend: best.iter().map(|(ink, san)| (*ink, (*san).to_owned())).collect(),
        notes: vec!["The moves that are best at the last depth; mates count as ten pawns.".to_owned()],
    };
    chart.drawn(|canvas, plane| {
        for (place, (ink, san)) in best.iter().enumerate() {
            let aside = ASIDE * (2 * place as i32 + 1 - best.len() as i32) / 2;
            let dots = file.depths.iter().filter_map(|entry| Some((entry.depth, pawns(entry, san)?)));
            let dots: Vec<_> =
                dots.map(|(depth, y)| (plane.column(depth as f64) + aside, plane.row(y))).collect();
            if dots.len() > 1 {
                canvas.path(dots.clone(), *ink);
            }
            dots.into_iter().for_each(|dot| canvas.dot(dot, 4, *ink));
        }
    })
}
