//! Owns the typeface of the pictures, compiled in: a machine without fonts draws the same.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use deunicode::deunicode_char;
use resvg::usvg::fontdb::{Database, Source};
use skrifa::{
    FontRef, MetadataProvider,
    outline::{DrawSettings, pen::SvgPen},
    prelude::{LocationRef, Size},
};

use crate::chess::text::fold_spaces;

/// Its name, as SVG asks for it.
pub const FAMILY: &str = "DejaVu Sans";

const FILES: [&[u8]; 2] =
    [include_bytes!("../fonts/DejaVuSans.ttf"), include_bytes!("../fonts/DejaVuSans-Bold.ttf")];

static FACES: LazyLock<[FontRef<'static>; 2]> =
    LazyLock::new(|| FILES.map(|bytes| FontRef::new(bytes).expect("a typeface compiled into the binary")));

/// The typefaces that pictures are rasterised with, and no others.
pub static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for bytes in FILES {
        fonts.load_font_source(Source::Binary(Arc::new(bytes)));
    }
    fonts.set_sans_serif_family(FAMILY);
    Arc::new(fonts)
});

/// Returns `text` in letters that the typeface has, those that it lacks as they are said in Latin ones.
pub fn legible(text: &str) -> Cow<'_, str> {
    let has = |letter: char| FACES[0].charmap().map(letter).is_some();
    if text.chars().all(has) {
        return Cow::Borrowed(text);
    }
    let said = |letter: char| match has(letter) {
        true => letter.to_string(),
        false => deunicode_char(letter).unwrap_or("?").to_owned(),
    };
    // Syllables of Chinese have a space behind them.
    Cow::Owned(fold_spaces(&text.chars().map(said).collect::<String>()).replace(" ,", ","))
}

/// Returns the pixels that `text` takes at most, its em being so long. Kerning and joined letters take less.
pub fn width(text: &str, em: f32, bold: bool) -> i32 {
    let face = &FACES[usize::from(bold)];
    let (letters, metrics) = (face.charmap(), face.glyph_metrics(Size::new(em), LocationRef::default()));
    // A letter that the typeface lacks is as wide as high in the reader's.
    let advance = |letter| letters.map(letter).map_or(em, |glyph| metrics.advance_width(glyph).unwrap_or(em));
    text.chars().map(advance).sum::<f32>().ceil() as i32
}

/// Returns the outline of `letter` in the regular face as a path of SVG whose y goes upwards from the base line, with the middle of
/// its columns; nothing for a letter without a shape.
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
        let width = |text, bold| width(text, 20.0, bold);
        assert_eq!(width("", false), 0);
        assert!(width("Carlsen", false) < width("Carlsen", true));
        assert!(width("Carlsen", false) > width("Carls", false));
    }

    #[test]
    fn letters_in_which_players_write_their_names_are_no_boxes() {
        // Latin, Vietnamese, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic; pieces, signs of the pictures.
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
