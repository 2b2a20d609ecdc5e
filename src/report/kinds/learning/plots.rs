//! The pictures of learned weights: the values of features by band (Figure 1 of Paulsen and Fürnkranz 2010),
//! and a board for each piece and band (Figure 2). On the boards, blue squares are good for the piece and gray
//! squares are bad.

use shakmaty::Square;

use crate::engine::chess_engine::{Feature, LinearWeights};
use crate::lab::{Learned, LearningObjective, Model, Target};
use crate::numbers::Estimate;
use crate::report::plots::{
    canvas::Canvas, canvas::Drawing, chart::Axis, chart::Chart, chart::ChartSize, chart::Look, chart::dot,
    chart::ends, style::Ink, style::Point, style::Type,
};

const INKS: [Ink; 3] = [Ink::Ink, Ink::Gain, Ink::Pale];

const SIZE: ChartSize = ChartSize { width: 1000, panel: 520, left: 64, right: 190, below: 0 };

pub fn values(learned: &Learned, objective: LearningObjective, caption: &str) -> Option<Drawing> {
    let of_objective = learned.models.iter().filter(|model| model.key.objective == objective);
    let bands: Vec<(f64, Vec<Estimate>)> = of_objective
        .filter_map(|model| {
            let Target::Band(band) = model.key.target else { return None };
            Some((f64::from(band.elo), learned.centipawns(model)?))
        })
        .collect();
    bands.first()?;
    let shown: Vec<Feature> = Feature::all().skip(1).take(Feature::FIRST_SQUARE - 1).collect();
    let all = bands.iter().flat_map(|(_, weights)| shown.iter().map(|feature| &weights[feature.index()]));
    let elos: Vec<f64> = bands.iter().map(|(elo, _)| *elo).collect();
    let lines = elos.iter().map(|&elo| (elo, format!("{elo:.0}"))).collect();
    let room = 60.0;
    let x_ends = (elos[0] - room, elos[elos.len() - 1] + room);
    let chart = Chart {
        title: "How much are pieces, pawns and rook positions worth to players?",
        subtitle: &format!("Value in centipawns (pawn = 100) by rating band, learned by {objective}"),
        caption,
        x: Axis::of_lines("Rating of the players", x_ends, lines),
        y: Axis::around("Centipawns", all.flat_map(ends).chain([0.0]), 12),
        notes: "Bars: 95 % intervals by samples of whole games.",
        ..Chart::default()
    };
    Some(chart.drawn_twice(SIZE, 176, |plot| {
        let mut names = Vec::new();
        for (place, &feature) in shown.iter().enumerate() {
            let ink = INKS[place % INKS.len()];
            let dots = bands.iter().map(|(elo, weights)| dot(*elo, &weights[feature.index()]));
            plot.dots(Look::joined(ink, 3, 3 * (place as i32 % 5 - 2)), dots);
            let last = bands.last().map_or(0.0, |(_, weights)| weights[feature.index()].value);
            names.push((plot.plane.row(last), feature.to_string(), ink));
        }
        name_lines(plot.canvas, plot.plane.column(x_ends.1) + 10, names);
    }))
}

/// Draws the names of the lines at their right ends, moved apart if they would overlap.
fn name_lines(canvas: &mut Canvas<'_>, x: i32, mut names: Vec<(i32, String, Ink)>) {
    const APART: i32 = 17;
    names.sort_by_key(|(row, ..)| *row);
    // From the lowest upwards, so that crowded names near 0 extend toward the empty middle.
    let mut below = i32::MAX;
    for (row, name, look) in names.into_iter().rev() {
        let row = row.min(below.saturating_sub(APART));
        canvas.text(&name, (x, row + 5), Type::of(14.0).color(look));
        below = row;
    }
}

/// Side of a square in pixels. With [`IN_ROW`] boards in a row, the boards of a model are as wide as a phone.
const SQUARE: i32 = 13;
const IN_ROW: usize = 3;

/// Distance from one board to the next in its row. [`DOWN`] is the distance to the next row.
const ACROSS: i32 = 8 * SQUARE + 23;
const DOWN: i32 = 8 * SQUARE + 26;

/// Height of the heading of a model.
const HEAD: i32 = 36;

/// A square is hatched if fewer training pairs than this differ on it, because its weight would be mere luck.
pub const RARE: u64 = 200;

/// Number of centipawns at which a square is completely filled with color.
const FULL: f64 = 60.0;

pub fn squares(learned: &Learned, objective: LearningObjective) -> Option<Drawing> {
    let of_objective = learned.models.iter().filter(|model| model.key.objective == objective);
    let models: Vec<(String, LinearWeights, Option<Vec<u64>>)> = of_objective
        .filter_map(|model| {
            let title = format!("{}: wanted squares by {objective}", model.key.target);
            Some((title, LinearWeights::of(&model.raw()).ok()?, counts(learned, model)))
        })
        .collect();
    models.first()?;
    let width = IN_ROW as i32 * ACROSS - 23;
    let height = Feature::BOARDS.div_ceil(IN_ROW) as i32 * DOWN;
    let bottom = models.len() as i32 * (HEAD + height) + 20;
    let mut drawing = Drawing::of((width, bottom), "Where do players want their men?", |canvas| {
        for (row, (title, weights, counts)) in (0..).zip(&models) {
            let top = row * (HEAD + height);
            canvas.text(title, (0, top + 20), Type::of(16.0).bold());
            draw_boards(canvas, top + HEAD, weights, counts.as_deref());
        }
        let words = "Blue: wanted. Gray: avoided. Full square: 60 centipawns.";
        canvas.text(words, (0, bottom - 6), Type::pale(13.0));
    });
    let figure = |(title, weights, counts): &(String, LinearWeights, Option<Vec<u64>>)| {
        let draw = |canvas: &mut Canvas<'_>| draw_boards(canvas, 0, weights, counts.as_deref());
        Chart { title, ..Chart::default() }.figure(&Drawing::of((width, height), title.as_str(), draw))
    };
    drawing.figure = models.iter().map(figure).collect();
    Some(drawing)
}

fn draw_boards(canvas: &mut Canvas<'_>, top: i32, weights: &LinearWeights, counts: Option<&[u64]>) {
    for board in 0..Feature::BOARDS {
        let (left, top) = ((board % IN_ROW) as i32 * ACROSS, top + 20 + (board / IN_ROW) as i32 * DOWN);
        let middle = (left + 4 * SQUARE, top - 6);
        canvas.text(Feature::board_name(board), middle, Type::of(13.0).centered());
        draw_board(canvas, (left, top), board, weights, counts);
    }
}

fn counts(learned: &Learned, model: &Model) -> Option<Vec<u64>> {
    match learned.band_place(model.key.target) {
        Some(place) => learned.counts.get(place).cloned(),
        None => {
            let sum = |feature: usize| learned.counts.iter().map(|counts| counts[feature]).sum();
            Some((0..Feature::COUNT).map(sum).collect())
        }
    }
}

fn draw_board(
    canvas: &mut Canvas<'_>,
    (left, top): Point,
    board: usize,
    weights: &LinearWeights,
    counts: Option<&[u64]>,
) {
    let squares = || Square::ALL.into_iter().filter(|&square| Feature::can_stand(board, square));
    let value = |square| {
        let feature = Feature::on(board, square);
        let is_seen = counts.is_none_or(|counts| counts[feature.index()] >= RARE);
        is_seen.then(|| weights.centipawns(feature))
    };
    let known: Vec<f64> = squares().filter_map(value).collect();
    let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
    let corner = |square: Square| {
        let (file, rank) = (square.file().to_usize() as i32, square.rank().to_usize() as i32);
        (left + file * SQUARE, top + (7 - rank) * SQUARE)
    };
    let frame = (left + 8 * SQUARE, top + 8 * SQUARE);
    canvas.rectangle((left, top), frame, Ink::Grid);
    for square in squares() {
        let (x, y) = corner(square);
        canvas.rectangle((x + 1, y + 1), (x + SQUARE, y + SQUARE), Ink::Paper);
        mark(canvas, (x, y), value(square).map(|value| value - mean));
    }
}

/// Fills a square from its middle, more for values farther from 0. A square without a value is hatched.
fn mark(canvas: &mut Canvas<'_>, (x, y): Point, value: Option<f64>) {
    let Some(value) = value else {
        for step in (6..2 * SQUARE - 4).step_by(9) {
            let (from, to) = (step.min(SQUARE - 2), (step - SQUARE + 2).max(2));
            canvas.line((x + to, y + from), (x + from, y + to), Ink::Zero);
        }
        return;
    };
    let share = (value.abs() / FULL).min(1.0).sqrt();
    let half = (share * f64::from(SQUARE - 2) / 2.0).round() as i32;
    let (center_x, center_y) = (x + SQUARE / 2 + 1, y + SQUARE / 2 + 1);
    let ink = if value > 0.0 { Ink::Gain } else { Ink::Pale };
    if half > 0 {
        canvas.rectangle((center_x - half, center_y - half), (center_x + half, center_y + half), ink);
    }
}
