//! The layout of a table in columns, and its reduction for a narrow terminal.

use std::borrow::Cow;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

use super::screen::{Screen, TableForm, markdown};
use crate::base::text::{cut, width, wrapped};
use crate::report::words::numbers::NAME;

/// A table before it is laid out.
#[derive(Debug, Clone)]
pub(in crate::report) struct Layout {
    pub title: &'static str,
    pub columns: Vec<Field>,
    pub notes: Vec<String>,
}

#[derive(Debug, Clone)]
pub(in crate::report) struct Field {
    pub heading: Cow<'static, str>,
    /// True for words, which are aligned left; false for numbers.
    pub is_text: bool,
    /// True for names, which may be cut.
    pub is_names: bool,
    /// Priority for dropping the column on a narrow terminal: the highest goes first, and 0 stays.
    pub gives_way: u8,
    /// True to draw the interval of each number as a bar if possible.
    pub has_bars: bool,
    pub cells: Vec<FieldCell>,
}

#[derive(Debug, Clone)]
pub(in crate::report) struct FieldCell {
    pub text: String,
    pub value: Option<f64>,
    pub interval: Option<ShownInterval>,
}

#[derive(Debug, Clone)]
pub(in crate::report) struct ShownInterval {
    pub words: String,
    pub ends: (f64, f64),
}

impl Field {
    /// Returns the text of each row. Names are cut to `name` columns of the terminal.
    fn cut(&self, name: usize) -> Vec<String> {
        let words =
            |FieldCell { text, .. }: &FieldCell| if self.is_names { cut(text, name) } else { text.clone() };
        self.cells.iter().map(words).collect()
    }
}

/// Steps of narrowing a table: the width of a name, and the highest `gives_way` of the kept columns.
const STEPS: [(usize, u8); 10] =
    [(NAME, 5), (24, 5), (24, 4), (24, 3), (16, 4), (16, 3), (16, 2), (16, 1), (12, 0), (6, 0)];

impl Layout {
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }

    pub fn shown(&self, screen: Screen) -> String {
        match screen.form {
            TableForm::Columns => self.drawn(screen),
            TableForm::Markdown => self.markdown(screen),
        }
    }

    /// Returns the table in Markdown with all of its columns. Title and notes are paragraphs around it.
    fn markdown(&self, screen: Screen) -> String {
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let head = row(self.columns.iter().map(|column| markdown(column.heading.trim())).collect());
        let side = |column: &Field| if column.is_text { "---" } else { "---:" }.to_owned();
        let sides = row(self.columns.iter().map(side).collect());
        let cells =
            |place: usize| self.columns.iter().map(|column| markdown(&column.cells[place].text)).collect();
        let rows: String = (0..self.rows()).map(|place| row(cells(place))).collect();
        let table = head + &sides + &rows;
        let notes = self.notes.iter().map(|text| format!("{}\n", markdown(text)));
        let title = Some(screen.bold(self.title) + "\n").filter(|_| !self.title.is_empty());
        let parts: Vec<String> = title.into_iter().chain([table]).chain(notes).collect();
        format!("\n{}\n", parts.join("\n"))
    }

    /// Returns the table in columns, as far as the screen has room for them.
    fn drawn(&self, screen: Screen) -> String {
        let (table, kept) = self.fitting(screen);
        let mut lines = vec![title(self.title, screen), screen.marked(&table)];
        lines.extend(self.notes.iter().map(|text| note(text, screen)));
        if self.columns.iter().any(|column| column.gives_way > kept) {
            lines.push(note("Some columns are left out here; the files have all of them.", screen));
        }
        lines.join("\n") + "\n"
    }

    /// Returns header and rows no wider than the screen; empty if there are no rows.
    pub fn lines(&self, screen: Screen) -> String {
        let table = if self.rows() == 0 { String::new() } else { self.fitting(screen).0 };
        let fitted = |line: &str| screen.columns.map_or(line.to_owned(), |columns| cut(line, columns.into()));
        let lines = table.lines().enumerate().filter(|&(place, _)| place != 1);
        let lines = lines.map(|(place, line)| match place {
            0 => screen.dim(&fitted(line)),
            _ => fitted(line),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Returns the widest form that fits, or else the narrowest form, with the highest `gives_way` in it.
    fn fitting(&self, screen: Screen) -> (String, u8) {
        let fits = |table: &String| {
            let widest = table.lines().map(width).max().unwrap_or_default();
            screen.columns.is_none_or(|columns| widest <= usize::from(columns))
        };
        STEPS
            .iter()
            .map(|&(name, kept)| (self.table(name, kept), kept))
            .find(|(table, _)| fits(table))
            .unwrap_or_else(|| (self.table(STEPS[STEPS.len() - 1].0, 0), 0))
    }

    fn table(&self, name: usize, kept: u8) -> String {
        let columns: Vec<&Field> = self.columns.iter().filter(|column| column.gives_way <= kept).collect();
        let cells: Vec<Vec<String>> = columns.iter().map(|column| column.cut(name)).collect();
        let mut table = Table::new();
        table.load_style(STYLE).set_header(columns.iter().map(|column| &*column.heading));
        for row in 0..self.rows() {
            table.add_row(cells.iter().map(|column| &column[row]));
        }
        for (index, (column, field)) in table.column_iter_mut().zip(&columns).enumerate() {
            column.set_cell_alignment(if field.is_text { CellAlignment::Left } else { CellAlignment::Right });
            column.set_padding((0, u16::from(index + 1 < columns.len())));
        }
        table.trim_fmt()
    }
}

/// The style of tables: one line, below the header. Columns of numbers need no borders.
const STYLE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));

pub(in crate::report) fn title(text: &str, screen: Screen) -> String {
    screen.bold(&fitted(text, screen))
}

pub(in crate::report) fn note(text: &str, screen: Screen) -> String {
    screen.dim(&fitted(text, screen))
}

/// Wraps the text to the width of the terminal, but to at least 20 and at most 100 columns.
pub(in crate::report) fn fitted(text: &str, screen: Screen) -> String {
    wrapped(text, screen.columns.map_or(100, usize::from).clamp(20, 100))
}
