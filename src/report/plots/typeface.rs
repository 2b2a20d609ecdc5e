//! Widths of letters. The typeface of pictures is Source Sans 3 under another name, Source Serif 4 for headlines, and
//! DejaVu Sans for scripts that these lack. Only PNGs need their files.

use std::{collections::BTreeMap, sync::LazyLock};

pub const FAMILY: &str = "Gainalyze Sans";

/// The typefaces of headlines, the preferred one first.
pub const SERIF: &str = "Gainalyze Serif, Georgia, serif";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Face {
    Regular,
    Bold,
    Serif,
}

/// The widths of the letters: a line for each run of successive letters, with the face, the first letter in
/// hexadecimal, and the widths. A test compares them with the typefaces.
const WIDTHS: &str = include_str!("../fonts/widths.txt");

/// Units of an em in [`WIDTHS`].
const EM: u16 = 1000;

/// The widths in each [`Face`], by the first letter of each run.
static FACES: LazyLock<[BTreeMap<u32, Vec<u16>>; 3]> = LazyLock::new(|| {
    let mut faces: [BTreeMap<u32, Vec<u16>>; 3] = Default::default();
    for line in WIDTHS.lines() {
        let mut words = line.split(' ');
        let face = match words.next() {
            Some("serif") => Face::Serif,
            Some("bold") => Face::Bold,
            _ => Face::Regular,
        };
        let first = words.next().and_then(|first| u32::from_str_radix(first, 16).ok());
        let run = words.map(|width| width.parse().expect("a width"));
        faces[face as usize].insert(first.expect("a letter"), run.collect());
    }
    faces
});

/// Returns the width of a letter in ems; `None` if the typefaces lack it.
pub fn letter_width(letter: char, face: Face) -> Option<f32> {
    let code = u32::from(letter);
    let run = FACES[face as usize].range(..=code).next_back();
    let width = run.and_then(|(first, run)| run.get((code - first) as usize));
    match width {
        Some(&width) => Some(f32::from(width) / f32::from(EM)),
        None if face == Face::Serif => letter_width(letter, Face::Bold),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use std::{env, fmt::Write, fs, path::Path};

    use skrifa::{
        FontRef, MetadataProvider,
        prelude::{LocationRef, Size},
    };

    use super::*;

    /// The faces with the typefaces of each, the preferred one first.
    const FILES: [(&str, &[&[u8]]); 3] = [
        ("regular", &[include_bytes!("../fonts/sans.ttf"), include_bytes!("../fonts/DejaVuSans.ttf")]),
        ("bold", &[include_bytes!("../fonts/sans-bold.ttf"), include_bytes!("../fonts/DejaVuSans-Bold.ttf")]),
        ("serif", &[include_bytes!("../fonts/serif.ttf")]),
    ];

    fn widths() -> String {
        let mut text = String::new();
        for (name, files) in FILES {
            let mut letters = BTreeMap::new();
            for bytes in files.iter().rev() {
                let face = FontRef::new(bytes).expect("a typeface");
                let metrics = face.glyph_metrics(Size::new(f32::from(EM)), LocationRef::default());
                let width = |glyph| metrics.advance_width(glyph).expect("a width").ceil();
                letters.extend(face.charmap().mappings().map(|(letter, glyph)| (letter, width(glyph))));
            }
            let mut last = None;
            for (letter, width) in letters {
                match last == letter.checked_sub(1) && last.is_some() {
                    true => write!(text, " {width}").expect("a text"),
                    false => {
                        let end = if text.is_empty() { "" } else { "\n" };
                        write!(text, "{end}{name} {letter:04x} {width}").expect("a text");
                    }
                }
                last = Some(letter);
            }
        }
        text + "\n"
    }

    /// After a run of src/report/fonts/cut.py, `UPDATE_DOCS=1` makes this test write widths.txt.
    #[test]
    fn widths_are_those_of_the_typefaces() {
        let made = widths();
        if env::var_os("UPDATE_DOCS").is_some() {
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/report/fonts/widths.txt");
            fs::write(file, &made).expect("a writable folder");
        }
        assert!(WIDTHS == made, "widths.txt is not up to date; UPDATE_DOCS=1 writes it");
    }

    #[test]
    fn letters_in_which_players_write_their_names_are_no_boxes() {
        // Latin, Vietnamese, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic; pieces, signs of the
        // pictures.
        let letters = "Ćčřşțøß Nguyễn Ωά Їғё Արոն ნონა בוריס محمد ♔♟ −–½±√×…≤→€";
        for face in [Face::Regular, Face::Bold, Face::Serif] {
            let boxes: String =
                letters.chars().filter(|&letter| letter_width(letter, face).is_none()).collect();
            assert_eq!(boxes, "");
        }
    }
}
