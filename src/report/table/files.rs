//! The columns of a table's files, and their types.

use std::borrow::Cow;

#[cfg(feature = "program")]
use polars::prelude::{Column as Series, DataFrame, PolarsError, PolarsResult};
use thiserror::Error;

use super::{Cells, EndColumns, Table, TableColumn, Values};
use crate::measure::Measured;

#[derive(Debug, Error)]
pub enum ExportError {
    /// The source of the rows stopped early.
    #[error("the archive was not read to its end")]
    Unfinished,
    #[cfg(feature = "program")]
    #[error(transparent)]
    Polars(#[from] PolarsError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

pub type TablePart = Result<Table, ExportError>;

pub(super) struct FileColumn<'a> {
    pub name: String,
    pub cells: Cow<'a, Values>,
}

type EstimatePart = (&'static str, fn(Measured) -> Option<f64>);

const ESTIMATE: [EstimatePart; 6] = [
    ("", |measured| Some(measured.value)),
    ("se", |measured| Some(measured.intervals.cluster?.standard_error)),
    ("low", |measured| Some(measured.intervals.cluster?.low)),
    ("high", |measured| Some(measured.intervals.cluster?.high)),
    ("boot_low", |measured| Some(measured.intervals.bootstrap?.low)),
    ("boot_high", |measured| Some(measured.intervals.bootstrap?.high)),
];

impl EndColumns {
    /// Returns true if an estimate has a column with the suffix `end`.
    fn has(self, end: &str) -> bool {
        match self {
            EndColumns::Value => end.is_empty(),
            EndColumns::Intervals => !end.is_empty(),
            EndColumns::WithoutError if end == "se" => false,
            _ => !end.starts_with("boot"),
        }
    }
}

impl Table {
    /// Returns the table as a data frame with numbers at full precision. Whole numbers are signed, because a
    /// difference of two counts may be below 0.
    #[cfg(feature = "program")]
    pub fn frame(&self) -> PolarsResult<DataFrame> {
        DataFrame::new(self.rows, self.file_columns().iter().map(FileColumn::series).collect())
    }

    pub(super) fn file_columns(&self) -> Vec<FileColumn<'_>> {
        self.columns.iter().filter(|column| !column.key.is_empty()).flat_map(TableColumn::in_files).collect()
    }
}

#[cfg(feature = "program")]
impl FileColumn<'_> {
    fn series(&self) -> Series {
        let name = self.name.as_str().into();
        match &*self.cells {
            Values::Text(cells) => Series::new(name, cells),
            Values::Flag(cells) => Series::new(name, cells),
            Values::Count(cells) => Series::new(name, cells.iter().map(signed).collect::<Vec<_>>()),
            Values::Whole(cells) => Series::new(name, cells),
            Values::Whole32(cells) => Series::new(name, cells),
            Values::Number(_, cells) => Series::new(name, cells),
        }
    }
}

/// Returns a count as a signed number. Real counts are far below the largest signed number. A greater count
/// comes from a faulty engine and becomes the largest signed number.
#[cfg(feature = "program")]
fn signed(count: &Option<u64>) -> Option<i64> {
    count.map(|count| i64::try_from(count).unwrap_or(i64::MAX))
}

impl TableColumn {
    pub(super) fn in_files(&self) -> Vec<FileColumn<'_>> {
        let (quantity, ends, cells) = match &self.cells {
            Cells::Estimate(quantity, ends, cells) => (*quantity, *ends, cells),
            Cells::Values(cells) => {
                return vec![FileColumn { name: self.key.to_string(), cells: Cow::Borrowed(cells) }];
            }
        };
        let part = |(end, of): EstimatePart| {
            let (name, quantity) = match (end, ends) {
                ("", _) => (self.key.to_string(), quantity),
                (end, EndColumns::Plain(decimals)) => (end.to_owned(), quantity.unit.with(decimals)),
                (end, _) => (format!("{}_{end}", self.key), quantity),
            };
            let values = cells.iter().map(|cell| cell.and_then(of)).collect();
            FileColumn { name, cells: Cow::Owned(Values::Number(quantity, values)) }
        };
        ESTIMATE.into_iter().filter(|(end, _)| ends.has(end)).map(part).collect()
    }
}
