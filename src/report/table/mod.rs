//! [`Table`]: one description of a table, from which its files, texts, pages and documentation are made.

mod cell;
mod files;
pub(super) mod layout;
pub(super) mod manual;
pub(super) mod page;
#[cfg(feature = "program")]
mod program;
mod screen;
mod words;

use std::borrow::Cow;

use self::layout::{Field, FieldCell, Layout, ShownInterval};
#[cfg(feature = "program")]
pub use self::program::{FileFacts, write_frame, write_parts};
pub use self::{
    cell::NumberCell, cell::PlainCell, files::ExportError, files::TablePart, files::csv,
    manual::ColumnDescription, manual::TableDescription, screen::Screen, screen::TableForm,
};
use crate::measure::{Decimals, Measured, Quantity};
use crate::report::words::numbers::range;

/// A table. Its files and its forms in the terminal and on the page follow from its columns.
#[derive(Debug, Clone)]
pub struct Table {
    /// The name of the table's files, without the format; empty for a table that has no files.
    pub name: &'static str,
    row: &'static str,
    rows: usize,
    columns: Vec<TableColumn>,
}

#[derive(Debug, Clone)]
struct TableColumn {
    /// The column's name in files; empty for a column that files do not have.
    key: Cow<'static, str>,
    meaning: Cow<'static, str>,
    cells: Cells,
    /// The columns in the terminal and on the page that show these cells: none, one or more.
    shown: Vec<ShownColumn>,
}

/// The cells of a column; `None` is an unknown value.
#[derive(Debug, Clone)]
pub enum Cells {
    Values(Values),
    /// Numbers with intervals, which may take several columns.
    Estimate(Quantity, EndColumns, Vec<Option<Measured>>),
}

#[derive(Debug, Clone)]
pub enum Values {
    Text(Vec<Option<String>>),
    Flag(Vec<Option<bool>>),
    /// Counts. On pages, they are sorted by value.
    Count(Vec<Option<u64>>),
    Whole(Vec<Option<i64>>),
    /// Whole numbers of 32 bits, which take half as much room in Parquet.
    Whole32(Vec<Option<i32>>),
    Number(Quantity, Vec<Option<f64>>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndColumns {
    /// The value, `…_se`, `…_low` and `…_high`.
    Named,
    /// The value, `…_low` and `…_high`, without the standard error.
    WithoutError,
    /// The value, `se`, `low` and `high`, with these decimals, for a table with only one estimate.
    Plain(Decimals),
    Value,
    /// Standard error and intervals of a value that is in another column.
    Intervals,
}

#[derive(Debug, Clone)]
pub struct ShownColumn {
    heading: Cow<'static, str>,
    /// `None` shows texts as words, estimates with their margin, and other numbers as they are.
    part: Option<ColumnPart>,
    decimals: Option<usize>,
    /// Priority for dropping the column on a narrow terminal: the highest goes first, and 0 stays.
    gives_way: u8,
    /// Texts in place of missing numbers, one for each row. Empty if a dash suffices.
    where_missing: Vec<String>,
}

#[derive(Debug, Clone)]
pub enum ColumnPart {
    Names,
    Words,
    Value,
    Percent,
    /// The number in percent, followed by `%`.
    PercentSign,
    /// The value with the margin of its interval, or with both ends if the value is not in the middle.
    Margin,
    Range,
    Low,
    High,
    /// The value. On a page, the ends of the interval are below it.
    Ends,
    /// The value. On a page, the ends of its interval too, with a bar.
    Bar,
    HalfWidth,
    /// Half of the interval's width, preceded by `±`.
    PlusMinus,
    Error,
    /// These texts, aligned right like numbers.
    Said(Vec<String>),
    Labels(Vec<String>),
}

pub fn head(heading: impl Into<Cow<'static, str>>) -> ShownColumn {
    ShownColumn {
        heading: heading.into(),
        part: None,
        decimals: None,
        gives_way: 0,
        where_missing: Vec::new(),
    }
}

impl ColumnPart {
    pub fn under(self, heading: impl Into<Cow<'static, str>>) -> ShownColumn {
        ShownColumn { part: Some(self), ..head(heading) }
    }
}

impl ShownColumn {
    pub fn decimals(self, decimals: usize) -> ShownColumn {
        ShownColumn { decimals: Some(decimals), ..self }
    }

    /// Sets the priority for dropping the column on a narrow terminal; the highest is dropped first.
    pub fn gives_way(self, gives_way: u8) -> ShownColumn {
        ShownColumn { gives_way, ..self }
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for ShownColumn {
    fn from(heading: T) -> ShownColumn {
        head(heading)
    }
}

/// A table under construction, with its columns made from rows of `R`.
pub struct Rows<'a, R> {
    rows: &'a [R],
    table: Table,
}

impl Table {
    /// Makes a table without columns. `name` is its name in files, `row` the meaning of a row.
    pub fn of<'a, R>(name: &'static str, row: &'static str, rows: &'a [R]) -> Rows<'a, R> {
        Rows { rows, table: Table { name, row, rows: rows.len(), columns: Vec::new() } }
    }

    pub fn shown<R>(rows: &[R]) -> Rows<'_, R> {
        Table::of("", "", rows)
    }

    pub(super) fn layout(&self, title: &'static str, notes: Vec<String>) -> Layout {
        let columns =
            self.columns.iter().flat_map(|column| column.shown.iter().map(|shown| column.field(shown)));
        Layout { title, columns: columns.collect(), notes }
    }
}

impl<'a, R> Rows<'a, R> {
    pub fn table(self) -> Table {
        self.table
    }

    pub(super) fn layout(self, title: &'static str, notes: Vec<String>) -> Layout {
        self.table.layout(title, notes)
    }

    fn cells(mut self, key: Cow<'static, str>, meaning: Cow<'static, str>, cells: Cells) -> Self {
        self.table.columns.push(TableColumn { key, meaning, cells, shown: Vec::new() });
        self
    }

    /// Calls `of` dynamically: a thousand inlined closures would take 8 % of the time to compile.
    fn each<T>(&self, of: &dyn Fn(&'a R) -> T) -> Vec<T> {
        self.rows.iter().map(of).collect()
    }

    pub fn column<T: PlainCell>(
        self,
        key: impl Into<Cow<'static, str>>,
        meaning: impl Into<Cow<'static, str>>,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        let cells = T::cells(self.each(&of));
        self.cells(key.into(), meaning.into(), Cells::Values(cells))
    }

    /// Adds a column; estimates also have columns for their errors and intervals.
    pub fn number<T: NumberCell>(
        self,
        key: impl Into<Cow<'static, str>>,
        quantity: impl Into<Quantity>,
        meaning: impl Into<Cow<'static, str>>,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        self.number_in(key, quantity, EndColumns::Named, meaning, of)
    }

    pub fn number_in<T: NumberCell>(
        self,
        key: impl Into<Cow<'static, str>>,
        quantity: impl Into<Quantity>,
        ends: EndColumns,
        meaning: impl Into<Cow<'static, str>>,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        let cells = T::cells(quantity.into(), ends, self.each(&of));
        self.cells(key.into(), meaning.into(), cells)
    }

    /// Appends to the meaning of the last column, which may be empty so far.
    pub fn means(mut self, meaning: &str) -> Self {
        let last = self.table.columns.last_mut().into_iter();
        last.for_each(|column| column.meaning.to_mut().push_str(meaning));
        self
    }

    /// Adds a column of words or whole numbers. It is shown to readers and not written to files.
    pub fn display<T: PlainCell>(self, heading: impl Into<ShownColumn>, of: impl Fn(&'a R) -> T) -> Self {
        self.column("", "", of).heading(heading)
    }

    /// Adds a column of numbers. It is shown to readers and not written to files.
    pub fn display_number<T: NumberCell>(
        self,
        heading: impl Into<ShownColumn>,
        quantity: impl Into<Quantity>,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        self.number("", quantity, "", of).heading(heading)
    }

    /// Adds a column of texts, aligned like numbers. It is shown to readers and not written to files.
    pub fn display_text(self, heading: impl Into<ShownColumn>, of: impl Fn(&'a R) -> String) -> Self {
        self.without_cells().said(heading, of)
    }

    fn without_cells(self) -> Self {
        self.cells("".into(), "".into(), Cells::Values(Values::Text(Vec::new())))
    }

    /// Adds a column of texts, whose spaces remain as they are, for readers only.
    pub fn label(self, heading: impl Into<ShownColumn>, of: impl Fn(&'a R) -> String) -> Self {
        let part = Some(ColumnPart::Labels(self.each(&of)));
        self.without_cells().heading(ShownColumn { part, ..heading.into() })
    }

    /// Shows the last column as the texts that `of` returns, aligned like numbers.
    pub fn said(self, heading: impl Into<ShownColumn>, of: impl Fn(&'a R) -> String) -> Self {
        let part = Some(ColumnPart::Said(self.each(&of)));
        self.heading(ShownColumn { part, ..heading.into() })
    }

    pub fn heading(mut self, heading: impl Into<ShownColumn>) -> Self {
        let heading = heading.into();
        self.table.columns.last_mut().into_iter().for_each(|column| column.shown.push(heading.clone()));
        self
    }

    /// Replaces missing numbers in the shown column that was added last.
    pub fn text_where_missing(mut self, of: impl Fn(&'a R) -> String) -> Self {
        let words = self.each(&of);
        let shown = self.table.columns.last_mut().and_then(|column| column.shown.last_mut());
        shown.into_iter().for_each(|shown| shown.where_missing.clone_from(&words));
        self
    }

    /// Returns the table changed by `with` if `is_wanted`, else unchanged.
    pub fn when(self, is_wanted: bool, with: impl FnOnce(Self) -> Self) -> Self {
        if is_wanted { with(self) } else { self }
    }

    /// Returns true if a number in the last column has an interval.
    pub fn has_intervals(&self) -> bool {
        match self.table.columns.last().map(|column| &column.cells) {
            Some(Cells::Estimate(_, _, cells)) => {
                cells.iter().flatten().any(|measured| measured.intervals.cluster.is_some())
            }
            _ => false,
        }
    }
}

impl TableColumn {
    fn field(&self, shown: &ShownColumn) -> Field {
        let mut numbers = self.cells.numbers().into_iter();
        let mut intervals = self.intervals(shown).into_iter();
        let mut otherwise = shown.where_missing.iter();
        let cell = |text| {
            let (value, interval) = (numbers.next().flatten(), intervals.next().flatten());
            let otherwise = otherwise.next().filter(|_| value.is_none()).cloned();
            FieldCell { text: otherwise.unwrap_or(text), value, interval }
        };
        Field {
            heading: shown.heading.clone(),
            is_text: match &shown.part {
                None => matches!(self.cells, Cells::Values(Values::Text(_))),
                Some(part) => matches!(part, ColumnPart::Names | ColumnPart::Words | ColumnPart::Labels(_)),
            },
            is_names: matches!(shown.part, Some(ColumnPart::Names)),
            gives_way: shown.gives_way,
            has_bars: matches!(shown.part, Some(ColumnPart::Bar)),
            cells: self.words(shown).into_iter().map(cell).collect(),
        }
    }

    /// Returns the interval that is shown with each number; empty if the column shows no intervals.
    fn intervals(&self, shown: &ShownColumn) -> Vec<Option<ShownInterval>> {
        let (Some(ColumnPart::Ends | ColumnPart::Bar), Cells::Estimate(quantity, _, cells)) =
            (&shown.part, &self.cells)
        else {
            return Vec::new();
        };
        let interval = |cell: &Option<Measured>| {
            let measured = (*cell)?;
            let ends = measured.intervals.cluster.map(|interval| (interval.low, interval.high))?;
            let decimals = shown.decimals.unwrap_or(quantity.decimals.shown(measured.value));
            Some(ShownInterval { words: range(measured, decimals), ends })
        };
        cells.iter().map(interval).collect()
    }
}
