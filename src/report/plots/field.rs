//! Owns the picture of all players' gains side by side on one scale.

use super::{
    Caption, canvas::Canvas, canvas::Drawing, canvas::Plane, canvas::fitted, canvas::text_width, chart::Axis,
    chart::Plot, chart::heading, gains::Gains, gains::Scale, histogram::QUESTION, histogram::bars,
    histogram::gain_axis, histogram::is_cut, histogram::legend, histogram::share_axis, label, percent,
    style::Ink, style::MARGIN, style::Type,
};
use crate::chess::text::counted;

/// Panels that stay legible in one picture.
const PANELS: usize = 24;

const HEADER: i32 = 140;
const FOOTER: i32 = 56;

/// Draws one panel a player, the first 24 of them.
pub fn draw(players: &[Gains], scale: Scale, caption: &Caption) -> Drawing {
    let shown = &players[..players.len().min(PANELS)];
    let grid = Grid::of(shown.len().max(1));
    let (width, height) = grid.size();
    Drawing::of(
        (width.unsigned_abs(), height.unsigned_abs()),
        "Histograms of gain, player by player",
        |canvas| {
            let texts =
                [QUESTION, "Gain of each move, player by player", &caption.field(shown.len(), players.len())];
            heading(canvas, width, texts);
            colours(canvas, (MARGIN, 128));
            for (index, gains) in shown.iter().enumerate() {
                panel(canvas, grid.corner(index), grid.panel, gains, scale);
            }
            canvas.text(&footnote(shown, scale), (MARGIN, height - 22), Type::of(15.0).color(Ink::Pale));
        },
    )
}

/// Draws what the colours mean, from left to right.
fn colours(canvas: &mut Canvas<'_>, (mut x, baseline): (i32, i32)) {
    let set = Type::of(17.0);
    for (color, text) in legend(None) {
        canvas.rectangle((x, baseline - 12), (x + 12, baseline), color);
        canvas.text(&text, (x + 20, baseline), set);
        x += 20 + text_width(&text, set) + 32;
    }
}

/// Says how to read the panels, and what they leave out.
fn footnote(shown: &[Gains], scale: Scale) -> String {
    let outside = shown.iter().map(|gains| gains.outside(scale)).map(|(left, right)| left + right);
    let (outside, range) = (outside.sum::<u64>(), scale.range);
    let cut = if shown.iter().any(|gains| is_cut(gains, scale)) {
        " A bar at 0 with a slash is cut off."
    } else {
        ""
    };
    format!("Gain in centipawns, share of moves.{cut} Outside of ±{range}: {}.", counted(outside, "move"))
}

#[derive(Debug, Clone, Copy)]
struct Grid {
    columns: usize,
    rows: usize,
    /// Width and height of a panel in pixels.
    panel: (i32, i32),
}

impl Grid {
    /// Returns the grid for `panels`, rather wide than high, with as few blanks as may be.
    fn of(panels: usize) -> Grid {
        let narrowest = panels.isqrt();
        let widest = (3 * panels).div_ceil(2).isqrt() + 1;
        let blanks = |columns: usize| columns * panels.div_ceil(columns) - panels;
        let columns = (narrowest..=widest.min(panels)).rev().min_by_key(|&columns| blanks(columns));
        let columns = columns.unwrap_or(1);
        let panel = match columns {
            1 => (860, 500),
            2 => (580, 400),
            3 => (460, 330),
            _ => (400, 300),
        };
        Grid { columns, rows: panels.div_ceil(columns), panel }
    }

    fn size(self) -> (i32, i32) {
        let width = 2 * MARGIN + self.columns as i32 * self.panel.0;
        let height = HEADER + FOOTER + self.rows as i32 * self.panel.1;
        (width, height)
    }

    fn corner(self, index: usize) -> (i32, i32) {
        let (row, column) = ((index / self.columns) as i32, (index % self.columns) as i32);
        (MARGIN + column * self.panel.0, HEADER + row * self.panel.1)
    }
}

fn panel(
    canvas: &mut Canvas<'_>,
    (x, y): (i32, i32),
    (width, height): (i32, i32),
    gains: &Gains,
    scale: Scale,
) {
    let small = |axis: Axis| Axis { set: Type::of(13.0).color(Ink::Pale), ..axis };
    let axis = [small(gain_axis(scale, 7)), small(share_axis(scale))];
    let [gain, share] = axis.each_ref();
    let (columns, rows) = ((x + 52, x + width - 18), (y + 60, y + height - 40));
    let plane = Plane { columns, rows, x: gain.ends, y: share.ends };
    let title = Type::of(18.0).bold();
    let name = fitted(&label(&gains.player), width - 70, title);
    canvas.text(&name, (x + 52, y + 24), title);
    shares(canvas, (x + 52, y + 47), gains);
    bars(Plot::on(canvas, plane, [gain, share]).canvas, plane, gains, scale);
}

/// Draws moves, and the shares of losses, zeros and gains in their colours.
fn shares(canvas: &mut Canvas<'_>, (x, baseline): (i32, i32), gains: &Gains) {
    let set = Type::of(14.0);
    if gains.all.moves() == 0 {
        return canvas.text("no moves", (x, baseline), set.color(Ink::Pale));
    }
    let texts = [
        (Ink::Pale, counted(gains.all.moves(), "move")),
        (Ink::Loss, format!("loss: {}", percent(gains.share(gains.all.losses)))),
        (Ink::Pale, format!("0: {}", percent(gains.share(gains.all.zeros)))),
        (Ink::Gain, format!("gain: {}", percent(gains.share(gains.all.gains)))),
    ];
    let mut x = x;
    for (color, text) in texts {
        let set = set.color(color);
        canvas.text(&text, (x, baseline), set);
        x += text_width(&text, set) + 12;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_fill_a_grid_that_is_rather_wide_than_high() {
        let grid = |panels| {
            let Grid { columns, rows, .. } = Grid::of(panels);
            (columns, rows)
        };
        assert_eq!([1, 2, 3, 4, 8].map(grid), [(1, 1), (2, 1), (3, 1), (2, 2), (4, 2)]);
        assert_eq!([9, 12, 24].map(grid), [(3, 3), (4, 3), (6, 4)]);
    }

    #[test]
    fn no_field_makes_an_absurd_picture() {
        for panels in 1..=PANELS {
            let (width, height) = Grid::of(panels).size();
            assert!(width <= 2800 && height <= 2400, "{panels}: {width} × {height}");
        }
    }
}
