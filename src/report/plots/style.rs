//! Owns how marks look on a picture: colours by what they stand for, and type.

/// Pixels beside a picture.
pub const MARGIN: i32 = 40;

/// The colours of pictures, by what they stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Text and axes.
    Ink,
    /// Text of second rank.
    Pale,
    /// Lines behind the data.
    Grid,
    /// The paper.
    Paper,
    /// Losses: vermilion of Okabe and Ito's palette, which the colour-blind tell apart.
    Loss,
    /// Gains: their blue.
    Gain,
    /// Neither: the grey that goes with them.
    Zero,
}

impl Ink {
    /// Returns what a page calls it.
    pub fn name(self) -> &'static str {
        match self {
            Ink::Ink => "ink",
            Ink::Pale => "pale",
            Ink::Grid => "grid",
            Ink::Paper => "paper",
            Ink::Loss => "loss",
            Ink::Gain => "gain",
            Ink::Zero => "zero",
        }
    }

    /// Returns its red, green and blue.
    pub fn rgb(self) -> [u8; 3] {
        match self {
            Ink::Ink => [34, 34, 34],
            Ink::Pale => [95, 95, 95],
            Ink::Grid => [224, 224, 224],
            Ink::Paper => [255, 255, 255],
            Ink::Loss => [213, 94, 0],
            Ink::Gain => [0, 114, 178],
            // At least 3 to 1 against the paper, as WCAG wants it of what a picture tells by.
            Ink::Zero => [138, 143, 148],
        }
    }

    /// Returns it as `#rrggbb`.
    pub fn hex(self) -> String {
        let [red, green, blue] = self.rgb();
        format!("#{red:02x}{green:02x}{blue:02x}")
    }
}

/// Which part of a text stands at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Left,
    /// Its middle.
    Centre,
    /// Its right end.
    Right,
}

/// How a text is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Type {
    /// Height of a line in pixels.
    pub size: f32,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub color: Ink,
    /// Which part of it stands at the point given.
    pub anchor: Anchor,
}

impl Type {
    /// Returns regular ink that begins at its point.
    pub fn of(size: f32) -> Type {
        Type { size, bold: false, color: Ink::Ink, anchor: Anchor::Left }
    }

    /// Returns the same in bold.
    pub fn bold(self) -> Type {
        Type { bold: true, ..self }
    }

    /// Returns the same in another colour.
    pub fn color(self, color: Ink) -> Type {
        Type { color, ..self }
    }

    /// Returns the same, ending at its point.
    pub fn right(self) -> Type {
        Type { anchor: Anchor::Right, ..self }
    }

    /// Returns the same, centred on its point.
    pub fn centred(self) -> Type {
        Type { anchor: Anchor::Centre, ..self }
    }
}
