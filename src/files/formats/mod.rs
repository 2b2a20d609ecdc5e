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
    /// Numbers have a fixed number of decimals. A text that a spreadsheet would run as a formula begins with an apostrophe
    /// here, and only here.
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
}
