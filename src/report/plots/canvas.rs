//! The canvas of a picture: plotters draws an SVG on it. Pages show the SVG in their own colors.

use plotters::prelude::*;
use plotters::{coord::Shift, element::Drawable, element::PointCollection};

use super::{style::Ink, style::Point, style::Type, style::UNIT, typeface::FAMILY};

#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    pub(super) width: i32,
    pub(super) height: i32,
    /// A description in words, for readers who do not see the picture.
    pub(super) title: String,
    /// The shapes in the order of drawing: the content of plotters' element `svg`.
    pub(super) shapes: String,
    /// The figure of pages, if it is not this drawing: as wide as a phone, with its texts in HTML.
    pub(in crate::report) figure: String,
}

/// A picture in progress. Everything outside of it is cut off.
pub struct Canvas<'a> {
    /// The drawing area. Its coordinates are in units ([`UNIT`]), as for all shapes of plotters.
    pub paper: DrawingArea<SVGBackend<'a>, Shift>,
}

impl Drawing {
    /// Draws a picture of `width` by `height` pixels by calling `draw`. `title` describes it in words.
    pub fn of(
        (width, height): Point,
        title: impl Into<String>,
        draw: impl FnOnce(&mut Canvas<'_>),
    ) -> Drawing {
        let mut svg = String::new();
        let size = ((width * UNIT).unsigned_abs(), (height * UNIT).unsigned_abs());
        draw(&mut Canvas { paper: SVGBackend::with_string(&mut svg, size).into_drawing_area() });
        let shapes = svg.split_once('\n').and_then(|(_, shapes)| shapes.rsplit_once("</svg>"));
        let mut shapes = shapes.map_or(String::new(), |(shapes, _)| shapes.to_owned());
        for (long, short) in SHORTER {
            shapes = shapes.replace(long, short);
        }
        let shapes = shapes.replace(|letter| letter != '\n' && !is_of_xml(letter), " ");
        Drawing { width, height, title: title.into(), shapes, figure: String::new() }
    }

    pub fn svg(&self) -> String {
        let (width, height) = (self.width, self.height);
        let file = format!(" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\"");
        let paper = format!("<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n", Ink::Paper.hex());
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        format!("{head}{}\n", self.element(&file, &paper, &self.shapes))
    }

    /// Returns the picture as an element of a page. The page may set its colors: `--plot-ink`,
    /// `--plot-pale`, `--plot-grid`, `--plot-paper`, `--plot-loss`, `--plot-gain`, `--plot-zero`.
    pub fn inline_svg(&self) -> String {
        let colored = Ink::ALL.into_iter().fold(self.shapes.clone(), |shapes, ink| {
            let hex = ink.hex();
            shapes.replace(&format!("\"{hex}\""), &format!("\"var(--plot-{}, {hex})\"", ink.name()))
        });
        self.element("", "", &colored)
    }

    /// Returns the picture as a figure of a page. A wide picture scrolls on a narrow page, also by keyboard.
    pub fn figure(&self) -> String {
        let head = "<figure class=\"wide\" tabindex=\"0\" aria-label=\"Picture\">";
        let wide = || format!("{head}{}</figure>", self.inline_svg());
        if self.figure.is_empty() { wide() } else { self.figure.clone() }
    }

    /// Returns the picture as an element `svg`. `attributes` are further attributes of a file, and `paper` is
    /// drawn below all shapes.
    fn element(&self, attributes: &str, paper: &str, shapes: &str) -> String {
        let [width, height] = [self.width, self.height].map(|pixels| pixels * UNIT);
        let title = escaped(&self.title);
        format!(
            "<svg{attributes} viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\" \
             shape-rendering=\"crispEdges\" font-family=\"'{FAMILY}', 'Source Sans 3', 'Segoe UI', Arial, sans-serif\">\n<title>{title}</title>\n{paper}{shapes}</svg>"
        )
    }
}

/// Attributes that plotters writes for each shape, and shorter equivalents. Rectangles and lines of a mesh
/// lie on whole pixels. Oblique and round shapes do not, so they are smoothed.
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

/// Returns `text` escaped for XML and HTML, for elements and attributes.
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

/// Returns true if the character may be written to XML. XML forbids U+FFFE, U+FFFF and most control
/// characters. Tabs and line breaks are rejected too, although XML allows them.
fn is_of_xml(letter: char) -> bool {
    !letter.is_control() && !matches!(letter, '\u{fffe}' | '\u{ffff}')
}

fn middle((x, y): Point) -> Point {
    (x * UNIT + UNIT / 2, y * UNIT + UNIT / 2)
}

pub const DRAWN: &str = "a string takes all shapes";

impl Canvas<'_> {
    /// Draws an element of plotters. Its coordinates are in units ([`UNIT`]).
    pub fn put<E>(&mut self, element: E)
    where
        for<'e> &'e E: PointCollection<'e, Point>,
        for<'b> E: Drawable<SVGBackend<'b>>,
    {
        self.paper.draw(&element).expect(DRAWN);
    }

    /// Fills the rectangle from the upper left pixel up to, but not including, the lower right one.
    pub fn rectangle(&mut self, from: Point, to: Point, color: Ink) {
        let corners = [from, to].map(|(x, y)| (x * UNIT, y * UNIT));
        self.put(Rectangle::new(corners, color.rgb().filled()));
    }

    /// Draws an oblique line one pixel wide. For a horizontal or vertical line, use [`Canvas::rectangle`].
    pub fn line(&mut self, from: Point, to: Point, color: Ink) {
        self.put(PathElement::new([middle(from), middle(to)], color.stroke()));
    }

    pub fn polygon(&mut self, corners: &[Point], color: Ink) {
        self.put(Polygon::new(corners.iter().copied().map(middle).collect::<Vec<_>>(), color.rgb()));
    }

    pub fn dot(&mut self, at: Point, radius: i32, color: Ink) {
        self.put(Circle::new(middle(at), radius * UNIT + UNIT / 2, color.rgb().filled()));
    }

    /// Draws a text with its baseline at the height of the point.
    pub fn text(&mut self, text: &str, (x, baseline): Point, set: Type) {
        if text.is_empty() {
            return;
        }
        self.put(Text::new(text.to_owned(), (x * UNIT, baseline * UNIT - set.rise()), set.style()));
    }

    /// Draws a line of a headline like [`Canvas::text`], in the serif of pages.
    pub fn headline(&mut self, text: &str, (x, baseline): Point, set: Type) {
        self.put(Text::new(text.to_owned(), (x * UNIT, baseline * UNIT - set.rise()), set.serif_style()));
    }
}

/// A rectangle of pixels with the values at its edges: `columns` and `x` from left to right, `rows`
/// downwards, `y` upwards.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    pub columns: (i32, i32),
    pub rows: (i32, i32),
    pub x: (f64, f64),
    pub y: (f64, f64),
}

impl Plane {
    /// Returns the column of pixels for a value. A value beyond an edge is moved to the edge.
    pub fn column(&self, x: f64) -> i32 {
        self.columns.0 + way(x, self.x, self.columns).round() as i32
    }

    pub fn row(&self, y: f64) -> i32 {
        let (top, bottom) = self.rows;
        bottom + way(y, self.y, (bottom, top)).round() as i32
    }
}

/// Returns the distance in pixels from the first edge to the value, negative if the pixels count down. A
/// value beyond an edge is moved to the edge.
pub fn way(value: f64, (low, high): (f64, f64), (from, to): (i32, i32)) -> f64 {
    let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
    share * f64::from(to - from)
}

/// Returns the smallest of `steps` that divides `span` into at most `most` parts, or the largest step if no
/// step does. The steps are in rising order.
pub fn step(span: f64, most: usize, steps: &[f64]) -> f64 {
    let fits = |&&step: &&f64| span / step <= most as f64 + 1e-9;
    steps.iter().find(fits).or(steps.last()).copied().unwrap_or(span)
}

#[cfg(test)]
mod asked {
    use plotters::style::text_anchor::HPos;

    use super::{Drawing, Ink, Type, UNIT};
    use crate::report::plots::typeface::Face;

    /// A rectangle of pixels. Its right and lower edges belong to it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Frame {
        pub left: i32,
        pub top: i32,
        pub right: i32,
        pub bottom: i32,
    }

    impl Frame {
        pub fn meets(self, other: Frame) -> bool {
            self.left <= other.right
                && other.left <= self.right
                && self.top <= other.bottom
                && other.top <= self.bottom
        }

        pub fn is_within(self, outer: Frame) -> bool {
            outer.left <= self.left
                && self.right <= outer.right
                && outer.top <= self.top
                && self.bottom <= outer.bottom
        }
    }

    impl Drawing {
        /// Returns each text of the SVG with its frame in pixels. The frame extends from the height of
        /// capitals down to just below the baseline.
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
                let set = Type { size: em, bold, color: Ink::Ink, anchor: HPos::Left };
                let is_serif = node.attribute("font-family").is_some_and(|name| name.contains("Serif"));
                let width = if is_serif { set.width_in(&text, Face::Serif) } else { set.width(&text) };
                let x = pixels(number("x")) as i32;
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
                let [top, bottom] = [baseline - 0.66 * em, baseline + 0.2 * em].map(|row| row as i32);
                (text, Frame { left, top, right: left + width, bottom })
            };
            document.descendants().filter(|node| node.has_tag_name("text")).map(frame).collect()
        }

        pub fn paper(&self) -> Frame {
            Frame { left: 0, top: 0, right: self.width - 1, bottom: self.height - 1 }
        }
    }
}
