//! Owns what is said of a table beside its cells: each column with its type, unit and meaning, for the documentation, for
//! `gainalyze schema` and for the files themselves.

use serde::Serialize;

use super::{Cells, EndColumns, Table, TableColumn, Values, files::FileColumn};

/// What is said of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableDescription {
    /// What its files are called, without the format.
    pub table: &'static str,
    /// What a row is.
    pub row: &'static str,
    /// The columns of its files, in their order.
    pub columns: Vec<ColumnDescription>,
}

/// What is said of one column of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnDescription {
    /// Its name.
    pub name: String,
    /// What its cells are: `text`, `flag`, `integer` or `number`.
    pub r#type: &'static str,
    /// The unit of a number, and what a text or a flag is.
    pub unit: &'static str,
    /// What it means, in a sentence or two.
    pub meaning: String,
}

impl Table {
    /// Returns what a row is, and the columns as an itemized list, in Markdown.
    pub(in crate::report) fn manual(&self) -> String {
        let columns = self.columns.iter().filter(|column| !column.key.is_empty());
        let columns: String = columns.map(|column| format!("- {}\n", column.manual())).collect();
        format!("\n### `{}`\n\n{}\n\n{columns}", self.name, self.row)
    }

    /// Returns what is said of it.
    pub fn description(&self) -> TableDescription {
        TableDescription { table: self.name, row: self.row, columns: self.descriptions() }
    }

    /// Returns what is said of the columns of its files.
    pub(super) fn descriptions(&self) -> Vec<ColumnDescription> {
        let columns = self.columns.iter().filter(|column| !column.key.is_empty());
        columns.flat_map(TableColumn::descriptions).collect()
    }
}

const INTERVALS: &str = "Standard error and ends of the 95 % interval by the scatter of games, and ends of that by samples \
    of whole games.";

/// What the columns of an estimate are, by the end of their names.
const ENDS: [(&str, &str); 5] = [
    ("se", "Standard error"),
    ("boot_low", "Lower end of the 95 % interval by samples of whole games"),
    ("boot_high", "Upper end of the 95 % interval by samples of whole games"),
    ("low", "Lower end of the 95 % interval"),
    ("high", "Upper end of the 95 % interval"),
];

impl TableColumn {
    fn manual(&self) -> String {
        let names: Vec<String> = self.names().iter().map(|name| format!("`{name}`")).collect();
        let interval = match &self.cells {
            Cells::Estimate(_, EndColumns::Named | EndColumns::Plain(_), _) => {
                " The value, its standard error and the ends of its 95 % interval."
            }
            Cells::Estimate(_, EndColumns::WithoutError, _) => {
                " The value and the ends of its 95 % interval."
            }
            _ => "",
        };
        let meaning = match &self.cells {
            Cells::Estimate(_, EndColumns::Intervals, _) => INTERVALS,
            _ => &self.meaning,
        };
        format!("{} ({}): {meaning}{interval}", names.join(", "), self.unit())
    }

    fn descriptions(&self) -> Vec<ColumnDescription> {
        let described = |column: FileColumn<'_>| ColumnDescription {
            meaning: self.meaning_of(&column.name),
            r#type: column.cells.kind(),
            unit: column.cells.unit(),
            name: column.name,
        };
        self.in_files().into_iter().map(described).collect()
    }

    /// Returns what one of its columns in files means.
    fn meaning_of(&self, name: &str) -> String {
        if name == self.key {
            return self.meaning.clone().into_owned();
        }
        let end = ENDS.into_iter().find(|(end, _)| name.ends_with(end)).map_or("", |(_, words)| words);
        format!("{end} of `{}`.", self.key)
    }

    fn unit(&self) -> &'static str {
        match &self.cells {
            Cells::Values(values) => values.unit(),
            Cells::Estimate(quantity, ..) => quantity.unit.name(),
        }
    }
}

impl Values {
    fn kind(&self) -> &'static str {
        match self {
            Values::Text(_) => "text",
            Values::Flag(_) => "flag",
            Values::Number(..) => "number",
            Values::Count(_) | Values::Whole(_) => "integer",
        }
    }

    fn unit(&self) -> &'static str {
        match self {
            Values::Text(_) => "text",
            Values::Flag(_) => "true or false",
            Values::Number(quantity, _) => quantity.unit.name(),
            Values::Count(_) | Values::Whole(_) => "whole number",
        }
    }
}
