//! The style of marks in pictures: colors by meaning, and type. The typeface is compiled in, so that a
//! machine without fonts draws the same pictures.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use deunicode::deunicode_char;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use resvg::usvg::fontdb::{Database, Source};
use skrifa::{
    FontRef, MetadataProvider,
    outline::{DrawSettings, pen::SvgPen},
    prelude::{LocationRef, Size},
};

use crate::chess::text::fold_spaces;

/// Margin on each side of a picture, in pixels.
pub const MARGIN: i32 = 40;

/// Number of units in a pixel. plotters counts in whole units, while curves also pass between whole pixels.
pub const UNIT: i32 = 10;

/// Pixels to the right and downwards from the upper left corner.
pub type Point = (i32, i32);

/// The colors of pictures, by meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// Text and axes.
    Ink,
    /// Less important text.
    Pale,
    /// Lines behind the data.
    Grid,
    Paper,
    /// Losses: vermilion of Okabe and Ito's palette, which color-blind readers can distinguish.
    Loss,
    /// Gains: blue of the same palette.
    Gain,
    /// Neither gains nor losses: a gray that suits the colors of losses and gains.
    Zero,
}

impl Ink {
    pub const ALL: [Ink; 7] = [Ink::Ink, Ink::Pale, Ink::Grid, Ink::Paper, Ink::Loss, Ink::Gain, Ink::Zero];

    /// Returns the color's name on a page, and its red, green and blue.
    fn look(self) -> (&'static str, [u8; 3]) {
        match self {
            Ink::Ink => ("ink", [34, 34, 34]),
            Ink::Pale => ("pale", [95, 95, 95]),
            Ink::Grid => ("grid", [224, 224, 224]),
            Ink::Paper => ("paper", [255, 255, 255]),
            Ink::Loss => ("loss", [213, 94, 0]),
            Ink::Gain => ("gain", [0, 114, 178]),
            // At least 3 to 1 against the paper, as WCAG requires of graphics that carry information.
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

    /// Returns the color as `#RRGGBB`, as plotters writes it.
    pub fn hex(self) -> String {
        let RGBColor(red, green, blue) = self.rgb();
        format!("#{red:02X}{green:02X}{blue:02X}")
    }

    /// Returns the style of a line one pixel wide in this color.
    pub fn stroke(self) -> ShapeStyle {
        self.rgb().stroke_width(UNIT.unsigned_abs())
    }
}

#[derive(Clone, Copy)]
pub struct Type {
    /// Height of a line in pixels.
    pub size: f32,
    pub bold: bool,
    pub color: Ink,
    /// The end of a text, or its middle, that is at its point.
    pub anchor: HPos,
}

impl Type {
    /// The em of DejaVu Sans as a share of its line height: 2048 of 1901 + 483 units.
    pub const EM: f32 = 2048.0 / 2384.0;

    /// Returns the em in pixels, rounded to a tenth.
    pub fn em(self) -> f32 {
        (10.0 * Type::EM * self.size).round() / 10.0
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

    /// Returns the style in plotters' form, in units.
    pub fn style(self) -> TextStyle<'static> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        // The backend divides sizes by 1.24, because it takes the size for the height of a line.
        let em = f64::from(self.em() * UNIT as f32).round();
        let size = Some(1.24 * em).filter(|size| size / 1.24 >= em).unwrap_or((1.24 * em).next_up());
        let font = FontDesc::new(FontFamily::SansSerif, size, weight);
        TextStyle {
            color: self.color.rgb().to_backend_color(),
            ..TextStyle::from(font).pos(Pos::new(self.anchor, VPos::Top))
        }
    }

    /// Returns the width of `text` in pixels, as an upper bound. Kerning and joined letters take less.
    pub fn width(self, text: &str) -> i32 {
        let (face, em) = (&FACES[usize::from(self.bold)], self.em());
        let (letters, metrics) = (face.charmap(), face.glyph_metrics(Size::new(em), LocationRef::default()));
        // A letter that the typeface lacks counts as wide as it is high.
        let advance =
            |letter| letters.map(letter).and_then(|glyph| metrics.advance_width(glyph)).unwrap_or(em);
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

/// The typeface's name in SVG.
pub const FAMILY: &str = "DejaVu Sans";

const FILES: [&[u8]; 2] =
    [include_bytes!("../fonts/DejaVuSans.ttf"), include_bytes!("../fonts/DejaVuSans-Bold.ttf")];

static FACES: LazyLock<[FontRef<'static>; 2]> =
    LazyLock::new(|| FILES.map(|bytes| FontRef::new(bytes).expect("a typeface compiled into the binary")));

/// The only typefaces with which pictures are rasterized.
pub static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for bytes in FILES {
        fonts.load_font_source(Source::Binary(Arc::new(bytes)));
    }
    fonts.set_sans_serif_family(FAMILY);
    Arc::new(fonts)
});

/// Returns `text` in letters that the typeface has. Other letters are transliterated to Latin letters.
pub fn legible(text: &str) -> Cow<'_, str> {
    let has = |letter: char| FACES[0].charmap().map(letter).is_some();
    if text.chars().all(has) {
        return Cow::Borrowed(text);
    }
    let said = |letter: char| match has(letter) {
        true => letter.to_string(),
        false => deunicode_char(letter).unwrap_or("?").to_owned(),
    };
    // Transliterated Chinese syllables have a space after them.
    Cow::Owned(fold_spaces(&text.chars().map(said).collect::<String>()).replace(" ,", ","))
}

/// Returns the outline of `letter` in the regular face as an SVG path, and the horizontal middle of the
/// letter. The path's y axis goes upwards from the baseline. A letter without a shape has no outline.
pub fn outline(letter: char, em: f32) -> Option<(String, f32)> {
    let (face, size) = (&FACES[0], Size::new(em));
    let glyph = face.charmap().map(letter)?;
    let mut pen = SvgPen::with_precision(2);
    let settings = DrawSettings::unhinted(size, LocationRef::default());
    face.outline_glyphs().get(glyph)?.draw(settings, &mut pen).ok()?;
    let bounds = face.glyph_metrics(size, LocationRef::default()).bounds(glyph)?;
    Some((pen.to_string(), (bounds.x_min + bounds.x_max) / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_wide_as_its_letters_and_bold_is_wider() {
        let set = Type::of(20.0 / Type::EM);
        let width = |text, bold| Type { bold, ..set }.width(text);
        assert_eq!(width("", false), 0);
        assert!(width("Carlsen", false) < width("Carlsen", true));
        assert!(width("Carlsen", false) > width("Carls", false));
    }

    #[test]
    fn letters_in_which_players_write_their_names_are_no_boxes() {
        // Latin, Vietnamese, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic; pieces, signs of the
        // pictures.
        let letters = "Ćčřşțøß Nguyễn Ωά Їғё Արոն ნონა בוריס محمد ♔♟ −–½±√×…≤→€";
        for face in FACES.iter() {
            let boxes: String =
                letters.chars().filter(|&letter| face.charmap().map(letter).is_none()).collect();
            assert_eq!(boxes, "");
        }
    }

    #[test]
    fn names_in_scripts_that_the_typeface_lacks_are_written_as_they_are_said() {
        let cases = [
            ("丁立人, Liren", "Ding Li Ren, Liren"),
            ("Ćčř Ωά Їғё Արոն ნონა", "Ćčř Ωά Їғё Արոն ნონა"),
            ("유", "yu"),
            ("Nguyễn e\u{301}", "Nguyễn e\u{301}"),
            ("محمد בוריס", "محمد בוריס"),
        ];
        for (name, said) in cases {
            assert_eq!(legible(name), said);
        }
    }
}
