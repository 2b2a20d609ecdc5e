//! Owns the picture of values by band: pieces, pawns and rooks (the paper's Figure 1).

use crate::engine::chess_engine::Feature;
use crate::lab::{Learned, LearningObjective, Target};
use crate::numbers::Estimate;
use crate::report::plots::canvas::{Canvas, Drawing, Plane};
use crate::report::plots::chart::{Axis, Chart, ChartSize, interval};
use crate::report::plots::style::{Ink, Type};

/// The colours of the lines, one after the other: neighbours differ.
const LOOKS: [Ink; 4] = [Ink::Ink, Ink::Gain, Ink::Loss, Ink::Zero];

/// How large it is.
const SIZE: ChartSize = ChartSize { width: 1000, panel: 520, left: 64, right: 190, below: 0 };

/// Draws the values by band with their intervals, where there are any; `None` without weights that can be brought to
/// centipawns.
pub fn draw(learned: &Learned, objective: LearningObjective, caption: &str) -> Option<Drawing> {
    let of_objective = learned.models.iter().filter(|model| model.key.objective == objective);
    let bands: Vec<(f64, Vec<Estimate>)> = of_objective
        .filter_map(|model| {
            let Target::Band(band) = model.key.target else { return None };
            Some((f64::from(band.elo), learned.centipawns(model)?))
        })
        .collect();
    bands.first()?;
    let shown: Vec<Feature> = Feature::all().skip(1).take(Feature::FIRST_SQUARE - 1).collect();
    let all = bands.iter().flat_map(|(_, weights)| shown.iter().map(|feature| weights[feature.index()]));
    let ends = all.flat_map(|weight| weight.interval.map_or([weight.value; 2], |ends| [ends.low, ends.high]));
    let elos: Vec<f64> = bands.iter().map(|(elo, _)| *elo).collect();
    let lines = elos.iter().map(|&elo| (elo, format!("{elo:.0}"))).collect();
    let room = 60.0;
    let x_ends = (elos[0] - room, elos[elos.len() - 1] + room);
    let chart = Chart {
        title: "What are pieces, pawns and rooks' places worth to players?",
        subtitle: "Centipawns when a pawn is 100, by band of ratings".to_owned(),
        caption: caption.to_owned(),
        x: Axis::of_lines("Rating of the players", x_ends, lines),
        y: Axis::around("Centipawns", ends.chain([0.0]), 12),
        legend: Vec::new(),
        notes: vec!["Bars: 95 % intervals by samples of whole games.".to_owned()],
    };
    Some(chart.drawn_in(SIZE, |canvas, plane| {
        let mut names = Vec::new();
        for (place, &feature) in shown.iter().enumerate() {
            let look = LOOKS[place % LOOKS.len()];
            let points = bands.iter().map(|(elo, found)| (*elo, found[feature.index()])).collect::<Vec<_>>();
            line(canvas, plane, &points, place as i32 % 5 - 2, look);
            let last = points.last().map_or(0.0, |(_, weight)| weight.value);
            names.push((plane.row(last), feature.to_string(), look));
        }
        label(canvas, plane.column(x_ends.1) + 10, names);
    }))
}

fn line(canvas: &mut Canvas, plane: Plane, points: &[(f64, Estimate)], aside: i32, look: Ink) {
    let at = |&(elo, weight): &(f64, Estimate)| (plane.column(elo) + 3 * aside, plane.row(weight.value));
    if points.len() > 1 {
        canvas.path(points.iter().map(at).collect(), look);
    }
    for point in points {
        if let Some(ends) = point.1.interval {
            interval(canvas, plane, at(point).0, (ends.low, ends.high), look);
        }
        canvas.dot(at(point), 3, look);
    }
}

/// Names the lines at their right ends, moved apart where they would stand on each other.
fn label(canvas: &mut Canvas, x: i32, mut names: Vec<(i32, String, Ink)>) {
    const APART: i32 = 17;
    names.sort_by_key(|(row, ..)| *row);
    // From the lowest upwards, so that what is crowded near 0 grows towards the empty middle.
    let mut below = i32::MAX;
    for (row, name, look) in names.into_iter().rev() {
        let row = row.min(below.saturating_sub(APART));
        canvas.text(&name, (x, row + 5), Type::of(14.0).color(look));
        below = row;
    }
}
