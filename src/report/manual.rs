//! Owns `docs/files.md` and `gainalyze schema`: every file that a run writes, and every column of its tables, from the
//! descriptions that the tables themselves are made by.

use serde::Serialize;

use super::{
    archive::ARCHIVE,
    deep::DEEP,
    experiment::{EXPERIMENT, round_robin::ROUND_ROBIN, sparring::SPARRING},
    go_deep::GO_DEEP,
    learning::LEARNING,
    profile::PROFILE,
    publish::{PAGE, ReportFile, ReportKind},
    sensitivity::SENSITIVITY,
    several::{ENGINES, EVENTS},
    table::{
        ColumnDescription, Screen, Table, TableDescription,
        layout::{fitted, title},
    },
    tournament::TOURNAMENT,
};

/// All kinds of reports, in the order of the documentation.
static KINDS: [&ReportKind; 12] = [
    &TOURNAMENT,
    &PROFILE,
    &ARCHIVE,
    &ENGINES,
    &EVENTS,
    &SENSITIVITY,
    &EXPERIMENT,
    &ROUND_ROBIN,
    &SPARRING,
    &DEEP,
    &GO_DEEP,
    &LEARNING,
];

/// Returns the page, in Markdown.
pub fn page() -> String {
    let sections = KINDS.chunk_by(|one, next| one.written_by == next.written_by);
    INTRODUCTION.to_owned() + &sections.map(section).collect::<String>()
}

/// Returns what the same commands write.
fn section(kinds: &[&ReportKind]) -> String {
    let files: Vec<_> = kinds.iter().flat_map(|kind| kind.files).map(described).collect();
    let lines = files.chunk_by(|one, next| one.1 == next.1).map(|alike| {
        let names: Vec<&str> = alike.iter().map(|(name, _)| name.as_str()).collect();
        format!("- {}: {}\n", names.join(", "), alike[0].1)
    });
    let tables = kinds.iter().flat_map(|kind| kind.all_tables()).map(|table| table.manual());
    let written_by = kinds[0].written_by;
    format!("\n## {written_by}\n\n{}{}", lines.collect::<String>(), tables.collect::<String>())
}

const PICTURES: &str = "pictures as PNG, SVG or both (`--plots`)";

/// Returns the names of a file in Markdown, and what it holds.
fn described(file: &ReportFile) -> (String, &'static str) {
    let quoted = |name: &str| format!("`{name}`");
    match file {
        ReportFile::Summary(name, says) | ReportFile::Fixed(name, says) => (quoted(name), says),
        ReportFile::Page => (quoted(PAGE), "the page with everything in it (unless `--no-html`)"),
        ReportFile::Pictures(names) => {
            (names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", "), PICTURES)
        }
        ReportFile::PicturesOf(words, _) => ((*words).to_owned(), PICTURES),
        ReportFile::OfRun(words, says) => ((*words).to_owned(), says),
    }
}

/// What is said of a table, and who writes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// By which commands it is written, in Markdown.
    written_by: &'static str,
    /// The table with its columns.
    #[serde(flatten)]
    pub description: TableDescription,
}

/// Returns what is said of every table, with all columns that it may have.
pub fn schema() -> Vec<Entry> {
    let entries = |kind: &&ReportKind| {
        let written_by = kind.written_by;
        let entry = move |table: Table| Entry { written_by, description: table.description() };
        kind.all_tables().map(entry).collect::<Vec<_>>()
    };
    KINDS.iter().flat_map(entries).collect()
}

/// Returns these entries as text, for people.
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

const INTRODUCTION: &str = "# Files and columns

<!-- Generated from the descriptions of the tables. To renew it: UPDATE_DOCS=1 cargo test --test suite files_and_columns -->

Each table is written in the formats that `--format` names: CSV (decimals fixed by what a number is, texts that a
spreadsheet would run behind an apostrophe), Parquet and JSON (numbers at full precision, what is not known null, empty
in CSV). Beside each column stand its unit and its meaning. Intervals are of 95 %, and a game is the unit of their
scatter unless it is said otherwise. `gainalyze schema players` prints the part of a table, `gainalyze schema --json` all of
this for programs.

A Parquet file has texts, flags, whole numbers with a sign and floating-point numbers, which pandas, DuckDB, polars and
Arrow of the last years filter and sort. It says of itself, in its key-value metadata: `gainalyze.version`,
`gainalyze.table`, `gainalyze.row` (what a row is), `gainalyze.columns` (name, type, unit and meaning of each, as JSON),
and where the run has them `gainalyze.engine`, `gainalyze.method` and `gainalyze.filters`. The meaning of a column is the
`description` of its field too.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Unit;

    #[test]
    fn every_column_of_every_table_has_a_sentence_that_says_what_it_means() {
        let page = page();
        let columns: Vec<&str> =
            page.lines().filter(|line| line.starts_with("- `") && line.contains("): ")).collect();
        assert!(columns.len() > 150, "{} columns", columns.len());
        for column in columns {
            let (_, meaning) = column.split_once("): ").expect("a meaning");
            assert!(meaning.len() > 5 && meaning.ends_with('.'), "{column}");
        }
    }

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
            ("players", "first", Unit::Share),
        ] {
            assert_eq!(unit(table, column), expected.name(), "{table}: {column}");
        }
    }
}
