//! Tables for pages: cells with their sort keys, and intervals as bars.

use std::collections::HashMap;

use crate::base::text::cut;
use crate::report::plots::bar_table::{Bar, BarAxis};
use crate::report::table::{layout::Field, layout::FieldCell, layout::Layout};
use crate::report::words::{names::NAME, names::surnames, numbers::minus};

pub struct PageTable {
    /// The HTML id of the table's heading.
    pub label: String,
    pub layout: Layout,
    /// The axis of the bars of each column that has bars.
    axes: Vec<Option<BarAxis>>,
    /// For each name, the length in bytes of the beginning that fits on a phone.
    short: HashMap<String, usize>,
    /// True if a phone shows each row as a list of its cells, each cell with its heading.
    pub is_stacked: bool,
}

impl PageTable {
    /// Prepares a table for a page. Columns with bars follow the names, so that phones show them first.
    pub fn of(label: impl Into<String>, mut layout: Layout) -> PageTable {
        let names = layout.columns.iter().position(|column| column.is_text).map_or(0, |place| place + 1);
        layout.columns[names..].sort_by_key(|column| !column.has_bars);
        let values = |column: &Field| {
            let reaches = column.cells.iter().filter_map(reach);
            reaches.flat_map(|(value, [low, high])| [low, value, high]).collect::<Vec<_>>()
        };
        let axis = |column: &Field| BarAxis::of(values(column)).filter(|_| column.has_bars);
        let axes = layout.columns.iter().map(axis).collect();
        let of_names = layout.columns.iter().filter(|column| column.is_names);
        let short = of_names.flat_map(|column| {
            let names: Vec<&str> = column.cells.iter().map(|cell| cell.text.as_str()).collect();
            let parts = surnames(&names);
            names
                .into_iter()
                .zip(parts)
                .map(|(name, (short, _))| (name.to_owned(), short.len()))
                .collect::<Vec<_>>()
        });
        PageTable { label: label.into(), short: short.collect(), axes, layout, is_stacked: false }
    }

    /// Returns true if any number has an interval. Intervals are drawn as bars.
    pub fn has_intervals(&self) -> bool {
        self.layout.columns.iter().flat_map(|column| &column.cells).any(|cell| cell.interval.is_some())
    }

    /// Returns the ends of each column's bars, in words.
    pub fn axes(&self) -> String {
        let axes = self.layout.columns.iter().zip(&self.axes);
        let words = axes.filter_map(|(column, axis)| {
            let [low, high] = (*axis)?.ends();
            let heading = column.heading.lines().collect::<Vec<_>>().join(" ").to_lowercase();
            Some(format!("{heading}: bars from {low} to {high}"))
        });
        words.collect::<Vec<_>>().join("; ")
    }

    pub fn rows(&self) -> impl Iterator<Item = Vec<PageCell<'_>>> {
        let columns = || self.layout.columns.iter().zip(&self.axes);
        (0..self.layout.rows())
            .map(move |row| columns().map(|(column, axis)| cell(column, row, *axis)).collect())
    }

    /// Returns a row's name in two parts: the beginning that fits on a phone, and the rest.
    pub fn name<'t>(&self, column: &Field, text: &'t str) -> (&'t str, &'t str) {
        let short = self.short.get(text).copied().filter(|_| column.is_names);
        text.split_at_checked(short.unwrap_or(text.len())).unwrap_or((text, ""))
    }
}

/// A column with one of its cells: the cell's text, its sort key if that is not the text, and its bar.
/// Missing numbers are sorted last.
type PageCell<'a> = (&'a Field, &'a FieldCell, String, Option<String>, Option<Bar>);

fn cell(column: &Field, row: usize, axis: Option<BarAxis>) -> PageCell<'_> {
    let cell = &column.cells[row];
    let text = match column.is_names {
        true => cut(&cell.text, NAME),
        false if column.is_text => cell.text.clone(),
        false => minus(&cell.text),
    };
    let has_numbers = column.cells.iter().any(|cell| cell.value.is_some());
    let key = has_numbers.then(|| cell.value.map_or(String::new(), |value| value.to_string()));
    let bar = axis.zip(reach(cell)).map(|(axis, (value, ends))| axis.bar(value, ends));
    (column, cell, text, key, bar)
}

/// Returns a value and the ends of its interval, or the value twice.
fn reach(cell: &FieldCell) -> Option<(f64, [f64; 2])> {
    let value = cell.value?;
    Some((value, cell.interval.as_ref().map_or([value; 2], |interval| interval.ends.into())))
}
