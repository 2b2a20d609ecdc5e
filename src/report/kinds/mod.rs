//! The reports that only the program makes, one module for each kind, and the tables of `gainalyze schema`.

pub(crate) mod archive;
pub(crate) mod calibration;
pub(crate) mod deep;
pub mod experiment;
pub(crate) mod go_deep;
pub(crate) mod history;
pub(crate) mod learning;
pub(crate) mod papers;
pub(crate) mod profile;
#[cfg(feature = "postgres")]
pub(crate) mod queue;
pub mod round_robin;
pub mod sensitivity;
pub(crate) mod several;
pub mod sparring;

use askama::Template;
use serde::Serialize;

use self::{
    archive::ARCHIVE, deep::DEEP, experiment::EXPERIMENT, go_deep::GO_DEEP, learning::LEARNING,
    profile::PROFILE, round_robin::ROUND_ROBIN, sensitivity::SENSITIVITY, several::EVENTS, several::PANEL,
    sparring::SPARRING,
};
use crate::report::{
    html::profile::Forest, plots::canvas::Drawing, publish::NamedDrawing, publish::Report,
    publish::ReportKind, table::ColumnDescription, table::Screen, table::Table, table::TableDescription,
    table::layout::fitted, table::layout::title, table::page::PageTable, tournament::TOURNAMENT,
};

/// All kinds of reports, in the order of the documentation.
pub static KINDS: [&ReportKind; 12] = [
    &TOURNAMENT,
    &PROFILE,
    &ARCHIVE,
    &PANEL,
    &EVENTS,
    &SENSITIVITY,
    &EXPERIMENT,
    &ROUND_ROBIN,
    &SPARRING,
    &DEEP,
    &GO_DEEP,
    &LEARNING,
];

/// The pages that show nothing but a [`Report`]. The templates contain the texts.
#[derive(Template)]
enum Page<'a> {
    #[template(path = "report/kinds/experiment/page.html")]
    Experiment { report: &'a Report },
    #[template(path = "report/kinds/round_robin/page.html")]
    RoundRobin { report: &'a Report },
    #[template(path = "report/kinds/sparring/page.html")]
    Sparring { report: &'a Report },
    #[template(path = "report/kinds/several/page.html")]
    Panel { report: &'a Report },
    #[template(path = "report/kinds/papers.html")]
    Papers { report: &'a Report },
    #[template(path = "report/kinds/history.html")]
    History { report: &'a Report, forest: Option<Forest>, compared: [String; 2] },
    #[template(path = "report/kinds/learning/page.html")]
    Learning { report: &'a Report },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    written_by: &'static str,
    #[serde(flatten)]
    pub description: TableDescription,
}

impl ReportKind {
    /// Pairs the `drawings` with the names of this kind's pictures, in the same order. Leaves out each `None`
    /// with its name.
    pub(super) fn named(&self, drawings: impl IntoIterator<Item = Option<Drawing>>) -> Vec<NamedDrawing> {
        let named = self.pictures().zip(drawings);
        named.filter_map(|(name, drawing)| Some((name.to_owned(), drawing?))).collect()
    }
}

impl Report {
    pub(in crate::report) fn page_tables(&self) -> impl Iterator<Item = PageTable> {
        let tables = (1..).zip(self.shown.clone());
        tables.map(|(n, table)| PageTable::of(format!("table-{n}"), table))
    }
}

/// Number of columns for which a narrow terminal has room in every table.
const MOST_KEPT: usize = 9;

/// Returns a column's priority: a narrow terminal drops every second column, then every second of the rest.
pub(super) fn every_second(place: usize, columns: usize) -> u8 {
    match place % 4 {
        _ if columns <= MOST_KEPT => 0,
        1 | 3 => 2,
        2 => 1,
        _ => 0,
    }
}

/// Returns the documentation of every table, with all columns that it may have.
pub fn schema() -> Vec<Entry> {
    let entries = |kind: &&ReportKind| {
        let written_by = kind.written_by;
        let entry = move |table: Table| Entry { written_by, description: table.description() };
        kind.all_tables().map(entry).collect::<Vec<_>>()
    };
    KINDS.iter().flat_map(entries).collect()
}

pub fn listing<'a>(entries: impl IntoIterator<Item = &'a Entry>, screen: Screen) -> String {
    let columns = |columns: &[ColumnDescription]| {
        let line = |column: &ColumnDescription| {
            let ColumnDescription { name, unit, meaning, .. } = column;
            fitted(&format!("- {name} ({unit}): {meaning}"), screen) + "\n"
        };
        columns.iter().map(line).collect::<String>()
    };
    let told = |Entry { description, .. }: &Entry| {
        let TableDescription { table, row, columns: listed } = description;
        format!("{}\n{}", title(&format!("{table}: {row}"), screen), columns(listed))
    };
    entries.into_iter().map(told).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Unit;

    #[test]
    fn a_number_is_in_the_unit_of_its_row_only_where_the_row_names_one() {
        let names_it = |column: &ColumnDescription| {
            column.r#type == "text" && column.meaning.contains("its name ends with its unit")
        };
        for Entry { description: TableDescription { table, columns, .. }, .. } in schema() {
            let is_of_row = |column: &ColumnDescription| column.unit == Unit::Row.name();
            let is_named = columns.iter().any(names_it);
            let of_row: Vec<&String> =
                columns.iter().filter(|column| is_of_row(column)).map(|column| &column.name).collect();
            assert!(of_row.is_empty() || is_named, "{table}: the unit of {of_row:?} is nowhere");
            let by_objective = columns.iter().any(|column| column.unit == Unit::Objective.name());
            let has_objective = columns.iter().any(|column| column.name == "objective");
            assert!(has_objective || !by_objective, "{table} names no objective");
        }
    }

    #[test]
    fn units_are_what_the_numbers_are() {
        let schema = schema();
        let unit = |table: &str, column: &str| {
            let entry = schema.iter().find(|entry| entry.description.table == table).expect("a table");
            let mut columns = entry.description.columns.iter();
            columns.find(|known| known.name == column).expect("a column").unit
        };
        for (table, column, expected) in [
            ("learning-models", "duality_gap", Unit::Excess),
            ("learning-predictions", "log_loss", Unit::Nats),
            ("learning-cross-training", "pairwise", Unit::ShareDifference),
            ("learning-cross-training", "log_loss_se", Unit::Nats),
            ("go-deep", "rate_changed", Unit::Share),
            ("heinz", "delta_w_low_90", Unit::ScoreDifference),
            ("skills", "slope", Unit::ScoreSlope),
            ("skills", "wins_sd", Unit::Games),
            ("quality", "win_loss_percent", Unit::PercentagePoints),
            ("quality", "merit", Unit::PercentagePoints),
            ("engines", "se", Unit::Score),
            ("events", "low", Unit::Elo),
            ("statistics", "value", Unit::Row),
            ("players", "score_first", Unit::Share),
        ] {
            assert_eq!(unit(table, column), expected.name(), "{table}: {column}");
        }
    }
}
