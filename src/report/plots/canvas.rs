//! Owns the drawing surface: shapes and text in pixels, written as a PNG or as an SVG.

use std::borrow::Cow;

use thiserror::Error;

use super::{
    bitmap::Bitmap, font::TextLine, font::legible, style::Anchor, style::Ink, style::MARGIN, style::Point,
    style::Type,
};

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PlotError {
    /// Nothing can be drawn on no pixels, nor on more than there is memory for.
    #[error("cannot draw a plot of {width} by {height} pixels")]
    Size { width: u32, height: u32 },
    #[error("cannot encode the plot")]
    Encode(#[from] png::EncodingError),
}

#[derive(Debug, Clone, PartialEq)]
enum DrawnShape {
    /// From the upper left pixel to the one beyond the lower right.
    Rectangle {
        from: Point,
        to: Point,
        color: Ink,
    },
    /// One pixel wide.
    Line {
        from: Point,
        to: Point,
        color: Ink,
    },
    /// Straight lines from point to point, which may lie between pixels, one pixel wide.
    Path {
        points: Vec<(f32, f32)>,
        color: Ink,
    },
    Polygon {
        corners: Vec<Point>,
        color: Ink,
    },
    Dot {
        centre: Point,
        radius: i32,
        color: Ink,
    },
    /// With its base line at the point's height.
    Text {
        text: String,
        at: Point,
        set: Type,
    },
}

/// A finished picture: its shapes in the order in which they are put on the paper.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    width: u32,
    height: u32,
    /// In words, for those who do not see it.
    title: String,
    shapes: Vec<DrawnShape>,
}

/// A picture being drawn; what lies outside of it is lost.
#[derive(Default)]
pub struct Canvas {
    shapes: Vec<DrawnShape>,
}

impl Drawing {
    /// Draws a picture of `width` by `height` pixels with what `draw` puts on it; `title` says in words
    /// what it shows.
    pub fn of(
        (width, height): (u32, u32),
        title: impl Into<String>,
        draw: impl FnOnce(&mut Canvas),
    ) -> Drawing {
        let mut canvas = Canvas::default();
        draw(&mut canvas);
        Drawing { width, height, title: title.into(), shapes: canvas.shapes }
    }

    /// Returns the picture as a PNG. One with names that cannot be set as they are is a line higher, and says so there.
    pub fn png(&self) -> Result<Vec<u8>, PlotError> {
        let (width, mut height) = (self.width, self.height);
        let note = self.has_said().then_some(SAID);
        height += if note.is_some() { NOTE } else { 0 };
        let mut bitmap = Bitmap::new(width, height, Ink::Paper).ok_or(PlotError::Size { width, height })?;
        self.shapes.iter().for_each(|shape| shape.put_on(&mut bitmap));
        if let (Some(note), Ok(bottom)) = (note, i32::try_from(height)) {
            set_text(&mut bitmap, note, (MARGIN, bottom - MARGIN / 4), Type::of(13.0).color(Ink::Pale));
        }
        encode(&bitmap.rgb(), width, height)
    }

    /// Tells whether a text is written as it is said, for lack of its letters.
    fn has_said(&self) -> bool {
        let is_said =
            |shape: &_| matches!(shape, DrawnShape::Text { text, .. } if legible(text) != text.as_str());
        self.shapes.iter().any(is_said)
    }

    pub fn svg(&self) -> String {
        let paper = format!("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", Ink::Paper.hex());
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        let (width, height) = (self.width, self.height);
        let file = format!(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\"");
        format!("{head}{}\n", self.element(&file, &paper, |ink| format!("\"{}\"", ink.hex())))
    }

    /// Returns the picture as an element of a page, whose colours the page may set: `--plot-ink`,
    /// `--plot-pale`, `--plot-grid`, `--plot-paper`, `--plot-loss`, `--plot-gain`, `--plot-zero`.
    pub fn inline_svg(&self) -> String {
        self.element("", "", |ink| format!("\"var(--plot-{}, {})\"", ink.name(), ink.hex()))
    }

    /// Returns the picture in a frame of a page, which scrolls where the page is narrow: keys reach it.
    pub fn wide_figure(&self) -> String {
        format!("<figure class=\"wide\" tabindex=\"0\" aria-label=\"Picture\">{}</figure>", self.inline_svg())
    }

    /// Returns it as an element, with more `attributes` where it is a file, and what lies below all shapes.
    fn element(&self, attributes: &str, paper: &str, color: impl Fn(Ink) -> String) -> String {
        let Drawing { width, height, title, shapes } = self;
        let title = escaped(title);
        let shapes: String = shapes.iter().map(|shape| shape.svg(&color)).collect();
        format!(
            "<svg{attributes} viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
             font-family=\"'DejaVu Sans', Verdana, sans-serif\">\n<title>{title}</title>\n{paper}{shapes}</svg>"
        )
    }
}

/// The line below a picture with such names, and the rows that it takes.
const SAID: &str =
    "Names in other scripts are written here as they are said; the page and SVG files have them as they are.";
const NOTE: u32 = 24;

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

/// `text` as XML and HTML hold it, in elements and in attributes.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML has no place for control characters, and none for these two.
            bad if bad.is_control() || matches!(bad, '\u{fffe}' | '\u{ffff}') => safe.push(' '),
            other => safe.push(other),
        }
    }
    safe
}

impl DrawnShape {
    fn put_on(&self, bitmap: &mut Bitmap) {
        match self {
            DrawnShape::Rectangle { from, to, color } => bitmap.rectangle(*from, *to, *color),
            DrawnShape::Line { from, to, color } => bitmap.line(*from, *to, *color),
            DrawnShape::Path { points, color } => bitmap.path(points, *color),
            DrawnShape::Polygon { corners, color } => bitmap.polygon(corners, *color),
            DrawnShape::Dot { centre, radius, color } => bitmap.dot(*centre, *radius, *color),
            DrawnShape::Text { text, at, set } => set_text(bitmap, text, *at, *set),
        }
    }

    fn svg(&self, color: &impl Fn(Ink) -> String) -> String {
        // Pixels are centred on half a unit.
        let points = |points: &[Point]| {
            points.iter().map(|(x, y)| format!("{x}.5,{y}.5")).collect::<Vec<_>>().join(" ")
        };
        match self {
            DrawnShape::Rectangle { from: (x, y), to: (right, bottom), color: ink } => format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill={}/>\n",
                (right - x).max(0),
                (bottom - y).max(0),
                color(*ink)
            ),
            DrawnShape::Line { from: (x1, y1), to: (x2, y2), color: ink } => format!(
                "<path d=\"M{x1}.5 {y1}.5L{x2}.5 {y2}.5\" stroke={} stroke-linecap=\"square\"/>\n",
                color(*ink)
            ),
            DrawnShape::Path { points: line, color: ink } => format!(
                "<polyline points=\"{}\" fill=\"none\" stroke={} stroke-linejoin=\"round\"/>\n",
                line.iter().map(exact).collect::<Vec<_>>().join(" "),
                color(*ink)
            ),
            DrawnShape::Polygon { corners, color: ink } => {
                format!("<polygon points=\"{}\" fill={}/>\n", points(corners), color(*ink))
            }
            DrawnShape::Dot { centre: (x, y), radius, color: ink } => {
                format!("<circle cx=\"{x}.5\" cy=\"{y}.5\" r=\"{radius}.5\" fill={}/>\n", color(*ink))
            }
            DrawnShape::Text { text, at: (x, y), set } => {
                text_element(text, (*x, *y), *set, &color(set.color))
            }
        }
    }
}

/// Returns a point of a curve as SVG has it, to a twentieth of a pixel.
fn exact(&(x, y): &(f32, f32)) -> String {
    let place = |at: f32| (f64::from(at + 0.5) * 20.0).round() / 20.0;
    format!("{},{}", place(x), place(y))
}

fn set_text(bitmap: &mut Bitmap, text: &str, (x, baseline): Point, set: Type) {
    let line = TextLine::of(text, set.size, set.bold);
    let left = match set.anchor {
        Anchor::Left => x,
        Anchor::Centre => x - line.width() / 2,
        Anchor::Right => x - line.width(),
    };
    line.draw(|(dx, dy), cover| bitmap.mix((left + dx, baseline + dy), set.color, cover));
}

/// A text as wide as it was measured, whatever typeface the reader has. One in letters that ours does not have is as wide as the
/// reader's makes it.
fn text_element(text: &str, (x, y): Point, set: Type, color: &str) -> String {
    let width = TextLine::of(text, set.size, set.bold).width();
    if width == 0 {
        return String::new();
    }
    let anchor = match set.anchor {
        Anchor::Left => "",
        Anchor::Centre => " text-anchor=\"middle\"",
        Anchor::Right => " text-anchor=\"end\"",
    };
    let weight = if set.bold { " font-weight=\"bold\"" } else { "" };
    // The size of a line, which holds more than the em.
    let em = set.size * EM;
    let measured = match legible(text) {
        Cow::Borrowed(_) => format!(" textLength=\"{width}\" lengthAdjust=\"spacingAndGlyphs\""),
        Cow::Owned(_) => String::new(),
    };
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{em:.1}\"{measured}{anchor}{weight} fill={color}>{}</text>\n",
        escaped(text)
    )
}

/// The em of DejaVu Sans in heights of its line: 2048 of 1901 + 483 units.
const EM: f32 = 2048.0 / 2384.0;

impl Canvas {
    pub fn rectangle(&mut self, from: Point, to: Point, color: Ink) {
        self.shapes.push(DrawnShape::Rectangle { from, to, color });
    }

    pub fn line(&mut self, from: Point, to: Point, color: Ink) {
        self.shapes.push(DrawnShape::Line { from, to, color });
    }

    pub fn path(&mut self, points: Vec<Point>, color: Ink) {
        self.curve(points.into_iter().map(|(x, y)| (x as f32, y as f32)).collect(), color);
    }

    /// Draws a path through points that may lie between the middles of pixels.
    pub fn curve(&mut self, points: Vec<(f32, f32)>, color: Ink) {
        self.shapes.push(DrawnShape::Path { points, color });
    }

    pub fn polygon(&mut self, corners: &[Point], color: Ink) {
        self.shapes.push(DrawnShape::Polygon { corners: corners.to_vec(), color });
    }

    pub fn dot(&mut self, centre: Point, radius: i32, color: Ink) {
        self.shapes.push(DrawnShape::Dot { centre, radius, color });
    }

    pub fn text(&mut self, text: &str, at: Point, set: Type) {
        self.shapes.push(DrawnShape::Text { text: text.to_owned(), at, set });
    }
}

/// Pixels that `text` takes from left to right.
pub fn text_width(text: &str, set: Type) -> i32 {
    TextLine::of(text, set.size, set.bold).width()
}

/// `text` within `room` pixels, cut with `…` where it is longer.
pub fn fitted(text: &str, room: i32, set: Type) -> String {
    if text_width(text, set) <= room {
        return text.to_owned();
    }
    let mut letters: Vec<char> = text.chars().collect();
    while letters.pop().is_some() {
        let shorter = format!("{}…", letters.iter().collect::<String>().trim_end());
        if text_width(&shorter, set) <= room {
            return shorter;
        }
    }
    String::new()
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
    pub fn column(&self, x: f64) -> i32 {
        place(x, self.x, self.columns)
    }

    pub fn row(&self, y: f64) -> i32 {
        place(y, self.y, (self.rows.1, self.rows.0))
    }

    /// Where both values are, which may lie between pixels.
    pub fn exact(&self, x: f64, y: f64) -> (f32, f32) {
        let at = |value, ends, edges: (i32, i32)| edges.0 as f32 + way(value, ends, edges) as f32;
        (at(x, self.x, self.columns), at(y, self.y, (self.rows.1, self.rows.0)))
    }
}

/// The pixel at which `value` lies between the edges, at an edge if it lies beyond.
fn place(value: f64, ends: (f64, f64), edges: (i32, i32)) -> i32 {
    edges.0 + way(value, ends, edges).round() as i32
}

/// The pixels from the first edge to there.
fn way(value: f64, (low, high): (f64, f64), (from, to): (i32, i32)) -> f64 {
    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
    share * f64::from(to - from)
}

/// The smallest of `steps`, given in rising order, that divides `span` into at most `most` parts.
pub fn step(span: f64, most: usize, steps: &[f64]) -> f64 {
    let fits = |&&step: &&f64| span / step <= most as f64 + 1e-9;
    steps.iter().find(fits).or(steps.last()).copied().unwrap_or(span)
}

#[cfg(test)]
mod asked {
    use super::{Anchor, Drawing, DrawnShape, Point, Type, text_width};
    use crate::report::plots::labels::Frame;

    impl Drawing {
        /// Each text with the pixels that its letters take, from the height of capitals to below the
        /// base line.
        pub fn texts(&self) -> Vec<(&str, Frame)> {
            let frame = |text: &str, (x, baseline): Point, set: Type| {
                let width = text_width(text, set);
                let left = match set.anchor {
                    Anchor::Left => x,
                    Anchor::Centre => x - width / 2,
                    Anchor::Right => x - width,
                };
                let part = |share: f32| (share * set.size) as i32;
                Frame { left, top: baseline - part(0.63), right: left + width, bottom: baseline + part(0.18) }
            };
            let text = |shape| match shape {
                &DrawnShape::Text { ref text, at, set } => Some((text.as_str(), frame(text, at, set))),
                _ => None,
            };
            self.shapes.iter().filter_map(text).collect()
        }

        /// All of the paper.
        pub fn paper(&self) -> Frame {
            let size = |pixels: u32| i32::try_from(pixels).expect("a size of a picture") - 1;
            Frame { left: 0, top: 0, right: size(self.width), bottom: size(self.height) }
        }
    }
}
