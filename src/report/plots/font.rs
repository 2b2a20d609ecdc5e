//! Owns the typeface of the pictures, compiled in: a machine without fonts draws the same.

use std::{borrow::Cow, sync::LazyLock};

use ab_glyph::{Font, FontRef, Glyph, OutlineCurve, Point, PxScale, ScaleFont, point};
use deunicode::deunicode_char;

use crate::chess::text::fold_spaces;

static REGULAR: LazyLock<FontRef<'static>> =
    LazyLock::new(|| face(include_bytes!("../fonts/DejaVuSans.ttf")));
static BOLD: LazyLock<FontRef<'static>> =
    LazyLock::new(|| face(include_bytes!("../fonts/DejaVuSans-Bold.ttf")));

fn face(bytes: &'static [u8]) -> FontRef<'static> {
    FontRef::try_from_slice(bytes).expect("a typeface compiled into the binary")
}

/// Returns `text` in letters that can be set here, one after the other from left to right: those that the typeface lacks, and
/// those of scripts that are written from right to left, as they are said in Latin ones.
pub fn legible(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_set) {
        return Cow::Borrowed(text);
    }
    let said = |letter: char| match is_set(letter) {
        true => letter.to_string(),
        false => deunicode_char(letter).unwrap_or("?").to_owned(),
    };
    // Syllables of Chinese have a space behind them.
    Cow::Owned(fold_spaces(&text.chars().map(said).collect::<String>()).replace(" ,", ","))
}

/// Tells whether the typeface has the letter, and sets it as its script has it.
fn is_set(letter: char) -> bool {
    // Hebrew, Arabic and their sisters, and the forms of their letters.
    let is_from_the_right =
        matches!(letter, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}');
    !is_from_the_right && REGULAR.glyph_id(letter).0 != 0
}

/// A line of text, its letters in their places.
pub struct TextLine {
    font: &'static FontRef<'static>,
    glyphs: Vec<Glyph>,
    width: f32,
}

impl TextLine {
    /// Sets `text` with lines `size` pixels high, in letters that can be set.
    pub fn of(text: &str, size: f32, bold: bool) -> TextLine {
        let font: &'static FontRef = if bold { &BOLD } else { &REGULAR };
        let scaled = font.as_scaled(PxScale::from(size));
        let (mut glyphs, mut width, mut previous) = (Vec::new(), 0.0, None);
        for id in legible(text).chars().map(|letter| scaled.glyph_id(letter)) {
            width += previous.map_or(0.0, |previous| scaled.kern(previous, id));
            glyphs.push(id.with_scale_and_position(PxScale::from(size), point(width, 0.0)));
            width += scaled.h_advance(id);
            previous = Some(id);
        }
        TextLine { font, glyphs, width }
    }

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

/// A closed line around a part of a letter, or around a hole in it.
pub type Contour = Vec<(f32, f32)>;

/// Straight pieces that a curve is drawn with.
const PIECES: u16 = 5;

/// Returns the outline of `letter` in the regular face, its em being `em` long, centred on `x` with its base
/// line at `y`; nothing for a letter without a shape.
pub fn contours(letter: char, em: f32, (x, y): (f32, f32)) -> Vec<Contour> {
    let font: &FontRef = &REGULAR;
    let Some(outline) = font.outline(font.glyph_id(letter)) else { return Vec::new() };
    let scale = em / font.units_per_em().unwrap_or(em);
    let middle = (outline.bounds.min.x + outline.bounds.max.x) / 2.0;
    let place = |p: Point| (x + scale * (p.x - middle), y - scale * p.y);
    let mut contours: Vec<Contour> = Vec::new();
    let mut end = None;
    for curve in &outline.curves {
        let points = flattened(curve);
        if end != Some(points[0]) {
            contours.push(Vec::new());
        }
        end = points.last().copied();
        if let Some(contour) = contours.last_mut() {
            contour.extend(points[..points.len() - 1].iter().map(|&point| place(point)));
        }
    }
    contours
}

fn flattened(curve: &OutlineCurve) -> Vec<Point> {
    let steps = (0..=PIECES).map(|step| f32::from(step) / f32::from(PIECES));
    match *curve {
        OutlineCurve::Line(from, to) => vec![from, to],
        OutlineCurve::Quad(a, b, c) => steps.map(|t| mixed(mixed(a, b, t), mixed(b, c, t), t)).collect(),
        OutlineCurve::Cubic(a, b, c, d) => steps
            .map(|t| {
                let [ab, bc, cd] = [(a, b), (b, c), (c, d)].map(|(from, to)| mixed(from, to, t));
                mixed(mixed(ab, bc, t), mixed(bc, cd, t), t)
            })
            .collect(),
    }
}

/// Returns the point at `t` of the way.
fn mixed(from: Point, to: Point, t: f32) -> Point {
    // At the ends exactly the ends: contours are told apart by them.
    match t {
        0.0 => from,
        1.0 => to,
        _ => point(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_wide_as_its_letters_and_bold_is_wider() {
        let width = |text, bold| TextLine::of(text, 20.0, bold).width();
        assert_eq!(width("", false), 0);
        assert!(width("Carlsen", false) < width("Carlsen", true));
        assert!(width("Carlsen", false) > width("Carls", false));
    }

    #[test]
    fn letters_in_which_players_write_their_names_are_no_boxes() {
        // Latin, Vietnamese, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic; pieces, signs of the pictures.
        let letters = "Ćčřşțøß Nguyễn Ωά Їғё Արոն ნონა בוריס محمد ♔♟ −–½±√×…≤→€";
        for face in [&REGULAR, &BOLD] {
            let boxes: String = letters.chars().filter(|&letter| face.glyph_id(letter).0 == 0).collect();
            assert_eq!(boxes, "");
        }
    }

    #[test]
    fn names_in_scripts_that_cannot_be_set_are_written_as_they_are_said() {
        let cases = [
            ("丁立人, Liren", "Ding Li Ren, Liren"),
            ("Ćčř Ωά Їғё Արոն ნონა", "Ćčř Ωά Їғё Արոն ნონა"),
            ("유", "yu"),
            ("Nguyễn e\u{301}", "Nguyễn e\u{301}"),
        ];
        for (name, said) in cases {
            assert_eq!(legible(name), said);
            assert_eq!(TextLine::of(name, 20.0, false).width(), TextLine::of(said, 20.0, false).width());
        }
        for name in ["محمد", "בוריס"] {
            assert!(legible(name).is_ascii(), "{}", legible(name));
        }
    }

    #[test]
    fn letters_of_any_script_have_a_shape() {
        let mut pixels = 0;
        TextLine::of("李 محمد 🦀 e\u{301}", 20.0, false).draw(|_, cover| pixels += i32::from(cover > 0.5));
        assert!(pixels > 0);
    }
}
