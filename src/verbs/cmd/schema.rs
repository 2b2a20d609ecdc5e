//! Owns the verb `schema`: what the columns of the tables mean, for people and for programs.

use super::{print, screen};
use crate::report::{ReportError, manual, manual::Entry, summary::to_json, table::TableForm};
use crate::verbs::cli::SchemaArgs;
use crate::verbs::error::VerbError;
use crate::verbs::runs::RunEnding;

/// Prints what is said of the tables that `args` names, or of all.
pub fn run(args: &SchemaArgs) -> Result<RunEnding, VerbError> {
    let is_wanted = |entry: &Entry| {
        args.tables.is_empty() || args.tables.iter().any(|name| name == entry.description.table)
    };
    let entries: Vec<Entry> = manual::schema().into_iter().filter(is_wanted).collect();
    let told = match args.json {
        true => to_json(&entries).map_err(|error| VerbError::from(ReportError::from(error)))?,
        false => manual::listing(&entries, screen(TableForm::default())),
    };
    print(&told)?;
    Ok(RunEnding::Complete)
}
