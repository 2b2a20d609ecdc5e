//! Owns what the documentation says of a table: each column with its type, unit and meaning.

use super::{Cells, Column, EndColumns, Table, Values};

impl Table {
    /// Returns what a row is, and the columns as an itemized list, in Markdown.
    pub(in crate::report) fn manual(&self) -> String {
        let columns = self.columns.iter().filter(|column| !column.key.is_empty());
        let columns: String = columns.map(|column| format!("- {}\n", column.manual())).collect();
        format!("\n### `{}`\n\n{}\n\n{columns}", self.name, self.row)
    }
}

const INTERVALS: &str = "Standard error and ends of the 95 % interval by the scatter of games, and ends of that by samples \
    of whole games.";

impl Column {
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

    fn unit(&self) -> &'static str {
        match &self.cells {
            Cells::Values(Values::Text(_)) => "text",
            Cells::Values(Values::Flag(_)) => "true or false",
            Cells::Values(Values::Number(quantity, _)) | Cells::Estimate(quantity, ..) => quantity.unit(),
            Cells::Values(_) => "whole number",
        }
    }
}
