//! Owns [`PictureFormat`]: what pictures are written as.

use std::fmt;

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

    /// Returns what a file's name ends with, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            PictureFormat::Png => "png",
            PictureFormat::Svg => "svg",
        }
    }
}

impl fmt::Display for PictureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}
