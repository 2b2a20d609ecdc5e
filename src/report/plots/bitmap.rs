//! Owns the pixels of a picture: shapes with smooth edges, and what is mixed into a pixel.

use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::style::{Ink, Point};

/// Pixels that shapes are put on, one over the other. What lies outside is lost.
pub struct Bitmap(Pixmap);

impl Bitmap {
    /// Returns that many pixels of one colour; `None` where there are none, or too many.
    pub fn new(width: u32, height: u32, ground: Ink) -> Option<Bitmap> {
        let mut pixels = Pixmap::new(width, height)?;
        let [red, green, blue] = ground.rgb();
        pixels.fill(tiny_skia::Color::from_rgba8(red, green, blue, u8::MAX));
        Some(Bitmap(pixels))
    }

    /// Returns red, green and blue of each pixel, row by row.
    pub fn rgb(&self) -> Vec<u8> {
        self.0.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }

    /// Fills from the upper left pixel to the one beyond the lower right.
    pub fn rectangle(&mut self, (left, top): Point, (right, bottom): Point, ink: Ink) {
        let edges = [left, top, right, bottom].map(|edge| edge as f32);
        let [left, top, right, bottom] = edges;
        if let Some(area) = Rect::from_ltrb(left, top, right, bottom) {
            self.0.fill_rect(area, &paint(ink), Transform::identity(), None);
        }
    }

    /// Draws a line one pixel wide, both ends included.
    pub fn line(&mut self, from: Point, to: Point, ink: Ink) {
        if from.0 == to.0 || from.1 == to.1 {
            let (left, right) = (from.0.min(to.0), from.0.max(to.0));
            let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
            return self.rectangle((left, top), (right + 1, bottom + 1), ink);
        }
        let ends = [from, to].map(|(x, y)| (x as f32, y as f32));
        self.stroke(&ends, LineCap::Square, ink);
    }

    /// Draws straight lines from point to point, one pixel wide.
    pub fn path(&mut self, points: &[(f32, f32)], ink: Ink) {
        self.stroke(points, LineCap::Butt, ink);
    }

    fn stroke(&mut self, points: &[(f32, f32)], line_cap: LineCap, ink: Ink) {
        let stroke = Stroke { width: 1.0, line_cap, line_join: LineJoin::Round, ..Stroke::default() };
        if let Some(path) = through(points, false) {
            self.0.stroke_path(&path, &paint(ink), &stroke, Transform::identity(), None);
        }
    }

    pub fn polygon(&mut self, corners: &[Point], ink: Ink) {
        let corners: Vec<(f32, f32)> = corners.iter().map(|&(x, y)| (x as f32, y as f32)).collect();
        if let Some(path) = through(&corners, true) {
            self.fill(&path, ink);
        }
    }

    /// Fills a circle; its radius is counted from the edge of the pixel in its middle.
    pub fn dot(&mut self, (x, y): Point, radius: i32, ink: Ink) {
        if let Some(path) = PathBuilder::from_circle(x as f32 + HALF, y as f32 + HALF, radius as f32 + HALF) {
            self.fill(&path, ink);
        }
    }

    fn fill(&mut self, path: &Path, ink: Ink) {
        self.0.fill_path(path, &paint(ink), FillRule::Winding, Transform::identity(), None);
    }

    /// Mixes a colour into a pixel of which it covers a part, between 0 and 1.
    pub fn mix(&mut self, (x, y): Point, ink: Ink, cover: f32) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
        if x >= self.0.width() || y >= self.0.height() {
            return;
        }
        let place = 4 * (y as usize * self.0.width() as usize + x as usize);
        for (part, value) in self.0.data_mut()[place..].iter_mut().zip(ink.rgb()) {
            let below = f32::from(*part);
            *part = (below + cover * (f32::from(value) - below)).round() as u8;
        }
    }
}

/// Points are the middles of pixels.
const HALF: f32 = 0.5;

fn through(points: &[(f32, f32)], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (place, &(x, y)) in points.iter().enumerate() {
        match place {
            0 => path.move_to(x + HALF, y + HALF),
            _ => path.line_to(x + HALF, y + HALF),
        }
    }
    if is_closed {
        path.close();
    }
    path.finish()
}

fn paint(ink: Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    let [red, green, blue] = ink.rgb();
    paint.set_color_rgba8(red, green, blue, u8::MAX);
    paint
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How dark the pixels of a picture of 5 by 5 are, from 0 for paper to 9 for ink.
    fn darkness(draw: impl FnOnce(&mut Bitmap)) -> Vec<String> {
        let mut bitmap = Bitmap::new(5, 5, Ink::Paper).expect("25 pixels");
        draw(&mut bitmap);
        let shade = |red: u8| (9.0 * f32::from(255 - red) / f32::from(255 - Ink::Ink.rgb()[0])).round();
        let shades: String = bitmap.rgb().chunks(3).map(|pixel| shade(pixel[0]).to_string()).collect();
        (0..5).map(|row| shades[5 * row..5 * row + 5].to_owned()).collect()
    }

    #[test]
    fn what_lies_on_pixels_is_sharp_and_what_lies_between_them_smooth() {
        let rectangle = darkness(|bitmap| bitmap.rectangle((1, 1), (4, 3), Ink::Ink));
        assert_eq!(rectangle, ["00000", "09990", "09990", "00000", "00000"]);
        let line = darkness(|bitmap| bitmap.line((3, 2), (1, 2), Ink::Ink));
        assert_eq!(line, ["00000", "00000", "09990", "00000", "00000"]);
        let between = darkness(|bitmap| bitmap.path(&[(-1.0, 1.5), (6.0, 1.5)], Ink::Ink));
        assert!(between[1..3].iter().all(|row| ["44444", "55555"].contains(&row.as_str())), "{between:?}");
        assert_eq!([&between[0], &between[3]], ["00000", "00000"]);
    }

    #[test]
    fn what_lies_outside_is_lost() {
        let nothing = darkness(|bitmap| {
            bitmap.rectangle((-9, -9), (-1, 9), Ink::Ink);
            bitmap.dot((20, 20), 3, Ink::Ink);
            bitmap.mix((-1, 2), Ink::Ink, 1.0);
            bitmap.mix((5, 0), Ink::Ink, 1.0);
        });
        assert_eq!(nothing, ["00000"; 5]);
        assert!(Bitmap::new(0, 5, Ink::Paper).is_none());
    }
}
