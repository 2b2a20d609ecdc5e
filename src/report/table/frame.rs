//! Owns the way from a table to the columns of its files: which there are, and of what type.

use std::borrow::Cow;

use polars::prelude::{Column as Series, DataFrame, PolarsResult};

use super::{Cells, Column, EndColumns, Quantity, Table, Values};
use crate::{stats::estimate::Estimate, tournament::Measured};

/// One column of a file.
pub(super) struct FileColumn<'a> {
    /// Its name.
    pub name: String,
    /// What stands in it.
    pub cells: Cow<'a, Values>,
}

/// One part of an estimate: the end of its column's name, and how it is found.
type Part<T> = (&'static str, fn(T) -> Option<f64>);

/// Name, quantity and value of a column that an estimate takes.
type EstimateColumn = (String, Quantity, fn(Estimate) -> Option<f64>);

const ESTIMATE: [Part<Estimate>; 4] = [
    ("", |estimate| Some(estimate.value)),
    ("se", |estimate| Some(estimate.interval?.standard_error)),
    ("low", |estimate| Some(estimate.interval?.low)),
    ("high", |estimate| Some(estimate.interval?.high)),
];

const INTERVALS: [Part<Measured>; 5] = [
    ("se", |measured| Some(measured.intervals.cluster?.standard_error)),
    ("low", |measured| Some(measured.intervals.cluster?.low)),
    ("high", |measured| Some(measured.intervals.cluster?.high)),
    ("boot_low", |measured| Some(measured.intervals.bootstrap?.low)),
    ("boot_high", |measured| Some(measured.intervals.bootstrap?.high)),
];

impl Table {
    /// Returns the table as a data frame, numbers at full precision.
    ///
    /// # Errors
    ///
    /// If two columns have one name.
    pub fn frame(&self) -> PolarsResult<DataFrame> {
        DataFrame::new(self.rows, self.file_columns().iter().map(FileColumn::series).collect())
    }

    /// Returns the columns of its files.
    pub(super) fn file_columns(&self) -> Vec<FileColumn<'_>> {
        self.columns.iter().filter(|column| !column.key.is_empty()).flat_map(Column::in_files).collect()
    }
}

impl FileColumn<'_> {
    fn series(&self) -> Series {
        let name = self.name.as_str().into();
        match &*self.cells {
            Values::Text(cells) => Series::new(name, cells),
            Values::Flag(cells) => Series::new(name, cells),
            Values::Count(cells) => Series::new(name, cells),
            Values::Count32(cells) => Series::new(name, cells),
            Values::Whole(cells) => Series::new(name, cells),
            Values::Whole32(cells) => Series::new(name, cells),
            Values::Number(_, cells) => Series::new(name, cells),
        }
    }
}

impl Column {
    fn in_files(&self) -> Vec<FileColumn<'_>> {
        match &self.cells {
            Cells::Estimate(quantity, ends, cells) => {
                let parts = self.estimate_columns(*quantity, *ends).into_iter();
                parts.map(|(name, quantity, value)| part(name, quantity, cells, value)).collect()
            }
            Cells::Intervals(quantity, cells) => {
                let named = |end| format!("{}_{end}", self.key);
                INTERVALS.into_iter().map(|(end, of)| part(named(end), *quantity, cells, of)).collect()
            }
            Cells::Values(cells) => {
                vec![FileColumn { name: self.key.to_string(), cells: Cow::Borrowed(cells) }]
            }
        }
    }

    /// Returns the columns that an estimate takes.
    fn estimate_columns(&self, quantity: Quantity, ends: EndColumns) -> Vec<EstimateColumn> {
        let wanted = ESTIMATE.into_iter().filter(|(end, _)| *end != "se" || ends != EndColumns::WithoutError);
        let column = |(end, value)| match (end, ends) {
            ("", _) => (self.key.to_string(), quantity, value),
            (end, EndColumns::Plain(quantity)) => (end.to_owned(), quantity, value),
            (end, _) => (format!("{}_{end}", self.key), quantity, value),
        };
        wanted.map(column).collect()
    }

    /// The names that it has in files, one at least.
    pub(super) fn names(&self) -> Vec<String> {
        self.in_files().into_iter().map(|column| column.name).collect()
    }
}

/// The column of one part of each estimate.
fn part<T: Copy>(
    name: String,
    quantity: Quantity,
    cells: &[Option<T>],
    of: fn(T) -> Option<f64>,
) -> FileColumn<'static> {
    let values = cells.iter().map(|cell| cell.and_then(of)).collect();
    FileColumn { name, cells: Cow::Owned(Values::Number(quantity, values)) }
}
