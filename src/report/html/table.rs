//! Owns tables as pages have them: cells with the numbers that they are sorted by, intervals as bars.

use crate::chess::text::{cut, rounded};
use crate::report::{html::NAME, table::layout::Field, table::layout::FieldCell, table::layout::Layout};

pub struct PageTable {
    /// The name of its heading on the page.
    pub label: String,
    pub title: &'static str,
    pub headers: Vec<PageHeader>,
    pub rows: Vec<Vec<PageCell>>,
    pub notes: Vec<String>,
}

pub struct PageHeader {
    pub lines: Vec<String>,
    pub is_text: bool,
    axis: Option<BarAxis>,
}

/// One cell; a missing number is sorted last.
pub struct PageCell {
    pub text: String,
    pub is_text: bool,
    /// It has a bar, or would have one.
    pub is_measured: bool,
    /// The sort key, where that is not its text.
    pub value: Option<String>,
    pub range: String,
    pub bar: Option<RangeBar>,
}

/// In percent of the width there is.
pub struct RangeBar {
    pub left: String,
    pub width: String,
    pub at: String,
}

/// The ends of an axis that bars of several rows share.
#[derive(Debug, Clone, Copy)]
struct BarAxis {
    low: f64,
    high: f64,
}

impl PageTable {
    pub fn of(label: impl Into<String>, layout: Layout) -> PageTable {
        let headers: Vec<PageHeader> = layout.columns.iter().map(PageHeader::of).collect();
        let row = |row: usize| {
            let columns = layout.columns.iter().zip(&headers);
            columns.map(|(column, header)| PageCell::of(column, header, &column.cells[row])).collect()
        };
        let rows = (0..layout.rows()).map(row).collect();
        PageTable { label: label.into(), title: layout.title, rows, headers, notes: layout.notes }
    }

    /// Says from where to where the bars of each column reach, in words.
    pub fn axes(&self) -> String {
        let axes = self.headers.iter().filter_map(|header| Some((header.lines.join(" "), header.axis?)));
        let words = axes.map(|(heading, axis)| {
            let [low, high] = [axis.low, axis.high].map(|end| rounded(end, axis.decimals()));
            format!("{}: bars from {low} to {high}", heading.to_lowercase())
        });
        words.collect::<Vec<_>>().join("; ")
    }
}

impl PageHeader {
    fn of(column: &Field) -> PageHeader {
        PageHeader {
            lines: column.heading.lines().map(str::to_owned).collect(),
            is_text: column.is_text,
            axis: BarAxis::of(&column.cells).filter(|_| column.has_bars),
        }
    }
}

impl PageCell {
    fn of(column: &Field, header: &PageHeader, cell: &FieldCell) -> PageCell {
        let has_numbers = column.cells.iter().any(|cell| cell.value.is_some());
        let value = cell.value.map_or(String::new(), |value| format!("{value}"));
        PageCell {
            text: if column.is_names { cut(&cell.text, NAME) } else { cell.text.clone() },
            is_text: column.is_text,
            is_measured: column.has_bars,
            value: has_numbers.then_some(value),
            range: cell.interval.as_ref().map_or(String::new(), |interval| interval.words.clone()),
            bar: header.axis.and_then(|axis| axis.bar(cell)),
        }
    }
}

/// Returns the value of a cell, and the ends of its interval, which may not hold it.
fn reach(cell: &FieldCell) -> Option<(f64, (f64, f64))> {
    let value = cell.value?;
    Some((value, cell.interval.as_ref().map_or((value, value), |interval| interval.ends)))
}

impl BarAxis {
    /// Returns one wide enough for all cells; `None` where there is nothing to draw.
    fn of(cells: &[FieldCell]) -> Option<BarAxis> {
        let ends =
            cells.iter().filter_map(reach).map(|(value, (low, high))| (low.min(value), high.max(value)));
        let (low, high) = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
        (high > low).then_some(BarAxis { low, high })
    }

    /// Returns how many decimals of its ends tell something: some two digits of its length.
    fn decimals(self) -> usize {
        match self.high - self.low {
            wide if wide >= 20.0 => 0,
            middle if middle >= 2.0 => 1,
            _ => 2,
        }
    }

    fn place(self, value: f64) -> f64 {
        100.0 * (value - self.low) / (self.high - self.low)
    }

    fn bar(self, cell: &FieldCell) -> Option<RangeBar> {
        let (value, (low, high)) = reach(cell)?;
        let (left, right) = (self.place(low), self.place(high));
        Some(RangeBar {
            left: format!("{left:.1}%"),
            width: format!("{:.1}%", right - left),
            at: format!("{:.1}%", self.place(value)),
        })
    }
}
