//! The style of marks in pictures: colors by meaning, and type. The typeface is compiled in, so that a
//! machine without fonts draws the same pictures.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::typeface::{Face, SERIF, letter_width};

pub const MARGIN: i32 = 40;

/// Number of units in a pixel. plotters counts in whole units, while curves also pass between whole pixels.
pub const UNIT: i32 = 10;

/// Pixels to the right and downwards from the upper left corner.
pub type Point = (i32, i32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Ink,
    Pale,
    Grid,
    Paper,
    /// Losses and blunders: the red of pages.
    Loss,
    /// Gains and results: the blue of pages.
    Gain,
    /// Intervals, and neither gains nor losses: a pale blue.
    Zero,
}

impl Ink {
    pub const ALL: [Ink; 7] = [Ink::Ink, Ink::Pale, Ink::Grid, Ink::Paper, Ink::Loss, Ink::Gain, Ink::Zero];

    /// Returns the color's name on a page, and its red, green and blue.
    fn look(self) -> (&'static str, [u8; 3]) {
        match self {
            Ink::Ink => ("ink", [22, 25, 29]),
            Ink::Pale => ("pale", [90, 98, 107]),
            Ink::Grid => ("grid", [227, 224, 217]),
            Ink::Paper => ("paper", [253, 252, 249]),
            Ink::Loss => ("loss", [179, 36, 28]),
            Ink::Gain => ("gain", [11, 90, 148]),
            Ink::Zero => ("zero", [156, 185, 207]),
        }
    }

    pub fn name(self) -> &'static str {
        self.look().0
    }

    pub fn rgb(self) -> RGBColor {
        let [red, green, blue] = self.look().1;
        RGBColor(red, green, blue)
    }

    /// Returns the color as `#RRGGBB`, as plotters writes it.
    pub fn hex(self) -> String {
        let RGBColor(red, green, blue) = self.rgb();
        format!("#{red:02X}{green:02X}{blue:02X}")
    }

    pub fn stroke(self) -> ShapeStyle {
        self.rgb().stroke_width(UNIT.unsigned_abs())
    }
}

#[derive(Clone, Copy)]
pub struct Type {
    pub size: f32,
    pub bold: bool,
    pub color: Ink,
    /// The part of the text that is at its point: the start, the middle or the end.
    pub anchor: HPos,
}

impl Type {
    /// Returns the em in pixels, rounded to a tenth.
    pub fn em(self) -> f32 {
        (10.0 * self.size).round() / 10.0
    }

    /// Returns the distance in units from the point at which plotters draws a text down to its baseline.
    pub fn rise(self) -> i32 {
        (0.76 * self.em() * UNIT as f32).round() as i32
    }

    /// Returns regular type in ink, left-aligned at its point.
    pub fn of(size: f32) -> Type {
        Type { size, bold: false, color: Ink::Ink, anchor: HPos::Left }
    }

    pub fn pale(size: f32) -> Type {
        Type::of(size).color(Ink::Pale)
    }

    pub fn bold(self) -> Type {
        Type { bold: true, ..self }
    }

    pub fn color(self, color: Ink) -> Type {
        Type { color, ..self }
    }

    pub fn right(self) -> Type {
        Type { anchor: HPos::Right, ..self }
    }

    pub fn centered(self) -> Type {
        Type { anchor: HPos::Center, ..self }
    }

    pub fn style(self) -> TextStyle<'static> {
        self.style_in(FontFamily::SansSerif)
    }

    /// Returns the style of a headline, in the serif of pages.
    pub fn serif_style(self) -> TextStyle<'static> {
        self.bold().style_in(FontFamily::Name(SERIF))
    }

    fn style_in(self, family: FontFamily<'static>) -> TextStyle<'static> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        // The backend divides sizes by 1.24, because it takes the size for the height of a line.
        let em = f64::from(self.em() * UNIT as f32).round();
        let size = Some(1.24 * em).filter(|size| size / 1.24 >= em).unwrap_or((1.24 * em).next_up());
        let font = FontDesc::new(family, size, weight);
        TextStyle {
            color: self.color.rgb().to_backend_color(),
            ..TextStyle::from(font).pos(Pos::new(self.anchor, VPos::Top))
        }
    }

    /// Returns the width of `text` in pixels, as an upper bound. Kerning and joined letters take less.
    pub fn width(self, text: &str) -> i32 {
        self.width_in(text, if self.bold { Face::Bold } else { Face::Regular })
    }

    pub fn width_in(self, text: &str, face: Face) -> i32 {
        // Typefaces scale by whole 64ths of a pixel. A letter that the typeface lacks counts as one em wide.
        let (em, scale) = (self.em(), (64.0 * self.em()).trunc() / 64.0);
        let advance = |letter| letter_width(letter, face).map_or(em, |width| scale * width);
        text.chars().map(advance).sum::<f32>().ceil() as i32
    }

    /// Returns `text` within `room` pixels, cut with `…` if it is longer.
    pub fn fitted(self, text: &str, room: i32) -> String {
        if self.width(text) <= room {
            return text.to_owned();
        }
        let mut cuts = text.char_indices().rev().map(|(end, _)| format!("{}…", text[..end].trim_end()));
        cuts.find(|shorter| self.width(shorter) <= room).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_wide_as_its_letters_and_bold_is_wider() {
        let set = Type::of(20.0);
        let width = |text, bold| Type { bold, ..set }.width(text);
        assert_eq!(width("", false), 0);
        assert!(width("Carlsen", false) < width("Carlsen", true));
        assert!(width("Carlsen", false) > width("Carls", false));
    }
}
