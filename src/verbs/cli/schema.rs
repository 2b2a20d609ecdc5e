//! Owns the options of `schema`.

use clap::{
    Args,
    builder::{PossibleValuesParser, TypedValueParser},
};

use crate::report::manual;

/// Options of `schema`.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// The tables, by the names of their files without the format [default: all].
    #[arg(value_name = "TABLE", value_parser = table_name(), hide_possible_values = true)]
    pub tables: Vec<String>,
    /// Print it as JSON: an array of tables, each with its columns.
    #[arg(long)]
    pub json: bool,
}

/// Reads the name of a table.
fn table_name() -> impl TypedValueParser<Value = String> {
    let mut names: Vec<&str> = manual::schema().iter().map(|entry| entry.description.table).collect();
    names.dedup();
    PossibleValuesParser::new(names)
}
