//! Owns the drawing of pictures in each of their formats.

use super::canvas::{Drawing, PlotError};
use crate::files::PictureFormat;

impl PictureFormat {
    /// Returns the bytes of the file that shows `drawing`.
    pub fn encode(self, drawing: &Drawing) -> Result<Vec<u8>, PlotError> {
        match self {
            PictureFormat::Png => drawing.png(),
            PictureFormat::Svg => Ok(drawing.svg().into_bytes()),
        }
    }
}
