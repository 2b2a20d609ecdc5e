//! The columns of a table's files, and CSV.

use std::{borrow::Cow, io::BufWriter, io::Write};

use thiserror::Error;

use super::{Cells, EndColumns, Table, TableColumn, Values};
use crate::base::text::escape_formula;
use crate::measure::Measured;

#[derive(Debug, Error)]
pub enum ExportError {
    /// The source of the rows stopped early.
    #[error("the archive was not read to its end")]
    Unfinished,
    #[cfg(feature = "program")]
    #[error(transparent)]
    Polars(#[from] polars::prelude::PolarsError),
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
    pub(super) fn file_columns(&self) -> Vec<FileColumn<'_>> {
        self.columns.iter().filter(|column| !column.key.is_empty()).flat_map(TableColumn::in_files).collect()
    }
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

/// Returns the CSV of a table in parts. All parts have the same columns.
pub fn csv(parts: impl IntoIterator<Item = Table>) -> String {
    let mut text = Vec::new();
    write_csv(parts.into_iter().map(Ok), &mut text).expect("a vector takes all bytes");
    String::from_utf8(text).expect("a table is text")
}

/// Writes an unknown value as an empty field, and an empty text as two quotation marks.
pub(super) fn write_csv(
    parts: impl IntoIterator<Item = TablePart>,
    writer: &mut impl Write,
) -> Result<(), ExportError> {
    let mut out = BufWriter::new(writer);
    for (index, part) in parts.into_iter().enumerate() {
        let part = part?;
        let columns = part.file_columns();
        if index == 0 {
            write_line(&mut out, &columns, |out, column| write_field(out, &column.name))?;
        }
        for row in 0..part.rows {
            write_line(&mut out, &columns, |out, column| write_cell(out, &column.cells, row))?;
        }
    }
    Ok(out.flush()?)
}

fn write_line<W: Write>(
    out: &mut W,
    columns: &[FileColumn<'_>],
    field: impl Fn(&mut W, &FileColumn<'_>) -> std::io::Result<()>,
) -> std::io::Result<()> {
    for (place, column) in columns.iter().enumerate() {
        if place > 0 {
            out.write_all(b",")?;
        }
        field(out, column)?;
    }
    out.write_all(b"\n")
}

fn write_cell(out: &mut impl Write, cells: &Values, row: usize) -> std::io::Result<()> {
    match cells {
        Values::Text(cells) => {
            cells[row].as_ref().map_or(Ok(()), |text| write_field(out, &escape_formula(text)))
        }
        Values::Flag(cells) => cells[row].map_or(Ok(()), |flag| write!(out, "{flag}")),
        Values::Count(cells) => cells[row].map_or(Ok(()), |count| write!(out, "{count}")),
        Values::Whole(cells) => cells[row].map_or(Ok(()), |whole| write!(out, "{whole}")),
        Values::Whole32(cells) => cells[row].map_or(Ok(()), |whole| write!(out, "{whole}")),
        Values::Number(quantity, cells) => {
            let text = cells[row].and_then(|value| quantity.decimals.in_csv(value));
            text.map_or(Ok(()), |text| out.write_all(text.as_bytes()))
        }
    }
}

/// Writes a text, in quotation marks if it could not be read back otherwise (RFC 4180).
fn write_field(out: &mut impl Write, text: &str) -> std::io::Result<()> {
    match text.is_empty() || text.contains([',', '"', '\n', '\r']) {
        true => write!(out, "\"{}\"", text.replace('"', "\"\"")),
        false => out.write_all(text.as_bytes()),
    }
}
