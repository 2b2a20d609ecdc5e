//! Makes the page of files and columns of what the program says of its reports, and holds `docs/files.md` to it.

use std::{env, fs, path::Path};

use gainalyze::report::manual::KINDS;
use gainalyze::report::publish::{PAGE, ReportFile, ReportKind};
use gainalyze::report::table::{ColumnDescription, TableDescription};

#[test]
fn files_and_columns_are_documented_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/files.md");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page()).expect("a writable docs/files.md");
    }
    let documented = fs::read_to_string(&path).expect("docs/files.md");
    assert!(
        documented == page(),
        "docs/files.md is not current; renew it by UPDATE_DOCS=1 cargo test --test suite files_and_columns"
    );
}

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

/// Returns the page, in Markdown.
fn page() -> String {
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
    let tables = kinds.iter().flat_map(|kind| kind.all_tables()).map(|table| manual(&table.description()));
    let written_by = kinds[0].written_by;
    format!("\n## {written_by}\n\n{}{}", lines.collect::<String>(), tables.collect::<String>())
}

const PICTURES: &str = "pictures as PNG, SVG or both (`--plots`)";

/// Returns the names of a file in Markdown, and what it holds.
fn described(file: &ReportFile) -> (String, &'static str) {
    let quoted = |name: &str| format!("`{name}`");
    match file {
        ReportFile::Summary(name, says) | ReportFile::Fixed(name, says) => (quoted(name), says),
        ReportFile::Results(says, _) => (quoted("results.csv"), says),
        ReportFile::Page => (quoted(PAGE), "the page with everything in it (unless `--no-html`)"),
        ReportFile::Pictures(names) => {
            (names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", "), PICTURES)
        }
        ReportFile::PicturesOf(words, _) => ((*words).to_owned(), PICTURES),
        ReportFile::OfRun(words, says) => ((*words).to_owned(), says),
    }
}

/// Returns what a row is, and the columns as an itemized list: those of an estimate in one item.
fn manual(table: &TableDescription) -> String {
    let is_end = |column: &ColumnDescription, of: &str| column.meaning.ends_with(&format!(" of `{of}`."));
    let key = |column: &ColumnDescription| match column.meaning.rsplit_once(" of `") {
        Some((_, key)) if is_end(column, key.trim_end_matches("`.")) => key.trim_end_matches("`.").to_owned(),
        _ => column.name.clone(),
    };
    let items = table.columns.chunk_by(|one, next| {
        let own = key(one);
        is_end(next, &own) && (one.name == own || is_end(one, &own))
    });
    let items: String = items.map(|columns| format!("- {}\n", item(columns))).collect();
    format!("\n### `{}`\n\n{}\n\n{items}", table.table, table.row)
}

fn item(columns: &[ColumnDescription]) -> String {
    let names: Vec<String> = columns.iter().map(|column| format!("`{}`", column.name)).collect();
    let has = |end: &str| columns.iter().skip(1).any(|column| column.meaning.starts_with(end));
    let first = &columns[0];
    let (meaning, interval) = match (has("Upper"), has("Standard error")) {
        _ if first.meaning.starts_with("Standard error of `") => (INTERVALS, ""),
        (true, true) => {
            (&*first.meaning, " The value, its standard error and the ends of its 95 % interval.")
        }
        (true, false) => (&*first.meaning, " The value and the ends of its 95 % interval."),
        (false, _) => (&*first.meaning, ""),
    };
    format!("{} ({}): {meaning}{interval}", names.join(", "), first.unit)
}

const INTERVALS: &str = "Standard error and ends of the 95 % interval by the scatter of games, and ends of that by samples \
    of whole games.";

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
