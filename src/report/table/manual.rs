//! The documentation of a table: each column with its type, unit and meaning.

use serde::Serialize;

use super::{Table, TableColumn, Values, files::FileColumn};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableDescription {
    pub table: &'static str,
    pub row: &'static str,
    pub columns: Vec<ColumnDescription>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnDescription {
    pub name: String,
    /// The type of the column's cells: `text`, `flag`, `integer` or `number`.
    pub r#type: &'static str,
    /// The unit of a number, or the kind of a text or flag.
    pub unit: &'static str,
    pub meaning: String,
}

impl Table {
    pub fn description(&self) -> TableDescription {
        TableDescription { table: self.name, row: self.row, columns: self.descriptions() }
    }

    pub(super) fn descriptions(&self) -> Vec<ColumnDescription> {
        let columns = self.columns.iter().filter(|column| !column.key.is_empty());
        columns.flat_map(TableColumn::descriptions).collect()
    }
}

/// Meanings of an estimate's columns, by the suffix of their names.
const ENDS: [(&str, &str); 5] = [
    ("se", "Standard error"),
    ("boot_low", "Lower end of the 95 % interval"),
    ("boot_high", "Upper end of the 95 % interval"),
    ("low", "Lower end of the 95 % interval"),
    ("high", "Upper end of the 95 % interval"),
];

/// Units of whole numbers, by the end of their columns' names. The other whole numbers count or number things.
const WHOLE_UNITS: [(&str, &str); 8] = [
    ("_cp", "centipawns"),
    ("centipawn_loss", "centipawns"),
    ("_bp", "hundredths of a percentage point"),
    ("_elo", "Elo points"),
    ("_win", "per mille"),
    ("_draw", "per mille"),
    ("_loss", "per mille"),
    ("_s", "seconds"),
];

impl TableColumn {
    fn descriptions(&self) -> Vec<ColumnDescription> {
        let described = |column: FileColumn<'_>| ColumnDescription {
            meaning: self.meaning_of(&column.name),
            r#type: column.cells.kind(),
            unit: column.cells.unit(&column.name),
            name: column.name,
        };
        self.in_files().into_iter().map(described).collect()
    }

    fn meaning_of(&self, name: &str) -> String {
        if name == self.key {
            return self.meaning.clone().into_owned();
        }
        let (end, words) = ENDS.into_iter().find(|(end, _)| name.ends_with(end)).unwrap_or_default();
        let by = if end.starts_with("boot") { ", by samples of whole games" } else { "" };
        format!("{words} of `{}`{by}.", self.key)
    }
}

impl Values {
    fn kind(&self) -> &'static str {
        match self {
            Values::Text(_) => "text",
            Values::Flag(_) => "flag",
            Values::Number(..) => "number",
            Values::Count(_) | Values::Whole(_) | Values::Whole32(_) => "integer",
        }
    }

    fn unit(&self, name: &str) -> &'static str {
        match self {
            Values::Text(_) => "text",
            Values::Flag(_) => "true or false",
            Values::Number(quantity, _) => quantity.unit.name(),
            Values::Count(_) | Values::Whole(_) | Values::Whole32(_) => {
                let unit = WHOLE_UNITS.into_iter().find(|(end, _)| name.ends_with(end));
                unit.map_or("whole number", |(_, unit)| unit)
            }
        }
    }
}
