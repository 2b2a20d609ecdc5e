//! The files that only the program writes: JSON, and Parquet with types that all recent readers can filter.

use std::io::{BufWriter, Write};

use polars::prelude::{
    ArrowSchema, Column as Series, CompatLevel, DataFrame, PlSmallStr, PolarsResult, Schema, SchemaExt,
};
use polars_io::parquet::write::{KeyValueMetadata, ParquetCompression, ParquetWriter};
use polars_parquet::write::schema_to_metadata_key;
use serde::{Serialize, Serializer, ser::SerializeMap};

use super::files::{ExportError, FileColumn, TablePart, write_csv};
use super::{Table, Values, manual::ColumnDescription};
use crate::files::Format;

/// Facts about a run, stored in a file's metadata: pairs of name and value.
pub type FileFacts = [(String, String)];

/// Writes a table in parts in the given `format`, so that only one part is in memory. There is at least one
/// part, and all parts have the same columns. `facts` are written if the format has a place for them.
pub fn write_parts<E: Into<ExportError>>(
    format: Format,
    facts: &FileFacts,
    parts: impl IntoIterator<Item = Result<Table, E>>,
    writer: &mut impl Write,
) -> Result<(), ExportError> {
    let parts = parts.into_iter().map(|part| part.map_err(Into::into));
    match format {
        Format::Csv => write_csv(parts, writer),
        Format::Parquet => write_tables(facts, parts, writer),
        Format::Json => write_json(parts, writer),
    }
}

impl Table {
    /// Returns the table as a data frame. Whole numbers are signed, so that users can subtract them.
    pub fn frame(&self) -> PolarsResult<DataFrame> {
        DataFrame::new(self.rows, self.file_columns().iter().map(FileColumn::series).collect())
    }

    pub fn write(&self, format: Format, writer: &mut impl Write) -> Result<(), ExportError> {
        write_parts(format, &[], [Ok::<_, ExportError>(self.clone())], writer)
    }
}

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

/// Returns the count as a signed number, at most the largest one. Only faulty engines give greater counts.
fn signed(count: &Option<u64>) -> Option<i64> {
    count.map(|count| i64::try_from(count).unwrap_or(i64::MAX))
}

const PREFIX: &str = "gainalyze.";

const DESCRIPTION: &str = "description";

/// Writes each part of a table as a row group.
fn write_tables(
    facts: &FileFacts,
    parts: impl IntoIterator<Item = TablePart>,
    writer: &mut impl Write,
) -> Result<(), ExportError> {
    let mut parts = parts.into_iter().peekable();
    let Some(Ok(first)) = parts.peek() else {
        return parts.next().map_or(Ok(()), |part| part.map(|_| ()));
    };
    let (columns, frame) = (first.descriptions(), first.frame()?);
    let own = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("table", first.name.to_owned()),
        ("row", first.row.to_owned()),
        ("columns", serde_json::to_string(&columns)?),
    ];
    let own = own.into_iter().map(|(name, fact)| (name.to_owned(), fact));
    let facts: Vec<(String, String)> = own.chain(facts.iter().cloned()).collect();
    write_row_groups(frame.schema(), &columns, &facts, parts.map(|part| Ok(part?.frame()?)), writer)
}

pub fn write_frame(frame: DataFrame, writer: &mut impl Write) -> Result<(), ExportError> {
    let schema = frame.schema().clone();
    write_row_groups(&schema, &[], &[], [Ok(frame)], writer)
}

fn write_row_groups(
    schema: &Schema,
    columns: &[ColumnDescription],
    facts: &FileFacts,
    parts: impl IntoIterator<Item = Result<DataFrame, ExportError>>,
    writer: &mut impl Write,
) -> Result<(), ExportError> {
    let mut batches = ParquetWriter::new(writer)
        .with_compression(ParquetCompression::Zstd(None))
        .with_key_value_metadata(Some(metadata(schema, columns, facts)))
        .batched(schema)?;
    for part in parts {
        batches.write_batch(&part?)?;
    }
    batches.finish()?;
    Ok(())
}

/// Returns the metadata of a file: the schema with the meanings of the columns, and the `facts`.
///
/// Texts have the type `large_string`. The library's default is `string_view`, introduced in 2023: pyarrow
/// can neither filter nor sort it, and pyarrow's releases of 2023 cannot read it. In the file, both types
/// have the same bytes.
fn metadata(schema: &Schema, columns: &[ColumnDescription], facts: &FileFacts) -> KeyValueMetadata {
    let fields = schema.iter_fields().map(|field| {
        let field = field.to_arrow(CompatLevel::oldest());
        let described = columns.iter().find(|column| column.name == field.name.as_str());
        let pair = described
            .map(|column| (PlSmallStr::from_static(DESCRIPTION), PlSmallStr::from_str(&column.meaning)));
        (field.name.clone(), field.with_metadata(pair.into_iter().collect()))
    });
    let types = schema_to_metadata_key(&fields.collect::<ArrowSchema>());
    let types = types.value.map(|types_of_columns| (types.key, types_of_columns));
    let facts = facts.iter().map(|(name, fact)| (format!("{PREFIX}{name}"), fact.clone()));
    KeyValueMetadata::from_static(types.into_iter().chain(facts).collect())
}

/// Writes a JSON array row by row, with one object per line, so that any tool can read millions.
fn write_json(
    parts: impl IntoIterator<Item = TablePart>,
    writer: &mut impl Write,
) -> Result<(), ExportError> {
    let mut out = BufWriter::new(writer);
    out.write_all(b"[")?;
    let mut first = true;
    for part in parts {
        let part = part?;
        let columns = &part.file_columns();
        for row in 0..part.rows {
            out.write_all(if first { b"\n" } else { b",\n" })?;
            first = false;
            serde_json::to_writer(&mut out, &JsonRow { columns, row })?;
        }
    }
    out.write_all(b"\n]\n")?;
    Ok(out.flush()?)
}

struct JsonRow<'a> {
    columns: &'a [FileColumn<'a>],
    row: usize,
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.columns.len()))?;
        for column in self.columns {
            map.serialize_entry(&column.name, &JsonCell(&column.cells, self.row))?;
        }
        map.end()
    }
}

/// One cell; an unknown value, or a number that is not finite, is null.
struct JsonCell<'a>(&'a Values, usize);

impl Serialize for JsonCell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let JsonCell(cells, row) = *self;
        match cells {
            Values::Text(cells) => cells[row].serialize(serializer),
            Values::Flag(cells) => cells[row].serialize(serializer),
            Values::Count(cells) => cells[row].serialize(serializer),
            Values::Whole(cells) => cells[row].serialize(serializer),
            Values::Whole32(cells) => cells[row].serialize(serializer),
            Values::Number(_, cells) => cells[row].filter(|value| value.is_finite()).serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Quantity;

    const ROWS: [(&str, Option<f64>, i64); 6] = [
        ("a,\"b\"", Some(2872.0), -1),
        ("=cmd()", Some(2786.5), 2),
        ("x\ny", None, 3),
        ("x\ry", Some(f64::NAN), 4),
        ("-1", Some(-0.001), 5),
        ("＝1", Some(1.0), 6),
    ];

    fn table(rows: &[(&'static str, Option<f64>, i64)]) -> Table {
        Table::of("test", "", rows)
            .column("player", "", |row| row.0)
            .number("elo", Quantity::RATING, "", |row| row.1)
            .column("n", "", |row| row.2)
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
            \"a,\"\"b\"\"\",2872,-1\n'=cmd(),2786.50,2\n\"x\ny\",,3\n\"x\ry\",,4\n'-1,0.00,5\n'＝1,1,6\n";
        assert_eq!(written(&table(&ROWS), Format::Csv), expected);
    }

    #[test]
    fn an_empty_text_is_told_from_one_that_is_not_known() {
        let rows = [Some(""), None, Some("-")];
        let table =
            Table::of("test", "", &rows).column("a", "", |row| *row).column("b", "", |_| true).table();
        assert_eq!(written(&table, Format::Csv), "a,b\n\"\",true\n,true\n-,true\n");
        assert_eq!(
            written(&table, Format::Json),
            "[\n{\"a\":\"\",\"b\":true},\n{\"a\":null,\"b\":true},\n{\"a\":\"-\",\"b\":true}\n]\n"
        );
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
