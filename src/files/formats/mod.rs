//! Owns the file formats that are read back: a report's folder, part files of archives, and how a table's cells are
//! written so that they can be.

pub mod anchor;
mod consistency;
pub(crate) mod facts;
pub(crate) mod moves;
mod parquet;
pub mod part;
pub(crate) mod restore;

use std::str::FromStr;

use thiserror::Error;

use crate::chess::named::named;

named! {
    /// By what a file's name ends with, without the dot.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Format: extension {
    /// Comma-separated values in UTF-8, a header, LF line ends, an empty cell for what is missing.
    ///
    /// Numbers have a fixed number of decimals. A text that a spreadsheet would take for a formula, a number or a day
    /// begins with an apostrophe here, and only here.
    Csv => "csv",
    /// Parquet with zstd, numbers at full precision.
    Parquet => "parquet",
    /// An array of one object a row, numbers at full precision.
    Json => "json",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown format {0:?}, expected csv, parquet or json")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.extension().eq_ignore_ascii_case(name))
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

named! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
    pub enum PictureFormat: extension {
        /// Pixels, the same on every machine.
        #[value(help = "PNG files")]
        Png => "png",
        /// Shapes, sharp at any size, and text that can be searched.
        #[value(help = "SVG files")]
        Svg => "svg",
    }
}

/// Returns `text`, with an apostrophe before it where a spreadsheet would make something else of it: run it as a formula,
/// for a name is the word of whoever made the file, or take round 1.10 for the number 1.1 or for a day. The full-width
/// forms are formulas to spreadsheets as well.
pub fn disarmed(text: &str) -> String {
    if is_changed(text) { format!("'{text}") } else { text.to_owned() }
}

fn is_changed(text: &str) -> bool {
    let armed = text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    // A lone hyphen, PGN's word for a round that there is not, computes nothing.
    armed && text != "-" || text.contains('.') && text.split('.').all(is_digits)
}

/// Returns a text without the apostrophe that CSV puts before what a spreadsheet would change.
pub fn undisarmed(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_changed(rest)).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_format_is_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "xlsx".parse::<Format>().expect_err("not a format").to_string();
        assert_eq!(error, "unknown format \"xlsx\", expected csv, parquet or json");
    }

    #[test]
    fn a_round_that_a_spreadsheet_would_read_as_a_number_stands_behind_an_apostrophe() {
        for (round, written) in [("1.10", "'1.10"), ("1.1", "'1.1"), ("2.1.3", "'2.1.3")] {
            assert_eq!(disarmed(round), written);
        }
        for round in ["7", "?", "-", "1.", ".5", "Final 1.2", "1/8"] {
            assert_eq!(disarmed(round), round);
        }
    }

    #[test]
    fn a_name_that_was_disarmed_is_read_back() {
        for name in ["=Ann", "Ann", "-", "'quoted", "@x", "", "1.10", "1.2.3"] {
            assert_eq!(undisarmed(&disarmed(name)), name);
        }
    }
}
