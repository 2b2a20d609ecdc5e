//! Owns the picture of one player's gains, after Ferreira's Figure 5.

use super::{
    Caption, canvas::Canvas, canvas::Drawing, canvas::Plane, canvas::text_width, chart::Axis, chart::Chart,
    chart::ChartSize, chart::borrowed, gains::BAR, gains::Bar, gains::Gains, gains::Scale, label, percent,
    style::Ink, style::Type,
};
use crate::chess::text::rounded;

const SIZE: ChartSize = ChartSize { width: 860, panel: 340, left: 44, right: 0, below: 0 };

pub const QUESTION: &str = "How often does a move gain or lose, and how much?";

/// Draws the gains of one player on the scale of the field.
pub fn draw(gains: &Gains, scale: Scale, caption: &Caption) -> Drawing {
    let x = Axis {
        label: "Gain of a move in centipawns: evaluation after it minus before it, as the player sees it",
        ..gain_axis(scale, 9)
    };
    let legend = legend(Some(gains));
    let chart = Chart {
        title: &label(&gains.player),
        subtitle: QUESTION,
        caption: &caption.line(gains.all.moves()),
        x,
        y: Axis { label: "Share of moves", ..share_axis(scale) },
        legend: &borrowed(&legend),
        notes: &[&footnote(gains, scale)],
    };
    chart.drawn_in(SIZE, |plot| {
        bars(plot.canvas, plot.plane, gains, scale);
        middle_label(plot.canvas, plot.plane, gains, scale);
    })
}

/// Returns what the colours mean, with the shares where they are one player's.
pub fn legend(gains: Option<&Gains>) -> Vec<(Ink, String)> {
    let share = |count: fn(&Gains) -> u64| {
        gains.map_or(String::new(), |gains| format!(": {}", percent(gains.share(count(gains)))))
    };
    vec![
        (Ink::Loss, format!("loss{}", share(|gains| gains.all.losses))),
        (Ink::Zero, format!("exactly 0{}", share(|gains| gains.all.zeros))),
        (Ink::Gain, format!("gain{}", share(|gains| gains.all.gains))),
    ]
}

/// Returns the axis of gains with at most `most` marks, and half a bar of room at each end.
pub fn gain_axis(scale: Scale, most: i64) -> Axis {
    let end = (scale.range + i64::from(BAR) / 2) as f64;
    let marks = scale.marks(most).map(|gain| (gain as f64, signed(gain)));
    Axis { is_grid: false, ..Axis::of_lines("", (-end, end), marks.collect()) }
}

/// Returns the axis of shares, with a decimal only where the grid needs one.
pub fn share_axis(scale: Scale) -> Axis {
    let (lines, decimals) = ((scale.top / scale.tick).round() as u32, usize::from(scale.tick < 0.01));
    let shares = (0..=lines).map(|line| f64::from(line) * scale.tick);
    let lines = shares.map(|share| (share, format!("{} %", rounded(100.0 * share, decimals))));
    Axis::of_lines("", (0.0, scale.top), lines.collect())
}

/// Returns a gain with its sign, the minus as long as the plus.
pub fn signed(gain: i64) -> String {
    match gain {
        0 => "0".to_owned(),
        1.. => format!("+{gain}"),
        ..0 => format!("−{}", gain.unsigned_abs()),
    }
}

/// Draws all bars within the scale, the one at 0 with its break where it is cut.
pub fn bars(canvas: &mut Canvas<'_>, plane: Plane, gains: &Gains, scale: Scale) {
    for (&centre, &height) in &gains.bars {
        if centre.abs() <= scale.range {
            bar(canvas, plane, gains, centre, height);
        }
    }
    if is_cut(gains, scale) {
        cut_mark(canvas, plane);
    }
}

/// Returns whether the bar at 0 is higher than the picture.
pub fn is_cut(gains: &Gains, scale: Scale) -> bool {
    gains.share(gains.middle().moves()) > scale.top
}

/// Draws one bar: losses at the bottom, gains on them, zeros on top.
fn bar(canvas: &mut Canvas<'_>, plane: Plane, gains: &Gains, centre: i64, bar: Bar) {
    let (left, right) = edges(plane, centre);
    let mut below = 0;
    for (color, count) in [(Ink::Loss, bar.losses), (Ink::Gain, bar.gains), (Ink::Zero, bar.zeros)] {
        let (low, high) = (plane.row(gains.share(below)), plane.row(gains.share(below + count)));
        if count > 0 {
            // A bar too low for a pixel gets one: a single blunder is worth seeing.
            canvas.rectangle((left, high.min(low - 1)), (right, low), color);
        }
        below += count;
    }
}

/// Returns the pixel columns of a bar and of the next: a gap between them where there is room for it.
fn edges(plane: Plane, centre: i64) -> (i32, i32) {
    let half = f64::from(BAR) / 2.0;
    let (left, right) = (plane.column(centre as f64 - half), plane.column(centre as f64 + half));
    let gap = i32::from(right - left >= 4);
    (left, (right - gap).max(left + 1))
}

/// Draws a white slash through the top of the bar at 0: it goes on above.
fn cut_mark(canvas: &mut Canvas<'_>, plane: Plane) {
    let (left, right) = edges(plane, 0);
    let (left, right, tilt) = (left - 3, right + 3, 6);
    let row = plane.rows.0 + (plane.rows.1 - plane.rows.0) / 14;
    let slash = [(left, row + tilt), (right, row), (right, row + 5), (left, row + tilt + 5)];
    canvas.polygon(&slash, Ink::Paper);
}

/// Draws the height of the bar at 0 in words, in the room above the other bars.
fn middle_label(canvas: &mut Canvas<'_>, plane: Plane, gains: &Gains, scale: Scale) {
    if gains.all.moves() == 0 {
        let middle = (plane.column(0.0), (plane.rows.0 + plane.rows.1) / 2);
        return canvas.text("no moves", middle, Type::of(22.0).color(Ink::Pale).centred());
    }
    let (x, top) = (edges(plane, 0).1 + 14, plane.rows.0);
    let cut = if is_cut(gains, scale) { ", cut off here" } else { "" };
    let whole = format!("bar at 0 (−4 to +4): {}{cut}", percent(gains.share(gains.middle().moves())));
    let zeros = format!("exactly 0: {}", percent(gains.share(gains.all.zeros)));
    for (text, baseline, set) in [(zeros, top + 22, Type::of(19.0).bold()), (whole, top + 46, Type::of(16.0))]
    {
        let width = text_width(&text, set);
        canvas.rectangle((x - 4, baseline - 18), (x + width + 4, baseline + 5), Ink::Paper);
        canvas.text(&text, (x, baseline), set);
    }
}

/// Says what the picture leaves out.
fn footnote(gains: &Gains, scale: Scale) -> String {
    let (left, right) = gains.outside(scale);
    let range = scale.range;
    if left + right == 0 {
        return format!("Each bar is {BAR} centipawns wide. No move lies outside of ±{range}.");
    }
    let share = percent(gains.share(left + right));
    format!(
        "Each bar is {BAR} centipawns wide. Not shown: {share} of the moves, {left} below −{range} and \
         {right} above +{range}."
    )
}
