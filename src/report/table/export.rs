//! Owns the files of a table: the same cells as CSV, Parquet or JSON, byte for byte the same each time.

use std::io::Write;

use polars::prelude::{AnyValue, DataFrame, PolarsError};
use polars_io::{
    SerWriter,
    csv::write::CsvWriter,
    parquet::write::{ParquetCompression, ParquetWriter},
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use thiserror::Error;

use super::{Table, frame::Precision};
use crate::formats::Format;

/// Why a frame could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The rows ended before their time.
    #[error("the archive was not read to its end")]
    Unfinished,
    /// CSV or Parquet.
    #[error(transparent)]
    Polars(#[from] PolarsError),
    /// JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// The line end after the JSON.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// Writes one table that comes in parts in that format, so that no more than one of them is in memory. All have the
/// same columns, and there is at least one.
///
/// # Errors
///
/// If a part cannot be had, or not be written.
pub fn write_parts<E: Into<ExportError>>(
    format: Format,
    parts: impl IntoIterator<Item = Result<Table, E>>,
    writer: &mut impl Write,
) -> Result<(), ExportError> {
    let precision = if format == Format::Csv { Precision::Csv } else { Precision::Full };
    let frames = parts.into_iter().map(|part| Ok(part.map_err(Into::into)?.frame_of(precision)?));
    match format {
        Format::Csv => write_csv(frames, writer),
        Format::Parquet => write_parquet(frames, writer),
        Format::Json => write_json(frames, writer),
    }
}

impl Table {
    /// Writes it in that format.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, format: Format, writer: &mut impl Write) -> Result<(), ExportError> {
        write_parts(format, [Ok::<_, ExportError>(self.clone())], writer)
    }
}

/// Writes a frame as Parquet.
///
/// # Errors
///
/// If it cannot be written.
pub fn write_frame(frame: DataFrame, writer: &mut impl Write) -> Result<(), ExportError> {
    write_parquet([Ok(frame)], writer)
}

type Frame = Result<DataFrame, ExportError>;

fn write_csv(parts: impl IntoIterator<Item = Frame>, writer: &mut impl Write) -> Result<(), ExportError> {
    for (index, part) in parts.into_iter().enumerate() {
        CsvWriter::new(&mut *writer).include_header(index == 0).finish(&mut part?)?;
    }
    Ok(())
}

/// Each part is a row group.
fn write_parquet(parts: impl IntoIterator<Item = Frame>, writer: &mut impl Write) -> Result<(), ExportError> {
    let mut parts = parts.into_iter().peekable();
    let Some(Ok(first)) = parts.peek() else {
        return parts.next().map_or(Ok(()), |part| part.map(|_| ()));
    };
    let schema = first.schema().clone();
    let mut batches =
        ParquetWriter::new(writer).with_compression(ParquetCompression::Zstd(None)).batched(&schema)?;
    for part in parts {
        batches.write_batch(&part?)?;
    }
    batches.finish()?;
    Ok(())
}

/// One object a line: a table of a million moves is written row by row, and read with any tool.
fn write_json(parts: impl IntoIterator<Item = Frame>, writer: &mut impl Write) -> Result<(), ExportError> {
    writer.write_all(b"[")?;
    let mut first = true;
    for part in parts {
        let frame = &part?;
        for index in 0..frame.height() {
            writer.write_all(if first { b"\n" } else { b",\n" })?;
            first = false;
            serde_json::to_writer(&mut *writer, &JsonRow { frame, index })?;
        }
    }
    Ok(writer.write_all(b"\n]\n")?)
}

/// One row, as an object with the columns in their order.
struct JsonRow<'a> {
    frame: &'a DataFrame,
    index: usize,
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.frame.width()))?;
        for column in self.frame.columns() {
            let value = column.get(self.index).map_err(serde::ser::Error::custom)?;
            map.serialize_entry(column.name().as_str(), &JsonCell(value))?;
        }
        map.end()
    }
}

/// One cell of the types that our frames have.
struct JsonCell<'a>(AnyValue<'a>);

impl Serialize for JsonCell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            AnyValue::Null => serializer.serialize_none(),
            AnyValue::String(text) => serializer.serialize_str(text),
            AnyValue::StringOwned(text) => serializer.serialize_str(text),
            AnyValue::Boolean(truth) => serializer.serialize_bool(*truth),
            AnyValue::Int32(x) => serializer.serialize_i32(*x),
            AnyValue::Int64(x) => serializer.serialize_i64(*x),
            AnyValue::UInt32(x) => serializer.serialize_u32(*x),
            AnyValue::UInt64(x) => serializer.serialize_u64(*x),
            AnyValue::Float64(x) if x.is_finite() => serializer.serialize_f64(*x),
            AnyValue::Float64(_) => serializer.serialize_none(),
            other => Err(serde::ser::Error::custom(format!("no json for {other:?}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::Quantity;

    const ROWS: [(&str, Option<f64>, i64); 6] = [
        ("a,\"b\"", Some(2872.0), -1),
        ("=cmd()", Some(2786.5), 2),
        ("x\ny", None, 3),
        ("x\ry", Some(f64::NAN), 4),
        ("-1", Some(-0.001), 5),
        ("＝1", Some(1.0), 6),
    ];

    fn table(rows: &[(&'static str, Option<f64>, i64)]) -> Table {
        Table::of("test", rows)
            .text("player", "", |row| row.0)
            .number("elo", Quantity::Rating, "", |row| row.1)
            .count("n", "", |row| row.2)
            .table()
    }

    fn written(table: &Table, format: Format) -> String {
        let mut bytes = Vec::new();
        table.write(format, &mut bytes).expect("a vector takes every byte");
        String::from_utf8(bytes).expect("utf-8")
    }

    #[test]
    fn a_csv_cell_neither_escapes_nor_starts_a_formula() {
        let expected = "player,elo,n\n\
            \"a,\"\"b\"\"\",2872,-1\n\
            '=cmd(),2786.50,2\n\
            \"x\ny\",,3\n\
            \"x\ry\",,4\n\
            '-1,0.00,5\n\
            '＝1,1,6\n";
        assert_eq!(written(&table(&ROWS), Format::Csv), expected);
    }

    #[test]
    fn json_keeps_texts_and_numbers_as_they_are() {
        let json: serde_json::Value =
            serde_json::from_str(&written(&table(&ROWS), Format::Json)).expect("valid json");
        assert_eq!(json[1]["player"], "=cmd()");
        assert_eq!(json[4]["elo"], -0.001);
        assert!(json[3]["elo"].is_null());
    }

    #[test]
    fn a_table_without_rows_is_still_a_table() {
        assert_eq!(written(&table(&[]), Format::Json), "[\n]\n");
        assert_eq!(written(&table(&[]), Format::Csv), "player,elo,n\n");
    }
}
