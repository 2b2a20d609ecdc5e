//! Pictures as PNG files: SVG, rasterized with the typefaces that are compiled in.

use std::{borrow::Cow, sync::Arc, sync::LazyLock};

use deunicode::deunicode_char;
use resvg::usvg::fontdb::{Database, Source};
use resvg::{tiny_skia, usvg};
use thiserror::Error;

use super::{
    canvas::Drawing, style::MARGIN, style::Type, typeface::FAMILY, typeface::Face, typeface::letter_width,
};
use crate::base::text::fold_spaces;
use crate::files::PictureFormat;

#[derive(Debug, Error)]
pub enum PlotError {
    /// A picture without pixels, or one too large for the memory.
    #[error("cannot draw a plot of {width} by {height} pixels")]
    Size { width: u32, height: u32 },
    #[error("cannot draw a plot")]
    Shapes(#[from] usvg::Error),
    #[error("cannot encode the plot")]
    Encode(#[from] png::EncodingError),
}

impl PictureFormat {
    /// Returns the content of a picture's file. A PNG is `scale` times as large as the picture.
    pub fn encode(self, drawing: &Drawing, scale: u8) -> Result<Vec<u8>, PlotError> {
        match self {
            PictureFormat::Png => drawing.png(scale),
            PictureFormat::Svg => Ok(with_typefaces(&drawing.svg()).into_bytes()),
        }
    }
}

/// Adds the typefaces of an SVG's texts to it, so that its texts are as wide as they were drawn.
fn with_typefaces(svg: &str) -> String {
    let faces = [
        (">", "Sans", "normal", include_str!("../fonts/sans.txt")),
        (" font-weight=\"bold\"", "Sans", "bold", include_str!("../fonts/sans-bold.txt")),
        ("Gainalyze Serif", "Serif", "bold", include_str!("../fonts/serif.txt")),
    ];
    let used = faces.into_iter().filter(|(sign, ..)| svg.contains(sign));
    let rules = used.map(|(_, name, weight, data)| {
        let source = format!("url(data:font/woff2;base64,{data})");
        format!("@font-face{{font-family:\"Gainalyze {name}\";font-weight:{weight};src:{source}}}")
    });
    svg.replacen("</title>", &format!("</title>\n<style>{}</style>", rules.collect::<String>()), 1)
}

impl Drawing {
    /// Returns a PNG. Names that the typefaces lack are transliterated, and a line below says so.
    pub fn png(&self, scale: u8) -> Result<Vec<u8>, PlotError> {
        let said = self.said();
        let Drawing { width, height, .. } = said.as_ref().unwrap_or(self);
        let [width, height] = [width, height].map(|pixels| pixels.unsigned_abs() * u32::from(scale));
        let options = usvg::Options { fontdb: FONTS.clone(), ..usvg::Options::default() };
        let tree = usvg::Tree::from_str(&said.as_ref().unwrap_or(self).svg(), &options)?;
        let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or(PlotError::Size { width, height })?;
        let scale = f32::from(scale);
        resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
        let rgb: Vec<u8> =
            pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        encode(&rgb, width, height)
    }

    /// Returns the picture with transliterated names; `None` if the typefaces have all letters.
    fn said(&self) -> Option<Drawing> {
        let shapes: Vec<Cow<'_, str>> = self.shapes.lines().map(legible).collect();
        if shapes.iter().all(|line| matches!(line, Cow::Borrowed(_))) {
            return None;
        }
        let height = self.height + NOTE;
        let note = Drawing::of((self.width, height), "", |canvas| {
            canvas.text(SAID, (MARGIN, height - MARGIN / 4), Type::pale(13.0));
        });
        Some(Drawing { height, shapes: shapes.join("\n") + "\n" + &note.shapes, ..self.clone() })
    }
}

/// The line below a picture with transliterated names. The picture is [`NOTE`] pixels higher for it.
const SAID: &str =
    "Names in other scripts are transliterated here; the page and the SVG files have the original names.";
const NOTE: i32 = 24;

/// Encodes a PNG without a filter. These pictures are flat, so unfiltered rows compress best: to less than
/// half of the size that the fast compression gives.
fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, PlotError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

const FILES: [&[u8]; 5] = [
    include_bytes!("../fonts/serif.ttf"),
    include_bytes!("../fonts/sans.ttf"),
    include_bytes!("../fonts/sans-bold.ttf"),
    include_bytes!("../fonts/DejaVuSans.ttf"),
    include_bytes!("../fonts/DejaVuSans-Bold.ttf"),
];

/// The only typefaces with which pictures are rasterized.
pub static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for bytes in FILES {
        fonts.load_font_source(Source::Binary(Arc::new(bytes)));
    }
    fonts.set_sans_serif_family(FAMILY);
    Arc::new(fonts)
});

/// Returns `text` in letters that the typefaces have. Other letters are transliterated to Latin letters.
fn legible(text: &str) -> Cow<'_, str> {
    let has = |letter: char| letter_width(letter, Face::Regular).is_some();
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

#[cfg(test)]
mod tests {
    use super::*;

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
