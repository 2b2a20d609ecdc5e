//! Owns the file formats: the same frame as CSV, Parquet or JSON, byte for byte the same each time.

use std::io::Write;

use polars::prelude::{AnyValue, Column, DataFrame, DataType, PolarsError, PolarsResult};
use polars_io::{
    SerWriter,
    csv::write::CsvWriter,
    parquet::write::{ParquetCompression, ParquetWriter},
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use thiserror::Error;

use crate::{
    formats::{Format, disarmed},
    text::rounded,
};

/// Why a frame could not be written.
#[derive(Debug, Error)]
pub enum ExportError {
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

impl Format {
    /// Writes `frame` in this format.
    pub fn write(self, frame: &DataFrame, writer: &mut impl Write) -> Result<(), ExportError> {
        self.write_parts([Ok(frame.clone())], writer)
    }

    /// Writes one table that comes in parts, so that no more than one of them is in memory. All
    /// have the same columns, and there is at least one.
    pub fn write_parts(
        self,
        parts: impl IntoIterator<Item = PolarsResult<DataFrame>>,
        writer: &mut impl Write,
    ) -> Result<(), ExportError> {
        match self {
            Format::Csv => write_csv(parts, writer)?,
            Format::Parquet => write_parquet(parts, writer)?,
            Format::Json => write_json(parts, writer)?,
        }
        Ok(())
    }
}

type Part = PolarsResult<DataFrame>;

fn write_csv(parts: impl IntoIterator<Item = Part>, writer: &mut impl Write) -> PolarsResult<()> {
    for (index, part) in parts.into_iter().enumerate() {
        let part = part?;
        let cells = part.columns().iter().map(csv_column).collect::<PolarsResult<Vec<_>>>()?;
        let mut cells = DataFrame::new(part.height(), cells)?;
        CsvWriter::new(&mut *writer).include_header(index == 0).finish(&mut cells)?;
    }
    Ok(())
}

/// Each part is a row group.
fn write_parquet(parts: impl IntoIterator<Item = Part>, writer: &mut impl Write) -> PolarsResult<()> {
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

/// The cells of a column as CSV shows them: floats with fixed decimals, text disarmed.
fn csv_column(column: &Column) -> PolarsResult<Column> {
    let name = column.name().clone();
    Ok(match column.dtype() {
        DataType::Float64 => {
            let cells: Vec<_> = column.f64()?.iter().map(|x| x.and_then(|x| decimal(&name, x))).collect();
            Column::new(name, cells)
        }
        DataType::String => {
            let cells: Vec<_> = column.str()?.iter().map(|text| text.map(disarmed)).collect();
            Column::new(name, cells)
        }
        _ => column.clone(),
    })
}

/// `value` with the decimals of its column; nothing for what is not finite.
fn decimal(column: &str, value: f64) -> Option<String> {
    let decimals = match column {
        // A score has as many decimals as the paper prints, which tell a half-point of 700 moves.
        name if name.starts_with("expected_score") || name.starts_with("score") => 6,
        name if name.starts_with("s_") || name.starts_with("delta_w") || name.starts_with("rate") => 6,
        name if name.starts_with("mu") || name.starts_with("sigma") => 4,
        "p" | "p_holm" => 6,
        "mean" | "lowest" | "highest" | "largest_change" | "mean_difference" => 6,
        "value" | "se" | "low" | "high" | "first" | "z" => 4,
        "pearson" | "pearson_low" | "pearson_high" | "spearman" | "kendall" | "weight" => 4,
        "points" => 1,
        "probability" => 8,
        "elo" if value.fract() == 0.0 => 0,
        _ => 2,
    };
    value.is_finite().then(|| rounded(value, decimals))
}

/// One object a line: a table of a million moves is written row by row, and read with any tool.
fn write_json(parts: impl IntoIterator<Item = Part>, writer: &mut impl Write) -> Result<(), ExportError> {
    writer.write_all(b"[")?;
    let mut first = true;
    for part in parts {
        let frame = &part?;
        for index in 0..frame.height() {
            writer.write_all(if first { b"\n" } else { b",\n" })?;
            first = false;
            serde_json::to_writer(&mut *writer, &Row { frame, index })?;
        }
    }
    Ok(writer.write_all(b"\n]\n")?)
}

/// One row, as an object with the columns in their order.
struct Row<'a> {
    frame: &'a DataFrame,
    index: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.frame.width()))?;
        for column in self.frame.columns() {
            let value = column.get(self.index).map_err(serde::ser::Error::custom)?;
            map.serialize_entry(column.name().as_str(), &Cell(value))?;
        }
        map.end()
    }
}

/// One cell of the types that our frames have.
struct Cell<'a>(AnyValue<'a>);

impl Serialize for Cell<'_> {
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

    fn frame() -> DataFrame {
        DataFrame::new_infer_height(vec![
            Column::new("player".into(), ["a,\"b\"", "=cmd()", "x\ny", "x\ry", "-1", "＝1"]),
            Column::new(
                "elo".into(),
                [Some(2872.0), Some(2786.5), None, Some(f64::NAN), Some(-0.001), Some(1.0)],
            ),
            Column::new("n".into(), [-1i64, 2, 3, 4, 5, 6]),
        ])
        .expect("columns of one length")
    }

    fn written(format: Format) -> String {
        let mut bytes = Vec::new();
        format.write(&frame(), &mut bytes).expect("a vector takes every byte");
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
        assert_eq!(written(Format::Csv), expected);
    }

    #[test]
    fn json_keeps_texts_and_numbers_as_they_are() {
        let json: serde_json::Value = serde_json::from_str(&written(Format::Json)).expect("valid json");
        assert_eq!(json[1]["player"], "=cmd()");
        assert_eq!(json[4]["elo"], -0.001);
        assert!(json[3]["elo"].is_null());
    }

    #[test]
    fn a_frame_without_rows_is_still_a_table() {
        let empty = frame().head(Some(0));
        let mut json = Vec::new();
        Format::Json.write(&empty, &mut json).expect("a vector takes every byte");
        assert_eq!(json, b"[\n]\n");
    }

    #[test]
    fn the_name_of_a_format_is_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let error = "xlsx".parse::<Format>().expect_err("not a format").to_string();
        assert_eq!(error, "unknown format \"xlsx\", expected csv, parquet or json");
    }
}
