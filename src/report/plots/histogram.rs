//! The pictures of gains, after Ferreira's Figure 5, on one scale for all players.

use super::{
    Caption, canvas::Canvas, canvas::Drawing, canvas::Plane, chart::Axis, chart::Plot, chart::heading,
    gains::BAR, gains::Gains, gains::Scale, label, style::Ink, style::MARGIN, style::Point, style::Type,
};
use crate::base::text::{counted, rounded};

const QUESTION: &str = "How often does a move gain or lose, and how much?";

/// Returns the axis of gains with at most `most` marks, and half a bar of room at each end.
fn gain_axis(scale: Scale, most: i64) -> Axis {
    let end = (scale.range + i64::from(BAR) / 2) as f64;
    let marks = scale.marks(most).map(|gain| (gain as f64, signed(gain)));
    Axis { is_grid: false, ..Axis::of_lines("", (-end, end), marks.collect()) }
}

/// Returns the axis of shares, with a decimal only if the grid needs it.
fn share_axis(scale: Scale) -> Axis {
    let (lines, decimals) = ((scale.top / scale.tick).round() as u32, usize::from(scale.tick < 0.01));
    let shares = (0..=lines).map(|line| f64::from(line) * scale.tick);
    let lines = shares.map(|share| (share, format!("{} %", rounded(100.0 * share, decimals))));
    Axis::of_lines("", (0.0, scale.top), lines.collect())
}

/// Returns a gain with its sign. The minus sign is as wide as the plus sign.
pub fn signed(gain: i64) -> String {
    match gain {
        0 => "0".to_owned(),
        1.. => format!("+{gain}"),
        ..0 => format!("−{}", gain.unsigned_abs()),
    }
}

/// Draws all bars within the scale: losses at the bottom, gains above them, zeros on top. A white slash
/// through the bar at 0 means that it continues above.
fn bars(canvas: &mut Canvas<'_>, plane: Plane, gains: &Gains, scale: Scale) {
    for (&center, bar) in gains.bars.iter().filter(|(center, _)| center.abs() <= scale.range) {
        let (left, right) = edges(plane, center);
        let mut below = 0;
        for (color, count) in [(Ink::Loss, bar.losses), (Ink::Gain, bar.gains), (Ink::Zero, bar.zeros)] {
            let (low, high) = (plane.row(gains.share(below)), plane.row(gains.share(below + count)));
            if count > 0 {
                // A bar too low for a pixel still gets one pixel, because even a single blunder is of
                // interest.
                canvas.rectangle((left, high.min(low - 1)), (right, low), color);
            }
            below += count;
        }
    }
    if is_cut(gains, scale) {
        let (left, right) = edges(plane, 0);
        let (left, right, tilt) = (left - 3, right + 3, 6);
        let row = plane.rows.0 + (plane.rows.1 - plane.rows.0) / 14;
        let slash = [(left, row + tilt), (right, row), (right, row + 5), (left, row + tilt + 5)];
        canvas.polygon(&slash, Ink::Paper);
    }
}

fn is_cut(gains: &Gains, scale: Scale) -> bool {
    gains.share(gains.middle().moves()) > scale.top
}

/// Returns the first pixel column of a bar and the first column after the bar. If there is room, the bar ends
/// one column earlier, which leaves a gap.
fn edges(plane: Plane, center: i64) -> (i32, i32) {
    let half = f64::from(BAR) / 2.0;
    let (left, right) = (plane.column(center as f64 - half), plane.column(center as f64 + half));
    let gap = i32::from(right - left >= 4);
    (left, (right - gap).max(left + 1))
}

/// Draws a histogram for a column of 280 pixels; the page writes its title.
pub fn draw_small(gains: &Gains, scale: Scale) -> Drawing {
    let small = |axis: Axis| Axis { set: Type::pale(12.5), ..axis };
    let (gain, share) = (small(gain_axis(scale, 6)), small(share_axis(scale)));
    let plane = Plane { columns: (40, 264), rows: (10, 130), x: gain.ends, y: share.ends };
    Drawing::of((280, 154), format!("Gains of {}, share of moves", label(&gains.player)), |canvas| {
        bars(Plot::on(canvas, plane, [&gain, &share]).canvas, plane, gains, scale);
    })
}

const PANELS: usize = 24;

const HEADER: i32 = 140;
const FOOTER: i32 = 56;

/// Draws a player, or players in up to four columns with as few empty places as possible.
pub fn draw_field(players: &[Gains], scale: Scale, caption: &Caption) -> Drawing {
    let shown = &players[..players.len().min(PANELS)];
    let count = shown.len().max(1);
    let rows = count.div_ceil(4);
    let columns = count.div_ceil(rows);
    let (width, height) = [(860, 500), (580, 400), (460, 330), (400, 300)][columns - 1];
    let size = (2 * MARGIN + columns as i32 * width, HEADER + FOOTER + rows as i32 * height);
    let title = match players {
        [one] => format!("Histogram of the gains of {}", label(&one.player)),
        _ => "Histograms of gain, player by player".to_owned(),
    };
    Drawing::of(size, title, |canvas| {
        let texts = [
            QUESTION,
            "Gain of each move, from the mover's view",
            &caption.field(shown.len(), players.len()),
        ];
        heading(canvas, size.0, texts);
        colors(canvas, (MARGIN, 128));
        for (index, gains) in shown.iter().enumerate() {
            let (row, column) = ((index / columns) as i32, (index % columns) as i32);
            let corner = (MARGIN + column * width, HEADER + row * height);
            panel(canvas, corner, (width, height), gains, scale);
        }
        canvas.text(&field_footnote(shown, scale), (MARGIN, size.1 - 22), Type::pale(15.0));
    })
}

fn colors(canvas: &mut Canvas<'_>, (mut x, baseline): Point) {
    let set = Type::of(17.0);
    for (color, text) in [(Ink::Loss, "loss"), (Ink::Zero, "exactly 0"), (Ink::Gain, "gain")] {
        canvas.rectangle((x, baseline - 12), (x + 12, baseline), color);
        canvas.text(text, (x + 20, baseline), set);
        x += 20 + set.width(text) + 32;
    }
}

/// Returns a note on the axes of the panels and on the data that they do not show.
fn field_footnote(shown: &[Gains], scale: Scale) -> String {
    let outside = shown.iter().map(|gains| gains.outside(scale.range)).map(|(left, right)| left + right);
    let (outside, range) = (outside.sum::<u64>(), scale.range);
    let is_any_cut = shown.iter().any(|gains| is_cut(gains, scale));
    let cut = if is_any_cut { " A bar at 0 with a slash is cut off." } else { "" };
    format!(
        "Gain in centipawns (bars of {BAR}), share of moves.{cut} Outside of ±{range}: {}.",
        counted(outside, "move")
    )
}

fn panel(canvas: &mut Canvas<'_>, (x, y): Point, (width, height): Point, gains: &Gains, scale: Scale) {
    let small = |axis: Axis| Axis { set: Type::pale(13.0), ..axis };
    let (gain, share) = (small(gain_axis(scale, 7)), small(share_axis(scale)));
    let (columns, rows) = ((x + 52, x + width - 18), (y + 60, y + height - 40));
    let plane = Plane { columns, rows, x: gain.ends, y: share.ends };
    let title = Type::of(18.0).bold();
    let name = title.fitted(&label(&gains.player), width - 70);
    canvas.text(&name, (x + 52, y + 24), title);
    shares(canvas, (x + 52, y + 47), gains);
    bars(Plot::on(canvas, plane, [&gain, &share]).canvas, plane, gains, scale);
}

/// Draws the number of moves, and the shares of losses, zeros and gains in their colors.
fn shares(canvas: &mut Canvas<'_>, (x, baseline): Point, gains: &Gains) {
    let set = Type::of(14.0);
    if gains.all.moves() == 0 {
        return canvas.text("no moves", (x, baseline), set.color(Ink::Pale));
    }
    let texts = [
        (Ink::Pale, counted(gains.all.moves(), "move")),
        (Ink::Loss, format!("loss: {}", gains.percent(gains.all.losses))),
        (Ink::Pale, format!("0: {}", gains.percent(gains.all.zeros))),
        (Ink::Gain, format!("gain: {}", gains.percent(gains.all.gains))),
    ];
    let mut x = x;
    for (color, text) in texts {
        let set = set.color(color);
        canvas.text(&text, (x, baseline), set);
        x += set.width(&text) + 12;
    }
}
