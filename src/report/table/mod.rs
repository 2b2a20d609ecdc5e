//! Owns [`Table`]: one description of a table, from which its files, the terminal, the page and the documentation
//! are made.

mod cell;
mod export;
mod frame;
pub(super) mod layout;
pub(super) mod manual;
mod quantity;
mod screen;

use std::borrow::Cow;

use self::layout::{Field, Layout};
pub use self::{
    cell::{CountCell, TextCell},
    export::{ExportError, write_frame, write_parts},
    quantity::Quantity,
    screen::Screen,
};
use crate::{
    report::words::numbers::{MISSING, number, range, with_margin},
    stats::estimate::Estimate,
    text::printable,
    tournament::Measured,
};

/// A table: what files, terminal and page have of it follows from its columns.
#[derive(Debug, Clone)]
pub struct Table {
    /// What its files are called, without the format.
    pub name: &'static str,
    rows: usize,
    columns: Vec<Column>,
}

/// One column, or the few that an estimate takes.
#[derive(Debug, Clone)]
struct Column {
    /// Its name in files; empty for what only a terminal shows.
    key: Cow<'static, str>,
    /// What it means, for the documentation.
    meaning: &'static str,
    cells: Cells,
    /// How a terminal shows it: not at all, or once or more.
    shown: Vec<Shown>,
}

/// The cells of a column; nothing is what is not known.
#[derive(Debug, Clone)]
pub enum Cells {
    /// One column in files.
    Values(Values),
    /// Numbers with intervals, which take several columns.
    Estimate(Quantity, EndColumns, Vec<Option<Estimate>>),
    /// The two intervals of numbers that stand in columns of their own.
    Intervals(Quantity, Vec<Option<Measured>>),
}

/// The values of a column, by type.
#[derive(Debug, Clone)]
pub enum Values {
    /// Words.
    Text(Vec<Option<String>>),
    /// Yes or no.
    Flag(Vec<Option<bool>>),
    /// Whole numbers, none of them negative.
    Count(Vec<Option<u64>>),
    /// The same in 32 bits.
    Count32(Vec<Option<u32>>),
    /// Whole numbers.
    Whole(Vec<Option<i64>>),
    /// The same in 32 bits.
    Whole32(Vec<Option<i32>>),
    /// Numbers.
    Number(Quantity, Vec<Option<f64>>),
}

/// Which columns hold the interval of an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndColumns {
    /// `…_se`, `…_low` and `…_high`.
    Named,
    /// `…_low` and `…_high`, without the standard error.
    WithoutError,
    /// `se`, `low` and `high`, the estimate being the table's only one; in this quantity.
    Plain(Quantity),
}

/// How a terminal shows a column.
#[derive(Debug, Clone)]
struct Shown {
    heading: Cow<'static, str>,
    form: Form,
    decimals: Option<usize>,
    /// When it gives way to a narrow terminal: the highest first, 0 never.
    gives_way: u8,
}

/// What of a column a terminal shows.
#[derive(Debug, Clone)]
enum Form {
    /// Names, which may be cut.
    Names,
    /// Words.
    Words,
    /// The number; of an estimate the value alone.
    Value,
    /// The value with the margin of its interval, or with its ends.
    Margin,
    /// The ends of the interval.
    Range,
    /// These words, to the right as numbers are.
    Said(Vec<String>),
}

/// A table while its columns are put together, row by row of `R`.
pub struct Rows<'a, R> {
    rows: &'a [R],
    table: Table,
}

impl Table {
    /// A table of the `rows`, without columns as yet.
    pub fn of<'a, R>(name: &'static str, rows: &'a [R]) -> Rows<'a, R> {
        Rows { rows, table: Table { name, rows: rows.len(), columns: Vec::new() } }
    }

    /// How a terminal shows it, with its title and the notes below it.
    pub(super) fn layout(&self, title: &'static str, notes: Vec<String>) -> Layout {
        let columns =
            self.columns.iter().flat_map(|column| column.shown.iter().map(|shown| column.field(shown)));
        Layout { title, columns: columns.collect(), notes }
    }
}

impl<'a, R> Rows<'a, R> {
    /// The table with these columns.
    pub fn table(self) -> Table {
        self.table
    }

    /// Adds a column of such cells.
    fn cells(mut self, key: impl Into<Cow<'static, str>>, meaning: &'static str, cells: Cells) -> Self {
        self.table.columns.push(Column { key: key.into(), meaning, cells, shown: Vec::new() });
        self
    }

    /// Adds a column of words.
    pub fn text<T: TextCell>(
        self,
        key: impl Into<Cow<'static, str>>,
        meaning: &'static str,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        let cells = self.rows.iter().map(|row| of(row).text()).collect();
        self.cells(key, meaning, Cells::Values(Values::Text(cells)))
    }

    /// Adds a column of whole numbers, or of flags.
    pub fn count<T: CountCell>(
        self,
        key: impl Into<Cow<'static, str>>,
        meaning: &'static str,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        let cells = T::cells(self.rows.iter().map(of).collect());
        self.cells(key, meaning, Cells::Values(cells))
    }

    /// Adds a column of numbers.
    pub fn number<T: Into<Option<f64>>>(
        self,
        key: impl Into<Cow<'static, str>>,
        quantity: Quantity,
        meaning: &'static str,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        let cells = self.rows.iter().map(|row| of(row).into()).collect();
        self.cells(key, meaning, Cells::Values(Values::Number(quantity, cells)))
    }

    /// Adds the columns of numbers with their intervals.
    pub fn estimate<T: Into<Option<Estimate>>>(
        self,
        key: impl Into<Cow<'static, str>>,
        quantity: Quantity,
        meaning: &'static str,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        self.estimate_in(key, quantity, EndColumns::Named, meaning, of)
    }

    /// The same with the columns of the interval named otherwise.
    pub fn estimate_in<T: Into<Option<Estimate>>>(
        self,
        key: impl Into<Cow<'static, str>>,
        quantity: Quantity,
        ends: EndColumns,
        meaning: &'static str,
        of: impl Fn(&'a R) -> T,
    ) -> Self {
        let cells = self.rows.iter().map(|row| of(row).into()).collect();
        self.cells(key, meaning, Cells::Estimate(quantity, ends, cells))
    }

    /// Adds the columns of both intervals of a number that has a column of its own, `key`.
    pub fn intervals(
        self,
        key: &'static str,
        quantity: Quantity,
        meaning: &'static str,
        of: impl Fn(&'a R) -> Option<Measured>,
    ) -> Self {
        let cells = self.rows.iter().map(of).collect();
        self.cells(key, meaning, Cells::Intervals(quantity, cells))
    }

    /// Adds a column of words that only a terminal has.
    pub fn text_beside<T: TextCell>(self, of: impl Fn(&'a R) -> T) -> Self {
        self.text("", "", of)
    }

    /// Adds a column of words that only a terminal has, set like numbers.
    pub fn beside(self, heading: impl Into<Cow<'static, str>>, of: impl Fn(&'a R) -> String) -> Self {
        let said = self.rows.iter().map(of).collect();
        self.cells("", "", Cells::Values(Values::Text(Vec::new()))).show(heading, Form::Said(said))
    }

    /// Shows the last column: words to the left, numbers to the right, estimates with their margin.
    pub fn shown(self, heading: impl Into<Cow<'static, str>>) -> Self {
        let form = match self.table.columns.last().map(|column| &column.cells) {
            Some(Cells::Values(Values::Text(_))) => Form::Words,
            Some(Cells::Estimate(..)) => Form::Margin,
            _ => Form::Value,
        };
        self.show(heading, form)
    }

    /// Shows the last column as names, which may be cut.
    pub fn names(self, heading: &'static str) -> Self {
        self.show(heading, Form::Names)
    }

    /// Shows of the estimates in the last column the value alone.
    pub fn value(self, heading: &'static str) -> Self {
        self.show(heading, Form::Value)
    }

    /// Shows of the estimates in the last column the interval alone.
    pub fn range(self, heading: &'static str) -> Self {
        self.show(heading, Form::Range)
    }

    /// Shows of the last column these words, set like numbers.
    pub fn said(self, heading: impl Into<Cow<'static, str>>, of: impl Fn(&'a R) -> String) -> Self {
        let said = self.rows.iter().map(of).collect();
        self.show(heading, Form::Said(said))
    }

    /// Rounds what was shown last to so many decimals, not to those of its quantity.
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.last_shown(|shown| shown.decimals = Some(decimals));
        self
    }

    /// Lets what was shown last give way to a narrow terminal, the highest first.
    pub fn gives_way(mut self, gives_way: u8) -> Self {
        self.last_shown(|shown| shown.gives_way = gives_way);
        self
    }

    fn show(mut self, heading: impl Into<Cow<'static, str>>, form: Form) -> Self {
        let shown = Shown { heading: heading.into(), form, decimals: None, gives_way: 0 };
        self.table.columns.iter_mut().last().into_iter().for_each(|column| column.shown.push(shown.clone()));
        self
    }

    fn last_shown(&mut self, change: impl Fn(&mut Shown)) {
        let last = self.table.columns.iter_mut().last().and_then(|column| column.shown.last_mut());
        last.into_iter().for_each(change);
    }
}

impl Column {
    fn field(&self, shown: &Shown) -> Field {
        let heading = shown.heading.clone();
        let cells = self.words(shown);
        match shown.form {
            Form::Names => Field::names(heading, cells),
            Form::Words => Field::text(heading, cells),
            _ => Field::number(heading, cells),
        }
        .dropped(shown.gives_way)
    }

    fn words(&self, shown: &Shown) -> Vec<String> {
        let decimals = |quantity: &Quantity| shown.decimals.unwrap_or(quantity.shown_decimals());
        match (&shown.form, &self.cells) {
            (Form::Said(said), _) => said.clone(),
            (_, Cells::Values(values)) => values.words(shown.decimals),
            (form, Cells::Estimate(quantity, _, cells)) => {
                let decimals = decimals(quantity);
                cells.iter().map(|&estimate| estimate_words(form, estimate, decimals)).collect()
            }
            (_, Cells::Intervals(quantity, cells)) => {
                let interval = |one: &Option<Measured>| one.and_then(|one| one.intervals.cluster);
                cells.iter().map(|one| range(interval(one), decimals(quantity))).collect()
            }
        }
    }
}

impl Values {
    /// What stands before a reader's eyes, rounded to so many decimals or to those of the quantity.
    fn words(&self, decimals: Option<usize>) -> Vec<String> {
        match self {
            Values::Text(cells) => or_missing(cells, |text| printable(text)),
            Values::Flag(cells) => or_missing(cells, ToString::to_string),
            Values::Count(cells) => or_missing(cells, ToString::to_string),
            Values::Count32(cells) => or_missing(cells, ToString::to_string),
            Values::Whole(cells) => or_missing(cells, ToString::to_string),
            Values::Whole32(cells) => or_missing(cells, ToString::to_string),
            Values::Number(quantity, cells) => {
                let decimals = decimals.unwrap_or(quantity.shown_decimals());
                cells.iter().map(|&value| number(value, decimals)).collect()
            }
        }
    }
}

fn or_missing<T>(cells: &[Option<T>], word: impl Fn(&T) -> String) -> Vec<String> {
    cells.iter().map(|cell| cell.as_ref().map_or(MISSING.to_owned(), &word)).collect()
}

fn estimate_words(form: &Form, estimate: Option<Estimate>, decimals: usize) -> String {
    match form {
        Form::Range => range(estimate.and_then(|estimate| estimate.interval), decimals),
        Form::Margin => with_margin(estimate, decimals),
        _ => number(estimate.map(|estimate| estimate.value), decimals),
    }
}
