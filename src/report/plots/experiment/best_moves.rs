//! Owns the picture of how often the best move changes from one iteration to the next.

use crate::chess::text::{counted, cut, printable};
use crate::lab::Iteration;
use crate::numbers::Estimate;
use crate::report::plots::chart::{Axis, Chart, interval};
use crate::report::{plots::canvas::Drawing, plots::style::Ink};

/// How the four rates look: colour, place beside the depth in pixels, and name.
const LOOKS: [(Ink, i32, &str); 4] = [
    (Ink::Ink, -6, "changed"),
    (Ink::Gain, -2, "fresh"),
    (Ink::Loss, 2, "as two ago"),
    (Ink::Zero, 6, "as three ago"),
];

/// Draws the four rates by depth with their 95 % intervals, of so many `positions`; `None` without any.
pub fn draw(iterations: &[Iteration], engine: &str, positions: usize) -> Option<Drawing> {
    let rates: Vec<(u32, [Estimate; 4])> =
        iterations.iter().filter_map(|one| Some((one.depth, one.rates()?))).collect();
    rates.first()?;
    let percent = |share: f64| 100.0 * share;
    let ends = rates.iter().flat_map(|(_, rates)| rates.iter().filter_map(|rate| rate.interval));
    let chart = Chart {
        title: "How often does the best move still change?",
        subtitle: "Percent of positions whose best move is not that of the iteration before".to_owned(),
        caption: format!("{}, {}", cut(&printable(engine), 60), counted(positions as u64, "position")),
        x: Axis::of_depths("Depth of the iteration in plies", rates.iter().map(|(depth, _)| *depth)),
        y: Axis::around("Percent of the positions", ends.map(|ends| percent(ends.high)).chain([0.0]), 10),
        legend: LOOKS.map(|(ink, _, name)| (ink, name.to_owned())).to_vec(),
        notes: vec![
            "Fresh: never best in any iteration before. Two ago, three ago: best again, as so many iterations before."
                .to_owned(),
            "Bars: Wilson's 95 % intervals.".to_owned(),
        ],
    };
    Some(chart.drawn(|canvas, plane| {
        for (place, (ink, aside, _)) in LOOKS.into_iter().enumerate() {
            let dots =
                rates.iter().map(|(depth, rates)| (plane.column(f64::from(*depth)) + aside, rates[place]));
            let line: Vec<_> = dots.clone().map(|(x, rate)| (x, plane.row(percent(rate.value)))).collect();
            if line.len() > 1 {
                canvas.path(line, ink);
            }
            for (x, rate) in dots {
                if let Some(around) = rate.interval {
                    interval(canvas, plane, x, (percent(around.low), percent(around.high)), ink);
                }
                canvas.dot((x, plane.row(percent(rate.value))), 4, ink);
            }
        }
    }))
}
