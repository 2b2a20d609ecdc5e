//! Owns the paper of a picture: plotters draws on it into an SVG, which pages show in their own colours and which a PNG is made of.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::{coord::Shift, element::Drawable, element::PointCollection};
use resvg::{tiny_skia, usvg};
use thiserror::Error;

use super::{
    font, font::FAMILY, font::FONTS, font::legible, style::Anchor, style::Ink, style::MARGIN, style::Point,
    style::Type,
};

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PlotError {
    /// Nothing can be drawn on no pixels, nor on more than there is memory for.
    #[error("cannot draw a plot of {width} by {height} pixels")]
    Size { width: u32, height: u32 },
    #[error("cannot draw a plot")]
    Shapes(#[from] usvg::Error),
    #[error("cannot encode the plot")]
    Encode(#[from] png::EncodingError),
}

/// Units of a pixel. plotters counts in whole units, and curves go through places between pixels.
pub const UNIT: i32 = 10;

/// A place in units, to the right and downwards from the upper left corner.
type BackendCoord = (i32, i32);

/// plotters' own paper: its SVG backend, in units from the upper left corner.
pub type Paper<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A finished picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    width: u32,
    height: u32,
    /// In words, for those who do not see it.
    title: String,
    /// The shapes in the order in which they are put on the paper: what plotters writes within its element `svg`.
    shapes: String,
}

/// A picture being drawn; what lies outside of it is lost.
pub struct Canvas<'a> {
    pub paper: Paper<'a>,
}

impl Drawing {
    /// Draws a picture of `width` by `height` pixels with what `draw` puts on it; `title` says in words
    /// what it shows.
    pub fn of(
        (width, height): (u32, u32),
        title: impl Into<String>,
        draw: impl FnOnce(&mut Canvas<'_>),
    ) -> Drawing {
        let mut svg = String::new();
        let size = (width * UNIT.unsigned_abs(), height * UNIT.unsigned_abs());
        draw(&mut Canvas { paper: SVGBackend::with_string(&mut svg, size).into_drawing_area() });
        let shapes = svg.split_once('\n').and_then(|(_, shapes)| shapes.rsplit_once("</svg>"));
        let mut shapes = shapes.map_or(String::new(), |(shapes, _)| shapes.to_owned());
        for (long, short) in SHORTER {
            shapes = shapes.replace(long, short);
        }
        let shapes = shapes.replace(|letter| letter != '\n' && !is_of_xml(letter), " ");
        Drawing { width, height, title: title.into(), shapes }
    }

    /// Returns the picture as a PNG of so many pixels for each of its own. One with names that cannot be set as they are is a line
    /// higher, and says so there.
    pub fn png(&self, scale: u8) -> Result<Vec<u8>, PlotError> {
        let said = self.said();
        let Drawing { width, height, .. } = said.as_ref().unwrap_or(self);
        let (width, height) = (width * u32::from(scale), height * u32::from(scale));
        let options = usvg::Options { fontdb: FONTS.clone(), ..usvg::Options::default() };
        let tree = usvg::Tree::from_str(&said.as_ref().unwrap_or(self).svg(), &options)?;
        let mut pixels = tiny_skia::Pixmap::new(width, height).ok_or(PlotError::Size { width, height })?;
        let scale = f32::from(scale);
        resvg::render(&tree, tiny_skia::Transform::from_scale(scale, scale), &mut pixels.as_mut());
        let rgb: Vec<u8> =
            pixels.data().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        encode(&rgb, width, height)
    }

    /// Returns the picture with names as they are said where the typeface lacks their letters; `None` where it has them all.
    fn said(&self) -> Option<Drawing> {
        let lines = self.shapes.lines().map(legible);
        let shapes: Vec<_> = lines.collect();
        if shapes.iter().all(|line| matches!(line, std::borrow::Cow::Borrowed(_))) {
            return None;
        }
        let height = self.height + NOTE;
        let note = Drawing::of((self.width, height), "", |canvas| {
            let bottom = i32::try_from(height).unwrap_or_default() - MARGIN / 4;
            canvas.text(SAID, (MARGIN, bottom), Type::of(13.0).color(Ink::Pale));
        });
        Some(Drawing { height, shapes: shapes.join("\n") + "\n" + &note.shapes, ..self.clone() })
    }

    pub fn svg(&self) -> String {
        let (width, height) = (self.width, self.height);
        let file = format!(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\"");
        let paper = format!("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", Ink::Paper.hex());
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        format!("{head}{}\n", self.element(&file, &paper, &self.shapes))
    }

    /// Returns the picture as an element of a page, whose colours the page may set: `--plot-ink`,
    /// `--plot-pale`, `--plot-grid`, `--plot-paper`, `--plot-loss`, `--plot-gain`, `--plot-zero`.
    pub fn inline_svg(&self) -> String {
        let colored = Ink::ALL.into_iter().fold(self.shapes.clone(), |shapes, ink| {
            let hex = ink.hex();
            shapes.replace(&format!("\"{hex}\""), &format!("\"var(--plot-{}, {hex})\"", ink.name()))
        });
        self.element("", "", &colored)
    }

    /// Returns the picture in a frame of a page, which scrolls where the page is narrow: keys reach it.
    pub fn wide_figure(&self) -> String {
        format!("<figure class=\"wide\" tabindex=\"0\" aria-label=\"Picture\">{}</figure>", self.inline_svg())
    }

    /// Returns it as an element, with more `attributes` where it is a file, and what lies below all shapes.
    fn element(&self, attributes: &str, paper: &str, shapes: &str) -> String {
        let [width, height] = [self.width, self.height].map(|pixels| pixels * UNIT.unsigned_abs());
        let title = escaped(&self.title);
        format!(
            "<svg{attributes} viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
             shape-rendering=\"crispEdges\" font-family=\"'{FAMILY}', Verdana, sans-serif\">\n<title>{title}</title>\n{paper}{shapes}</svg>"
        )
    }
}

/// What plotters writes of each shape, and shorter words for the same. Rectangles and the lines of a mesh stand on whole pixels,
/// whatever is oblique or round does not.
const SHORTER: [(&str, &str); 11] = [
    (" opacity=\"1\"", ""),
    (" stroke=\"none\"", ""),
    (" stroke-width=\"1\"", ""),
    (" text-anchor=\"start\"", ""),
    (" font-family=\"sans-serif\"", ""),
    (" \"/>", "\"/>"),
    ("\">\n", "\">"),
    ("\n</text>", "</text>"),
    ("<polyline ", "<polyline shape-rendering=\"auto\" "),
    ("<polygon ", "<polygon shape-rendering=\"auto\" "),
    ("<circle ", "<circle shape-rendering=\"auto\" "),
];

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
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_filter(png::Filter::NoFilter);
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
            bad if !is_of_xml(bad) => safe.push(' '),
            other => safe.push(other),
        }
    }
    safe
}

/// XML has no place for control characters, and none for these two.
fn is_of_xml(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}')
}

/// Returns a place in units.
fn units((x, y): Point) -> BackendCoord {
    (x * UNIT, y * UNIT)
}

/// Returns the middle of a pixel in units.
fn middle((x, y): (f32, f32)) -> BackendCoord {
    let unit = |at: f32| ((at + 0.5) * UNIT as f32).round() as i32;
    (unit(x), unit(y))
}

impl Canvas<'_> {
    fn put<E>(&mut self, element: E)
    where
        for<'e> &'e E: PointCollection<'e, BackendCoord>,
        for<'b> E: Drawable<SVGBackend<'b>>,
    {
        self.paper.draw(&element).expect("a string takes all shapes");
    }

    /// Fills from the upper left pixel to the one beyond the lower right.
    pub fn rectangle(&mut self, from: Point, to: Point, color: Ink) {
        self.put(Rectangle::new([units(from), units(to)], color.rgb().filled()));
    }

    /// Draws a line one pixel wide, both ends included.
    pub fn line(&mut self, from: Point, to: Point, color: Ink) {
        if from.0 == to.0 || from.1 == to.1 {
            let (left, right) = (from.0.min(to.0), from.0.max(to.0));
            let (top, bottom) = (from.1.min(to.1), from.1.max(to.1));
            return self.rectangle((left, top), (right + 1, bottom + 1), color);
        }
        self.path(vec![from, to], color);
    }

    pub fn path(&mut self, points: Vec<Point>, color: Ink) {
        self.curve(points.into_iter().map(|(x, y)| (x as f32, y as f32)).collect(), color);
    }

    /// Draws a path through points that may lie between the middles of pixels.
    pub fn curve(&mut self, points: Vec<(f32, f32)>, color: Ink) {
        let points: Vec<BackendCoord> = points.into_iter().map(middle).collect();
        self.put(PathElement::new(points, color.stroke()));
    }

    pub fn polygon(&mut self, corners: &[Point], color: Ink) {
        let corners: Vec<BackendCoord> = corners.iter().map(|&(x, y)| middle((x as f32, y as f32))).collect();
        self.put(Polygon::new(corners, color.rgb()));
    }

    pub fn dot(&mut self, (x, y): Point, radius: i32, color: Ink) {
        let radius = radius * UNIT + UNIT / 2;
        self.put(Circle::new(middle((x as f32, y as f32)), radius, color.rgb().filled()));
    }

    /// Sets a text with its base line at the point's height.
    pub fn text(&mut self, text: &str, (x, baseline): Point, set: Type) {
        if text.is_empty() {
            return;
        }
        // plotters hangs a text from its point by so much of the em.
        let rise = (0.76 * set.em() * UNIT as f32).round() as i32;
        self.put(Text::new(text.to_owned(), (x * UNIT, baseline * UNIT - rise), set.style()));
    }
}

impl Type {
    /// Returns it as plotters has it, in units.
    pub fn style(self) -> TextStyle<'static> {
        let anchor = match self.anchor {
            Anchor::Left => HPos::Left,
            Anchor::Centre => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        // The backend divides sizes by this: what it is given is the height of a line.
        let em = f64::from(self.em() * UNIT as f32).round();
        let size = Some(1.24 * em).filter(|size| size / 1.24 >= em).unwrap_or((1.24 * em).next_up());
        let font = FontDesc::new(FontFamily::SansSerif, size, weight);
        TextStyle {
            color: self.color.rgb().to_backend_color(),
            ..TextStyle::from(font).pos(Pos::new(anchor, VPos::Top))
        }
    }
}

impl Ink {
    /// Returns a line one pixel wide.
    pub fn stroke(self) -> ShapeStyle {
        self.rgb().stroke_width(UNIT.unsigned_abs())
    }
}

/// Pixels that `text` takes from left to right.
pub fn text_width(text: &str, set: Type) -> i32 {
    font::width(text, set.em(), set.bold)
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
pub fn way(value: f64, (low, high): (f64, f64), (from, to): (i32, i32)) -> f64 {
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
    use super::{Anchor, Drawing, Type, UNIT, text_width};
    use crate::report::plots::{labels::Frame, style::Ink};

    impl Drawing {
        /// Each text of the SVG with the pixels that its letters take, from the height of capitals to below the base line.
        pub fn texts(&self) -> Vec<(String, Frame)> {
            let svg = self.svg();
            let document = roxmltree::Document::parse(&svg).expect("an SVG");
            let frame = |node: roxmltree::Node<'_, '_>| {
                let number =
                    |name| node.attribute(name).map_or(0.0, |value| value.parse::<f32>().expect("a number"));
                let pixels = |value: f32| value / UNIT as f32;
                let text = node.text().unwrap_or_default().trim().to_owned();
                let em = pixels(number("font-size"));
                let bold = node.attribute("font-weight") == Some("bold");
                let set = Type { size: em / Type::EM, bold, color: Ink::Ink, anchor: Anchor::Left };
                let (width, x) = (text_width(&text, set), pixels(number("x")) as i32);
                let left = match node.attribute("text-anchor") {
                    Some("middle") => x - width / 2,
                    Some("end") => x - width,
                    _ => x,
                };
                let hangs = match node.attribute("dy") {
                    Some("0.5ex") => 0.27,
                    _ => 0.76,
                };
                let baseline = pixels(number("y")) + hangs * em;
                let [top, bottom] = [baseline - 0.73 * em, baseline + 0.21 * em].map(|row| row as i32);
                (text, Frame { left, top, right: left + width, bottom })
            };
            document.descendants().filter(|node| node.has_tag_name("text")).map(frame).collect()
        }

        /// All of the paper.
        pub fn paper(&self) -> Frame {
            let size = |pixels: u32| i32::try_from(pixels).expect("a size of a picture") - 1;
            Frame { left: 0, top: 0, right: size(self.width), bottom: size(self.height) }
        }
    }
}
