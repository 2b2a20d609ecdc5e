//! File formats that are read back: report folders, part files of archives, and the cells of tables.

#[cfg(feature = "program")]
pub mod anchor;
#[cfg(feature = "program")]
mod consistency;
pub(crate) mod facts;
#[cfg(feature = "program")]
pub(crate) mod moves;
#[cfg(feature = "program")]
pub(crate) mod parquet;
#[cfg(feature = "program")]
pub mod part;
#[cfg(feature = "program")]
pub(crate) mod restore;

use std::str::FromStr;

use thiserror::Error;

use crate::base::named::named;

named! {
    /// The file format of a table, named by its extension without the dot.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Format: extension {
    /// Comma-separated values in UTF-8, with a header, LF line ends and empty cells for missing values.
    ///
    /// The column sets the decimals of its numbers. If a spreadsheet would run a text as a formula, gainalyze
    /// writes an apostrophe before the text. The other formats have the text unchanged.
    Csv => "csv",
    /// Parquet with zstd, numbers at full precision.
    Parquet => "parquet",
    /// An array with one object per row, numbers at full precision.
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
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[cfg_attr(feature = "program", derive(clap::ValueEnum))]
    pub enum PictureFormat: extension {
        /// Raster images, the same on every machine.
        #[cfg_attr(feature = "program", value(help = "PNG files"))]
        Png => "png",
        /// Vector images, with searchable text.
        #[cfg_attr(feature = "program", value(help = "SVG files"))]
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
