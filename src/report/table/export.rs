//! The files of a table: the same cells as CSV, Parquet or JSON, reproducible byte for byte.

use std::io::{BufWriter, Write};

use serde::{Serialize, Serializer, ser::SerializeMap};

#[cfg(feature = "program")]
use super::{FileFacts, parquet};
use super::{
    Table, Values,
    files::{ExportError, FileColumn, TablePart},
};
use crate::base::text::escape_formula;
#[cfg(feature = "program")]
use crate::files::Format;

/// Writes a table in parts in the given `format`, so that only one part is in memory. There is at least one
/// part, and all parts have the same columns. `facts` are written if the format has a place for them.
#[cfg(feature = "program")]
pub fn write_parts<E: Into<ExportError>>(
    format: Format,
    facts: &FileFacts,
    parts: impl IntoIterator<Item = Result<Table, E>>,
    writer: &mut impl Write,
) -> Result<(), ExportError> {
    let parts = parts.into_iter().map(|part| part.map_err(Into::into));
    match format {
        Format::Csv => write_csv(parts, writer),
        Format::Parquet => parquet::write_tables(facts, parts, writer),
        Format::Json => write_json(parts, writer),
    }
}

impl Table {
    #[cfg(feature = "program")]
    pub fn write(&self, format: Format, writer: &mut impl Write) -> Result<(), ExportError> {
        write_parts(format, &[], [Ok::<_, ExportError>(self.clone())], writer)
    }
}

/// Returns the CSV of a table in parts. All parts have the same columns.
pub fn csv(parts: impl IntoIterator<Item = Table>) -> String {
    let mut text = Vec::new();
    write_csv(parts.into_iter().map(Ok), &mut text).expect("a vector takes all bytes");
    String::from_utf8(text).expect("a table is text")
}

/// Writes a header and a line for each row. An unknown value is an empty field, an empty text is two
/// quotation marks.
fn write_csv(parts: impl IntoIterator<Item = TablePart>, writer: &mut impl Write) -> Result<(), ExportError> {
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

/// Writes a JSON array with one object per line, so that a table of a million moves is written row by row and
/// can be read with any tool.
#[cfg(feature = "program")]
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
            \"a,\"\"b\"\"\",2872,-1\n\
            '=cmd(),2786.50,2\n\
            \"x\ny\",,3\n\
            \"x\ry\",,4\n\
            '-1,0.00,5\n\
            '＝1,1,6\n";
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
