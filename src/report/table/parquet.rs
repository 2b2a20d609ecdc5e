//! Tables as Parquet files, with column types that all recent readers can filter and sort.

use std::io::Write;

use polars::prelude::{ArrowSchema, CompatLevel, DataFrame, PlSmallStr, Schema, SchemaExt};
use polars_io::parquet::write::{KeyValueMetadata, ParquetCompression, ParquetWriter};
use polars_parquet::write::schema_to_metadata_key;

use super::{
    files::{ExportError, TablePart},
    manual::ColumnDescription,
};

/// Facts about a run, stored in a file's metadata: pairs of name and value.
pub type FileFacts = [(String, String)];

const PREFIX: &str = "gainalyze.";

const DESCRIPTION: &str = "description";

/// Writes each part of a table as a row group.
pub(super) fn write_tables(
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
