//! Owns the picture of a round robin: the Elo of each entrant with its interval.

use crate::lab::RoundRobin;
use crate::numbers::Estimate;
use crate::report::plots::chart::{Axis, Chart, interval};
use crate::report::{plots::canvas::Drawing, plots::style::Ink, words::round_robin::name};

/// Entrants whose names stay legible below one picture.
const MOST: usize = 16;

/// Draws the Elo points of every rated entrant, the strongest first; `None` where nobody is rated, and of more entrants
/// than have room.
pub fn elo_by_entrant(found: &RoundRobin, caption: &str) -> Option<Drawing> {
    let standing = found.standing().into_iter();
    let rated: Vec<(usize, Estimate)> =
        standing.filter_map(|place| Some((place, found.elo(place)?))).collect();
    if rated.is_empty() || rated.len() > MOST {
        return None;
    }
    let ends = rated.iter().flat_map(|(_, elo)| {
        let interval = elo.interval.map(|interval| [interval.low, interval.high]);
        interval.into_iter().flatten().chain([elo.value])
    });
    let lines = (1..)
        .zip(&rated)
        .map(|(rank, (place, _))| (f64::from(rank), short(&name(found, *place), rated.len())));
    let chart = Chart {
        title: "How strong is each entrant?",
        subtitle: "Elo points by the games of all pairs together".to_owned(),
        caption: caption.to_owned(),
        x: Axis::of_lines("Entrant", (0.5, rated.len() as f64 + 0.5), lines.collect()),
        y: Axis::around("Elo points", ends, 10),
        legend: Vec::new(),
        notes: vec!["Bars: 95 % intervals by pairs of games of one opening.".to_owned()],
    };
    Some(chart.drawn(|canvas, plane| {
        for (rank, (_, elo)) in (1..).zip(&rated) {
            let x = plane.column(f64::from(rank));
            if let Some(around) = elo.interval.filter(|around| around.low < around.high) {
                interval(canvas, plane, x, (around.low, around.high), Ink::Gain);
            }
            canvas.dot((x, plane.row(elo.value)), 4, Ink::Gain);
        }
    }))
}

/// Cuts a name to what so many beside each other leave it.
fn short(name: &str, of: usize) -> String {
    crate::chess::text::cut(name, (96 / of).clamp(5, 24))
}
