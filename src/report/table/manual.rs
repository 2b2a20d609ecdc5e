//! Owns what the documentation says of a table: each column with its type, unit and meaning.

use super::{Cells, Column, Table};

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
        match self.cells {
            Cells::Text(_) => "text",
            Cells::Flag(_) => "true or false",
            Cells::Count(_) | Cells::Count32(_) | Cells::Whole(_) | Cells::Whole32(_) => "whole number",
            Cells::Number(quantity, _) | Cells::Estimate(quantity, ..) | Cells::Intervals(quantity, _) => {
                quantity.unit()
            }
        }
    }
}
