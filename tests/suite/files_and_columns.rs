//! Makes the page docs/files.md from the program's descriptions, and checks that the file equals it.

use std::{collections::BTreeMap, env, fs, path::Path};

use clap::ValueEnum;
use gainalyze::report::kinds::KINDS;
use gainalyze::report::publish::{PAGE, ReportFile, ReportKind};
use gainalyze::report::table::{ColumnDescription, TableDescription};
use gainalyze::report::tournament;

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
    INTRODUCTION.to_owned() + &once(&sections.map(section).collect::<String>())
}

/// Shortens the lists of columns. If an earlier table has a column with the same name and meaning, a link to
/// that table replaces the meaning.
fn once(sections: &str) -> String {
    let (mut table, mut known) = ("", BTreeMap::new());
    let mut told: Vec<(String, Option<&str>)> = Vec::new();
    for line in sections.lines() {
        table = line.strip_prefix("### ").unwrap_or(table);
        let names = line.split_once(" (").filter(|_| line.starts_with("- `") && line.contains("): "));
        let first = names.map(|_| *known.entry(line).or_insert(table)).filter(|first| *first != table);
        match (names, first, told.last_mut()) {
            (Some((names, _)), Some(_), Some((earlier, of))) if *of == first => {
                *earlier = format!("{earlier}, {}", names.trim_start_matches("- "));
            }
            (Some((names, _)), Some(_), _) => told.push((names.to_owned(), first)),
            _ => told.push((line.to_owned(), None)),
        }
    }
    let told = told.into_iter().map(|(text, first)| match first {
        Some(first) => format!("{text}: as in [{first}](#{}).\n", first.trim_matches('`')),
        None => text + "\n",
    });
    told.collect()
}

/// Returns the section on the files that the same commands write.
fn section(kinds: &[&ReportKind]) -> String {
    let written_by = kinds[0].written_by;
    let named = kinds.iter().flat_map(|kind| kind.files).map(|file| described(file, written_by));
    let mut files: Vec<(String, &str)> = named.collect();
    for (_, place, name, says) in OF_RUNS.into_iter().filter(|of_run| of_run.0 == written_by) {
        files.insert(place, (name.to_owned(), says));
    }
    let lines = files.chunk_by(|one, next| one.1 == next.1).map(|alike| {
        let names: Vec<&str> = alike.iter().map(|(name, _)| name.as_str()).collect();
        format!("- {}: {}\n", names.join(", "), alike[0].1)
    });
    let tables = kinds.iter().flat_map(|kind| kind.all_tables()).map(|table| manual(&table.description()));
    format!("\n## {written_by}\n\n{}{}", lines.collect::<String>(), tables.collect::<String>())
}

/// Returns the names of a file in Markdown, and a description of its contents.
fn described(file: &ReportFile, written_by: &str) -> (String, &'static str) {
    let quoted = |name: &str| format!("`{name}`");
    let meant = |name: &str| {
        let known = MEANINGS.iter().find(|known| known.0 == written_by && known.1 == name);
        (quoted(name), known.unwrap_or_else(|| panic!("no meaning of {name} of {written_by}")).2)
    };
    match file {
        ReportFile::Summary(name) | ReportFile::Fixed(name) => meant(name),
        ReportFile::Results(_) => meant("results.csv"),
        ReportFile::Page => (quoted(PAGE), "the page with everything in it (unless `--no-html`)"),
        ReportFile::Pictures(names) => {
            let names = names.iter().map(|name| quoted(name) + &on_request(written_by, name));
            let names = names.collect::<Vec<_>>().join(", ");
            let words = IN_WORDS.iter().find(|words| words.0 == written_by);
            (words.map_or(names, |words| words.1.to_owned()), "pictures as PNG, SVG or both (`--plots`)")
        }
    }
}

/// Returns the option that adds a picture to a tournament's report; empty if there is none.
fn on_request(written_by: &str, name: &str) -> String {
    let extra = Some(name).filter(|_| written_by == TOURNAMENT).and_then(tournament::extra);
    match extra.and_then(|extra| extra.to_possible_value()) {
        Some(extra) => format!(" with `--also {}`", extra.get_name()),
        None if name.contains("<number>") => " with `--game`".to_owned(),
        None => String::new(),
    }
}

const TOURNAMENT: &str = "`gainalyze FILE…` and `gainalyze report`";
const ARCHIVE: &str = "`gainalyze archive` and `gainalyze merge`";
const SEVERAL: &str = "Several engines (`--engine` more than once) and several files (`--separately`)";
const SELFPLAY: &str = "`gainalyze selfplay`";
const ROUND_ROBIN: &str = "`gainalyze selfplay --entrant` and `--recorded`";
const SPAR: &str = "`gainalyze spar --evaluate`";
const DEEP: &str = "`gainalyze deep`";
const LEARN: &str = "`gainalyze learn`";

/// Sets of pictures, described in words instead of listed by name.
const IN_WORDS: [(&str, &str); 2] = [
    (SELFPLAY, "pictures of strength by depth, of the fitted curves and of Δw"),
    (
        SPAR,
        "`games-of-even` and others: how games ended, `turns-`, `losses-` and `skill-of-even`, `turns-of-a-fixed-pair`",
    ),
];

/// Files that a run itself names and writes, with their places among the other files.
const OF_RUNS: [(&str, usize, &str, &str); 7] = [
    (
        TOURNAMENT,
        1,
        "`run.json`",
        "the record of the run: command line, time, searches; it differs for every run",
    ),
    (
        ARCHIVE,
        3,
        "the file that `--partial` names",
        "the counts as Parquet, for `gainalyze merge`. `terms` has the counting options; `group` is null for the whole archive. Two parts with the same terms are merged by adding the values of rows with the same `group`, `count` and `key`",
    ),
    (SEVERAL, 2, "a folder for each engine, event or both", "with the files of `gainalyze FILE…`"),
    (SELFPLAY, 0, "`games.pgn`", "the games in the order in which they ended; a stopped run resumes from it"),
    (
        ROUND_ROBIN,
        0,
        "`games.pgn`",
        "the games in the order in which they ended; a stopped run resumes from it",
    ),
    (
        SPAR,
        0,
        "`strengths/`, `even/` and others",
        "the games among the opponents, and those of each skill function, in the files of `selfplay --entrant`",
    ),
    (
        LEARN,
        0,
        "`weights-<band>-<objective>.txt`",
        "weights of the linear evaluation, with their training data; `all` is of all bands together",
    ),
];

/// The meanings of files in reports.
const MEANINGS: [(&str, &str, &str); 17] = [
    (
        TOURNAMENT,
        "summary.json",
        "all results that follow from games, evaluations and options, at full precision",
    ),
    (
        TOURNAMENT,
        "paper.html",
        "with `--also paper`: the paper's tables and pictures, histograms of all players, and the moves that gained most, as a page (unless `--no-html`)",
    ),
    (
        "`gainalyze player`",
        "mistakes.pgn",
        "the position before each of the costliest mistakes and blunders (`--mistakes`) as a game of its own. The main line is the engine's; the move played is a variation, with its loss. The tag `Theme` names the kind of mistake",
    ),
    (ARCHIVE, "archive.json", "the method, and the number of games by outcome"),
    (SEVERAL, "engines-summary.json", "the panel of several engines at full precision"),
    (SEVERAL, "events-summary.json", "the strength of the engine by event at full precision"),
    (
        SELFPLAY,
        "results.csv",
        "the games in the order of the schedule; as CSV whatever the format of the other tables",
    ),
    (SELFPLAY, "summary.json", "the tables at full precision, with the findings"),
    (ROUND_ROBIN, "results.csv", "the games that count, in the order of the schedule; `--recorded` reads it"),
    (ROUND_ROBIN, "summary.json", "the ratings at full precision, the sequential test, and the findings"),
    (SPAR, "summary.json", "the tables at full precision"),
    (
        DEEP,
        "summary.json",
        "the whole tree: root, settings, positions, moves, scores, bounds, and the root's scores at each depth",
    ),
    (DEEP, "tree.pgn", "the tree as a game with variations, the main line first"),
    (DEEP, "tree.svg", "the values of the root's moves by depth"),
    (DEEP, "tree.html", "the tree to fold and walk, with a board"),
    ("`gainalyze go-deep`", "go-deep-summary.json", "the counts, with engine and options"),
    (LEARN, "learning.json", "training data, results and findings, at full precision"),
];

/// Returns the section on a table: the meaning of a row, and a list of the columns. The columns of an
/// estimate are one item of the list.
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
    let first = &columns[0];
    let meaning = match first.meaning.starts_with("Standard error of `") {
        true => INTERVALS,
        false => &first.meaning,
    };
    format!("{} ({}): {meaning}", names.join(", "), first.unit)
}

const INTERVALS: &str = "Standard error and ends of the 95 % interval by the scatter of games; then the ends of the interval by samples of whole games.";

const INTRODUCTION: &str = "# Files and columns

<!-- Generated from the descriptions of the tables. To renew it: UPDATE_DOCS=1 cargo test --test suite files_and_columns -->

Each table below is written in the formats of `--format`, with the unit and meaning of each column.
`gainalyze schema players` prints one table, `gainalyze schema --json` all of them for programs.

- **CSV**: fixed decimals, empty cells for unknown values. A text from games that begins with `=`, `+`,
  `-`, `@`, a tab or a line end has an apostrophe in front, since a spreadsheet would run it.
- **Parquet** and **JSON**: full precision, null for unknown values. Parquet files hold texts, flags,
  signed integers and floating-point numbers. Their key-value metadata are `gainalyze.version`,
  `gainalyze.table`, `gainalyze.row`, `gainalyze.columns` (name, type, unit and meaning, as JSON), and
  where known `gainalyze.engine`, `gainalyze.method` and `gainalyze.filters`.

An estimate has several columns in one line: the value, and if they exist its standard error (`_se`)
and the ends of its 95 % interval (`_low`, `_high`). Intervals are by the scatter of games unless
stated otherwise. A column that several tables have is explained in the first of them.

In pandas, read the round as text, since 1.10 is not 1.1:

```python
import pandas

moves = pandas.read_csv(\"moves.csv\", dtype={\"round\": str})
blunders = moves[moves[\"judgement\"] == \"blunder\"]
print(blunders.groupby(\"player\")[\"san\"].count().sort_values())
```

In DuckDB, from Parquet files (`--format parquet`):

```python
import duckdb

print(duckdb.sql(\"\"\"
    SELECT player, phase, count(*) AS moves, round(avg(centipawn_loss), 1) AS loss
    FROM 'moves.parquet' WHERE counted GROUP BY ALL ORDER BY ALL
\"\"\"))
```
";
