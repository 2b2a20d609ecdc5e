//! The verb `schema`: the meaning of the tables' columns, for people and for programs.

use std::ffi::OsStr;

use clap::{
    Arg, Args, Command, Error,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use crate::report::{ReportError, kinds, kinds::Entry, summary::to_json};
use crate::verbs::{error::Result, error::VerbError, runs::Finished, runs::Viewer};

#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// Table names: file names without the extension [default: all].
    #[arg(value_name = "TABLE", value_parser = TableName, hide_possible_values = true)]
    pub tables: Vec<String>,
    /// Print as JSON: an array of tables with their columns.
    #[arg(long)]
    pub json: bool,
}

/// A parser of table names. It makes all tables only when needed, because that takes time.
#[derive(Debug, Clone)]
struct TableName;

impl TypedValueParser for TableName {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        PossibleValuesParser::new(names()).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(names().into_iter().map(PossibleValue::new)))
    }
}

fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = kinds::schema().iter().map(|entry| entry.description.table).collect();
    names.dedup();
    names
}

pub fn run(args: &SchemaArgs, viewer: &mut dyn Viewer) -> Result<Finished> {
    let is_wanted = |entry: &Entry| {
        args.tables.is_empty() || args.tables.iter().any(|name| name == entry.description.table)
    };
    let entries: Vec<Entry> = kinds::schema().into_iter().filter(is_wanted).collect();
    let told = match args.json {
        true => to_json(&entries).map_err(|error| VerbError::from(ReportError::from(error)))?,
        false => kinds::listing(&entries, viewer.screen()),
    };
    Ok(Finished::complete(told))
}
