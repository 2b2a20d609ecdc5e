//! The pictures of the ranking: the table of the page, whose rows have the number that ranks each player as a dot
//! with its 95 % interval, and a card of the first players for sharing.

use super::{
    Caption, bar_table::BarRow, bar_table::BarTable, bar_table::Number, bar_table::axis, bar_table::shown,
    canvas::Canvas, canvas::Drawing, canvas::Plane, chart::Axis, chart::ends, style::Ink, style::MARGIN,
    style::Point, style::Type, typeface::Face,
};
use crate::measure::{BoundSide, QualityBasis, QualityOfPlay, Standing};
use crate::numbers::Estimate;
use crate::report::words::quality::title as quality_title;

const WIDTH: i32 = 1000;

/// Largest number of rows. The table of the page has all players.
const SHOWN: usize = 20;

/// The size of the card: the one that social networks show whole.
const CARD: Point = (1200, 630);

/// Number of players on the card.
const ON_CARD: usize = 5;

/// The rows of the pictures: their texts, and their numbers on one axis.
pub struct Ranking {
    bars: BarTable,
    /// Each player's number and Elo.
    marks: Vec<(Number, Option<f64>)>,
    axis: Axis,
    what: String,
    /// Engine and filters, and the number of players.
    caption: Caption,
}

/// The place of a table: its left, right and upper edge, the height of a row, and the size of the type.
struct Place {
    left: i32,
    right: i32,
    top: i32,
    row: i32,
    size: f32,
}

impl Ranking {
    /// Returns the ranking; `None` if no player has a number.
    pub fn of(standings: &[Standing<'_>], quality: &QualityOfPlay, caption: &Caption) -> Option<Ranking> {
        let mark = |row: &Standing<'_>| {
            let elo = row.result.elo.map(|elo| elo.value).filter(|_| quality.is_rated());
            Some((shown(row.quality?, quality), elo))
        };
        let marks: Vec<_> = standings.iter().filter_map(mark).collect();
        let known: Vec<Estimate> =
            marks.iter().take(SHOWN).filter_map(|(number, _)| Some((*number)?.0)).collect();
        known.first()?;
        let axis = axis(&known, marks.iter().take(SHOWN).filter_map(|(_, elo)| *elo));
        // Ratings come from the calibrated search, which may differ from the search of the tables.
        let caption = match &quality.basis {
            QualityBasis::Rating { judge, .. } => Caption { engine: judge.clone(), ..caption.clone() },
            QualityBasis::Statistics { .. } => caption.clone(),
        };
        let what = quality_title(quality).split(':').next().unwrap_or_default().to_owned();
        Some(Ranking { bars: BarTable::of(standings, quality), marks, axis, what, caption })
    }

    /// Draws the table under the name of the event.
    pub fn picture(&self, event: &str) -> Drawing {
        let count = self.marks.len().min(SHOWN);
        let place = Place { left: MARGIN, right: WIDTH - MARGIN, top: 134, row: 36, size: 17.0 };
        let bottom = place.top + place.row * count as i32;
        let title = format!("{event}: {} of each player, with 95 % intervals", self.what);
        Drawing::of((WIDTH, bottom + 52), title, |canvas| {
            let set = Type::of(25.0).bold();
            canvas.text(&set.fitted(event, WIDTH - 2 * MARGIN), (MARGIN, 44), set);
            self.legend(canvas, (MARGIN, 74));
            self.table(canvas, &place, count);
            let has_bound = self.marks[..count]
                .iter()
                .any(|(number, _)| number.is_some_and(|(_, bound)| bound.is_some()));
            let note = if has_bound { "An arrow is beyond the scale. " } else { "" };
            let note = format!("{note}?? counts blunders. {}", self.caption.field(count, self.marks.len()));
            let set = Type::pale(14.0);
            canvas.text(&set.fitted(&note, WIDTH - 2 * MARGIN), (MARGIN, bottom + 32), set);
        })
    }

    /// Draws the event, the finding and the first players, for sharing.
    pub fn card(&self, event: &str, finding: &str) -> Drawing {
        let finding = finding.trim_end_matches('.').replace('\'', "’");
        let (width, height) = CARD;
        let room = width - 2 * SIDE;
        Drawing::of(CARD, format!("{event}: {finding}"), |canvas| {
            let set = Type::of(24.0).bold().color(Ink::Gain);
            canvas.text(&set.fitted(event, room), (SIDE, 62), set);
            let (set, lines) = headline(&finding, room);
            for (line, row) in lines.iter().zip(1..) {
                canvas.headline(line, (SIDE, 70 + (row as f32 * 1.18 * set.size) as i32), set);
            }
            let count = self.marks.len().min(ON_CARD);
            let place = Place { left: SIDE, right: width - SIDE, top: 290, row: 52, size: 24.0 };
            self.table(canvas, &place, count);
            canvas.text("gainalyze", (SIDE, height - 28), Type::of(22.0).bold());
            let set = Type::pale(18.0).right();
            let note =
                format!("{}, 95 % intervals; {}", self.what, self.caption.field(count, self.marks.len()));
            canvas.text(&set.fitted(&note, room - 140), (width - SIDE, height - 28), set);
        })
    }

    fn legend(&self, canvas: &mut Canvas<'_>, (mut x, baseline): Point) {
        let set = Type::pale(15.0);
        let mut part =
            |canvas: &mut Canvas<'_>, width: i32, text: &str, mark: &dyn Fn(&mut Canvas<'_>, i32)| {
                mark(canvas, x);
                canvas.text(text, (x + width + 8, baseline), set);
                x += width + 8 + set.width(text) + 20;
            };
        let row = baseline - 5;
        part(canvas, 12, &self.what, &|canvas, x| canvas.dot((x + 6, row), 6, Ink::Gain));
        if self.bars.has_intervals {
            part(canvas, 26, "95 % interval", &|canvas, x| {
                canvas.rectangle((x, row - 4), (x + 26, row + 5), Ink::Zero);
            });
        }
        if self.marks.iter().any(|(_, elo)| elo.is_some()) {
            part(canvas, 3, "Elo", &|canvas, x| canvas.rectangle((x, row - 8), (x + 3, row + 9), Ink::Ink));
        }
    }

    /// Draws the first `count` rows. The columns of numbers are on the right, and the axis has the room between
    /// them and the names.
    fn table(&self, canvas: &mut Canvas<'_>, place: &Place, count: usize) {
        let set = Type::of(place.size);
        let baseline =
            |row: usize| place.top + place.row * row as i32 + place.row / 2 + (0.34 * place.size) as i32;
        let right = self.numbers(canvas, place, count, &baseline);
        let name = place.left + set.width("00") + 12;
        let mut left = name;
        for (row, bar) in self.bars.rows[..count].iter().enumerate() {
            canvas.rectangle(
                (place.left, place.top + place.row * row as i32),
                (place.right, place.top + place.row * row as i32 + 1),
                Ink::Grid,
            );
            canvas.text(&bar.rank, (name - 12, baseline(row)), set.color(Ink::Pale).right());
            let room = (place.right - place.left) / 4;
            let (first, last) = (&bar.name.0, set.bold().fitted(&bar.name.1, room));
            let wide = set.width(first) + set.bold().width(&last);
            let given = if first.is_empty() || wide > room { 0 } else { set.width(first) };
            if given > 0 {
                canvas.text(first.trim_end(), (name, baseline(row)), set);
            }
            canvas.text(&last, (name + given, baseline(row)), set.bold());
            left = left.max(name + given + set.bold().width(&last));
        }
        canvas.text("Player", (name, place.top - 10), Type::pale(place.size - 3.0));
        let label = self.axis.lines.iter().map(|(_, text)| set.width(text)).max().unwrap_or_default();
        let columns = (left + 24, right - label / 2 - 12);
        let plane =
            Plane { columns, rows: (place.top, place.top + place.row), x: self.axis.ends, y: (0.0, 1.0) };
        let bottom = place.top + place.row * count as i32;
        let small = Type::pale(place.size - 3.0).centered();
        let mut free = i32::MIN;
        for (value, text) in &self.axis.lines {
            let (x, half) = (plane.column(*value), small.width(text) / 2 + 4);
            canvas.rectangle((x, place.top), (x + 1, bottom), Ink::Grid);
            // On a short axis, some lines have no label.
            if x - half >= free {
                canvas.text(text, (x, place.top - 10), small);
                free = x + half;
            }
        }
        for (row, (number, elo)) in self.marks[..count].iter().enumerate() {
            let middle = place.top + place.row * row as i32 + place.row / 2;
            draw_row(canvas, plane, middle, *number, *elo);
        }
    }

    /// Draws the columns of numbers with their headings from right to left, and returns the left end.
    fn numbers(
        &self,
        canvas: &mut Canvas<'_>,
        place: &Place,
        count: usize,
        baseline: &dyn Fn(usize) -> i32,
    ) -> i32 {
        let (set, small) = (Type::of(place.size).right(), Type::pale(place.size - 3.0).right());
        let rows = &self.bars.rows[..count];
        let mut right = place.right;
        for (heading, text, set) in self.columns(set) {
            let cells: Vec<&str> = rows.iter().map(text).collect();
            let width =
                cells.iter().map(|cell| set.width(cell)).chain(heading.iter().map(|line| small.width(line)));
            let width = width.max().unwrap_or_default();
            for (line, up) in heading.iter().rev().zip(0..) {
                let set = if set.color == Ink::Loss { small.color(Ink::Loss) } else { small };
                canvas.text(line, (right, place.top - 10 - up * (place.size + 1.0) as i32), set);
            }
            for (row, cell) in cells.iter().enumerate() {
                canvas.text(cell, (right, baseline(row)), set);
            }
            right -= width + 20;
        }
        // The number that ranks the players has its margin in smaller type.
        let margin = rows.iter().map(|row| small.width(&row.number.1)).max().unwrap_or_default();
        let value = rows.iter().map(|row| set.bold().width(&row.number.0)).max().unwrap_or_default();
        let at = right - margin - if margin > 0 { 6 } else { 0 };
        for (row, bar) in rows.iter().enumerate() {
            canvas.text(&bar.number.0, (at, baseline(row)), set.bold());
            canvas.text(&bar.number.1, (right, baseline(row)), small);
        }
        canvas.text(self.bars.number, (right, place.top - 10), small);
        at.min(right) - value.max(small.width(self.bars.number) - (right - at))
    }

    /// Returns the columns of numbers from right to left.
    fn columns(&self, set: Type) -> Vec<NumberColumn> {
        let bars = &self.bars;
        let all: [(bool, &[&str], RowText, Type); 5] = [
            (true, &["??"], |row| &row.blunders, set.color(Ink::Loss)),
            (bars.has_top_moves, &["Top", "moves, %"], |row| &row.top_moves, set),
            (bars.has_accuracy, &["Accuracy,", "%"], |row| &row.accuracy, set),
            (true, &["Points"], |row| &row.points, set.bold()),
            (bars.has_elo, &["Elo"], |row| &row.elo, set),
        ];
        all.into_iter()
            .filter(|column| column.0)
            .map(|(_, heading, text, set)| (heading, text, set))
            .collect()
    }
}

type RowText = fn(&BarRow) -> &str;

/// The lines of the heading, the text of a row, and its type.
type NumberColumn = (&'static [&'static str], RowText, Type);

/// Side margin of the card.
const SIDE: i32 = 64;

/// Returns the type and the lines of a headline: the largest type in which it has two lines of at most `room` pixels,
/// else four lines of the smallest type, cut if they are too short.
fn headline(text: &str, room: i32) -> (Type, Vec<String>) {
    let sizes = [50.0, 42.0, 34.0, 28.0].map(Type::of);
    let width = |set: Type, text: &str| set.width_in(text, Face::Serif);
    let wrapped = |set: Type| {
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let last = lines.last_mut().expect("a line");
            let longer = format!("{last} {word}").trim_start().to_owned();
            match width(set, &longer) <= room || last.is_empty() {
                true => *last = longer,
                false => lines.push(word.to_owned()),
            }
        }
        lines
    };
    let fits = |lines: &[String], set| lines.len() <= 2 && lines.iter().all(|line| width(set, line) <= room);
    let fitting = sizes.into_iter().map(|set| (set, wrapped(set))).find(|(set, lines)| fits(lines, *set));
    fitting.unwrap_or_else(|| {
        let set = sizes[3];
        let (mut lines, cut) = (wrapped(set), |line: &String| line.chars().count() * 4 / 5);
        for line in &mut lines {
            while width(set, line) > room {
                *line = line.chars().take(cut(line)).chain(['…']).collect();
            }
        }
        if lines.len() > 4 {
            lines.truncate(4);
            lines[3] = lines[3].chars().take(cut(&lines[3])).chain(['…']).collect();
        }
        (set, lines)
    })
}

/// Draws a number as a dot with its interval, and a bound as an arrow to the side of the true value.
fn draw_row(
    canvas: &mut Canvas<'_>,
    plane: Plane,
    row: i32,
    number: Option<(Estimate, Option<BoundSide>)>,
    elo: Option<f64>,
) {
    if let Some((number, None)) = number {
        let [low, high] = ends(&number).map(|end| plane.column(end.clamp(plane.x.0, plane.x.1)));
        canvas.rectangle((low, row - 4), (high + 1, row + 5), Ink::Zero);
    }
    if let Some(elo) = elo {
        let x = plane.column(elo);
        canvas.rectangle((x - 1, row - 11), (x + 2, row + 12), Ink::Ink);
    }
    if let Some((number, bound)) = number {
        let x = plane.column(number.value);
        let arrow = |tip: i32| [(x, row - 8), (x + tip, row), (x, row + 8)];
        match bound {
            None => canvas.dot((x, row), 7, Ink::Gain),
            Some(BoundSide::Above) => canvas.polygon(&arrow(14), Ink::Gain),
            Some(BoundSide::Below) => canvas.polygon(&arrow(-14), Ink::Gain),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a ranking of `count` players with names and an engine of that many letters.
    fn ranking(count: usize, letters: usize) -> Ranking {
        let long = |text: &str| text.repeat(letters.div_ceil(text.len()));
        let number =
            |place: usize| Estimate { value: 2900.0 - 17.0 * place as f64, observations: 9, interval: None };
        let row = |place: usize| BarRow {
            rank: (place + 1).to_string(),
            name: (long("Wolfgang ") + " ", long("Wm")),
            bar: None,
            bound: "",
            elo_at: None,
            number: ("above 2872".to_owned(), "± 1000".to_owned()),
            elo: "2872".to_owned(),
            points: "113.5".to_owned(),
            accuracy: "100.0".to_owned(),
            top_moves: "100".to_owned(),
            blunders: "1000".to_owned(),
        };
        let marks: Vec<_> = (0..count).map(|place| (Some((number(place), None)), Some(2100.0))).collect();
        let known: Vec<Estimate> = (0..count).map(number).collect();
        let bars = BarTable {
            rows: (0..count).map(row).collect(),
            lines: Vec::new(),
            number: "Rating of play",
            has_elo: true,
            has_intervals: true,
            has_accuracy: true,
            has_top_moves: true,
            is_long: count > 18,
        };
        let caption = Caption { engine: long("Engine"), filters: 2 };
        Ranking {
            bars,
            marks,
            axis: axis(&known, [2100.0].into_iter()),
            what: "Rating of play".to_owned(),
            caption,
        }
    }

    #[test]
    fn no_text_of_the_ranking_or_the_card_covers_another() {
        for (count, letters) in [(1, 4), (5, 20), (20, 60), (30, 200)] {
            let ranking = ranking(count, letters);
            let finding = format!("{} played best, above ", "Wm".repeat(letters)).repeat(1 + letters / 20);
            let event = "Event ".repeat(letters);
            for picture in [ranking.picture(&event), ranking.card(&event, &finding)] {
                let (texts, paper) = (picture.texts(), picture.paper());
                for (index, (text, frame)) in texts.iter().enumerate() {
                    assert!(frame.is_within(paper), "{count}, {letters}: {text} {frame:?}");
                    for (other, place) in &texts[..index] {
                        assert!(!frame.meets(*place), "{count}, {letters}: {text} and {other} {place:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_headline_is_as_large_as_two_lines_allow_and_is_cut_with_a_sign() {
        let (set, lines) = headline("Magnus Carlsen played best", 1072);
        assert_eq!((set.size, lines), (50.0, vec!["Magnus Carlsen played best".to_owned()]));
        let (set, lines) = headline(&"better than all others ".repeat(40), 1072);
        assert_eq!((set.size, lines.len()), (28.0, 4));
        assert!(lines[3].ends_with('…'), "{lines:?}");
    }
}
