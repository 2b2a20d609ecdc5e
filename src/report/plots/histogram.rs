//! Owns the picture of one player's gains, after Ferreira's Figure 5.

use super::{
    Caption,
    canvas::{Canvas, Drawing, Ink, Plane, Type, fitted, text_width},
    gains::{BAR, Bar, Gains, Scale},
    label, percent,
};

const SIZE: (u32, u32) = (860, 640);

/// Pixel columns of the left and the right edge of the plane.
const COLUMNS: (i32, i32) = (72, 836);

/// Room for a line of text.
const ROOM: i32 = COLUMNS.1 - COLUMNS.0;

/// The pixel column in the middle of the plane.
const MIDDLE: i32 = (COLUMNS.0 + COLUMNS.1) / 2;

/// What histograms of gain answer.
pub const QUESTION: &str = "How often does a move gain or lose, and how much?";

/// The gains of one player on the scale of the field.
pub fn draw(gains: &Gains, scale: Scale, caption: &Caption) -> Drawing {
    let (left, plane) = (COLUMNS.0, plane(COLUMNS, (200, 528), scale));
    Drawing::of(SIZE, format!("Histogram of gain: {}", label(&gains.player)), |canvas| {
        let title = Type::of(30.0).bold();
        let name = fitted(&label(&gains.player), ROOM, title);
        canvas.text(&name, (left, 50), title);
        canvas.text(QUESTION, (left, 82), Type::of(20.0));
        let pale = Type::of(17.0).color(Ink::Pale);
        canvas.text(&fitted(&caption.line(gains.moves), ROOM, pale), (left, 110), pale);
        legend(canvas, (left, 150), 19.0, Some(gains));
        canvas.text("Share of moves", (left, 187), Type::of(16.0).color(Ink::Pale));
        axes(canvas, plane, scale, (16.0, 9));
        bars(canvas, plane, gains, scale);
        middle_label(canvas, plane, gains, scale);
        let axis = "Gain of a move in centipawns: evaluation after it minus before it, as the player sees it";
        canvas.text(axis, (MIDDLE, 586), Type::of(16.0).centred());
        canvas.text(&footnote(gains, scale), (left, 618), Type::of(15.0).color(Ink::Pale));
    })
}

/// The plane of a histogram: half a bar of room at each end.
pub fn plane(columns: (i32, i32), rows: (i32, i32), scale: Scale) -> Plane {
    let end = (scale.range + i64::from(BAR) / 2) as f64;
    Plane { columns, rows, x: (-end, end), y: (0.0, scale.top) }
}

/// What the colours mean, with the shares where they are one player's.
pub fn legend(canvas: &mut Canvas, (x, baseline): (i32, i32), size: f32, gains: Option<&Gains>) {
    let share = |count: fn(&Gains) -> u64| {
        gains.map_or(String::new(), |gains| format!(": {}", percent(gains.share(count(gains)))))
    };
    let entries = [
        (Ink::Loss, format!("loss{}", share(|gains| gains.losses.total()))),
        (Ink::Zero, format!("exactly 0{}", share(|gains| gains.zeros))),
        (Ink::Gain, format!("gain{}", share(|gains| gains.gains.total()))),
    ];
    let (set, box_size) = (Type::of(size), (size * 0.72) as i32);
    let mut x = x;
    for (color, text) in entries {
        canvas.rectangle((x, baseline - box_size), (x + box_size, baseline), color);
        canvas.text(&text, (x + box_size + 8, baseline), set);
        x += box_size + 8 + text_width(&text, set) + 32;
    }
}

/// Grid lines with their shares, and the axis with at most `marks` of its gains.
pub fn axes(canvas: &mut Canvas, plane: Plane, scale: Scale, (size, marks): (f32, i64)) {
    let set = Type::of(size).color(Ink::Pale);
    let lines = (scale.top / scale.tick).round() as i64;
    for line in 0..=lines {
        let share = line as f64 * scale.tick;
        let row = plane.row(share);
        canvas.line(
            (plane.columns.0, row),
            (plane.columns.1, row),
            if line == 0 { Ink::Ink } else { Ink::Grid },
        );
        let text = tick_label(share, scale.tick);
        canvas.text(&text, (plane.columns.0 - 8, row + (size * 0.3) as i32), set.right());
    }
    for gain in scale.marks(marks) {
        let (column, row) = (plane.column(gain as f64), plane.rows.1);
        canvas.line((column, row), (column, row + 5), Ink::Ink);
        canvas.text(&signed(gain), (column, row + 8 + (size * 0.75) as i32), set.centred());
    }
}

/// A share on the axis, with a decimal only where the grid needs one.
fn tick_label(share: f64, tick: f64) -> String {
    let decimals = usize::from(tick < 0.01);
    format!("{:.decimals$} %", 100.0 * share)
}

/// A gain with its sign, the minus as long as the plus.
fn signed(gain: i64) -> String {
    match gain {
        0 => "0".to_owned(),
        1.. => format!("+{gain}"),
        ..0 => format!("−{}", gain.unsigned_abs()),
    }
}

/// All bars within the scale, the one at 0 with its break where it is cut.
pub fn bars(canvas: &mut Canvas, plane: Plane, gains: &Gains, scale: Scale) {
    for (centre, height) in gains.bars() {
        if centre.abs() <= scale.range {
            bar(canvas, plane, gains, centre, height);
        }
    }
    if is_cut(gains, scale) {
        cut_mark(canvas, plane);
    }
}

/// Whether the bar at 0 is higher than the picture.
pub fn is_cut(gains: &Gains, scale: Scale) -> bool {
    gains.share(gains.middle().moves()) > scale.top
}

/// One bar: losses at the bottom, gains on them, zeros on top.
fn bar(canvas: &mut Canvas, plane: Plane, gains: &Gains, centre: i64, bar: Bar) {
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

/// The pixel columns of a bar and of the next: a gap between them where there is room for it.
fn edges(plane: Plane, centre: i64) -> (i32, i32) {
    let half = f64::from(BAR) / 2.0;
    let (left, right) = (plane.column(centre as f64 - half), plane.column(centre as f64 + half));
    let gap = i32::from(right - left >= 4);
    (left, (right - gap).max(left + 1))
}

/// A white slash through the top of the bar at 0: it goes on above.
fn cut_mark(canvas: &mut Canvas, plane: Plane) {
    let (left, right) = edges(plane, 0);
    let (left, right, tilt) = (left - 3, right + 3, 6);
    let row = plane.rows.0 + (plane.rows.1 - plane.rows.0) / 14;
    let slash = [(left, row + tilt), (right, row), (right, row + 5), (left, row + tilt + 5)];
    canvas.polygon(&slash, Ink::Paper);
}

/// The height of the bar at 0 in words, in the room above the other bars.
fn middle_label(canvas: &mut Canvas, plane: Plane, gains: &Gains, scale: Scale) {
    if gains.moves == 0 {
        return canvas.text("no moves", (MIDDLE, 360), Type::of(22.0).color(Ink::Pale).centred());
    }
    let (x, top) = (edges(plane, 0).1 + 14, plane.rows.0);
    let cut = if is_cut(gains, scale) { ", cut off here" } else { "" };
    let whole = format!("bar at 0 (−4 to +4): {}{cut}", percent(gains.share(gains.middle().moves())));
    let zeros = format!("exactly 0: {}", percent(gains.share(gains.zeros)));
    for (text, baseline, set) in [(zeros, top + 22, Type::of(19.0).bold()), (whole, top + 46, Type::of(16.0))]
    {
        let width = text_width(&text, set);
        canvas.rectangle((x - 4, baseline - 18), (x + width + 4, baseline + 5), Ink::Paper);
        canvas.text(&text, (x, baseline), set);
    }
}

/// What the picture leaves out.
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
