//! Owns the files that pictures are written as.

use std::fmt;

use super::canvas::{Drawing, PlotError};

/// A file format of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
pub enum PictureFormat {
    /// Pixels, the same on every machine.
    #[value(help = "PNG files")]
    Png,
    /// Shapes, sharp at any size, and text that can be searched.
    #[value(help = "SVG files")]
    Svg,
}

impl PictureFormat {
    /// All formats.
    pub const ALL: [PictureFormat; 2] = [PictureFormat::Png, PictureFormat::Svg];

    /// What a file's name ends with, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            PictureFormat::Png => "png",
            PictureFormat::Svg => "svg",
        }
    }

    /// The bytes of the file that shows `drawing`.
    pub fn encode(self, drawing: &Drawing) -> Result<Vec<u8>, PlotError> {
        match self {
            PictureFormat::Png => drawing.png(),
            PictureFormat::Svg => Ok(drawing.svg().into_bytes()),
        }
    }
}

impl fmt::Display for PictureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}
