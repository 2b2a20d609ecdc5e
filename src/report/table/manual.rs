//! Owns what the documentation says of a table: each column with its type, unit and meaning.

use super::{Cells, Column, Table, Values};

impl Table {
    /// The columns as an itemized list in Markdown.
    pub(in crate::report) fn manual(&self) -> String {
        let columns = self.columns.iter().filter(|column| !column.key.is_empty());
        columns.map(|column| format!("- {}\n", column.manual())).collect()
    }
}

impl Column {
    fn manual(&self) -> String {
        let names: Vec<String> = self.names().iter().map(|name| format!("`{name}`")).collect();
        let interval = match (&self.cells, names.len()) {
            (Cells::Estimate(..), 4) => " The value, its standard error and the ends of its 95 % interval.",
            (Cells::Estimate(..), _) => " The value and the ends of its 95 % interval.",
            _ => "",
        };
        format!("{} ({}): {}{interval}", names.join(", "), self.unit(), self.meaning)
    }

    fn unit(&self) -> &'static str {
        match &self.cells {
            Cells::Values(Values::Text(_)) => "text",
            Cells::Values(Values::Flag(_)) => "true or false",
            Cells::Values(Values::Number(quantity, _))
            | Cells::Estimate(quantity, ..)
            | Cells::Intervals(quantity, _) => quantity.unit(),
            Cells::Values(_) => "whole number",
        }
    }
}
