//! The picture of the ranking: each player's number with its 95 % interval, and the player's Elo as a mark.

use super::{
    Caption, canvas::Canvas, canvas::Drawing, canvas::Plane, chart::Axis, chart::ends, chart::range, rows,
    rows::EDGE, rows::SET, rows::SHOWN, rows::Texts, style::Ink, style::Type,
};
use crate::base::text::rounded;
use crate::measure::{BoundSide, QualityBasis, QualityOfPlay, QualityRow};
use crate::numbers::Estimate;
use crate::report::words::quality::title as quality_title;

/// The largest distance to which an interval is drawn beyond all values, as a multiple of the range of the
/// values. A longer interval of a player with few games would leave no room for the others.
const REACH: f64 = 1.5;

/// Returns the number that ranks the player, or its bound; `None` for a rating that is refused for other reasons.
pub fn shown(row: &QualityRow, quality: &QualityOfPlay) -> Option<(Estimate, Option<BoundSide>)> {
    let is_shown = |bound: Option<BoundSide>| {
        bound.is_some() || row.rating.as_ref().is_none_or(|rating| rating.refusal.is_none())
    };
    let (number, bound) = row.ranked_by(&quality.basis).filter(|(_, bound)| is_shown(*bound))?;
    Some((Estimate { interval: number.interval.filter(|_| bound.is_none()), ..number }, bound))
}

pub fn draw(quality: &QualityOfPlay, caption: &Caption) -> Option<Drawing> {
    let rows: Vec<_> = quality.rows.iter().take(SHOWN).map(|row| (row, shown(row, quality))).collect();
    let known: Vec<Estimate> = rows.iter().filter_map(|(_, number)| Some((*number)?.0)).collect();
    known.first()?;
    let elo = |row: &QualityRow| row.elo.filter(|_| quality.is_rated());
    let axis = axis(&known, rows.iter().filter_map(|(row, _)| elo(row)));
    let what = quality_title(quality).split(':').next().unwrap_or_default();
    let title = format!("{what} of each player, with 95 % intervals");
    // Ratings come from the calibrated search, which may differ from the search of the tables.
    let caption = match &quality.basis {
        QualityBasis::Rating { judge, .. } => Caption { engine: judge.clone(), ..caption.clone() },
        QualityBasis::Statistics { .. } => caption.clone(),
    };
    let has_intervals = known.iter().any(|number| number.interval.is_some());
    let heading = format!("{what}{}", if has_intervals { ", 95 % interval" } else { "" });
    let has_bound = rows.iter().any(|(_, number)| number.is_some_and(|(_, bound)| bound.is_some()));
    let note = if has_bound { "An arrow is beyond the scale. " } else { "" };
    let note = format!("{note}{}", caption.field(rows.len(), quality.rows.len()));
    let has_elo = rows.iter().any(|(row, _)| elo(row).is_some());
    let players = rows.iter().map(|(row, _)| row.player.as_str());
    Some(rows::draw(
        players,
        &axis,
        Texts { title, heading, note },
        |canvas| legend(canvas, has_elo),
        |plot, index, place| {
            let (row, number) = &rows[index];
            draw_row(plot.canvas, plot.plane, plot.plane.row(place), *number, elo(row));
        },
    ))
}

fn legend(canvas: &mut Canvas<'_>, has_elo: bool) {
    let set = Type::pale(SET);
    if has_elo {
        canvas.dot((EDGE + 5, 42), 6, Ink::Gain);
        canvas.text("by the moves", (EDGE + 18, 48), set);
        let x = EDGE + 30 + set.width("by the moves");
        canvas.rectangle((x + 4, 34), (x + 7, 52), Ink::Ink);
        canvas.text("Elo", (x + 16, 48), set);
    } else {
        canvas.text("by the moves", (EDGE, 48), set);
    }
}

/// Draws a number as a dot with its interval, and a bound as an arrow to the side of the true value.
fn draw_row(
    canvas: &mut Canvas<'_>,
    plane: Plane,
    row: i32,
    number: Option<(Estimate, Option<BoundSide>)>,
    elo: Option<f64>,
) {
    if let Some((number, None)) = number {
        let [low, high] = ends(&number).map(|end| plane.column(end.clamp(plane.x.0, plane.x.1)));
        canvas.rectangle((low, row - 4), (high + 1, row + 5), Ink::Zero);
    }
    if let Some(elo) = elo {
        let x = plane.column(elo);
        canvas.rectangle((x - 1, row - 11), (x + 2, row + 12), Ink::Ink);
    }
    if let Some((number, bound)) = number {
        let x = plane.column(number.value);
        let arrow = |tip: i32| [(x, row - 8), (x + tip, row), (x, row + 8)];
        match bound {
            None => canvas.dot((x, row), 7, Ink::Gain),
            Some(BoundSide::Above) => canvas.polygon(&arrow(14), Ink::Gain),
            Some(BoundSide::Below) => canvas.polygon(&arrow(-14), Ink::Gain),
        }
    }
}

/// Returns an axis of few lines, so that its numbers do not overlap.
pub fn axis(known: &[Estimate], elo: impl Iterator<Item = f64>) -> Axis {
    let (low, high) = range(known.iter().map(|number| number.value).chain(elo));
    let reach = REACH * (high - low).max(1.0);
    let all = known.iter().flat_map(ends).map(|end| end.clamp(low - reach, high + reach));
    let mut axis = Axis::with_room("", all.chain([low, high]), (4, 0.5), 0.0);
    axis.set = Type::pale(SET);
    let decimals = usize::from(axis.ends.1 - axis.ends.0 < 5.0);
    for (value, text) in &mut axis.lines {
        *text = rounded(*value, decimals).replace('-', "−");
    }
    axis
}
