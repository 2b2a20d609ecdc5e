//! Owns how marks look on a picture: colours by what they stand for, and type.

use plotters::style::RGBColor;

/// Pixels beside a picture.
pub const MARGIN: i32 = 40;

/// Pixels to the right and downwards from the upper left corner.
pub type Point = (i32, i32);

/// The colours of pictures, by what they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Text and axes.
    Ink,
    /// Text of second rank.
    Pale,
    /// Lines behind the data.
    Grid,
    Paper,
    /// Losses: vermilion of Okabe and Ito's palette, which the colour-blind tell apart.
    Loss,
    /// Gains: their blue.
    Gain,
    /// Neither: the grey that goes with them.
    Zero,
}

impl Ink {
    pub const ALL: [Ink; 7] = [Ink::Ink, Ink::Pale, Ink::Grid, Ink::Paper, Ink::Loss, Ink::Gain, Ink::Zero];

    /// Returns the name that a page has for it, and its red, green and blue.
    fn look(self) -> (&'static str, [u8; 3]) {
        match self {
            Ink::Ink => ("ink", [34, 34, 34]),
            Ink::Pale => ("pale", [95, 95, 95]),
            Ink::Grid => ("grid", [224, 224, 224]),
            Ink::Paper => ("paper", [255, 255, 255]),
            Ink::Loss => ("loss", [213, 94, 0]),
            Ink::Gain => ("gain", [0, 114, 178]),
            // At least 3 to 1 against the paper, as WCAG wants it of what a picture tells by.
            Ink::Zero => ("zero", [138, 143, 148]),
        }
    }

    pub fn name(self) -> &'static str {
        self.look().0
    }

    pub fn rgb(self) -> RGBColor {
        let [red, green, blue] = self.look().1;
        RGBColor(red, green, blue)
    }

    /// Returns it as `#RRGGBB`, as plotters writes it.
    pub fn hex(self) -> String {
        let RGBColor(red, green, blue) = self.rgb();
        format!("#{red:02X}{green:02X}{blue:02X}")
    }
}

/// The part of a text that stands at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Left,
    Centre,
    Right,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Type {
    /// Height of a line in pixels.
    pub size: f32,
    pub bold: bool,
    pub color: Ink,
    pub anchor: Anchor,
}

impl Type {
    /// The em of DejaVu Sans in heights of its line: 2048 of 1901 + 483 units.
    pub const EM: f32 = 2048.0 / 2384.0;

    /// Returns the em in pixels, to a tenth of one.
    pub fn em(self) -> f32 {
        (10.0 * Type::EM * self.size).round() / 10.0
    }

    /// Returns regular ink that begins at its point.
    pub fn of(size: f32) -> Type {
        Type { size, bold: false, color: Ink::Ink, anchor: Anchor::Left }
    }

    pub fn bold(self) -> Type {
        Type { bold: true, ..self }
    }

    pub fn color(self, color: Ink) -> Type {
        Type { color, ..self }
    }

    pub fn right(self) -> Type {
        Type { anchor: Anchor::Right, ..self }
    }

    pub fn centred(self) -> Type {
        Type { anchor: Anchor::Centre, ..self }
    }
}
