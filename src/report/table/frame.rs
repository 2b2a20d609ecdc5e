//! Owns the way from a table to the columns of its files: which there are, and of what type.

use polars::prelude::{Column as Series, DataFrame, PolarsResult};

use super::{Cells, Column, EndColumns, Quantity, Table};
use crate::{formats::disarmed, stats::estimate::Estimate, tournament::Measured};

/// How numbers and texts stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Precision {
    /// As they are.
    Full,
    /// Numbers as text with the decimals of their quantity, texts disarmed against spreadsheets.
    Csv,
}

/// One part of an estimate: the end of its column's name, and how it is found.
type Part<T> = (&'static str, fn(T) -> Option<f64>);

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
    /// The table with numbers at full precision.
    ///
    /// # Errors
    ///
    /// If two columns have one name.
    pub fn frame(&self) -> PolarsResult<DataFrame> {
        self.frame_of(Precision::Full)
    }

    pub(super) fn frame_of(&self, precision: Precision) -> PolarsResult<DataFrame> {
        let columns = self.columns.iter().filter(|column| !column.key.is_empty());
        DataFrame::new(self.rows, columns.flat_map(|column| column.series(precision)).collect())
    }
}

impl Column {
    fn series(&self, precision: Precision) -> Vec<Series> {
        let name = || (&*self.key).into();
        let part = |name: String, quantity: Quantity, cells: Vec<Option<f64>>| match precision {
            Precision::Full => Series::new(name.into(), cells),
            Precision::Csv => {
                let texts = cells.iter().map(|cell| cell.and_then(|value| quantity.in_csv(value)));
                Series::new(name.into(), texts.collect::<Vec<_>>())
            }
        };
        vec![match &self.cells {
            Cells::Text(cells) if precision == Precision::Csv => Series::new(
                name(),
                cells.iter().map(|text| text.as_deref().map(disarmed)).collect::<Vec<_>>(),
            ),
            Cells::Text(cells) => Series::new(name(), cells),
            Cells::Flag(cells) => Series::new(name(), cells),
            Cells::Count(cells) => Series::new(name(), cells),
            Cells::Count32(cells) => Series::new(name(), cells),
            Cells::Whole(cells) => Series::new(name(), cells),
            Cells::Whole32(cells) => Series::new(name(), cells),
            Cells::Number(quantity, cells) => part(self.key.to_string(), *quantity, cells.clone()),
            Cells::Estimate(quantity, ends, cells) => {
                let of =
                    |of: fn(Estimate) -> Option<f64>| cells.iter().map(|cell| cell.and_then(of)).collect();
                let parts = self.estimate_columns(*quantity, *ends).into_iter();
                return parts.map(|(name, quantity, value)| part(name, quantity, of(value))).collect();
            }
            Cells::Intervals(quantity, cells) => {
                let column = |(end, of): Part<Measured>| {
                    let cells = cells.iter().map(|cell| cell.and_then(of)).collect();
                    part(format!("{}_{end}", self.key), *quantity, cells)
                };
                return INTERVALS.into_iter().map(column).collect();
            }
        }]
    }

    /// Name, quantity and value of each column that an estimate takes.
    fn estimate_columns(
        &self,
        quantity: Quantity,
        ends: EndColumns,
    ) -> Vec<(String, Quantity, fn(Estimate) -> Option<f64>)> {
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
        match &self.cells {
            Cells::Estimate(quantity, ends, _) => {
                self.estimate_columns(*quantity, *ends).into_iter().map(|(name, ..)| name).collect()
            }
            Cells::Intervals(..) => INTERVALS.map(|(end, _)| format!("{}_{end}", self.key)).to_vec(),
            _ => vec![self.key.to_string()],
        }
    }
}
