//! Owns the typeface of the pictures, compiled in: a machine without fonts draws the same.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, Glyph, PxScale, ScaleFont, point};

static REGULAR: LazyLock<FontRef<'static>> =
    LazyLock::new(|| face(include_bytes!("../fonts/DejaVuSans.ttf")));
static BOLD: LazyLock<FontRef<'static>> =
    LazyLock::new(|| face(include_bytes!("../fonts/DejaVuSans-Bold.ttf")));

fn face(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("a typeface compiled into the binary")
}

/// A line of text, its letters in their places.
pub struct Line {
    font: &'static FontRef<'static>,
    glyphs: Vec<Glyph>,
    width: f32,
}

impl Line {
    /// `text` with lines `size` pixels high. A letter that the typeface does not have is a box.
    pub fn of(text: &str, size: f32, bold: bool) -> Line {
        let font: &'static FontRef = if bold { &BOLD } else { &REGULAR };
        let scaled = font.as_scaled(PxScale::from(size));
        let (mut glyphs, mut width, mut previous) = (Vec::new(), 0.0, None);
        for id in text.chars().map(|letter| scaled.glyph_id(letter)) {
            width += previous.map_or(0.0, |previous| scaled.kern(previous, id));
            glyphs.push(id.with_scale_and_position(PxScale::from(size), point(width, 0.0)));
            width += scaled.h_advance(id);
            previous = Some(id);
        }
        Line { font, glyphs, width }
    }

    /// Pixels from its left end to its right one.
    pub fn width(&self) -> i32 {
        self.width.ceil() as i32
    }

    /// Tells `pixel` how much of each pixel is covered, between 0 and 1, counted to the right and
    /// downwards from the left end of the base line.
    pub fn draw(&self, mut pixel: impl FnMut((i32, i32), f32)) {
        for outline in self.glyphs.iter().filter_map(|glyph| self.font.outline_glyph(glyph.clone())) {
            let corner = outline.px_bounds().min;
            let (left, top) = (corner.x as i32, corner.y as i32);
            outline.draw(|x, y, cover| pixel((left + x as i32, top + y as i32), cover.clamp(0.0, 1.0)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_wide_as_its_letters_and_bold_is_wider() {
        let width = |text, bold| Line::of(text, 20.0, bold).width();
        assert_eq!(width("", false), 0);
        assert!(width("Carlsen", false) < width("Carlsen", true));
        assert!(width("Carlsen", false) > width("Carls", false));
    }

    #[test]
    fn letters_of_any_script_have_a_shape() {
        let mut pixels = 0;
        Line::of("李 محمد 🦀 e\u{301}", 20.0, false).draw(|_, cover| pixels += i32::from(cover > 0.5));
        assert!(pixels > 0);
    }
}
