//! Owns the verb `schema`: what the columns of the tables mean, for people and for programs.

use clap::{Args, builder::PossibleValuesParser, builder::TypedValueParser};

use crate::report::{ReportError, manual, manual::Entry, summary::to_json};
use crate::verbs::{error::VerbError, runs::Finished, runs::Viewer};

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

pub fn run(args: &SchemaArgs, viewer: &mut dyn Viewer) -> Result<Finished, VerbError> {
    let is_wanted = |entry: &Entry| {
        args.tables.is_empty() || args.tables.iter().any(|name| name == entry.description.table)
    };
    let entries: Vec<Entry> = manual::schema().into_iter().filter(is_wanted).collect();
    let told = match args.json {
        true => to_json(&entries).map_err(|error| VerbError::from(ReportError::from(error)))?,
        false => manual::listing(&entries, viewer.screen()),
    };
    Ok(Finished::complete(told))
}
