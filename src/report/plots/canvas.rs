//! Owns the drawing surface: shapes and text in pixels, made into a PNG in memory.

use plotters::{
    backend::{BitMapBackend, DrawingBackend},
    coord::Shift,
    drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea},
    element::{Circle, PathElement, Polygon, Rectangle},
    style::{Color, RGBColor},
};
use thiserror::Error;

use super::font::Line;

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PlotError {
    /// Plotters could not draw.
    #[error("cannot draw the plot")]
    Draw(#[from] DrawingAreaErrorKind<<BitMapBackend<'static> as DrawingBackend>::ErrorType>),
    /// The picture could not be encoded.
    #[error("cannot encode the plot")]
    Encode(#[from] png::EncodingError),
}

/// Ink on paper.
pub const INK: RGBColor = RGBColor(34, 34, 34);
/// Text of second rank.
pub const PALE: RGBColor = RGBColor(95, 95, 95);
/// Lines behind the data.
pub const GRID: RGBColor = RGBColor(224, 224, 224);
/// The paper.
pub const PAPER: RGBColor = RGBColor(255, 255, 255);
/// Losses: vermilion of Okabe and Ito's palette, which the colour-blind tell apart.
pub const LOSS: RGBColor = RGBColor(213, 94, 0);
/// Gains: their blue.
pub const GAIN: RGBColor = RGBColor(0, 114, 178);
/// Neither: the grey that goes with them.
pub const ZERO: RGBColor = RGBColor(153, 153, 153);

/// Which part of a text stands at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Left,
    /// Its middle.
    Centre,
    /// Its right end.
    Right,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub struct Type {
    /// Height of a line in pixels.
    pub size: f32,
    /// Whether it is bold.
    pub bold: bool,
    /// Its colour.
    pub color: RGBColor,
    /// Which part of it stands at the point given.
    pub anchor: Anchor,
}

impl Type {
    /// Regular ink that begins at its point.
    pub fn of(size: f32) -> Type {
        Type { size, bold: false, color: INK, anchor: Anchor::Left }
    }

    /// The same in bold.
    pub fn bold(self) -> Type {
        Type { bold: true, ..self }
    }

    /// The same in another colour.
    pub fn color(self, color: RGBColor) -> Type {
        Type { color, ..self }
    }

    /// The same, ending at its point.
    pub fn right(self) -> Type {
        Type { anchor: Anchor::Right, ..self }
    }

    /// The same, centred on its point.
    pub fn centred(self) -> Type {
        Type { anchor: Anchor::Centre, ..self }
    }
}

/// A picture being drawn. Points are pixels from the upper left corner; what lies outside is lost.
pub struct Canvas<'a> {
    area: DrawingArea<BitMapBackend<'a>, Shift>,
}

/// A PNG of `width` by `height` pixels with what `draw` puts on it.
pub fn picture(
    (width, height): (u32, u32),
    draw: impl FnOnce(&Canvas) -> Result<(), PlotError>,
) -> Result<Vec<u8>, PlotError> {
    let mut pixels = vec![255; 3 * width as usize * height as usize];
    let canvas =
        Canvas { area: BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area() };
    draw(&canvas)?;
    canvas.area.present()?;
    drop(canvas);
    encode(&pixels, width, height)
}

/// Without a filter: these pictures are flat, so rows compress best as they are, to less than half
/// of what the fast compression leaves.
fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, PlotError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Default);
    encoder.set_filter(png::FilterType::NoFilter);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

impl Canvas<'_> {
    /// A filled rectangle from its upper left pixel to the one beyond its lower right.
    pub fn rectangle(&self, from: (i32, i32), to: (i32, i32), color: RGBColor) -> Result<(), PlotError> {
        Ok(self.area.draw(&Rectangle::new([from, to], color.filled()))?)
    }

    /// A line one pixel wide.
    pub fn line(&self, from: (i32, i32), to: (i32, i32), color: RGBColor) -> Result<(), PlotError> {
        Ok(self.area.draw(&PathElement::new([from, to], color))?)
    }

    /// A filled polygon.
    pub fn polygon(&self, corners: &[(i32, i32)], color: RGBColor) -> Result<(), PlotError> {
        Ok(self.area.draw(&Polygon::new(corners.to_vec(), color.filled()))?)
    }

    /// A filled circle.
    pub fn dot(&self, centre: (i32, i32), radius: i32, color: RGBColor) -> Result<(), PlotError> {
        Ok(self.area.draw(&Circle::new(centre, radius, color.filled()))?)
    }

    /// Text whose base line is at the point's height.
    pub fn text(&self, text: &str, (x, baseline): (i32, i32), set: Type) -> Result<(), PlotError> {
        let line = Line::of(text, set.size, set.bold);
        let left = match set.anchor {
            Anchor::Left => x,
            Anchor::Centre => x - line.width() / 2,
            Anchor::Right => x - line.width(),
        };
        let (width, height) = self.area.dim_in_pixel();
        let mut drawn = Ok(());
        line.draw(|(dx, dy), cover| {
            let (x, y) = (left + dx, baseline + dy);
            let inside = x >= 0 && y >= 0 && x.unsigned_abs() < width && y.unsigned_abs() < height;
            if inside && drawn.is_ok() {
                drawn = self.area.draw_pixel((x, y), &set.color.mix(f64::from(cover)));
            }
        });
        Ok(drawn?)
    }

    /// Pixels that `text` takes from left to right.
    pub fn width(&self, text: &str, set: Type) -> i32 {
        Line::of(text, set.size, set.bold).width()
    }

    /// `text` within `room` pixels, cut with `…` where it is longer.
    pub fn fitted(&self, text: &str, room: i32, set: Type) -> String {
        if self.width(text, set) <= room {
            return text.to_owned();
        }
        let mut letters: Vec<char> = text.chars().collect();
        while letters.pop().is_some() {
            let shorter = format!("{}…", letters.iter().collect::<String>().trim_end());
            if self.width(&shorter, set) <= room {
                return shorter;
            }
        }
        String::new()
    }
}

/// A rectangle of pixels with the values at its edges.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    /// Pixel columns of the left and the right edge.
    pub columns: (i32, i32),
    /// Pixel rows of the upper and the lower edge.
    pub rows: (i32, i32),
    /// Values at the left and the right edge.
    pub x: (f64, f64),
    /// Values at the lower and the upper edge.
    pub y: (f64, f64),
}

impl Plane {
    /// The pixel column of a value.
    pub fn column(&self, x: f64) -> i32 {
        place(x, self.x, self.columns)
    }

    /// The pixel row of a value.
    pub fn row(&self, y: f64) -> i32 {
        place(y, self.y, (self.rows.1, self.rows.0))
    }
}

/// The pixel at which `value` lies between the edges, at an edge if it lies beyond.
fn place(value: f64, (low, high): (f64, f64), (from, to): (i32, i32)) -> i32 {
    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
    from + (share * f64::from(to - from)).round() as i32
}

/// The smallest of `steps`, given in rising order, that divides `span` into at most `most` parts.
pub fn step(span: f64, most: usize, steps: &[f64]) -> f64 {
    let fits = |&&step: &&f64| span / step <= most as f64 + 1e-9;
    steps.iter().find(fits).or(steps.last()).copied().unwrap_or(span)
}
