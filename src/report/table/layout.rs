//! Owns how a table is laid out in columns, and how it gives way to a narrow terminal.

use std::borrow::Cow;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use super::screen::Screen;
use crate::{
    report::words::numbers::NAME,
    text::{cut, width, wrapped},
};

/// A table before it is laid out.
pub(in crate::report) struct Layout {
    pub title: &'static str,
    pub columns: Vec<Field>,
    pub notes: Vec<String>,
}

/// One column.
pub(in crate::report) struct Field {
    header: Cow<'static, str>,
    cells: Vec<String>,
    alignment: CellAlignment,
    /// Whether it holds names, which may be cut.
    names: bool,
    /// When it gives way to a narrow terminal: the highest first, 0 never.
    dropped: u8,
}

impl Field {
    pub fn text(header: impl Into<Cow<'static, str>>, cells: Vec<String>) -> Field {
        Field { header: header.into(), cells, alignment: CellAlignment::Left, names: false, dropped: 0 }
    }

    pub fn number(header: impl Into<Cow<'static, str>>, cells: Vec<String>) -> Field {
        Field { alignment: CellAlignment::Right, ..Field::text(header, cells) }
    }

    /// Names, which may be cut.
    pub fn names(header: impl Into<Cow<'static, str>>, cells: Vec<String>) -> Field {
        Field { names: true, ..Field::text(header, cells) }
    }

    /// The column gives way to a narrow terminal, the highest first.
    pub fn dropped(self, dropped: u8) -> Field {
        Field { dropped, ..self }
    }

    /// What stands above it.
    pub fn header(&self) -> &str {
        &self.header
    }

    /// Whether it holds words, not numbers.
    pub fn is_text(&self) -> bool {
        self.alignment == CellAlignment::Left
    }

    /// What stands in a row.
    pub fn cell(&self, row: usize) -> &str {
        &self.cells[row]
    }

    fn cells(&self, name: usize) -> Vec<String> {
        self.cells.iter().map(|cell| if self.names { cut(cell, name) } else { cell.clone() }).collect()
    }
}

/// How a table gives way, step by step: columns of a name, and the columns kept by their order of
/// dropping.
const STEPS: [(usize, u8); 10] =
    [(NAME, 5), (24, 5), (24, 4), (24, 3), (16, 4), (16, 3), (16, 2), (16, 1), (12, 0), (6, 0)];

impl Layout {
    /// How many rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    /// Title, table and notes, each with its line end.
    pub fn shown(&self, screen: Screen) -> String {
        let fits = |table: &String| {
            let widest = table.lines().map(width).max().unwrap_or_default();
            screen.columns.is_none_or(|columns| widest <= usize::from(columns))
        };
        let (table, dropped) = STEPS
            .iter()
            .map(|&(name, kept)| (self.table(name, kept), kept))
            .find(|(table, _)| fits(table))
            .unwrap_or_else(|| (self.table(STEPS[STEPS.len() - 1].0, 0), 0));
        let mut lines = vec![title(self.title, screen), screen.marked(&table)];
        lines.extend(self.notes.iter().map(|text| note(text, screen)));
        if self.columns.iter().any(|column| column.dropped > dropped) {
            lines.push(note("Some columns are left out on so narrow a terminal.", screen));
        }
        lines.join("\n") + "\n"
    }

    fn table(&self, name: usize, kept: u8) -> String {
        let columns: Vec<&Field> = self.columns.iter().filter(|column| column.dropped <= kept).collect();
        let cells: Vec<Vec<String>> = columns.iter().map(|column| column.cells(name)).collect();
        let mut table = Table::new();
        table.load_style(STYLE).set_header(columns.iter().map(|column| &*column.header));
        for row in 0..self.rows() {
            table.add_row(cells.iter().map(|column| &column[row]));
        }
        for (index, (column, field)) in table.column_iter_mut().zip(&columns).enumerate() {
            column.set_cell_alignment(field.alignment);
            column.set_padding((0, u16::from(index + 1 < columns.len())));
        }
        table.trim_fmt()
    }
}

/// One line below the header, nothing else: numbers in columns need no fence.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

/// Lines of a title, no wider than the terminal.
pub(in crate::report) fn title(text: &str, screen: Screen) -> String {
    screen.bold(&lines(text, screen))
}

/// Lines of a note, no wider than the terminal.
pub(in crate::report) fn note(text: &str, screen: Screen) -> String {
    screen.dim(&lines(text, screen))
}

fn lines(text: &str, screen: Screen) -> String {
    wrapped(text, screen.columns.map_or(100, usize::from).clamp(20, 100))
}
